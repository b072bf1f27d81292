import SystemC

/// The clock and the random numbers of requests and waits; tests supply their own.
package struct RequestEnvironment: Sendable {
  /// The seconds since 1970.
  package var now: @Sendable () -> Int64
  /// The milliseconds since an arbitrary moment, which no change of the clock affects.
  package var milliseconds: @Sendable () -> Int64
  /// Waits a number of milliseconds.
  package var sleep: @Sendable (_ milliseconds: Int) -> Void
  /// A uniformly random number.
  package var random: @Sendable () -> UInt64

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

  @Sendable package static func millisecondsOfThisMachine() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
