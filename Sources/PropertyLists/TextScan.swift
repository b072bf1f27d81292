import ContentModel

/// A walk over the bytes of a text.
struct TextScan {
  let bytes: [UInt8]
  var offset = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The byte to be read next; `nil` at the end.
  var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var isAtEnd: Bool { offset >= bytes.count }

  func peek(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  func starts(with text: StaticString) -> Bool {
    guard bytes.count - offset >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { wanted in wanted.indices.allSatisfy { bytes[offset + $0] == wanted[$0] } }
  }

  /// Steps over a text if it stands here.
  mutating func take(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  /// Steps past the next occurrence of a text; false, and at the end, if there is none.
  mutating func skip(past text: StaticString) -> Bool {
    while !isAtEnd {
      if take(text) { return true }
      offset += 1
    }
    return false
  }

  mutating func skipByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// Steps over spaces, tabs and line ends.
  mutating func skipWhitespace() {
    while offset < bytes.count, bytes[offset].isTextWhitespace { offset += 1 }
  }

  func text(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }
}

extension UInt8 {
  /// Space, tab, LF or CR.
  var isTextWhitespace: Bool {
    self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D
  }

  var isDigit: Bool { self &- 0x30 < 10 }

  /// What a hexadecimal digit of either case counts.
  var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
