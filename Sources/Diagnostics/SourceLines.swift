/// A file's lines, as they are counted in diagnostics: they end with LF, CR LF or CR.
package struct SourceLines {
  private let bytes: [UInt8]
  private var starts: [Int] = [0]
  private var bookmark = (line: 0, column: 1, offset: 0)

  /// Takes UTF-8 with or without a byte-order mark; what is no UTF-8 shows as U+FFFD.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    for (index, byte) in self.bytes.enumerated() {
      let isBreak =
        byte == 0x0A
        || (byte == 0x0D && !(index + 1 < self.bytes.count && self.bytes[index + 1] == 0x0A))
      if isBreak { starts.append(index + 1) }
    }
  }

  /// A part of a line: scalars, and how many there are before them.
  struct Part {
    var scalars: String.UnicodeScalarView
    var skipped = 0
    /// True if the line goes on behind it.
    var isCut = false
  }

  /// Lines of more bytes are looked at around a column only.
  private static let longest = 4_096

  /// A line, or what is near a column where it is long: errors in one line of a megabyte must not
  /// draw all of it each.
  mutating func part(of number: Int, around column: Int) -> Part? {
    guard let bytes = range(of: number) else { return nil }
    guard bytes.count > Self.longest else { return self[number].map { Part(scalars: $0) } }
    let first = max(1, column - Self.longest / 8)
    let start = offset(of: first, inLine: number, bytes)
    var end = min(bytes.upperBound, start + Self.longest)
    while end < bytes.upperBound, self.bytes[end] & 0xC0 == 0x80 { end += 1 }
    let text = String(decoding: self.bytes[start..<end], as: UTF8.self)
    return Part(scalars: text.unicodeScalars, skipped: first - 1, isCut: end < bytes.upperBound)
  }

  /// True if a line is shown whole.
  func isShort(_ number: Int) -> Bool { range(of: number).map { $0.count <= Self.longest } ?? true }

  /// The start of a column, counted from the last column asked for in the same line if that is
  /// before it.
  private mutating func offset(of column: Int, inLine number: Int, _ line: Range<Int>) -> Int {
    let start =
      bookmark.line == number && bookmark.column <= column
      ? bookmark : (line: number, column: 1, offset: line.lowerBound)
    let offset = bytes.withUnsafeBufferPointer { bytes in
      var (at, left) = (start.offset, column - start.column)
      while left > 0, at < line.upperBound {
        at += 1
        while at < line.upperBound, bytes[at] & 0xC0 == 0x80 { at += 1 }
        left -= 1
      }
      return at
    }
    bookmark = (number, column, offset)
    return offset
  }

  /// The bytes of a line without its end.
  private func range(of number: Int) -> Range<Int>? {
    guard !bytes.isEmpty, number >= 1, number <= starts.count else { return nil }
    let start = starts[number - 1]
    var end = number < starts.count ? starts[number] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The text of a line without its end; nil if the file is empty or has no such line.
  package subscript(number: Int) -> String.UnicodeScalarView? {
    range(of: number).map { String(decoding: bytes[$0], as: UTF8.self).unicodeScalars }
  }
}
