/// A file's lines, as they are counted in diagnostics: they end with LF, CR LF or CR.
package struct SourceLines {
  private let bytes: [UInt8]
  private var starts: [Int] = [0]

  /// Takes UTF-8 with or without a byte-order mark; what is no UTF-8 shows as U+FFFD.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    for (index, byte) in self.bytes.enumerated() {
      let isBreak = byte == 0x0A || (byte == 0x0D && !(index + 1 < self.bytes.count && self.bytes[index + 1] == 0x0A))
      if isBreak { starts.append(index + 1) }
    }
  }

  /// The text of a line without its end; nil if the file is empty or has no such line.
  package subscript(number: Int) -> String.UnicodeScalarView? {
    guard !bytes.isEmpty, number >= 1, number <= starts.count else { return nil }
    let end = number < starts.count ? starts[number] : bytes.count
    var line = bytes[starts[number - 1]..<end]
    while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
    return String(decoding: line, as: UTF8.self).unicodeScalars
  }
}
