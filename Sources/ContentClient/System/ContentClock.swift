public import ContentModel

/// A clock: the time of day, the time since the start of the system, and waiting.
///
/// An app uses ``SystemClock``. A test uses `ManualClock` of `ContentClientTesting`, whose time
/// only the test advances:
///
/// ```swift
/// let clock = ManualClock()
/// configuration.clock = clock
/// clock.advance(by: 600)
/// ```
public protocol ContentClock: Sendable {
  /// The time of day, which a user may set to any value.
  var now: Instant { get }
  /// The time since the start of the system.
  var uptime: Uptime { get }
  /// Waits for a number of seconds.
  ///
  /// - Throws: `CancellationError` if the task was cancelled.
  func sleep(seconds: Double) async throws
}

/// The seconds since the start of a system, including those during which it slept.
///
/// ```swift
/// let start = clock.uptime
/// ```
public struct Uptime: Hashable, Sendable {
  /// The name of this start of the system: no other start has it.
  public let boot: String
  /// The seconds since that start.
  public let seconds: Double

  /// Creates an uptime.
  public init(boot: String, seconds: Double) { (self.boot, self.seconds) = (boot, seconds) }

  /// Compares the boots byte by byte.
  public static func == (a: Uptime, b: Uptime) -> Bool {
    a.boot.hasSameBytes(as: b.boot) && a.seconds == b.seconds
  }

  /// Hashes boot and seconds.
  public func hash(into hasher: inout Hasher) {
    boot.hashBytes(into: &hasher)
    hasher.combine(seconds)
  }
}

/// A moment by both clocks, so that its age is known although users set the time of day.
struct Moment: Hashable, Sendable {
  var now: Instant
  var uptime: Uptime

  /// Returns the seconds since an earlier moment; `nil` if they are unknown, because the system was
  /// started again and the time of day is before that moment.
  func seconds(since earlier: Moment) -> Double? {
    let seconds =
      uptime.boot.hasSameBytes(as: earlier.uptime.boot) && !uptime.boot.isEmpty
      ? uptime.seconds - earlier.uptime.seconds
      : now.secondsSinceReferenceDate - earlier.now.secondsSinceReferenceDate
    return seconds >= 0 ? seconds : nil
  }

  /// Returns the moment some seconds later.
  func advanced(by seconds: Double) -> Moment {
    Moment(
      now: Instant(secondsSinceReferenceDate: now.secondsSinceReferenceDate + seconds),
      uptime: Uptime(boot: uptime.boot, seconds: uptime.seconds + seconds))
  }
}

extension ContentClock {
  var moment: Moment { Moment(now: now, uptime: uptime) }
}
