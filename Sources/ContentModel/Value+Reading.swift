// These properties read a value that was decoded from any of the four formats. OpenStep has
// numbers, booleans and dates as strings, and JSON has digests as hexadecimal digits.
extension Value {
  /// The value of a key; `nil` without the key, or if this is no dictionary.
  public subscript(key: String) -> Value? { members?[key] }

  /// The members of a dictionary; `nil` for another value.
  public var members: Members? { if case .dictionary(let members) = self { members } else { nil } }

  /// The items of an array; `nil` for another value.
  public var items: [Value]? { if case .array(let items) = self { items } else { nil } }

  /// The text of a string; `nil` for another value.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// A whole number; `nil` for another value, also for a real one.
  ///
  /// The publisher chose it, so a caller that calculates with it checks its range.
  public var number: Int? {
    switch self {
    case .integer(let number): Int(exactly: number)
    case .string(let text): Int(text)
    default: nil
    }
  }

  /// A lifetime in whole seconds; `nil` for another value, also for a number that is none.
  package var seconds: Int? {
    number.flatMap { LimitedNumber.lifetimes.contains($0) ? $0 : nil }
  }

  /// A number, with or without a fraction; `nil` for another value.
  public var real: Double? {
    switch self {
    case .real(let number): number
    case .integer(let number): Double(number)
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// A boolean, or a string such as `YES` or `true`; `nil` for another value.
  public var flag: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .string("true"), .string("YES"), .string("1"): true
    case .string("false"), .string("NO"), .string("0"): false
    default: nil
    }
  }

  /// A date, or a string in RFC 3339 form; `nil` for another value.
  public var instant: Instant? {
    switch self {
    // Calculations would spread NaN and infinity.
    case .date(let instant): instant.hasRFC3339 ? instant : nil
    case .string(let text): Instant(rfc3339: text)
    default: nil
    }
  }

  /// The digests in this value and in its members, in canonical order.
  package var digests: [Digest] {
    if let members { return members.flatMap { $0.value.digests } }
    return digest.map { [$0] } ?? []
  }

  /// A digest as data or in hexadecimal digits; `nil` for another value.
  package var digest: Digest? {
    switch self {
    case .data(let bytes): Digest(bytes: bytes)
    case .string(let hex): Digest(hex: hex)
    default: nil
    }
  }
}
