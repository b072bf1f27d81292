extension UnsafeRawBufferPointer {
  /// Returns a hash of a range of bytes, mixing eight at a time by a multiplication.
  @inline(__always)
  func hash(at start: Int, count: Int) -> UInt32 {
    var state = UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    var index = start
    var rest = count
    while rest >= 8 {
      state = Self.mix(state ^ word(at: index))
      index += 8
      rest -= 8
    }
    var tail: UInt64 = 0
    if rest > 0 {
      if count >= 8 {
        // One load of the last eight bytes, some of which are hashed twice, replaces up to seven.
        tail = word(at: start + count - 8)
      } else {
        for offset in index..<index + rest { tail = tail << 8 | UInt64(self[offset]) }
      }
    }
    let mixed = Self.mix(state ^ tail)
    return UInt32(truncatingIfNeeded: mixed ^ mixed >> 32)
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }
}
