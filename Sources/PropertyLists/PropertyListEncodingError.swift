public import ContentModel

/// A value that a format cannot carry, and where it stands.
public struct PropertyListEncodingError: Error, Hashable {
  /// Why the format cannot carry it.
  public enum Reason: Hashable, Sendable {
    /// The string or key has a character that XML 1.0 excludes (section 2.2, production 2).
    case forbiddenCharacter(Unicode.Scalar)
    /// The number is infinite or not a number.
    case nonFiniteNumber
    /// The date is infinite or not a number.
    case nonFiniteDate
    /// The date has a fraction of a second.
    case fractionalDate
    /// The date lies outside the years 1 to 9999.
    case dateOutOfRange
    /// More than `PropertyList.depthLimit` containers stand inside one another.
    case tooDeep
  }

  /// The keys and indices that lead from the root to the value.
  public var keyPath: [String]
  /// The format that was asked for.
  public let format: PropertyListFormat
  /// Why the format cannot carry it.
  public let reason: Reason

  /// An error at the value itself; `inside` adds what leads to it.
  init(_ reason: Reason, in format: PropertyListFormat) {
    (self.keyPath, self.format, self.reason) = ([], format, reason)
  }

  /// The same error, seen from the container that holds the value under a key.
  package func inside(_ key: String) -> Self {
    var copy = self
    copy.keyPath.insert(key, at: 0)
    return copy
  }
}

extension PropertyListEncodingError: CustomStringConvertible {
  /// The rule that was broken, in one sentence.
  public var description: String {
    let place = keyPath.isEmpty ? "the root" : "'\(keyPath.joined(separator: "."))'"
    return switch reason {
    case .forbiddenCharacter(let scalar):
      "\(place) has the character \(scalar.codePoint), which XML cannot carry"
    case .nonFiniteNumber:
      "\(place) is a number that is not finite, which \(format.title) cannot carry"
    case .nonFiniteDate: "\(place) is a date that is not finite"
    case .fractionalDate: "\(place) is a date with a fraction of a second, which XML cannot carry"
    case .dateOutOfRange: "\(place) is a date outside the years 1 to 9999"
    case .tooDeep: "\(place) is nested deeper than \(PropertyList.depthLimit) levels"
    }
  }
}

extension Unicode.Scalar {
  /// As people write it: `U+0007`.
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
