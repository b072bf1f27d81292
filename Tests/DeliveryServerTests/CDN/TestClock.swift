import Synchronization

@testable import TestDelivery

/// A clock that advances only while a thread waits.
///
/// A class because a server and its client share one.
final class TestClock: Sendable {
  private static let start = 1_800_000_000.0

  private let waited = Mutex(0.0)
  private let other: SimulatedClock?

  /// Creates an independent clock, or one that shows the time of another.
  init(_ other: SimulatedClock? = nil) { self.other = other }

  /// Seconds since 1970.
  var now: Double {
    Self.start + (other.map { Double($0.milliseconds) / 1_000 } ?? waited.withLock { $0 })
  }

  func wait(_ seconds: Double) { waited.withLock { $0 += max(seconds, 0) } }
}
