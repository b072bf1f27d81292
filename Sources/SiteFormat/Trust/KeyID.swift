import ContentModel

/// The name of a public key: the first eight bytes of the SHA-256 of its 32 bytes.
package struct KeyID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The eight bytes as a big-endian number, which compares as its digits do.
  private let number: UInt64

  /// Computes the name of a key.
  package init(of key: PublicKey) {
    number = Digest(of: key.bytes).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads 16 lower-case hexadecimal digits; `nil` for any other text.
  package init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 16, digits.allSatisfy({ $0.isDigit || (0x61...0x66).contains($0) }),
      let number = UInt64(text, radix: 16)
    else { return nil }
    self.number = number
  }

  /// The 16 lower-case hexadecimal digits.
  package var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  package static func < (a: KeyID, b: KeyID) -> Bool { a.number < b.number }
}
