import ContentModel

/// The cells of a line of a table, divided as libcmark-gfm does.
enum TableRow {
  /// Returns the ranges of the cells in a range of bytes, without the white space around them.
  static func cells(in range: Range<Int>, of bytes: [UInt8]) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var index = endOfPipe(at: range.lowerBound, in: range, of: bytes)
    while index < range.upperBound {
      let start = index
      while index < range.upperBound {
        let isEscaped = index > start && bytes[index - 1] == UInt8(ascii: "\\")
        if bytes[index] == UInt8(ascii: "|"), !isEscaped { break }
        index += 1
      }
      let hasPipe = index < range.upperBound
      if index > start || hasPipe { cells.append(trimmed(start..<index, of: bytes)) }
      index = endOfPipe(at: index, in: range, of: bytes)
    }
    return cells
  }

  /// Returns `true` if a range of bytes can be the line of `-` below a table's header.
  static func isMarkerRow(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
    bytes[range].contains(UInt8(ascii: "-"))
      && bytes[range].allSatisfy { $0.isSpace || "|-:".utf8.contains($0) }
  }

  private static func endOfPipe(at start: Int, in range: Range<Int>, of bytes: [UInt8]) -> Int {
    guard start < range.upperBound, bytes[start] == UInt8(ascii: "|") else { return start }
    var index = start + 1
    while index < range.upperBound, bytes[index].isSpace { index += 1 }
    return index
  }

  private static func trimmed(_ range: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start].isTrimmed { start += 1 }
    while end > start, bytes[end - 1].isTrimmed { end -= 1 }
    return start..<end
  }
}
