import ContentModel

/// The delay after failed checks.
///
/// The state stores it, so that later processes wait, too.
struct Backoff: Sendable {
  /// The number of checks in a row that failed, at most 30.
  private(set) var failures = 0
  /// The moment before which neither the schedule nor a push begins a check.
  private(set) var until: Moment?
  /// `true` if the answer was refused: a check before `until` would have the same answer.
  private(set) var isRefusal = false

  private static let first = 2.0
  private static let shortestMaximum = 60.0
  private static let longestMaximum = 900.0
  private static let mostFailures = 30

  init() {}

  /// Waits exponentially longer, with full jitter: clients that failed together come back apart.
  mutating func fail(at moment: Moment, ttl: Int, fraction: Double) {
    failures = min(failures + 1, Self.mostFailures)
    let maximum = max(Self.shortestMaximum, min(Double(ttl), Self.longestMaximum))
    let longest = min(maximum, Self.first * Double(1 << min(failures - 1, 20)))
    (until, isRefusal) = (moment.advanced(by: fraction * longest), false)
  }

  /// Waits as long as config is current.
  mutating func refuse(at moment: Moment, seconds: Double) {
    (until, isRefusal) = (moment.advanced(by: seconds), true)
  }

  /// Returns the seconds to wait; 0 after another start of the system, when the time of day may be
  /// earlier than before.
  func wait(at moment: Moment) -> Double {
    guard let until, until.uptime.boot.hasSameBytes(as: moment.uptime.boot) else { return 0 }
    return until.seconds(since: moment) ?? 0
  }
}

// MARK: The state

extension Backoff {
  /// The backoff as a property list; `nil` if no check failed.
  var value: Value? {
    guard let until else { return nil }
    return [
      "failures": .integer(Int64(failures)), "until": until.value, "isRefusal": .boolean(isRefusal),
    ]
  }

  init(_ value: Value) {
    failures = min(max(0, value["failures"]?.number ?? 0), Self.mostFailures)
    until = value["until"].flatMap { Moment($0) }
    isRefusal = value["isRefusal"]?.flag ?? false
  }
}
