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
