import Foundation

extension String {
  /// Returns `true` if the text contains a secret, as it is or within base64, such as that of
  /// `user:password`.
  package func discloses(_ secret: String) -> Bool {
    ([secret] + secret.partsOfBase64).contains { contains($0) }
  }

  /// The base64 of the text after 0, 1 and 2 other bytes, without the characters that depend on
  /// bytes before or after it.
  private var partsOfBase64: [String] {
    (0...2).map { count in
      let bytes = Data(count: count) + Data(utf8)
      // A character holds 6 bits; the first and the last may be shared with other bytes.
      let (first, end) = ((count * 8 + 5) / 6, bytes.count * 8 / 6)
      return String(bytes.base64EncodedString().prefix(end).dropFirst(first))
    }
  }
}
