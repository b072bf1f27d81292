import SystemC

// Swift compares strings by canonical equivalence, but content compares by its UTF-8 bytes, whose
// order is the order of code points.
extension String {
  /// Returns `true` if both strings have the same UTF-8 bytes.
  public func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return orderInBytes(to: other) == 0
  }

  /// Returns `true` if this string sorts before another by code point.
  public func precedesInBytes(_ other: String) -> Bool { orderInBytes(to: other) < 0 }

  /// Returns `true` if the bytes begin with those of another string.
  ///
  /// `hasPrefix(_:)` of the standard library compares characters: `@` is no prefix of `@` with an
  /// accent.
  package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Returns the text after a prefix.
  ///
  /// `dropFirst(_:)` of the standard library counts characters: a combining mark after the prefix
  /// would be dropped with it.
  package func dropping(_ prefix: String) -> String {
    String(self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...])
  }

  /// The parts of a path that are not empty.
  ///
  /// Paths are split by bytes: Swift takes a slash and a combining mark behind it for one
  /// character.
  package var pathParts: [String] {
    utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  /// Returns `true` if the bytes end with those of another string.
  package func hasByteSuffix(_ suffix: String) -> Bool {
    utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Compares UTF-8 bytes: negative if this string sorts first, positive if `other` does, zero if
  /// they are equal.
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

  /// Hashes the UTF-8 bytes, so that canonically equivalent strings have different hashes.
  public func hashBytes(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

extension String? {
  /// Returns `true` if both strings have the same UTF-8 bytes, or both are `nil`.
  package func hasSameBytes(as other: String?) -> Bool {
    switch (self, other) {
    case (let a?, let b?): a.hasSameBytes(as: b)
    default: self == nil && other == nil
    }
  }
}
