import CYAML
import ContentModel
import Diagnostics

extension YAMLBuilder {
  mutating func takeScalar(_ event: borrowing yaml_event_t) {
    let scalar = event.data.scalar
    weight += 1 + scalar.length / 64
    if scalar.tag == nil, scalar.anchor == nil, let row = writtenRow(event) {
      return attach(row, height: 0, end: row.writtenEnd)
    }
    let properties = scalarProperties(event)
    // libyaml drops the tag `!`.
    let tag =
      scalar.tag == nil && properties.tag != nil ? YAMLTag.nonSpecific : YAMLTag(uri: scalar.tag)
    let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    checkLines(of: event, at: properties.span)
    guard !isDone else { return }
    let first = cursor.bytes.count + decoded.count
    append(UnsafeBufferPointer(start: scalar.value, count: scalar.length))
    let content = first..<cursor.bytes.count + decoded.count
    let row = detailed(
      .scalar, tag: tag, isPlainStyle: isPlain, at: properties.span, content: content)
    attach(row, height: 0, end: properties.span.upperBound)
    if let name = scalar.anchor {
      declare(
        String(cString: name),
        as: Anchored(
          row: row, start: properties.span.lowerBound, weight: 1 + content.count / 64, height: 0,
          declaration: cursor.offset(of: event.start_mark)))
    }
    check(properties, of: row, uri: scalar.tag)
  }

  /// The row of a scalar without properties whose value is its source text.
  private mutating func writtenRow(_ event: borrowing yaml_event_t) -> YAMLRow? {
    let scalar = event.data.scalar
    let quote: UInt8? =
      switch scalar.style {
      case YAML_PLAIN_SCALAR_STYLE: nil
      case YAML_DOUBLE_QUOTED_SCALAR_STYLE: UInt8(ascii: "\"")
      case YAML_SINGLE_QUOTED_SCALAR_STYLE: UInt8(ascii: "'")
      default: 0
      }
    guard quote != 0, text.standIns.isEmpty else { return nil }
    let value = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    let (start, end) = (event.start_mark, event.end_mark)
    // An empty text may be on the line after the last, which has no bytes.
    guard !value.isEmpty || quote != nil || cursor.place(of: end) <= cursor.bytes.count,
      let first = cursor.place(of: value, quote: quote, from: start, to: end)
    else { return nil }
    return YAMLRow(textAt: first, count: value.count, isQuoted: quote != nil)
  }

  private mutating func append(_ value: UnsafeBufferPointer<UInt8>) {
    if text.standIns.isEmpty {
      decoded.append(contentsOf: value)
    } else {
      decoded += text.standIns.originals(in: Array(value)[...])
    }
  }

  mutating func takeAlias(_ event: borrowing yaml_event_t) {
    let (start, end) = (cursor.place(of: event.start_mark), cursor.place(of: event.end_mark))
    let name = event.data.alias.anchor.map { String(cString: $0) } ?? ""
    checkEndOfName(at: end, from: start)
    let marks = YAMLSpan(start: YAMLMark(event.start_mark), end: YAMLMark(event.end_mark))
    anchors[name]?.isUsed = true
    guard let target = anchors[name], isUsable(target, as: name, at: marks) else {
      // A slip in the name of an anchor is one mistake for all its aliases.
      if anchors[name] == nil, undefinedAnchors.insert(name) {
        refuseUndefined(name, at: start..<end)
      }
      let row = detailed(
        .scalar, isPlainStyle: true, isBroken: true, at: start..<end, content: 0..<0)
      return attach(row, height: 0, end: end)
    }
    weight += target.weight
    aliasWeight += target.weight
    attach(target.row, height: target.height, end: end)
  }

  private mutating func isUsable(_ target: Anchored, as name: String, at span: YAMLSpan) -> Bool {
    if target.openFrame != nil {
      let note = Diagnostic.Note("'&\(name)' is here", at: location(mark(at: target.start).span(1)))
      report(
        .cyclicAlias, at: span, message: "an alias must not occur inside the node that it names",
        notes: [note])
      return false
    }
    if frames.count + target.height > reader.maximumDepth {
      refuseDepth(at: span)
      return false
    }
    guard aliasWeight + target.weight > reader.maximumExpandedNodes else { return true }
    if aliasWeight <= reader.maximumExpandedNodes {
      report(
        .aliasExpansion, at: span,
        message: "aliases must not add more than \(reader.maximumExpandedNodes) nodes to a file")
      aliasWeight = reader.maximumExpandedNodes + 1
    }
    return false
  }

