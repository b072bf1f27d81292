#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Swift compares strings by canonical equivalence; content is compared by its UTF-8 bytes, whose
// order is also the order of code points.
extension String {
  /// Whether both strings are the same UTF-8 bytes.
  public func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return orderInBytes(to: other) == 0
  }

  /// Whether this string comes before another by code point.
  public func precedesInBytes(_ other: String) -> Bool { orderInBytes(to: other) < 0 }

  /// Below zero, zero or above, as this string comes before another by its UTF-8 bytes, is the
  /// same, or comes after.
  private func orderInBytes(to other: String) -> Int {
    var (a, b) = (self, other)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        let shared = min(a.count, b.count)
        guard shared > 0, let first = a.baseAddress, let second = b.baseAddress else {
          return a.count - b.count
        }
        let order = memcmp(first, second, shared)
        return order == 0 ? a.count - b.count : Int(order)
      }
    }
  }

  /// Feeds the UTF-8 bytes, so that strings with different bytes hash apart.
  public func hashBytes(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
