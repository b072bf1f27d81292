import CYAML
import ContentModel
import SystemC

/// A converter of libyaml's marks, which count scalars, to offsets.
///
/// The cursor moves from mark to mark, so that it passes over a file about once.
struct YAMLCursor {
  let bytes: UnsafeBufferPointer<UInt8>
  /// A Boolean value that indicates whether the file is ASCII, so that marks are offsets.
  private let isASCII: Bool
  private var index = 0
  private var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    (self.bytes, self.isASCII) = (bytes, isASCII)
  }

  /// Returns the offset of the byte at a mark.
  mutating func offset(of mark: yaml_mark_t) -> Int {
    if isASCII { return min(mark.index, bytes.count) }
    while index < mark.index, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset].isContinuation { offset += 1 }
      index += 1
    }
    while index > mark.index, offset > 0 {
      offset -= 1
      while offset > 0, bytes[offset].isContinuation { offset -= 1 }
      index -= 1
    }
    return offset
  }

  /// Returns the offset of a mark.
  ///
  /// If the last line has no line break, libyaml may count another line after it. The offset of
  /// that line is one past the end.
  mutating func place(of mark: yaml_mark_t) -> Int {
    let offset = offset(of: mark)
    guard offset == bytes.count, mark.column == 0, let last = bytes.last, last != 0x0A, last != 0x0D
    else {
      return offset
    }
    return offset + 1
  }

  /// Returns the offset of a scalar's text if the text is written literally between two marks.
  ///
  /// If there is a `quote`, it must enclose the text.
  mutating func place(
    of text: UnsafeBufferPointer<UInt8>, quote: UInt8?, from start: yaml_mark_t, to end: yaml_mark_t
  ) -> Int? {
    let quotes = quote == nil ? 0 : 1
    let first = offset(of: start) + quotes
    let last = first + text.count
    guard last + quotes <= bytes.count else { return nil }
    if let quote, bytes[first - 1] != quote || bytes[last] != quote { return nil }
    if let base = text.baseAddress, let source = bytes.baseAddress,
      memcmp(source + first, base, text.count) != 0
    {
      return nil
    }
    let scalars = isASCII ? text.count : text.count - text.continuations
    guard end.index - start.index == scalars + 2 * quotes else { return nil }
    (index, offset) = (end.index, last + quotes)
    return first
  }

  /// Returns the byte at a mark; `nil` at the end.
  mutating func byte(at mark: yaml_mark_t) -> UInt8? { byte(at: offset(of: mark)) }

  func byte(at offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

  /// Returns the mark of the byte at `end`, counted from the mark of an earlier byte at `start`.
  func mark(at end: Int, from start: Int, at mark: YAMLMark) -> YAMLMark {
    var mark = mark
    for offset in start..<Swift.max(start, Swift.min(end, bytes.count))
    where !bytes[offset].isContinuation {
      mark.pass(bytes[offset], before: byte(at: offset + 1))
    }
    return mark
  }

  /// Returns an offset, moved to the beginning of the white space and line breaks before it.
  func trimmed(_ end: Int, notBefore first: Int) -> Int {
    var end = min(end, bytes.count)
    while end > first, bytes[end - 1].isWhitespace { end -= 1 }
    return end
  }

  /// The end of the text that begins at an offset and whose bytes satisfy a condition.
  func end(from offset: Int, while condition: (UInt8) -> Bool) -> Int {
    var end = offset
    while end < bytes.count, condition(bytes[end]) { end += 1 }
    return end
  }

  /// The end of the whitespace and comments that begin at an offset.
  func endOfSpace(from offset: Int) -> Int {
    var end = end(from: offset, while: \.isWhitespace)
    while byte(at: end) == UInt8(ascii: "#") {
      end = self.end(from: end) { $0 != 0x0A && $0 != 0x0D }
      end = self.end(from: end, while: \.isWhitespace)
    }
    return end
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The number of bytes that do not begin a Unicode scalar.
  fileprivate var continuations: Int {
    var (sum, index) = (0, 0)
    while index + 8 <= count {
      let word = word(at: index)
      sum += (word >> 7 & ~word >> 6 & 0x0101_0101_0101_0101).nonzeroBitCount
      index += 8
    }
    while index < count {
      sum += self[index].isContinuation ? 1 : 0
      index += 1
    }
    return sum
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether the byte continues a Unicode scalar.
  package var isContinuation: Bool { self & 0xC0 == 0x80 }
  /// A Boolean value that indicates whether the byte may be part of an anchor's name, as in
  /// libyaml.
  var isAnchorCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns `true` if both hold the same bytes.
  package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    return memcmp(first, second, count) == 0
  }
}
