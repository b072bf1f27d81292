/// The name of an entry, such as `product/country-charm`: parts of `[a-z0-9-]+`, the first being
/// the datatype.
public struct EntryID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The whole id.
  public let text: String

  /// An id of at least two parts; `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts.allSatisfy({ EntryID.isPart($0) }) else { return nil }
    self.text = text
  }

  private init(reserved text: String) { self.text = text }

  /// What readers see while the service is down; the only entry that is no member of a datatype.
  public static let maintenance = EntryID(reserved: "maintenance")

  /// The first part.
  public var datatype: String { String(text.prefix { $0 != "/" }) }

  /// All parts but the first, as they are joined in the id.
  public var rest: String { String(text.drop { $0 != "/" }.dropFirst()) }

  /// Whether a text may be one part of an id: one or more of `a`–`z`, `0`–`9` and `-`.
  public static func isPart(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The id itself.
  public var description: String { text }

  /// By code point.
  public static func < (a: EntryID, b: EntryID) -> Bool { a.text.precedesInBytes(b.text) }
}
