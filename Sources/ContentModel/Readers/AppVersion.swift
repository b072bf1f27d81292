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

/// The version of contentc.
public enum ContentcVersion {
  /// A semantic version, such as `0.1.0` (semver.org).
  public static let current = "0.1.0"
}
