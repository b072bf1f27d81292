import ContentModel

/// The lines and columns of a file, and the habits of its author.
struct Layout {
  let syntax: YAMLSyntax
  /// The spaces by which a mapping inside a mapping is indented.
  let step: Int
  /// The spaces by which a list inside a mapping is indented.
  let listStep: Int
  /// The first line break of the file.
  private let firstBreak: [UInt8]

  init(_ syntax: YAMLSyntax) {
    self.syntax = syntax
    let firstBreak = syntax.bytes.firstIndex { $0.breaksLine }
    self.firstBreak = firstBreak.map { Self.lineBreak(at: $0, in: syntax.bytes) } ?? [0x0A]
    var steps: (mapping: Int?, list: Int?) = (nil, nil)
    for node in syntax.nodes {
      guard let parent = node.parent, syntax.nodes[parent].form == .blockMapping else { continue }
      let isMapping = node.form == .blockMapping && steps.mapping == nil
      guard isMapping || (node.form == .blockSequence && steps.list == nil) else { continue }
      let step =
        Self.column(of: node.inner.lowerBound, in: syntax.bytes)
        - Self.column(of: syntax.nodes[parent].inner.lowerBound, in: syntax.bytes)
      if isMapping, (1...8).contains(step) { steps.mapping = step }
      if !isMapping, (0...8).contains(step) { steps.list = step }
      if steps.mapping != nil, steps.list != nil { break }
    }
    step = steps.mapping ?? 2
    listStep = steps.list ?? step
  }

  var bytes: [UInt8] { syntax.bytes }

  func column(of offset: Int) -> Int { Self.column(of: offset, in: bytes) }

  private static func column(of offset: Int, in bytes: [UInt8]) -> Int {
    offset - lineStart(of: offset, in: bytes)
  }

  private static func lineStart(of offset: Int, in bytes: [UInt8]) -> Int {
    var start = offset
    while start > 0, !bytes[start - 1].breaksLine { start -= 1 }
    return start
  }

  /// The column of the collection that contains a node; 0 for the root.
  func parentColumn(of node: Int) -> Int {
    guard let parent = syntax.nodes[node].parent else { return 0 }
    return column(of: syntax.nodes[parent].inner.lowerBound)
  }

  /// The end of the line that contains an offset, before its line break.
  func lineEnd(from offset: Int) -> Int {
    var end = offset
    while end < bytes.count, !bytes[end].breaksLine { end += 1 }
    return end
  }

  /// The line break at the end of a line; for a last line without one, the file's first line break.
  func lineBreak(at end: Int) -> [UInt8] {
    end < bytes.count && bytes[end].breaksLine
      ? Self.lineBreak(at: end, in: bytes) : firstBreak
  }

  /// The offset after the line break at `end`; `end` itself if there is none.
  func afterBreak(at end: Int) -> Int {
    guard end < bytes.count, bytes[end].breaksLine else { return end }
    return end + Self.lineBreak(at: end, in: bytes).count
  }

  /// The offset before the line break that ends at `start`; `start` itself if there is none.
  func beforeBreak(at start: Int) -> Int {
    guard start > 0, bytes[start - 1].breaksLine else { return start }
    let isPair = start > 1 && bytes[start - 1] == 0x0A && bytes[start - 2] == 0x0D
    return start - (isPair ? 2 : 1)
  }

  private static func lineBreak(at end: Int, in bytes: [UInt8]) -> [UInt8] {
    if bytes[end] == 0x0D, end + 1 < bytes.count, bytes[end + 1] == 0x0A { return [0x0D, 0x0A] }
    return [bytes[end]]
  }

  /// The offset after spaces, tabs and, if wanted, line breaks.
  func skipSpace(from offset: Int, breaks: Bool = false) -> Int {
    var end = offset
    while end < bytes.count, breaks ? bytes[end].isWhitespace : bytes[end].isBlank { end += 1 }
    return end
  }

  /// The scalar, alias or flow collection that ends a node.
  func lastLeaf(of node: Int) -> Int {
    var last = node
    while !syntax.nodes[last].form.isFlow, let child = syntax.nodes[last].children.last {
      last = child
    }
    return last
  }

  /// The end of the line of a leaf, at which a line can be inserted.
  func insertionPoint(afterLeaf leaf: Int) -> Int {
    guard syntax.nodes[leaf].form.isBlockScalar else {
      return lineEnd(from: syntax.nodes[leaf].inner.upperBound)
    }
    return BlockPlace(of: leaf, in: self).end
  }
}

/// The parts of a block scalar in the file.
struct BlockPlace {
  /// The indicators, from `|` or `>` on.
  var header: Range<Int>
  /// The end of the header's line, at which the lines of the text begin.
  var start: Int
  /// The end of the last line that belongs to the text, before its line break.
  var end: Int
  /// The end of the blank lines after the text, before the last line break.
  var blankEnd: Int
  /// The written indentation indicator.
  var indicator: Int?
  var keeps: Bool
  /// The column of the text; `nil` without lines.
  var column: Int?
  /// The number of characters of the longest line; `nil` without a second line.
  var width: Int?

  init(of node: Int, in layout: Layout) {
    let (bytes, inner) = (layout.bytes, layout.syntax.nodes[node].inner)
    var headerEnd = inner.lowerBound + 1
    while headerEnd < bytes.count, bytes[headerEnd].isDigit || "+-".utf8.contains(bytes[headerEnd])
    {
      headerEnd += 1
    }
    header = inner.lowerBound..<headerEnd
    let signs = bytes[header]
    indicator = signs.first { $0.isDigit }.map { Int($0 - 0x30) }
    keeps = signs.contains(UInt8(ascii: "+"))
    start = layout.lineEnd(from: headerEnd)
    blankEnd = max(start, layout.beforeBreak(at: inner.upperBound))
    if let indicator { column = layout.parentColumn(of: node) + indicator }
    end = start
    var (lines, longest) = (0, 0)
    var line = layout.afterBreak(at: start)
    while line < inner.upperBound {
      let lineEnd = min(layout.lineEnd(from: line), inner.upperBound)
      let text = layout.skipSpace(from: line)
      let spaces = bytes[line..<lineEnd].prefix { $0 == 0x20 }.count
      if text < lineEnd { column = column ?? spaces }
      if text < lineEnd || (column.map { lineEnd - line > $0 } ?? false) {
        end = lineEnd
        lines += 1
        let count = bytes[line..<lineEnd].reduce(0) { $0 + ($1.isContinuation ? 0 : 1) }
        longest = max(longest, count - (column ?? 0))
      }
      let next = layout.afterBreak(at: lineEnd)
      guard next > line else { break }
      line = next
    }
    if lines > 1 { width = longest }
    if keeps { end = blankEnd }
  }
}

extension UInt8 {
  var breaksLine: Bool { self == 0x0A || self == 0x0D }
  var isBlank: Bool { self == 0x20 || self == 0x09 }
}
