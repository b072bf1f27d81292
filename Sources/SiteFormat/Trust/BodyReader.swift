import ContentModel
import PropertyLists

/// The members of a signed body, read strictly.
///
/// Unknown members are ignored. Duplicate keys, `null`, and numbers that are no integers from 0 to
/// 2^53 are refused.
struct BodyReader {
  private let members: Members
  /// The part that errors name.
  var part: SignedPart

  /// The only `format` of bodies.
  private static let format = 1

  /// Reads a body of at most some bytes.
  init(_ body: [UInt8], as part: SignedPart, limit: Int) throws(TrustError) {
    guard body.count <= limit else { throw .malformed(part, .tooLarge) }
    // Some readers of JSON refuse a byte order mark.
    guard !body.starts(with: [0xEF, 0xBB, 0xBF]),
      let (value, _) = try? PropertyList.decode(body, as: .json), let members = value.members
    else { throw .malformed(part, .unreadable) }
    (self.members, self.part) = (members, part)
    // A later format may allow other numbers.
    if let newer = NewerFormat(members["format"], above: Self.format) {
      throw .malformed(part, .format(newer))
    }
    guard value.hasOnlyAllowedNumbers else { throw .malformed(part, .unreadable) }
    guard try number("format") == Self.format else { throw refusal(of: "format") }
  }

  private init(_ members: Members, of part: SignedPart) {
    (self.members, self.part) = (members, part)
  }

  func text(_ key: String) throws(TrustError) -> String {
    guard case .string(let text) = members[key] else { throw refusal(of: key) }
    return text
  }

  /// A text; `nil` without the key.
  func optionalText(_ key: String) throws(TrustError) -> String? {
    members[key] == nil ? nil : try text(key)
  }

  func number(_ key: String) throws(TrustError) -> Int {
    guard case .integer(let integer) = members[key], let number = Int(exactly: integer) else {
      throw refusal(of: key)
    }
    return number
  }

  /// A time in UTC, in any of the forms of RFC 3339 (section 4.3).
  func instant(_ key: String) throws(TrustError) -> Instant {
    guard case .string(let text) = members[key],
      text.hasSuffix("Z") || text.hasSuffix("z") || text.hasSuffix("+00:00"),
      let instant = Instant(rfc3339: text)
    else { throw refusal(of: key) }
    return instant
  }

  func digest(_ key: String) throws(TrustError) -> Digest {
    guard case .string(let text) = members[key], let digest = Digest(hex: text) else {
      throw refusal(of: key)
    }
    return digest
  }

  func texts(_ key: String) throws(TrustError) -> [String] {
    guard case .array(let items) = members[key] else { throw refusal(of: key) }
    var texts: [String] = []
    for item in items {
      guard case .string(let text) = item else { throw refusal(of: key) }
      texts.append(text)
    }
    return texts
  }

  /// The members of a dictionary.
  func nested(_ key: String) throws(TrustError) -> BodyReader {
    guard let members = members[key]?.members else { throw refusal(of: key) }
    return BodyReader(members, of: part)
  }

  /// The members of a dictionary; `nil` without the key.
  func optional(_ key: String) throws(TrustError) -> BodyReader? {
    members[key] == nil ? nil : try nested(key)
  }

  /// All keys, in canonical order.
  var keys: [String] { members.map(\.key) }

  func refusal(of key: String) -> TrustError { .malformed(part, .member(key)) }

  var tooLarge: TrustError { .malformed(part, .tooLarge) }
}

extension Value {
  /// `true` if all numbers in this value are integers that bodies may have.
  fileprivate var hasOnlyAllowedNumbers: Bool {
    switch self {
    case .integer(let number):
      Int(exactly: number).map(LimitedNumber.serials.contains) ?? false
    case .real: false
    case .array(let items): items.allSatisfy(\.hasOnlyAllowedNumbers)
    case .dictionary(let members): members.allSatisfy(\.value.hasOnlyAllowedNumbers)
    default: true
    }
  }
}

extension String {
  /// The bytes of base64 in its only canonical form, without white space; `nil` for another text.
  var base64Bytes: [UInt8]? {
    Base64.decode(self).flatMap { $0.base64.hasSameBytes(as: self) ? $0 : nil }
  }
}
