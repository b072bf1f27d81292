/// The waiting between looks that fail.
struct Backoff: Sendable {
  /// The number of looks in a row that failed, at most 30.
  private(set) var failures = 0
  /// No look by itself before this moment.
  private(set) var until: Moment?

  private static let first = 2.0
  private static let shortestMaximum = 60.0
  private static let longestMaximum = 900.0

  /// Waits exponentially longer, with full jitter: clients that failed together come back apart.
  mutating func fail(at moment: Moment, ttl: Int, fraction: Double) {
    failures = min(failures + 1, 30)
    let maximum = max(Self.shortestMaximum, min(Double(ttl), Self.longestMaximum))
    let longest = min(maximum, Self.first * Double(1 << min(failures - 1, 20)))
    until = moment.advanced(by: fraction * longest)
  }

  /// Waits as long as config is current: a request would have the same answer.
  mutating func pause(at moment: Moment, seconds: Double) { until = moment.advanced(by: seconds) }

  /// Ends the waiting.
  mutating func succeed() { self = Backoff() }

  /// Returns the seconds to wait.
  func wait(at moment: Moment) -> Double {
    guard let until, let past = until.seconds(since: moment) else { return 0 }
    return past
  }
}
