/// A version of the app: dotted integers; missing parts are 0, so `2` and `2.0.0` are equal.
public struct AppVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The parts without trailing zeros.
  private let parts: [Int]

  /// The lowest version.
  public static let zero = AppVersion(parts: [])

  private init(parts: [Int]) { self.parts = parts }

  /// A version such as `2.10`; `nil` for anything but one to eight dotted integers.
  public init?(_ text: some StringProtocol) {
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = pieces.compactMap {
      $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int($0) : nil
    }
    guard (1...8).contains(pieces.count), numbers.count == pieces.count else { return nil }
    parts = Array(numbers.reversed().drop { $0 == 0 }.reversed())
  }

  /// At least two parts: `2.0`, `2.10.3`.
  public var description: String {
    (parts + Array(repeating: 0, count: max(0, 2 - parts.count))).map(String.init).joined(
      separator: ".")
  }

  /// Part by part as integers.
  public static func < (a: AppVersion, b: AppVersion) -> Bool {
    a.parts.lexicographicallyPrecedes(b.parts)
  }
}

/// A set of versions between two bounds: `>=2.0 <3.0`.
public struct VersionRange: Hashable, Sendable {
  /// The first version that belongs to it; `nil` where it has no lower end.
  public let from: AppVersion?
  /// The first version after it; `nil` where it has no upper end.
  public let before: AppVersion?

  /// Comparisons with `>=` or `<`, all of which must hold, joined by spaces; `nil` for other texts
  /// and empty ranges.
  ///
  /// `>` and `<=` are not there: between two versions there is always another.
  public init?(_ text: String) {
    var (from, before): (AppVersion?, AppVersion?) = (nil, nil)
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

  /// Whether a version lies in it.
  public func contains(_ version: AppVersion) -> Bool {
    if let from, version < from { return false }
    if let before, version >= before { return false }
    return true
  }
}
