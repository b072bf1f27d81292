import ContentModel

/// A file's name that begins with a number, such as `12` or `12-0123456789abcdef`.
///
/// Records and the manifests of purges have such names. A channel has thousands of them, and
/// comparing characters instead of bytes costs a purge more than listing the folder.
package struct NumberedName {
  /// The number, from 1 to `SerialNumber.highest`.
  package let number: Int
  /// The first 16 hexadecimal digits of a record's hash, in lower case; `nil` without a hash.
  package let hash: String?

  /// Parses a name without its extension; `nil` for foreign names.
  package init?(_ name: Substring.UTF8View) {
    let digits = name.prefix(while: \.isDigit)
    guard digits.first != UInt8(ascii: "0"), let number = Int(Substring(digits)),
      LiveRelease.numbers.contains(number)
    else { return nil }
    self.number = number
    let rest = name[digits.endIndex...]
    if rest.isEmpty {
      hash = nil
      return
    }
    let hash = rest.dropFirst()
    guard rest.first == UInt8(ascii: "-"), hash.count == 16, hash.allSatisfy(Self.isLowerHex) else {
      return nil
    }
    self.hash = String(Substring(hash))
  }

  private static func isLowerHex(_ byte: UInt8) -> Bool {
    byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
