import CYAML
import ContentModel
import Diagnostics

/// The construction of a tree from libyaml's events.
struct YAMLBuilder {
  /// An open collection.
  struct Frame {
    var kind: YAMLNode.Kind
    var tag: YAMLTag
    /// `true` if the end is that of its bracket, not that of its last child.
    var isFlow: Bool
    var start: Int
    /// The index of its first child among the nodes that wait for the end of their collection.
    var firstChild: Int
    var weightBefore: Int
    var anchor: String?
    /// The depth of the collections in its children.
    var height = 0
    /// The end of its last child.
    var lastEnd: Int
  }

  /// A node that aliases can refer to.
  struct Anchored {
    var row: YAMLRow
    /// The offset at which the anchored node begins.
    var start: Int
    /// The index of its frame while it is open.
    var openFrame: Int?
    var weight: Int
    var height: Int
    /// The event that declares it; its properties begin here.
    var declaration = 0
    var isUsed = false
  }

  let reader: YAMLReader
  let path: String
  let text: YAMLText
  var cursor: YAMLCursor
  var nodes: [YAMLRow] = []
  /// Spans and contents of nodes, two for each that needs them.
  var details: [YAMLRow] = []
  /// The decoded texts of scalars that differ from their source text.
  var decoded: [UInt8] = []
  var diagnostics: [Diagnostic] = []
  private(set) var isDone = false

  var frames: [Frame] = []
  /// Children of open collections.
  var waiting: [YAMLRow] = []
  var anchors: [ExactString: Anchored] = [:]
  /// The names of anchors that were reported to be missing.
  var undefinedAnchors: Set<ExactString> = []
  /// The number of nodes so far, each alias counted as its whole collection.
  var weight = 0
  /// The part of the weight that aliases added.
  var aliasWeight = 0
  /// Room for one number per key of a mapping.
  var signatures: [UInt64] = []
  /// The part of the file that the last event covered.
  var last = Token()
  private var root: YAMLRow?
  private var isWhole = true
  private var lines: YAMLLines?

  /// A builder for a text, whose bytes the caller keeps in place.
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

  /// A collection of the last nodes; without details, where its span follows from theirs.
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
  func withText<Result>(of row: YAMLRow, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
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
