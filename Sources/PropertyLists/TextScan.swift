import ContentModel

/// A cursor over the borrowed bytes of a text.
///
/// Release builds read the buffer without bounds checks, so every access first compares the offset
/// with the count.
struct TextScan {
  let bytes: UnsafeBufferPointer<UInt8>
  var offset = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  @inline(__always)
  var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }

  /// The next byte; `nil` at the end.
  @inline(__always)
  var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var isAtEnd: Bool { offset >= bytes.count }

  func peek(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  @inline(__always)
  func starts(with text: StaticString) -> Bool {
    guard bytes.count - offset >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// Advances past a byte if it is next.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// Advances past a text if it is next.
  @inline(__always)
  mutating func take(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  /// Advances past the next occurrence of a text; returns `false` at the end if there is none.
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

  /// Advances past spaces, tabs and line breaks.
  @inline(__always)
  mutating func skipWhitespace() {
    guard offset < bytes.count, bytes[offset] <= 0x20 else { return }
    while offset < bytes.count, bytes[offset].isWhitespace { offset += 1 }
  }

  /// Returns the text from `start` to the current offset.
  func text(from start: Int) -> String {
    String(checkedUTF8: UnsafeBufferPointer(rebasing: bytes[start..<offset]))
  }
}