  private mutating func refuseUndefined(_ name: String, at bytes: Range<Int>) {
    let span = span(bytes)
    if refuseTextLikeAlias(at: bytes) { return stop() }
    // The search for the nearest of many names takes long.
    let nearest =
      diagnostics.count < 20 && anchors.count < 1000 ? name.nearest(among: anchors.names) : nil
    let hint = nearest.map { "; did you mean '*\($0)'?" } ?? ""
    report(
      .undefinedAnchor, at: span,
      message: "'*\(name)' needs an anchor '&\(name)' before it\(hint)",
      fixIt: nearest.map { "*" + $0 })
  }

  mutating func open(sequence event: borrowing yaml_event_t) {
    let data = event.data.sequence_start
    let isFlow = data.style == YAML_FLOW_SEQUENCE_STYLE
    open(.sequence, at: event, anchor: data.anchor, uri: data.tag, isFlow: isFlow)
  }

  mutating func open(mapping event: borrowing yaml_event_t) {
    let data = event.data.mapping_start
    let isFlow = data.style == YAML_FLOW_MAPPING_STYLE
    open(.mapping, at: event, anchor: data.anchor, uri: data.tag, isFlow: isFlow)
  }

  private mutating func open(
    _ kind: YAMLNode.Kind, at event: borrowing yaml_event_t, anchor: UnsafeMutablePointer<UInt8>?,
    uri: UnsafeMutablePointer<UInt8>?, isFlow: Bool
  ) {
    let properties = collectionProperties(event, hasAnchor: anchor != nil, hasTag: uri != nil)
    let start = properties.start
    guard frames.count < reader.maximumDepth else {
      refuseDepth(at: mark(at: start).span(1))
      return stop()
    }
    let tag = YAMLTag(uri: uri)
    if tag == .unknown {
      refuseTag(at: properties.tag ?? start..<start + 1, uri: uri)
    }
    let name = anchor.map { String(cString: $0) }
    if let name {
      let placeholder = YAMLRow(kind, tag: tag, details: 0)
      declare(
        name,
        as: Anchored(
          row: placeholder, start: start, openFrame: frames.count, weight: 0, height: 0,
          declaration: cursor.offset(of: event.start_mark)))
    }
    frames.append(
      Frame(
        kind: kind, tag: tag, isFlow: isFlow, start: start, firstChild: waiting.count,
        weightBefore: weight,
        anchor: name, lastEnd: start + 1))
    weight += 1
  }

  private mutating func refuseDepth(at span: YAMLSpan) {
    report(
      .nestingTooDeep, at: span,
      message: "lists and mappings must not be nested deeper than \(reader.maximumDepth) levels")
  }

  /// Opens a block collection without properties; returns `false` if it is too deep.
  mutating func openBlock(_ kind: YAMLNode.Kind, at start: Int) -> Bool {
    open(kind, isFlow: false, at: start)
  }

  /// Opens a flow collection without properties; returns `false` if it is too deep.
  mutating func openFlow(_ kind: YAMLNode.Kind, at start: Int) -> Bool {
    open(kind, isFlow: true, at: start)
  }

  private mutating func open(_ kind: YAMLNode.Kind, isFlow: Bool, at start: Int) -> Bool {
    frames.append(
      Frame(
        kind: kind, tag: .none, isFlow: isFlow, start: start, firstChild: waiting.count,
        weightBefore: weight,
        lastEnd: start + 1))
    return frames.count <= reader.maximumDepth
  }

  mutating func close(_ event: borrowing yaml_event_t) {
    closeLastFrame(atByte: cursor.place(of: event.end_mark))
  }

  /// Ends the innermost open collection; a block collection ends with its last child, before
  /// libyaml's mark.
  mutating func closeLastFrame(atByte end: Int?) {
    guard let frame = frames.popLast() else { return }
    let end = frame.isFlow ? end ?? frame.lastEnd : frame.lastEnd
    if !frame.tag.suits(frame.kind) { refuseKind(frame.tag, at: span(frame.start..<end)) }
    let firstChild = nodes.count
    // In an incomplete file, the last key may have no value.
    if frame.kind == .mapping, !(waiting.count - frame.firstChild).isMultiple(of: 2) {
      waiting.removeLast()
    }
    if frame.kind == .mapping, !isPlainMapping(from: frame.firstChild) {
      nodes += effectiveMembers(Array(waiting[frame.firstChild...]))
    } else {
      nodes += waiting[frame.firstChild...]
    }
    waiting.removeLast(waiting.count - frame.firstChild)
    let row = collection(frame.kind, tag: frame.tag, from: firstChild, at: frame.start..<end)
    attach(row, height: frame.height + 1, end: end)
    if let anchor = frame.anchor, let open = anchors[anchor], open.openFrame == frames.count {
      anchors[anchor] = Anchored(
        row: row, start: frame.start, weight: weight - frame.weightBefore, height: frame.height + 1,
        declaration: open.declaration, isUsed: open.isUsed)
    }
  }
}
