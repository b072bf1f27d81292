/// A property-list value.
///
/// ```swift
/// let product: Value = ["title": "Rose", "price": 39.5, "tags": ["red", "garden"]]
/// if case .dictionary(let members) = product { show(members["title"]) }
/// ```
///
/// Strings compare by their UTF-8 bytes, not by canonical equivalence: `é` as one code point and as
/// two are different content. Reals compare by their bits, which preserves `-0.0` and NaN.
public enum Value: Sendable {
  /// A text.
  case string(String)
  /// A signed integer of 64 bits.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A Boolean value.
  case boolean(Bool)
  /// A point in time.
  case date(Instant)
  /// Bytes.
  case data([UInt8])
  /// Values in order.
  case array([Value])
  /// Values by key, sorted by key.
  case dictionary(Members)
}

extension Value: Hashable {
  /// Compares kinds and values byte by byte.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.boolean(let a), .boolean(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)): a == b
    default: false
    }
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text): text.hashBytes(into: &hasher)
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number.bitPattern)
    case .boolean(let flag): hasher.combine(flag)
    case .date(let instant): hasher.combine(instant)
    case .data(let bytes): hasher.combine(bytes)
    case .array(let items): hasher.combine(items)
    case .dictionary(let members): hasher.combine(members)
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a real.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates an array.
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  /// Creates a dictionary; for duplicate keys, the last value is used.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .dictionary(Members(elements))
  }
}

/// The formats of property lists.
public enum PropertyListFormat: String, CaseIterable, Sendable {
  /// The binary format `bplist00`, the smallest and the fastest to read.
  case binary
  /// Apple's XML format with the document type `PLIST 1.0`.
  case xml
  /// The text format of NeXT and OpenStep, which has only strings, data, arrays and dictionaries.
  case openstep
  /// JSON (RFC 8259) with dates as RFC 3339 strings and data in base64.
  case json

  /// The file extension: `json` or `plist`.
  public var fileExtension: String { self == .json ? "json" : "plist" }
}
