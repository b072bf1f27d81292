extension UnsafeRawBufferPointer {
  /// Whether all bytes are below 0x80.
  @inline(__always)
  var isASCII: Bool { endOfASCII(from: 0) == count }

  /// The next index of a byte from 0x80 on, or the end; looked for 32 bytes at a time.
  @inline(__always)
  func endOfASCII(from start: Int) -> Int {
    var index = start
    while index + 32 <= count {
      let (a, b) = (
        word(at: index) | word(at: index + 8), word(at: index + 16) | word(at: index + 24)
      )
      if (a | b) & UInt64.highBits != 0 { break }
      index += 32
    }
    while index + 8 <= count {
      let marks = word(at: index) & UInt64.highBits
      if marks != 0 { return index + marks.bytesBeforeMark }
      index += 8
    }
    while index < count, self[index] < 0x80 { index += 1 }
    return index
  }

  /// Whether as many bytes at one offset are those at another.
  @inline(__always)
  func hasSameBytes(at offset: Int, as other: Int, count: Int) -> Bool {
    guard count >= 8 else {
      if Swift.max(offset, other) + 8 <= self.count {
        // The bytes past the count, which are the highest, are shifted out.
        return (word(at: offset) ^ word(at: other)).littleEndian << (64 - 8 * count) == 0
      }
      for index in 0..<count where self[offset + index] != self[other + index] { return false }
      return true
    }
    var index = 0
    while index + 8 < count {
      if word(at: offset + index) != word(at: other + index) { return false }
      index += 8
    }
    // The last eight, which may be compared twice in part.
    return word(at: offset + count - 8) == word(at: other + count - 8)
  }

  /// Eight bytes as one number, in the machine's order.
  @inline(__always)
  func word(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}

extension UInt64 {
  private static var ones: Self { 0x0101_0101_0101_0101 }
  /// The highest bit of each byte.
  static var highBits: Self { 0x8080_8080_8080_8080 }

  /// Marks the bytes that are a given one by their highest bit; above the lowest mark there may be
  /// false ones.
  @inline(__always)
  func marking(_ byte: UInt8) -> Self {
    let difference = self ^ (Self.ones &* Self(byte))
    return (difference &- Self.ones) & ~difference & Self.highBits
  }

  /// Marks the bytes below 0x20 likewise.
  @inline(__always)
  var markingControls: Self { (self &- Self.ones &* 0x20) & ~self & Self.highBits }

  /// How many bytes, in the order of memory, stand before the first marked one.
  @inline(__always)
  var bytesBeforeMark: Int { littleEndian.trailingZeroBitCount >> 3 }

  /// The bytes that stand, in the order of memory, before the first marked one.
  @inline(__always)
  func before(_ marks: Self) -> Self {
    let first = marks.littleEndian
    return littleEndian & (first ^ (first &- 1)) >> 8
  }
}
