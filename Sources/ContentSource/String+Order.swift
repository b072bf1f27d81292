import SystemC

extension String {
  /// Returns `true` if this string precedes another by UTF-8 bytes; faster than `precedesInBytes`
  /// for many comparisons.
  func sortsBefore(_ other: String) -> Bool {
    let order = utf8.withContiguousStorageIfAvailable { a in
      other.utf8.withContiguousStorageIfAvailable { b in
        guard let first = a.baseAddress, let second = b.baseAddress else {
          return a.count < b.count
        }
        let order = memcmp(first, second, Swift.min(a.count, b.count))
        return order == 0 ? a.count < b.count : order < 0
      }
    }
    return (order ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}
