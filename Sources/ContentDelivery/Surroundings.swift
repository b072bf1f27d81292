import SystemC

/// What requests need of the world beside the network; tests put their own there.
package struct Surroundings: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Int64
  /// Milliseconds since some moment, which no setting of the clock changes.
  package var milliseconds: @Sendable () -> Int64
  /// Waits so many milliseconds.
  package var sleep: @Sendable (_ milliseconds: Int) -> Void
  /// Any number, as likely as any other.
  package var random: @Sendable () -> UInt64

  package init(
    now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ milliseconds: Int) -> Void,
    random: @escaping @Sendable () -> UInt64,
    milliseconds: @escaping @Sendable () -> Int64 = Surroundings.millisecondsOfThisMachine
  ) {
    (self.now, self.sleep, self.random, self.milliseconds) = (now, sleep, random, milliseconds)
  }

  /// Those of this machine.
  package static var system: Surroundings {
    Surroundings(
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
