/// The lines of a file as diagnostics count them: LF, CR LF or CR ends a line.
package struct SourceLines {
  private let bytes: [UInt8]
  private var starts: [Int] = [0]
  /// The byte offset of the column that was requested last.
  private var bookmark = (line: 0, column: 1, offset: 0)

  /// Creates lines of UTF-8 with or without a byte-order mark; invalid UTF-8 shows as U+FFFD.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    for (index, byte) in self.bytes.enumerated() {
      let isBreak =
        byte == 0x0A
        || (byte == 0x0D && !(index + 1 < self.bytes.count && self.bytes[index + 1] == 0x0A))
      if isBreak { starts.append(index + 1) }
    }
  }

  /// A part of a line.
  struct Part {
    var scalars: String.UnicodeScalarView
    /// The number of scalars of the line before this part.
    var skipped = 0
    /// `true` if the line continues after this part.
    var isCut = false
  }

  /// The greatest length, in bytes, of a line that is decoded whole.
  private static let longest = 4_096

  /// Returns a line, or the part of a long line around a column.
  ///
  /// Decoding a line of a megabyte for each of its errors would take too long.
  mutating func part(of number: Int, around column: Int) -> Part? {
    guard let bytes = range(of: number) else { return nil }
    guard bytes.count > Self.longest else { return self[number].map { Part(scalars: $0) } }
    let first = max(1, column - Self.longest / 8)
    let start = offset(of: first, inLine: number, bytes: bytes)
    var end = min(bytes.upperBound, start + Self.longest)
    while end < bytes.upperBound, self.bytes[end] & 0xC0 == 0x80 { end += 1 }
    let text = String(decoding: self.bytes[start..<end], as: UTF8.self)
    return Part(scalars: text.unicodeScalars, skipped: first - 1, isCut: end < bytes.upperBound)
  }

  /// Returns `true` if a line is decoded whole.
  func isShort(_ number: Int) -> Bool { range(of: number).map { $0.count <= Self.longest } ?? true }

  /// Returns the byte offset of a column, counting from the last column that was requested in the
  /// same line where that is possible.
  private mutating func offset(of column: Int, inLine number: Int, bytes line: Range<Int>) -> Int {
    let start =
      bookmark.line == number && bookmark.column <= column
      ? bookmark : (line: number, column: 1, offset: line.lowerBound)
    let offset = self.bytes.withUnsafeBufferPointer { bytes in
      var offset = start.offset
      var columns = column - start.column
      while columns > 0, offset < line.upperBound {
        offset += 1
        while offset < line.upperBound, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        columns -= 1
      }
      return offset
    }
    bookmark = (number, column, offset)
    return offset
  }

  /// Returns the byte range of a line without its line break.
  private func range(of number: Int) -> Range<Int>? {
    guard !bytes.isEmpty, number >= 1, number <= starts.count else { return nil }
    let start = starts[number - 1]
    var end = number < starts.count ? starts[number] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The text of a line without its line break; `nil` if the file is empty or has no such line.
  package subscript(number: Int) -> String.UnicodeScalarView? {
    range(of: number).map { String(decoding: bytes[$0], as: UTF8.self).unicodeScalars }
  }
}
