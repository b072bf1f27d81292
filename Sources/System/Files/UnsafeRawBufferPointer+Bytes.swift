import SystemC

extension UnsafeRawBufferPointer {
  /// Compares bytes by `memcmp`, many times as fast as `==` of arrays.
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let mine = baseAddress, let theirs = other.baseAddress else {
      return count == other.count && count == 0
    }
    return memcmp(mine, theirs, count) == 0
  }
}

extension [UInt8] {
  /// Compares bytes by `memcmp`, many times as fast as `==`.
  package func hasSameBytes(as other: [UInt8]) -> Bool {
    withUnsafeBytes { mine in other.withUnsafeBytes { mine.hasSameBytes(as: $0) } }
  }
}
