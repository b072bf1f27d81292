import SystemC

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether both hold the same bytes.
  package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    return memcmp(first, second, count) == 0
  }
}
