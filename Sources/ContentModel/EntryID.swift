/// The id of an entry, such as `product/country-charm`.
///
/// An id has at least two parts of `a`–`z`, `0`–`9` and `-`, separated by `/`; the first is the
/// datatype.
///
/// ```swift
/// let id = EntryID("product/country-charm")
/// let datatype = id?.datatype  // product
/// ```
public struct EntryID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The whole id.
  public let text: String

  /// Creates an id; `nil` if the text has another form.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts.allSatisfy({ EntryID.isPart($0) }) else { return nil }
    self.text = text
  }

  private init(reserved text: String) { self.text = text }

  /// The entry that readers show during maintenance, the only one without a datatype.
  public static let maintenance = EntryID(reserved: "maintenance")

  /// The first part.
  public var datatype: String { String(text.prefix { $0 != "/" }) }

  /// The id without the first part.
  public var rest: String { String(text.drop { $0 != "/" }.dropFirst()) }

  /// Returns `true` if a text can be a part of an id: one or more of `a`–`z`, `0`–`9` and `-`.
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

  /// The whole id.
  public var description: String { text }

  /// Compares ids by code point.
  public static func < (a: EntryID, b: EntryID) -> Bool { a.text.precedesInBytes(b.text) }
}

extension EntryID: Codable {
  /// Decodes an id from its text.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the text is no id.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = EntryID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no id of an entry.")
    }
    self = id
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
