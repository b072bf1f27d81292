package import ContentModel
import SystemC

/// The system clock.
package enum Clock {
  /// The current time, in whole seconds.
  package static var now: Instant { Instant(secondsSince1970: Int64(time(nil))) }

  /// The current time in nanoseconds since 1970-01-01T00:00:00Z, as in the times of files.
  package static var nanosecondsSince1970: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}

/// A stopwatch that starts when it is created.
package struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  package init() {}

  /// The number of seconds since the start.
  package var seconds: Double {
    let elapsed = (ContinuousClock.now - start).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }
}
