import CYAML
import ContentModel
import Diagnostics
import SystemC

/// The construction of a tree from libyaml's events.
struct YAMLBuilder {
  /// An open collection.
  struct Frame {
    var kind: YAMLNode.Kind
    var tag: YAMLTag
    /// `true` if the collection ends with its bracket, not with its last child.
    var isFlow: Bool
    var start: Int
    /// The index of the first child in `waiting`.
    var firstChild: Int
    var weightBefore: Int
    var anchor: String?
    /// The depth of the collections in its children.
    var height = 0
    /// The end of its last child.
    var lastEnd: Int
  }

  /// A node that aliases can refer to.
  private struct Anchored {
    var row: YAMLRow
    /// The offset at which the anchored node begins.
    var start: Int
    /// The index of the node's frame while the node is open.
    var openFrame: Int?
    var weight: Int
    var height: Int
    /// The offset of the event that declares the anchor; the node's properties begin here.
    var declaration = 0
    var isUsed = false
  }

  let reader: YAMLReader
  let path: String
  let text: YAMLText
  var cursor: YAMLCursor
  var nodes: [YAMLRow] = []
  /// The span and the content of each node that has details: two rows for each node.
  var details: [YAMLRow] = []
  /// The decoded texts of scalars that differ from their source text.
  var decoded: [UInt8] = []
  var diagnostics: [Diagnostic] = []
  private(set) var isDone = false

  var frames: [Frame] = []
  /// The children of open collections, which move to `nodes` when their collection ends.
  var waiting: [YAMLRow] = []
  private var anchors: [ExactString: Anchored] = [:]
  /// The names of anchors that were reported to be missing.
  var undefinedAnchors: Set<ExactString> = []
  /// The number of nodes so far, each alias counted as its whole collection.
  var weight = 0
  /// The part of the weight that aliases added.
  var aliasWeight = 0
  /// A buffer for the signatures of one mapping's keys, reused for every mapping.
  var signatures: [UInt64] = []
  /// The part of the file that the last event covered.
  var last = Token()
  private var root: YAMLRow?
  private var isWhole = true
  private var lines: YAMLLines?

  /// Creates a builder for a text; the caller must not move its bytes.
  init(reader: YAMLReader, text: YAMLText, bytes: UnsafeBufferPointer<UInt8>, path: String) {
    self.reader = reader
    self.path = path
    self.text = text
    cursor = YAMLCursor(bytes, isASCII: text.isASCII)
    nodes.reserveCapacity(bytes.count / 12)
    frames.reserveCapacity(16)
    waiting.reserveCapacity(256)
  }

  mutating func take(_ event: borrowing yaml_event_t) {
    let start = cursor.offset(of: event.start_mark)
    checkGap(upTo: start)
    let frame = frames.last
    takeNode(event)
    noteToken(event, from: start, closing: frame)
  }

  private mutating func takeNode(_ event: borrowing yaml_event_t) {
    switch event.type {
    case YAML_DOCUMENT_START_EVENT where root != nil: refuseSecondDocument(event)
    case YAML_SCALAR_EVENT: takeScalar(event)
    case YAML_ALIAS_EVENT: takeAlias(event)
    case YAML_SEQUENCE_START_EVENT: open(sequence: event)
    case YAML_MAPPING_START_EVENT: open(mapping: event)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: close(event)
    case YAML_STREAM_END_EVENT: isDone = true
    default: break
    }
  }

  /// Stops the reading; the nodes so far are still checked.
  mutating func stop() {
    isDone = true
    isWhole = false
  }

  mutating func stop(at problem: YAMLProblem) {
    diagnostics.append(diagnostic(for: problem))
    stop()
  }

