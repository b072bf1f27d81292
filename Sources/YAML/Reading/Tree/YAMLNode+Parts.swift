package import Diagnostics

extension YAMLNode {
  /// `true` for a scalar in double quotes, in which a backslash begins an escape.
  package var isDoubleQuoted: Bool {
    tree.bytes[tree.span(of: row)].first == UInt8(ascii: "\"") && kind == .scalar
  }

  /// The node as it is written in its file.
  package var writtenText: String {
    String(decoding: tree.bytes[tree.span(of: row)], as: UTF8.self)
  }

  /// `true` if only spaces precede the node in its line.
  package var beginsItsLine: Bool {
    let before = tree.bytes[..<tree.span(of: row).lowerBound]
    return before.last { $0 != 0x20 }.map(\.isLineBreak) ?? true
  }

  /// `true` if the node is a value behind its key, in the key's line.
  package var isBehindKey: Bool {
    let before = tree.bytes[..<tree.span(of: row).lowerBound]
    return before.last { $0 != 0x20 } == UInt8(ascii: ":")
  }

  /// Returns the location of a part of a scalar's text, or that of the whole scalar if it is
  /// written with escapes or on several lines.
  package func location(ofUnicodeScalars part: Range<Int>) -> SourceLocation {
    location(ofLine: 1, column: part.lowerBound + 1, length: part.count)
  }

  /// Returns the location of a part of a line of a scalar's text, as ``YAMLTextLines`` finds it.
  package func location(ofLine line: Int, column: Int, length: Int) -> SourceLocation {
    YAMLTextLines(self).location(ofLine: line, column: column, length: length)
  }
}

/// The lines of a scalar's text in its file, for the places of many parts of one text.
package struct YAMLTextLines {
  private let node: YAMLNode
  private let span: Range<Int>
  /// The offset in the file at which each line of the text begins, without its indentation; empty
  /// if the file has the text in another notation.
  private let starts: [Int]

  /// Finds the lines of a scalar.
  package init(_ node: YAMLNode) {
    self.node = node
    span = node.tree.span(of: node.row)
    starts =
      node.tree.bytes[span].first == UInt8(ascii: "|")
      ? Self.literalStarts(of: node, in: span) : Self.plainStart(of: node, in: span)
  }

  /// Returns the location of a part of a line, or that of the whole scalar.
  ///
  /// The result is the whole scalar if it is written with escapes, or if its lines differ from the
  /// file's. After `|`, the lines are equal.
  ///
  /// Lines and columns count from 1, columns in Unicode scalars.
  package func location(ofLine line: Int, column: Int, length: Int) -> SourceLocation {
    guard let start = start(ofLine: line) else { return node.location }
    var place = node.tree.range(of: start..<start)
    place.start.column += max(0, column - 1)
    place.end = SourcePosition(
      line: place.start.line, column: place.start.column + max(1, length))
    return SourceLocation(path: node.path, range: place)
  }

  /// Returns the place of a part of a line, as a value that does not keep the text.
  package func sourcePlace(ofLine line: Int, column: Int, length: Int) -> SourcePlace {
    guard let start = start(ofLine: line) else { return node.sourcePlace }
    let first = offset(of: max(0, column - 1), after: start)
    return SourcePlace(path: node.path, span: first..<offset(of: max(1, length), after: first))
  }

  private func start(ofLine line: Int) -> Int? {
    starts.indices.contains(line - 1) ? starts[line - 1] : nil
  }

  /// Returns the offset that is `count` scalars after another offset.
  private func offset(of count: Int, after start: Int) -> Int {
    let end = max(start, span.upperBound)
    var (offset, rest) = (start, count)
    while offset < end {
      if !node.tree.bytes[offset].isContinuation {
        if rest == 0 { break }
        rest -= 1
      }
      offset += 1
    }
    return offset
  }

  private static func plainStart(of node: YAMLNode, in span: Range<Int>) -> [Int] {
    let textSize = node.withTextBytes(\.count)
    // With escapes or doubled quotes, the written text is longer than the text and its two quotes.
    guard span.count == textSize || span.count == textSize + 2,
      !node.tree.bytes[span].contains(UInt8(ascii: "\n"))
    else { return [] }
    return [span.lowerBound + (span.count - textSize) / 2]
  }

  private static func literalStarts(of node: YAMLNode, in span: Range<Int>) -> [Int] {
    let sizes = node.withTextBytes { text in
      text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(\.count)
    }
    let bytes = node.tree.bytes
    var starts: [Int] = []
    // The first line has the `|`.
    var next = bytes[span].firstIndex(of: UInt8(ascii: "\n"))
    for size in sizes {
      guard let start = next.map({ $0 + 1 }) else { break }
      next = bytes[start..<span.upperBound].firstIndex(of: UInt8(ascii: "\n"))
      // An indented line ends with the line of the text, before a possible carriage return.
      var end = next ?? span.upperBound
      if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      starts.append(max(start, end - size))
    }
    return starts
  }
}
