import CYAML
import Diagnostics

/// Turns events into a tree.
struct YAMLBuilder {
  /// A collection whose end has not come yet.
  struct Frame {
    var row: UInt32
    /// Where its children begin among those that wait for their collection's end.
    var firstChild: Int
    var weightBefore: Int
    var anchor: String?
    /// How many collections its children hold inside each other.
    var height = 0
    /// Where its last child ends.
    var lastEnd: YAMLMark
  }

  /// A node that aliases may name.
  struct Anchored {
    var row: UInt32
    var weight: Int
    var height: Int
  }

  let reader: YAMLReader
  let path: String
  let standIns: YAMLStandIns
  var cursor: YAMLCursor
  var nodes: [YAMLRow] = []
  var children: [UInt32] = []
  var texts: [UInt8] = []
  var diagnostics: [Diagnostic] = []
  private(set) var isDone = false

  var frames: [Frame] = []
  var waiting: [UInt32] = []
  var anchors: [String: Anchored] = [:]
  /// Rows that stand where an alias could not be followed.
  var brokenAliases: Set<UInt32> = []
  /// Nodes so far, each alias counted as all that it stands for.
  var weight = 0
  /// The part of the weight that aliases added.
  var aliasWeight = 0
  private var root: UInt32?
  private var isWhole = true

  init(reader: YAMLReader, bytes: UnsafeBufferPointer<UInt8>, standIns: YAMLStandIns, path: String) {
    self.reader = reader
    self.path = path
    self.standIns = standIns
    cursor = YAMLCursor(bytes)
    texts.reserveCapacity(bytes.count)
  }

  mutating func take(_ event: borrowing yaml_event_t) {
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

  /// Gives up; what was read so far is still checked.
  mutating func stop() {
    isDone = true
    isWhole = false
  }

  mutating func stop(at problem: YAMLProblem) {
    diagnostics.append(diagnostic(for: problem))
    stop()
  }

  mutating func finish() -> Diagnosed<YAMLNode?> {
    while !frames.isEmpty { closeLastFrame(at: nil) }
    if isWhole, isEmptyDocument { refuseEmptyDocument() }
    guard isWhole, let root else { return Diagnosed(nil, diagnostics) }
    let tree = YAMLTree(path: path, nodes: nodes, children: children, texts: texts)
    return Diagnosed(YAMLNode(tree: tree, index: root), diagnostics)
  }

  mutating func report(
    _ id: String, at span: YAMLSpan, _ message: String, notes: [Diagnostic.Note] = [], fixIt: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(
        .error, id, at: location(span), message, notes: notes,
        fixIt: fixIt.map { Diagnostic.FixIt(span.range, replacement: $0) }))
  }

  func location(_ span: YAMLSpan) -> SourceLocation { SourceLocation(path: path, range: span.range) }

  /// Adds a node's row to the collection that is open.
  mutating func attach(_ row: UInt32, height: Int, end: YAMLMark) {
    if frames.isEmpty {
      root = root ?? row
    } else {
      waiting.append(row)
      noteInOpenFrame(height: height, end: end)
    }
  }

  mutating func noteInOpenFrame(height: Int, end: YAMLMark) {
    guard let last = frames.indices.last else { return }
    frames[last].height = max(frames[last].height, height)
    frames[last].lastEnd = end
  }

  private var isEmptyDocument: Bool {
    guard let root else { return true }
    let row = nodes[Int(root)]
    return row.kind == .scalar && row.isPlainStyle && row.count == 0 && row.tag == .none
  }

  private mutating func refuseEmptyDocument() {
    let start = YAMLMark(line: 0, column: 0)
    report(
      "empty-document", at: YAMLSpan(start: start, end: start), "a file must hold a value",
      notes: [.init("an empty mapping is written '{}'")])
    stop()
  }

  private mutating func refuseSecondDocument(_ event: borrowing yaml_event_t) {
    let start = YAMLMark(event.start_mark)
    report(
      "multiple-documents", at: YAMLSpan(start: start, end: YAMLMark(line: start.line, column: start.column + 3)),
      "a file must hold one document; '---' begins a second one")
    stop()
  }
}
