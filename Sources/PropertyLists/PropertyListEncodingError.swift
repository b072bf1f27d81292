public import ContentModel

/// An error for a value that a format cannot represent, with the path to the value.
public struct PropertyListEncodingError: Error, Hashable {
  /// The rule of the format.
  public enum Reason: Hashable, Sendable {
    /// The string or key has a character that XML 1.0 excludes (section 2.2, production 2).
    case forbiddenCharacter(Unicode.Scalar)
    /// The number is infinite or not a number.
    case nonFiniteNumber
    /// The date is infinite or not a number.
    case nonFiniteDate
    /// The date has a fraction of a second.
    case fractionalDate
    /// The date is outside the years 1 to 9999.
    case dateOutOfRange
    /// More than ``PropertyList/depthLimit`` containers are nested.
    case tooDeep
    /// The file would have more than ``PropertyList/valueLimit`` values, which readers refuse.
    case tooManyValues
  }

  /// The keys and indices from the root to the value.
  public private(set) var keyPath: [String]
  /// The format that the caller requested.
  public let format: PropertyListFormat
  /// The rule of the format.
  public let reason: Reason

  /// Creates an error with an empty path; `inside` extends the path.
  init(_ reason: Reason, in format: PropertyListFormat) {
    (self.keyPath, self.format, self.reason) = ([], format, reason)
  }

  /// Returns the error with `key` before its path.
  package func inside(_ key: String) -> Self {
    var copy = self
    copy.keyPath.insert(key, at: 0)
    return copy
  }
}

extension PropertyListEncodingError: CustomStringConvertible {
  /// The path and the rule.
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
    case .tooManyValues:
      "\(place) has more than \(PropertyList.valueLimit) values, which readers refuse"
    }
  }
}

extension Unicode.Scalar {
  /// The scalar in the form `U+0007`.
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
