import CYAML
import Diagnostics

extension YAMLBuilder {
  mutating func takeScalar(_ event: borrowing yaml_event_t) {
    let scalar = event.data.scalar
    let properties = scalarProperties(event)
    let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    // libyaml drops the tag `!`.
    let tag = scalar.tag == nil && properties.tag != nil ? YAMLTag.nonSpecific : YAMLTag(uri: scalar.tag)
    var row = YAMLRow(.scalar, tag: tag, isPlainStyle: isPlain, isFlow: true, at: properties.span)
    row.first = UInt32(texts.count)
    append(UnsafeBufferPointer(start: scalar.value, count: scalar.length))
    row.count = UInt32(texts.count) - row.first
    let cost = 1 + Int(row.count) / 64
    weight += cost
    add(row)
    register(scalar.anchor, Anchored(row: UInt32(nodes.count - 1), weight: cost, height: 0))
    check(properties, of: row, uri: scalar.tag)
  }

  private mutating func append(_ value: UnsafeBufferPointer<UInt8>) {
    guard !standIns.isEmpty else { return texts.append(contentsOf: value) }
    texts += standIns.originals(in: Array(value)[...])
  }

  private mutating func add(_ row: YAMLRow) {
    nodes.append(row)
    attach(UInt32(nodes.count - 1), height: 0, end: row.end)
  }

  private mutating func register(_ name: UnsafeMutablePointer<UInt8>?, _ anchored: Anchored) {
    if let name { anchors[String(cString: name)] = anchored }
  }

  mutating func takeAlias(_ event: borrowing yaml_event_t) {
    let span = YAMLSpan(start: YAMLMark(event.start_mark), end: YAMLMark(event.end_mark))
    let name = event.data.alias.anchor.map { String(cString: $0) } ?? ""
    checkEndOfName(at: cursor.offset(of: event.end_mark), span: span)
    guard let target = anchors[name], isUsable(target, as: name, at: span) else {
      if anchors[name] == nil { refuseUndefined(name, at: span) }
      add(YAMLRow(.scalar, isPlainStyle: true, isFlow: true, at: span))
      brokenAliases.insert(UInt32(nodes.count - 1))
      return
    }
    weight += target.weight
    aliasWeight += target.weight
    attach(target.row, height: target.height, end: span.end)
  }

  private mutating func isUsable(_ target: Anchored, as name: String, at span: YAMLSpan) -> Bool {
    if frames.contains(where: { $0.row == target.row }) {
      let note = Diagnostic.Note("'&\(name)' is here", at: location(nodes[Int(target.row)].span))
      report("cyclic-alias", at: span, "an alias must not stand inside what it names", notes: [note])
      return false
    }
    if frames.count + target.height > reader.maximumDepth {
      refuseDepth(at: span)
      return false
    }
    guard aliasWeight + target.weight > reader.maximumExpandedNodes else { return true }
    if aliasWeight <= reader.maximumExpandedNodes {
      report(
        "alias-expansion", at: span, "aliases must not add more than \(reader.maximumExpandedNodes) nodes to a file")
      aliasWeight = reader.maximumExpandedNodes + 1
    }
    return false
  }

  private mutating func refuseUndefined(_ name: String, at span: YAMLSpan) {
    // Looking for the nearest among many for each of many would take long.
    let nearest = diagnostics.count < 20 && anchors.count < 1000 ? name.nearest(among: anchors.keys.sorted()) : nil
    let hint = nearest.map { "; did you mean '*\($0)'?" } ?? ""
    report(
      "undefined-anchor", at: span, "'*\(name)' needs an anchor '&\(name)' before it\(hint)",
      fixIt: nearest.map { "*" + $0 })
  }

  mutating func open(sequence event: borrowing yaml_event_t) {
    let data = event.data.sequence_start
    let isFlow = data.style == YAML_FLOW_SEQUENCE_STYLE
    open(.sequence, event, anchor: data.anchor, uri: data.tag, isFlow: isFlow)
  }

  mutating func open(mapping event: borrowing yaml_event_t) {
    let data = event.data.mapping_start
    let isFlow = data.style == YAML_FLOW_MAPPING_STYLE
    open(.mapping, event, anchor: data.anchor, uri: data.tag, isFlow: isFlow)
  }

  private mutating func open(
    _ kind: YAMLNode.Kind, _ event: borrowing yaml_event_t, anchor: UnsafeMutablePointer<UInt8>?,
    uri: UnsafeMutablePointer<UInt8>?, isFlow: Bool
  ) {
    let properties = collectionProperties(event, hasAnchor: anchor != nil, hasTag: uri != nil)
    let row = YAMLRow(kind, tag: YAMLTag(uri: uri), isFlow: isFlow, at: properties.span)
    guard frames.count < reader.maximumDepth else {
      refuseDepth(at: row.span)
      return stop()
    }
    add(row)
    check(properties, of: row, uri: uri)
    let index = UInt32(nodes.count - 1)
    register(anchor, Anchored(row: index, weight: 0, height: 0))
    frames.append(
      Frame(
        row: index, firstChild: waiting.count, weightBefore: weight, anchor: anchor.map { String(cString: $0) },
        lastEnd: row.end))
    weight += 1
  }

  private mutating func refuseDepth(at span: YAMLSpan) {
    report(
      "nesting-too-deep", at: span, "lists and mappings must not be nested deeper than \(reader.maximumDepth) levels")
  }

  mutating func close(_ event: borrowing yaml_event_t) {
    closeLastFrame(at: YAMLMark(event.end_mark))
  }

  /// Ends the innermost open collection; a block collection ends with its last child, not where libyaml notices.
  mutating func closeLastFrame(at end: YAMLMark?) {
    guard let frame = frames.popLast() else { return }
    let index = Int(frame.row)
    let own = Array(waiting[frame.firstChild...])
    waiting.removeSubrange(frame.firstChild...)
    nodes[index].end = nodes[index].isFlow ? end ?? frame.lastEnd : frame.lastEnd
    checkKind(of: nodes[index])
    nodes[index].first = UInt32(children.count)
    children += nodes[index].kind == .mapping ? effectiveMembers(own) : own
    nodes[index].count = UInt32(children.count) - nodes[index].first
    let height = frame.height + 1
    noteInOpenFrame(height: height, end: nodes[index].end)
    if let anchor = frame.anchor, anchors[anchor]?.row == frame.row {
      anchors[anchor] = Anchored(row: frame.row, weight: weight - frame.weightBefore, height: height)
    }
  }
}
