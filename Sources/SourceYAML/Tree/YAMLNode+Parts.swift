package import Diagnostics

extension YAMLNode {
  /// `true` for a scalar in double quotes, in which a backslash begins an escape.
  package var isDoubleQuoted: Bool {
    tree.bytes[tree.span(of: row)].first == UInt8(ascii: "\"") && kind == .scalar
  }

  /// Returns the location of a part of a scalar's text; the whole scalar if it is written with
  /// escapes or on several lines.
  package func location(ofUnicodeScalars part: Range<Int>) -> SourceLocation {
    location(ofLine: 1, column: part.lowerBound + 1, length: part.count)
  }

  /// Returns the location of a part of a line of a scalar's text; the whole scalar if it is written
  /// with escapes, or its lines are not those of the file, as they are after `|`.
  ///
  /// Lines and columns count from 1, columns in Unicode scalars.
  package func location(ofLine line: Int, column: Int, length: Int) -> SourceLocation {
    guard let start = start(ofLine: line) else { return location }
    var place = tree.range(of: start..<start)
    place.start.column += max(0, column - 1)
    place.end = SourcePosition(
      line: place.start.line, column: place.start.column + max(1, length))
    return SourceLocation(path: tree.path, range: place)
  }

  /// Returns the place of such a part, without the text.
  package func sourcePlace(ofLine line: Int, column: Int, length: Int) -> SourcePlace {
    guard let start = start(ofLine: line) else { return sourcePlace }
    let first = offset(of: max(0, column - 1), after: start)
    return SourcePlace(path: path, span: first..<offset(of: max(1, length), after: first))
  }

  /// The offset of a scalar in the file that so many scalars precede from another offset on.
  private func offset(of count: Int, after start: Int) -> Int {
    let end = max(start, tree.span(of: row).upperBound)
    var (offset, rest) = (start, count)
    while offset < end {
      if !tree.bytes[offset].isContinuation {
        if rest == 0 { break }
        rest -= 1
      }
      offset += 1
    }
    return offset
  }

  /// The offset in the file at which a line of the text begins, without its indentation; `nil` if
  /// the text is not written as it is.
  private func start(ofLine line: Int) -> Int? {
    let span = tree.span(of: row)
    if tree.bytes[span].first == UInt8(ascii: "|") { return start(ofLiteralLine: line, in: span) }
    let textSize = withTextBytes(\.count)
    // Escapes and doubled quotes make the written text longer than by two quotes.
    guard line == 1, span.count == textSize || span.count == textSize + 2,
      !tree.bytes[span].contains(UInt8(ascii: "\n"))
    else { return nil }
    return span.lowerBound + (span.count - textSize) / 2
  }

  private func start(ofLiteralLine line: Int, in span: Range<Int>) -> Int? {
    let lines = withTextBytes { text in
      text.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        .prefix(line).map(\.count)
    }
    guard line > 0, lines.count == line else { return nil }
    var next = span.lowerBound
    for _ in 0..<line {
      guard let end = tree.bytes[next..<span.upperBound].firstIndex(of: UInt8(ascii: "\n")) else {
        return nil
      }
      next = end + 1
    }
    // An indented line ends with the line of the text, before a possible carriage return.
    let rest = tree.bytes[next..<span.upperBound]
    var end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    if end > next, tree.bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return max(next, end - lines[line - 1])
  }
}
