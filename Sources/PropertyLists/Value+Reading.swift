package import ContentModel

/// The reading of values as any of the four formats represents them: OpenStep has numbers and dates
/// as strings, and JSON has hashes as hexadecimal digits.
extension Value {
  package subscript(key: String) -> Value? { members?[key] }

  package var members: Members? { if case .dictionary(let members) = self { members } else { nil } }

  package var items: [Value]? { if case .array(let items) = self { items } else { nil } }

  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// A whole number of any size; a caller that calculates with it must check its range.
  package var number: Int? {
    switch self {
    case .integer(let number): Int(exactly: number)
    case .string(let text): Int(text)
    default: nil
    }
  }

  package var flag: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .string("true"), .string("YES"), .string("1"): true
    case .string("false"), .string("NO"), .string("0"): false
    default: nil
    }
  }

  package var instant: Instant? {
    switch self {
    // Arithmetic with others would spread NaN and infinity.
    case .date(let instant): instant.hasRFC3339 ? instant : nil
    case .string(let text): Instant(rfc3339: text)
    default: nil
    }
  }

  /// Every hash in a tree of dictionaries, in order of keys.
  package var digests: [Digest] {
    if let members { return members.flatMap { $0.value.digests } }
    return digest.map { [$0] } ?? []
  }

  package var digest: Digest? {
    switch self {
    case .data(let bytes): Digest(bytes: bytes)
    case .string(let hex): Digest(hex: hex)
    default: nil
    }
  }
}
