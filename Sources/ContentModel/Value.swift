/// A property-list value: what content is once it has been resolved.
///
/// Strings compare by their bytes, never by canonical equivalence: `é` in one code point and `é` in
/// two are different content, and a build must not merge them. Reals compare by their bits, so that
/// `-0.0` and NaN survive.
public enum Value: Sendable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case date(Instant)
  case data([UInt8])
  case array([Value])
  case dictionary(Members)
}

extension Value: Hashable {
  /// Whether both are the same, byte for byte.
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

  /// Feeds what `==` compares.
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
  /// A literal of the property list's own kind.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A literal of the property list's own kind.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A literal of the property list's own kind.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// A literal of the property list's own kind.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A literal of the property list's own kind.
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  /// A literal of the property list's own kind.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .dictionary(Members(elements))
  }
}
