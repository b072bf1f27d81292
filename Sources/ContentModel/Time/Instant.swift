/// A point in time in seconds since 2001-01-01T00:00:00Z, the reference date of property lists,
/// without leap seconds.
///
/// ```swift
/// let start = Instant(rfc3339: "2026-12-24T18:00:00+01:00")
/// let text = start?.rfc3339  // 2026-12-24T17:00:00Z
/// ```
public struct Instant: Hashable, Comparable, Sendable {
  /// The number of seconds since 2001-01-01T00:00:00Z; instants in content have whole seconds.
  public let secondsSinceReferenceDate: Double

  /// The number of seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z.
  public static let referenceDateInUnixTime: Int64 = 978_307_200

  /// Creates an instant from seconds since 2001-01-01T00:00:00Z.
  public init(secondsSinceReferenceDate: Double) {
    self.secondsSinceReferenceDate = secondsSinceReferenceDate
  }

  /// Creates an instant from seconds since 1970-01-01T00:00:00Z.
  public init(secondsSince1970: Int64) {
    secondsSinceReferenceDate = Double(secondsSince1970) - Double(Self.referenceDateInUnixTime)
  }

  /// Returns `true` if the first instant is earlier.
  public static func < (a: Instant, b: Instant) -> Bool {
    a.secondsSinceReferenceDate < b.secondsSinceReferenceDate
  }
}
