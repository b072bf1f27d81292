import Diagnostics

/// All nodes of one file, in compact arrays: a scalar costs one row and its decoded bytes, no object.
///
/// A class, because thousands of node handles share it and a handle must copy as one reference.
final class YAMLTree: Sendable {
  let path: String
  let nodes: [YAMLRow]
  /// Rows of the items of a sequence, or of keys and values in turn; a collection's are next to each other.
  let children: [UInt32]
  /// The decoded text of all scalars, one after another.
  let texts: [UInt8]

  init(path: String, nodes: [YAMLRow], children: [UInt32], texts: [UInt8]) {
    self.path = path
    self.nodes = nodes
    self.children = children
    self.texts = texts
  }
}

/// One node: where it stands in the file, and which part of the tree's arrays is its own.
struct YAMLRow {
  var kind: YAMLNode.Kind
  var tag: YAMLTag
  /// Whether it was written without quotes and not as a block.
  var isPlainStyle: Bool
  /// Whether its last line is left open, so that a block collection's end must be taken from its last child.
  var isFlow: Bool
  private var startLine: UInt32
  private var startColumn: UInt32
  private var endLine: UInt32
  private var endColumn: UInt32
  /// The first of its bytes in `texts`, or of its rows in `children`.
  var first: UInt32 = 0
  var count: UInt32 = 0

  init(_ kind: YAMLNode.Kind, tag: YAMLTag = .none, isPlainStyle: Bool = false, isFlow: Bool = false, at span: YAMLSpan)
  {
    self.kind = kind
    self.tag = tag
    self.isPlainStyle = isPlainStyle
    self.isFlow = isFlow
    (startLine, startColumn) = (span.start.line, span.start.column)
    (endLine, endColumn) = (span.end.line, span.end.column)
  }

  var start: YAMLMark { YAMLMark(line: startLine, column: startColumn) }

  var end: YAMLMark {
    get { YAMLMark(line: endLine, column: endColumn) }
    set { (endLine, endColumn) = (newValue.line, newValue.column) }
  }

  var span: YAMLSpan { YAMLSpan(start: start, end: end) }
  var slots: Range<Int> { Int(first)..<Int(first + count) }
}

/// A place in the file as libyaml counts: lines and columns from 0, in Unicode scalars.
struct YAMLMark: Comparable {
  var line: UInt32
  var column: UInt32

  var position: SourcePosition { SourcePosition(line: Int(line) + 1, column: Int(column) + 1) }

  static func < (a: YAMLMark, b: YAMLMark) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A stretch of the file, from a mark up to, not including, another.
struct YAMLSpan {
  var start: YAMLMark
  var end: YAMLMark

  var range: SourceRange { SourceRange(start.position, end.position) }
}
