import ContentModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The only place that asks what time it is.
enum Clock {
  /// The current moment, in whole seconds.
  static var now: Instant { Instant(secondsSince1970: Int64(time(nil))) }

  /// The current moment, as file systems count.
  static var nanosecondsSince1970: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}

/// How long something took.
struct Stopwatch {
  private let start = ContinuousClock.now

  /// Seconds since it was made.
  var seconds: Double {
    let elapsed = (ContinuousClock.now - start).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }
}
