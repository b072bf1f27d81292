/// The bytes of a text as libcmark-gfm reads them, with positions.
struct SourceText {
  /// A stretch of lines has at most this many bytes before each stored count of scalars.
  private static let stride = 64

  /// The text in UTF-8; U+FFFD replaces NUL, as in libcmark-gfm.
  let bytes: [UInt8]
  /// The range of each line, without its line break; there is at least one line.
  let lines: [Range<Int>]
  /// The number of scalars before each `stride` bytes.
  private let counts: [Int]

  init(_ text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if byte == 0 { bytes += [0xEF, 0xBF, 0xBD] } else { bytes.append(byte) }
    }
    var lines: [Range<Int>] = []
    var counts: [Int] = []
    counts.reserveCapacity(bytes.count / Self.stride + 1)
    bytes.withUnsafeBufferPointer { buffer in
      var (start, scalars) = (0, 0)
      for index in 0..<buffer.count {
        let byte = buffer[index]
        if index % Self.stride == 0 { counts.append(scalars) }
        if byte & 0xC0 != 0x80 { scalars += 1 }
        if byte == UInt8(ascii: "\n") {
          // The line feed of CR LF ends no second line.
          if index > 0, buffer[index - 1] == UInt8(ascii: "\r") {
            start = index + 1
            continue
          }
        } else if byte != UInt8(ascii: "\r") {
          continue
        }
        lines.append(start..<index)
        start = index + 1
      }
      lines.append(start..<buffer.count)
    }
    (self.bytes, self.lines, self.counts) = (bytes, lines, counts)
  }

  /// Returns the position of the character at an offset, which may be that of the end.
  func position(ofByte offset: Int) -> MarkdownPosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = line(ofByte: offset)
    let column = scalars(before: offset) - scalars(before: lines[line].lowerBound)
    return MarkdownPosition(line: line + 1, column: column + 1)
  }

  /// Returns the place of a range of bytes, shortened to the line that it begins in.
  func place(of range: Range<Int>) -> MarkdownPlace {
    let start = min(max(range.lowerBound, 0), bytes.count)
    let end = min(range.upperBound, lines[line(ofByte: start)].upperBound)
    let length = end > start ? scalars(before: end) - scalars(before: start) : 1
    return MarkdownPlace(position: position(ofByte: start), length: max(length, 1))
  }

  /// Returns the line, from 0 on, with the byte at an offset or with the line break there.
  private func line(ofByte offset: Int) -> Int {
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle].lowerBound <= offset { low = middle } else { high = middle }
    }
    return low
  }

  private func scalars(before offset: Int) -> Int {
    guard !counts.isEmpty else { return 0 }
    let index = min(offset / Self.stride, counts.count - 1)
    var count = counts[index]
    for byte in bytes[index * Self.stride..<offset] where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }
}
