import Synchronization

/// A clock that goes on only when somebody waits.
///
/// A class, so that a server and who asks it share one.
final class TestClock: Sendable {
  private let time = Mutex(1_800_000_000.0)

  /// Seconds since 1970.
  var now: Double { time.withLock { $0 } }

  func wait(_ seconds: Double) { time.withLock { $0 += max(seconds, 0) } }
}
