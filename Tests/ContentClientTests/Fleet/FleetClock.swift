import ContentModel

@testable import ContentClient

/// The clock of a simulated device, which jumps to the end of each wait.
///
/// Its times are multiples of 1/1024 s, which `Double` has exactly, and a wait lasts at least one
/// of them. Otherwise, a wait of a picosecond would end when it began, and the client would wait
/// again. A class, since client and device share it.
final class FleetClock: ContentClock {
  private struct Time: Sendable {
    /// The seconds since the simulation began.
    var seconds = 0.0
    /// The seconds by which the time of day is ahead.
    var error = 0.0
    var boot = 1
    var bootSeconds = -5_000.0
  }

  /// The time of day at which the simulation begins: 2027-01-15T08:00:00Z.
  static let start = Instant(secondsSince1970: 1_800_000_000)
  private static let ticksPerSecond = 1_024.0

  private let time = Locked(Time())

  /// The seconds since the simulation began.
  var seconds: Double { time.withLock { $0.seconds } }

  var now: Instant {
    time.withLock {
      Instant(
        secondsSinceReferenceDate: Self.start.secondsSinceReferenceDate + $0.seconds + $0.error)
    }
  }

  var uptime: Uptime {
    time.withLock { Uptime(boot: "\($0.boot)", seconds: $0.seconds - $0.bootSeconds) }
  }

  func sleep(seconds: Double) async throws { advance(to: end(ofWait: seconds)) }

  /// Returns the end of a wait that begins now: later than now, unless there is nothing to wait
  /// for.
  func end(ofWait seconds: Double) -> Double {
    self.seconds + Self.rounded(max(0, seconds))
  }

  /// Returns the next multiple of a tick.
  static func rounded(_ seconds: Double) -> Double {
    (seconds * ticksPerSecond).rounded(.up) / ticksPerSecond
  }

  func advance(to seconds: Double) {
    time.withLock { $0.seconds = max($0.seconds, seconds) }
  }

  /// Sets the time of day wrong by some seconds.
  func set(wrongBy seconds: Double) { time.withLock { $0.error = Self.rounded(seconds) } }

  /// Starts the device again.
  func restart() {
    time.withLock { time in
      time.boot += 1
      time.bootSeconds = time.seconds - 30
    }
  }
}
