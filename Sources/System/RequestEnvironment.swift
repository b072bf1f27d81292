import SystemC

/// The clock and the random numbers that requests and waits use; tests replace them.
package struct RequestEnvironment: Sendable {
  /// Returns the number of seconds since 1970-01-01T00:00:00Z.
  package var now: @Sendable () -> Int64
  /// Returns the number of milliseconds since an arbitrary moment; setting the clock has no effect.
  package var milliseconds: @Sendable () -> Int64
  /// Waits for a number of milliseconds.
  package var sleep: @Sendable (_ milliseconds: Int) -> Void
  /// Returns a uniformly distributed random number.
  package var random: @Sendable () -> UInt64

  /// Creates an environment from functions, by default with the monotonic clock of this machine.
  package init(
    now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ milliseconds: Int) -> Void,
    random: @escaping @Sendable () -> UInt64,
    milliseconds: @escaping @Sendable () -> Int64 = RequestEnvironment.millisecondsOfThisMachine
  ) {
    (self.now, self.sleep, self.random, self.milliseconds) = (now, sleep, random, milliseconds)
  }

  /// The clock and the random numbers of this machine.
  package static var system: RequestEnvironment {
    RequestEnvironment(
      now: { Int64(time(nil)) },
      sleep: { milliseconds in
        var time = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
        var rest = time
        while nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
      },
      random: { UInt64.random(in: .min ... .max) })
  }

  /// Returns the time of the monotonic clock in milliseconds.
  @Sendable package static func millisecondsOfThisMachine() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