  mutating func finish() -> Diagnosed<YAMLNode?> {
    while !frames.isEmpty { closeLastFrame(atByte: nil) }
    if isWhole { reportUnusedAnchors() }
    if isWhole, isEmptyDocument { refuseEmptyDocument() }
    guard isWhole, let root else { return Diagnosed(nil, diagnostics: diagnostics) }
    nodes.append(root)
    let tree = YAMLTree(
      path: ExactString(path), source: text.bytes, decoded: decoded, nodes: nodes, details: details,
      in: reader.store ?? YAMLStore())
    return Diagnosed(YAMLNode(tree: tree, index: UInt32(nodes.count - 1)), diagnostics: diagnostics)
  }

  mutating func report(
    _ rule: Rule, at span: YAMLSpan, message: String, notes: [Diagnostic.Note] = [],
    fixIt: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        .error, rule: rule, at: location(span), message: message, notes: notes,
        fixIt: fixIt.map { Diagnostic.FixIt(span.range, replacement: $0) }))
  }

  func location(_ span: YAMLSpan) -> SourceLocation {
    SourceLocation(path: path, range: span.range)
  }

  /// The line and the column of a byte.
  mutating func mark(at offset: Int) -> YAMLMark {
    let known = lines ?? YAMLLines(cursor.bytes)
    lines = known
    return known.mark(at: offset, in: cursor.bytes)
  }

  /// The lines and columns of a stretch of bytes.
  mutating func span(_ bytes: Range<Int>) -> YAMLSpan {
    YAMLSpan(start: mark(at: bytes.lowerBound), end: mark(at: bytes.upperBound))
  }

  /// Adds a node with its span and its content.
  mutating func detailed(
    _ kind: YAMLNode.Kind, tag: YAMLTag = .none, isPlainStyle: Bool = false, isBroken: Bool = false,
    at span: Range<Int>, content: Range<Int>
  ) -> YAMLRow {
    let row = YAMLRow(
      kind, tag: tag, isPlainStyle: isPlainStyle, isBroken: isBroken, details: details.count)
    details.append(YAMLRow(detail: span))
    details.append(YAMLRow(detail: content))
    return row
  }

  /// The bytes of the file that a node occupies.
  func span(of row: YAMLRow) -> Range<Int> { start(of: row)..<end(of: row) }

  private func start(of row: YAMLRow) -> Int {
    if row.hasDetails { return details[Int(row.place)].range.lowerBound }
    let first = row.content.lowerBound
    return (row.kind == .scalar ? first : start(of: nodes[first])) - row.margin.before
  }

  private func end(of row: YAMLRow) -> Int {
    if row.hasDetails { return details[Int(row.place)].range.upperBound }
    let end = row.content.upperBound
    return (row.kind == .scalar ? end : self.end(of: nodes[end - 1])) + row.margin.behind
  }

  /// Returns a collection whose children are the last nodes, from an index on.
  ///
  /// The row has no details if the spans of the children determine the collection's span.
  mutating func collection(
    _ kind: YAMLNode.Kind, tag: YAMLTag, from first: Int, at span: Range<Int>
  ) -> YAMLRow {
    if tag == .none, first < nodes.count {
      let (before, behind) = (
        start(of: nodes[first]) - span.lowerBound, span.upperBound - end(of: nodes[nodes.count - 1])
      )
      let margin = YAMLRow.Margin.allCases.first { $0.before == before && $0.behind == behind }
      if let margin,
        let row = YAMLRow(kind, firstChild: first, count: nodes.count - first, margin: margin)
      {
        return row
      }
    }
    return detailed(kind, tag: tag, at: span, content: first..<nodes.count)
  }

  /// The content of a node: for a collection, a range of rows in `nodes`; for a scalar, a range of
  /// bytes in the file or, beyond the file's length, in `decoded`.
  func content(of row: YAMLRow) -> Range<Int> {
    row.hasDetails ? details[Int(row.place) + 1].range : row.content
  }

  /// The text of a scalar.
  private func withText<Result>(of row: YAMLRow, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
    -> Result
  {
    let range = content(of: row)
    let first = cursor.bytes.count
    if range.upperBound <= first { return body(UnsafeBufferPointer(rebasing: cursor.bytes[range])) }
    return decoded.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[range.lowerBound - first..<range.upperBound - first]))
    }
  }

  /// Adds a node to the collection that is open.
  mutating func attach(_ row: YAMLRow, height: Int, end: Int) {
    guard let last = frames.indices.last else {
      root = root ?? row
      return
    }
    waiting.append(row)
    frames[last].height = max(frames[last].height, height)
    frames[last].lastEnd = end
  }

  private var isEmptyDocument: Bool {
    guard let root else { return true }
    return root.kind == .scalar && root.isPlainStyle && content(of: root).isEmpty
      && root.tag == .none
  }

  private mutating func refuseEmptyDocument() {
    let start = YAMLMark(line: 0, column: 0)
    report(
      .emptyDocument, at: YAMLSpan(start: start, end: start), message: "a file must hold a value",
      notes: [.init("an empty mapping is written '{}'")])
    stop()
  }

  private mutating func refuseSecondDocument(_ event: borrowing yaml_event_t) {
    report(
      .multipleDocuments, at: YAMLMark(event.start_mark).span(3),
      message: "a file must hold one document; '---' begins a second one")
    stop()
  }
}

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
    // libyaml may place an empty text on a line after the last one. That line has no bytes.
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

  private mutating func takeAlias(_ event: borrowing yaml_event_t) {
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

  /// Ends the innermost open collection.
  ///
  /// A block collection ends where its last child ends. libyaml's end mark comes later.
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

extension YAMLBuilder {
  /// Returns `true` if the waiting members from an index on are plain: scalar keys, each once,
  /// without merge keys.
  ///
  /// The result may be `false` for plain members if keys have equal signatures; these keys are
  /// compared later.
  private mutating func isPlainMapping(from first: Int) -> Bool {
    signatures.removeAll(keepingCapacity: true)
    for index in stride(from: first, to: waiting.count - 1, by: 2) {
      let key = waiting[index]
      guard key.kind == .scalar else { return false }
      let signature = withText(of: key, \.signature)
      guard signature != mergeSignature else { return false }
      signatures.append(signature)
    }
    return signatures.count > 16 ? signatures.areDistinctWhenSorted : signatures.areDistinct
  }

  private var mergeSignature: UInt64 { 2 << 56 | 0x3C3C }

  /// Returns the effective members of a mapping: each key once, with merge keys replaced by their
  /// members.
  private mutating func effectiveMembers(_ rows: [YAMLRow]) -> [YAMLRow] {
    var pairs = stride(from: 0, to: rows.count - 1, by: 2).map {
      (key: rows[$0], value: rows[$0 + 1])
    }
    for pair in pairs where pair.key.kind != .scalar {
      report(
        .complexKey, at: span(span(of: pair.key)),
        message: "a key must be a text, not a list or a mapping"
      )
    }
    pairs.removeAll { $0.key.kind != .scalar }
    pairs = withoutDuplicates(pairs)
    if pairs.contains(where: { isMergeKey($0.key) }) { pairs = merged(pairs) }
    return pairs.flatMap { [$0.key, $0.value] }
  }

  typealias Pair = (key: YAMLRow, value: YAMLRow)

  private mutating func withoutDuplicates(_ pairs: [Pair]) -> [Pair] {
    let keys = pairs.map { bytes(of: $0.key) }
    let order = keys.indices.sorted { a, b in
      if keys[a].lexicographicallyPrecedes(keys[b]) { return true }
      return a < b && keys[a] == keys[b]
    }
    var isDropped: [Int: Bool] = [:]
    // For each duplicate, the index of the first member with the same key.
    var firsts: [Int: Int] = [:]
    var first = 0
    for step in order.indices.dropFirst() {
      guard keys[order[first]] == keys[order[step]] else {
        first = step
        continue
      }
      firsts[order[step]] = order[first]
      isDropped[order[step - 1]] = true
    }
    refuseDuplicates(firsts, in: pairs)
    return isDropped.isEmpty
      ? pairs : pairs.indices.filter { isDropped[$0] == nil }.map { pairs[$0] }
  }

  private func bytes(of row: YAMLRow) -> [UInt8] { withText(of: row) { Array($0) } }

  /// Reports duplicates; `firsts` maps the index of each duplicate to the first member with its
  /// key.
  ///
  /// If members repeat the keys of the mapping in order, from the first key on, they probably
  /// belong to another mapping whose key is missing. They are reported once.
  private mutating func refuseDuplicates(_ firsts: [Int: Int], in pairs: [Pair]) {
    var rowEnd = 0
    for (place, first) in firsts.sorted(by: { $0.key < $1.key }) where place >= rowEnd {
      rowEnd = place + 1
      if first == 0 {
        while let next = firsts[rowEnd], let before = firsts[rowEnd - 1], next > before {
          rowEnd += 1
        }
      }
      refuseDuplicate(pairs[place].key, of: pairs[first].key, count: rowEnd - place)
    }
  }

  private mutating func refuseDuplicate(_ key: YAMLRow, of first: YAMLRow, count: Int) {
    let text = String(decoding: bytes(of: key), as: UTF8.self)
    var notes = [Diagnostic.Note("the first one is here", at: location(span(span(of: first))))]
    if isMergeKey(key) { notes.append(.init("several mappings merge as '<<: [*a, *b]'")) }
    let message =
      count == 1
      ? "'\(text)' must occur only once in a mapping; delete one of the two"
      : "\(count) keys from '\(text)' on must occur only once in a mapping; delete them, or write the key of their own mapping above"
    diagnostics.append(
      Diagnostic(
        reader.duplicateKeys, rule: .duplicateKey, at: location(span(span(of: key))),
        message: message, notes: notes))
  }

  private func isMergeKey(_ row: YAMLRow) -> Bool {
    row.isPlainStyle && row.tag == .none && withText(of: row) { $0.elementsEqual("<<".utf8) }
  }

  /// Merges pairs; own keys override merged ones, and an earlier merged mapping overrides a later
  /// one.
  private mutating func merged(_ pairs: [Pair]) -> [Pair] {
    var taken = Set(pairs.map { bytes(of: $0.key) })
    var result: [Pair] = []
    for pair in pairs {
      guard isMergeKey(pair.key) else {
        result.append(pair)
        continue
      }
      for source in mergeSources(pair.value) {
        for member in members(of: source) where taken.insert(bytes(of: member.key)).inserted {
          result.append(member)
        }
      }
    }
    return result
  }

  private mutating func mergeSources(_ row: YAMLRow) -> [YAMLRow] {
    let rows = row.kind == .sequence ? Array(nodes[content(of: row)]) : [row]
    return rows.filter { row in
      let isMapping = row.kind == .mapping
      if !isMapping, !row.isBroken {
        report(
          .badMerge, at: span(span(of: row)),
          message: "'<<' must merge a mapping or a list of mappings")
      }
      return isMapping
    }
  }

  private func members(of row: YAMLRow) -> [Pair] {
    let slots = content(of: row)
    return stride(from: slots.lowerBound, to: slots.upperBound, by: 2).map {
      (nodes[$0], nodes[$0 + 1])
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A hash of the bytes: equal for equal texts, and rarely equal for different texts.
  fileprivate var signature: UInt64 {
    guard let base = UnsafeRawPointer(baseAddress) else { return 0 }
    var hash = UInt64(count) << 56
    var offset = 0
    while offset < count {
      var word: UInt64 = 0
      memcpy(&word, base + offset, Swift.min(8, count - offset))
      if offset > 0 { hash = (hash ^ hash >> 29) &* 0x9E37_79B9_7F4A_7C15 }
      hash ^= UInt64(littleEndian: word)
      offset += 8
    }
    return hash
  }
}

extension [UInt64] {
  /// A Boolean value that indicates whether no number occurs twice; for short lists.
  fileprivate var areDistinct: Bool {
    for index in indices.dropFirst() where self[..<index].contains(self[index]) { return false }
    return true
  }

  /// A Boolean value that indicates whether no number occurs twice; sorts the numbers.
  fileprivate var areDistinctWhenSorted: Bool {
    mutating get {
      sort()
      for index in indices.dropFirst() where self[index] == self[index - 1] { return false }
      return true
    }
  }
}

extension YAMLBuilder {
  /// Declares an anchor; it replaces an earlier one of the same name.
  private mutating func declare(_ name: String, as anchored: Anchored) {
    if let earlier = anchors[name], !earlier.isUsed { warnOfUnused(name, at: earlier) }
    anchors[name] = anchored
  }

  /// Warns of anchors without an alias, since they are often meant as text.
  private mutating func reportUnusedAnchors() {
    // A misspelt alias explains an unused anchor.
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    let unused = anchors.filter { !$0.value.isUsed }.sorted {
      $0.value.declaration < $1.value.declaration
    }
    for (name, anchored) in unused { warnOfUnused(name.text, at: anchored) }
  }

  private mutating func warnOfUnused(_ name: String, at anchored: Anchored) {
    guard let start = offset(of: name, in: anchored) else { return }
    let end = start + 1 + name.utf8.count
    let rest = textToEndOfLine(from: start)
    let isText =
      anchored.row.kind == .scalar && anchored.row.isPlainStyle && !rest.isEmpty
      && rest.upperBound > anchored.start
      && anchored.start > end
    var diagnostic = Diagnostic(
      .warning, rule: .unusedAnchor, at: location(span(start..<end)),
      message: "no alias '*\(name)' uses the anchor '&\(name)'; delete the anchor",
      notes: [.init("an anchor names a value, so that '*\(name)' can repeat it below")])
    if isText {
      let word = quoted(rest)
      diagnostic.message = "'&\(name)' is read as an anchor, not as text; to keep it, write \(word)"
      diagnostic.fixIt = Diagnostic.FixIt(span(rest).range, replacement: word)
    }
    diagnostics.append(diagnostic)
  }

  /// Returns the offset of `&` and the name, before or after a tag.
  private func offset(of name: String, in anchored: Anchored) -> Int? {
    let bytes = Array("&\(name)".utf8)
    let last = min(anchored.start, cursor.bytes.count - bytes.count)
    guard anchored.declaration <= last else { return nil }
    return (anchored.declaration...last).first { offset in
      bytes.indices.allSatisfy { cursor.bytes[offset + $0] == bytes[$0] }
    }
  }
}

extension YAMLBuilder {
  /// The span of a node without its properties, and the place of its tag.
  ///
  /// The marks of libyaml enclose the properties, too.
  private struct Properties {
    var span: Range<Int>
    var tag: Range<Int>?
  }

  private mutating func scalarProperties(_ event: borrowing yaml_event_t) -> Properties {
    let style = event.data.scalar.style
    let first = cursor.place(of: event.start_mark)
    var end = cursor.place(of: event.end_mark)
    if style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE {
      end = cursor.trimmed(end, notBefore: first)
    }
    guard event.start_mark.index < event.end_mark.index, let byte = cursor.byte(at: first),
      byte == UInt8(ascii: "!") || byte == UInt8(ascii: "&")
    else { return Properties(span: first..<end) }
    let skipped = skipProperties(from: first, anchors: 1, tags: 1)
    return Properties(span: (skipped.start < end ? skipped.start : first)..<end, tag: skipped.tag)
  }

  /// Returns the beginning of a collection after its properties, and the place of its tag.
  private mutating func collectionProperties(
    _ event: borrowing yaml_event_t, hasAnchor: Bool, hasTag: Bool
  ) -> (start: Int, tag: Range<Int>?) {
    let first = cursor.place(of: event.start_mark)
    guard hasAnchor || hasTag else { return (first, nil) }
    return skipProperties(from: first, anchors: hasAnchor ? 1 : 0, tags: hasTag ? 1 : 0)
  }

  private mutating func skipProperties(from first: Int, anchors: Int, tags: Int) -> (
    start: Int, tag: Range<Int>?
  ) {
    var (anchors, tags) = (anchors, tags)
    var offset = first
    var tag: Range<Int>?
    while let byte = cursor.byte(at: offset) {
      var end = offset
      if byte == UInt8(ascii: "&"), anchors > 0 {
        anchors -= 1
        end = cursor.end(from: offset + 1, while: \.isAnchorCharacter)
        checkEndOfName(at: end, from: offset)
      } else if byte == UInt8(ascii: "!"), tags > 0 {
        tags -= 1
        end = endOfTag(from: offset)
        tag = offset..<end
      } else {
        break
      }
      offset = cursor.endOfSpace(from: end)
    }
    return (offset, tag)
  }

  private func endOfTag(from offset: Int) -> Int {
    if cursor.byte(at: offset + 1) == UInt8(ascii: "<") {
      return cursor.end(from: offset) { $0 != UInt8(ascii: ">") } + 1
    }
    return cursor.end(from: offset) { !$0.isWhitespace && $0 != UInt8(ascii: ",") }
  }

  /// Checks the end of the name of an anchor or alias.
  ///
  /// libyaml silently ends a name at `:`, `?`, `%`, `@` and a backtick, which YAML allows in names.
  private mutating func checkEndOfName(at end: Int, from start: Int) {
    guard let byte = cursor.byte(at: end), !byte.isWhitespace, !",[]{}".utf8.contains(byte) else {
      return
    }
    report(
      .yamlSyntax, at: span(start..<end),
      message:
        "an anchor's name holds only ASCII letters, digits, '-' and '_', and a space follows it")
  }

  /// Reports an unknown tag of a scalar, or a text that does not fit the tag.
  private mutating func check(
    _ properties: Properties, of row: YAMLRow, uri: UnsafeMutablePointer<UInt8>?
  ) {
    guard row.tag != .none else { return }
    if row.tag == .unknown { return refuseTag(at: properties.tag ?? properties.span, uri: uri) }
    guard row.tag.suits(.scalar) else { return refuseKind(row.tag, at: span(properties.span)) }
    let isResolved = withText(of: row) {
      YAMLScalar($0, isPlain: row.isPlainStyle, tag: row.tag) != nil
    }
    guard !isResolved else { return }
    let rule: Rule = row.tag == .binary ? .invalidBase64 : .wrongTag
    report(
      rule, at: span(properties.span), message: "'\(row.tag.name)' must be before \(row.tag.demand)"
    )
  }

  private mutating func refuseKind(_ tag: YAMLTag, at span: YAMLSpan) {
    report(.wrongTag, at: span, message: "'\(tag.name)' must be before \(tag.demand)")
  }

  private mutating func refuseTag(at bytes: Range<Int>, uri: UnsafeMutablePointer<UInt8>?) {
    let (span, start) = (span(bytes), bytes.lowerBound)
    let uri = uri.map { String(cString: $0) } ?? ""
    let standard = "tag:yaml.org,2002:"
    let name = uri.hasBytePrefix(standard) ? "!!" + uri.dropping(standard) : uri
    let known = YAMLTag.known.map(\.name)
    let nearest = name.nearest(among: known)
    let isLocal = name.hasBytePrefix("!") && !name.hasBytePrefix("!!")
    let text =
      isLocal && frames.last?.isFlow != true
      ? "; if it is text, write \(quoted(textToEndOfLine(from: start)))" : ""
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? text
    report(
      .unknownTag, at: span, message: "'\(name)' is no known tag\(hint)",
      notes: [.init("the tags are \(known.joined(separator: ", "))")], fixIt: nearest)
  }
}
