/// The name of a bundle, such as `catalog`, or `product/rose` for a part of a split one.
///
/// ```swift
/// let catalog: BundleName = "catalog"
/// let names = ["catalog", "Catalog"].compactMap { BundleName($0) }  // ["catalog"]
/// ```
public struct BundleName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The whole name.
  public let text: String

  /// Creates a name of parts of `a`–`z`, `0`–`9` and `-`, separated by `/`; `nil` for another text.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ EntryID.isPart($0) }) else { return nil }
    self.text = text
  }

  /// The name of the split bundle that this one is a part of; `nil` for a name of one part.
  package var family: BundleName? {
    text.utf8.firstIndex(of: UInt8(ascii: "/")).map { BundleName(checked: String(text[..<$0])) }
  }

  private init(checked text: String) { self.text = text }

  /// The whole name.
  public var description: String { text }

  /// Compares names by code point.
  public static func < (a: BundleName, b: BundleName) -> Bool { a.text.precedesInBytes(b.text) }
}

extension BundleName: ExpressibleByStringLiteral {
  /// Creates a name from a literal in the source, which must have the form of a name.
  public init(stringLiteral text: String) {
    guard let name = BundleName(text) else {
      preconditionFailure("'\(text)' is no name of a bundle: use a–z, 0–9, - and /")
    }
    self = name
  }
}
