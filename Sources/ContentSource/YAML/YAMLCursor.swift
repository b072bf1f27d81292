import CYAML

/// Finds bytes by libyaml's marks, which count scalars; moves from mark to mark, so that a file is walked about once.
struct YAMLCursor {
  let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The offset of the byte at a mark.
  mutating func offset(of mark: yaml_mark_t) -> Int {
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

  /// The byte at a mark; nil at the end.
  mutating func byte(at mark: yaml_mark_t) -> UInt8? { byte(at: offset(of: mark)) }

  func byte(at offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

  /// The mark of a later byte.
  func mark(at end: Int, from start: Int, at mark: YAMLMark) -> YAMLMark {
    var mark = mark
    for offset in start..<Swift.max(start, Swift.min(end, bytes.count)) where !bytes[offset].isContinuation {
      mark.pass(bytes[offset], before: byte(at: offset + 1))
    }
    return mark
  }

  /// A mark without the white space and line breaks before it.
  mutating func trimmed(_ mark: yaml_mark_t, notBefore start: yaml_mark_t) -> YAMLMark {
    let first = offset(of: start)
    var end = offset(of: mark)
    var line = UInt32(truncatingIfNeeded: mark.line)
    while end > first, bytes[end - 1].isYAMLSpace {
      end -= 1
      if bytes[end] == 0x0A || (bytes[end] == 0x0D && byte(at: end + 1) != 0x0A) { line -= 1 }
    }
    let lineStart = bytes[..<end].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    return YAMLMark(line: line, column: UInt32(bytes[lineStart..<end].count { !$0.isContinuation }))
  }

  /// The end of the text that begins at an offset and goes on while bytes satisfy a condition.
  func end(from offset: Int, while condition: (UInt8) -> Bool) -> Int {
    var end = offset
    while end < bytes.count, condition(bytes[end]) { end += 1 }
    return end
  }
}

extension UInt8 {
  /// Whether it is a byte of UTF-8 that does not begin a scalar.
  var isContinuation: Bool { self & 0xC0 == 0x80 }
  /// Whether an anchor's name may hold it, as libyaml has it.
  var isAnchorCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
