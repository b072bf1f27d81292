extension UnsafeRawBufferPointer {
  /// Whether all bytes are below 0x80; looked at 32 at a time.
  var isASCII: Bool {
    var index = 0
    while index + 32 <= count {
      let (a, b) = (word(at: index) | word(at: index + 8), word(at: index + 16) | word(at: index + 24))
      if (a | b) & 0x8080_8080_8080_8080 != 0 { return false }
      index += 32
    }
    while index + 8 <= count {
      if word(at: index) & 0x8080_8080_8080_8080 != 0 { return false }
      index += 8
    }
    while index < count {
      if self[index] >= 0x80 { return false }
      index += 1
    }
    return true
  }

  /// Whether as many bytes at one offset are those at another.
  @inline(__always)
  func hasSameBytes(at offset: Int, as other: Int, count: Int) -> Bool {
    guard count >= 8 else {
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
  private static let ones: Self = 0x0101_0101_0101_0101
  private static let highs: Self = 0x8080_8080_8080_8080

  /// Marks the bytes that are a given one by their highest bit; above the lowest mark there may be false ones.
  @inline(__always)
  func marking(_ byte: UInt8) -> Self {
    let difference = self ^ (Self.ones &* Self(byte))
    return (difference &- Self.ones) & ~difference & Self.highs
  }

  /// Marks the bytes below 0x20 likewise.
  @inline(__always)
  var markingControls: Self { (self &- Self.ones &* 0x20) & ~self & Self.highs }

  /// How many bytes, in the order of memory, stand before the first marked one.
  @inline(__always)
  var bytesBeforeMark: Int { littleEndian.trailingZeroBitCount >> 3 }
}
