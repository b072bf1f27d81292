/// A version of an app: one to eight dotted integers.
///
/// Missing parts are 0, so `2` equals `2.0.0`. Parts compare as integers.
///
/// ```swift
/// let version = AppVersion("2.10")
/// let range = VersionRange(">=2.0 <3.0")
/// ```
public struct AppVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The parts without trailing zeros.
  private let parts: [Int]

  /// The lowest version.
  public static let zero = AppVersion(parts: [])

  private init(parts: [Int]) { self.parts = parts }

  /// Creates a version from a text such as `2.10`; `nil` for any other form.
  public init?(_ text: some StringProtocol) {
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = pieces.compactMap {
      $0.utf8.allSatisfy(\.isDigit) ? Int($0) : nil
    }
    guard (1...8).contains(pieces.count), numbers.count == pieces.count else { return nil }
    parts = Array(numbers.reversed().drop { $0 == 0 }.reversed())
  }

  /// The version with at least two parts: `2.0`, `2.10.3`.
  public var description: String {
    (parts + Array(repeating: 0, count: max(0, 2 - parts.count))).map(String.init).joined(
      separator: ".")
  }

  /// Compares versions part by part.
  public static func < (a: AppVersion, b: AppVersion) -> Bool {
    a.parts.lexicographicallyPrecedes(b.parts)
  }
}

/// A half-open range of versions, such as `>=2.0 <3.0`.
public struct VersionRange: Hashable, Sendable {
  /// The first version in the range; `nil` without a lower bound.
  public let from: AppVersion?
  /// The first version after the range; `nil` without an upper bound.
  public let before: AppVersion?

  /// Creates a range from comparisons with `>=` or `<`, separated by spaces, all of which must
  /// hold; `nil` for other texts and empty ranges.
  ///
  /// `>` and `<=` do not exist, because there is a version between any two.
  public init?(_ text: String) {
    var from: AppVersion?
    var before: AppVersion?
    let comparisons = text.split(separator: " ")
    guard !comparisons.isEmpty else { return nil }
    for comparison in comparisons {
      if comparison.hasPrefix(">="), from == nil, let version = AppVersion(comparison.dropFirst(2))
      {
        from = version
      } else if comparison.hasPrefix("<"), before == nil,
        let version = AppVersion(comparison.dropFirst())
      {
        before = version
      } else {
        return nil
      }
    }
    if let from, let before, before <= from { return nil }
    (self.from, self.before) = (from, before)
  }

  /// Returns `true` if a version is in the range.
  public func contains(_ version: AppVersion) -> Bool {
    if let from, version < from { return false }
    if let before, version >= before { return false }
    return true
  }
}

/// The version of contentc.
public enum ContentcVersion {
  /// A semantic version, such as `0.1.0` (semver.org).
  public static let current = "0.1.0"
}
