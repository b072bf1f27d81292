extension UnsafeRawBufferPointer {
  /// `true` if all bytes are below 0x80.
  @inline(__always)
  var isASCII: Bool { endOfASCII(from: 0) == count }

  /// Returns the index of the first byte of at least 0x80 from `start`, or the end.
  @inline(__always)
  func endOfASCII(from start: Int) -> Int {
    var index = start
    while index + 32 <= count {
      let first = word(at: index) | word(at: index + 8)
      let second = word(at: index + 16) | word(at: index + 24)
      if (first | second) & UInt64.highBits != 0 { break }
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

  /// Returns `true` if `count` bytes at two offsets are equal.
  @inline(__always)
  func hasSameBytes(at offset: Int, as other: Int, count: Int) -> Bool {
    guard count >= 8 else {
      if Swift.max(offset, other) + 8 <= self.count {
        // The shift removes the bytes past the count, which are the highest.
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
    // The last eight bytes can overlap those compared before.
    return word(at: offset + count - 8) == word(at: other + count - 8)
  }

  /// Returns eight bytes as a number in native byte order.
  @inline(__always)
  func word(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}

extension UInt64 {
  private static var ones: Self { 0x0101_0101_0101_0101 }
  /// The highest bit of each byte.
  static var highBits: Self { 0x8080_8080_8080_8080 }

  /// Returns the number with the highest bit set in each byte that equals `byte`; bits above the
  /// lowest one set can be false.
  @inline(__always)
  func marking(_ byte: UInt8) -> Self {
    let difference = self ^ (Self.ones &* Self(byte))
    return (difference &- Self.ones) & ~difference & Self.highBits
  }

  /// The number with the highest bit set in each byte below 0x20; bits above the lowest one set can
  /// be false.
  @inline(__always)
  var markingControls: Self { (self &- Self.ones &* 0x20) & ~self & Self.highBits }

  /// The number of bytes, in memory order, before the first marked one.
  @inline(__always)
  var bytesBeforeMark: Int { littleEndian.trailingZeroBitCount >> 3 }

  /// Returns the bytes, in memory order, before the first marked one, the others as zero.
  @inline(__always)
  func before(_ marks: Self) -> Self {
    let first = marks.littleEndian
    return littleEndian & (first ^ (first &- 1)) >> 8
  }
}
