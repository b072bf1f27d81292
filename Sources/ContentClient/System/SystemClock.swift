public import ContentModel
import SystemC

/// The clock of the system.
///
/// ```swift
/// let clock = SystemClock()
/// let now = clock.now
/// ```
public struct SystemClock: ContentClock {
  private let boot: String

  /// Reads the name of the system's current start.
  public init() { boot = Self.currentBoot() }

  /// The time of day, with fractions of a second.
  public var now: Instant {
    let seconds = Self.seconds(of: CLOCK_REALTIME)
    return Instant(
      secondsSinceReferenceDate: seconds - Double(Instant.referenceDateInUnixTime))
  }

  /// The time since the start of the system, with the time during which it slept.
  public var uptime: Uptime {
    #if os(Linux)
      Uptime(boot: boot, seconds: Self.seconds(of: CLOCK_BOOTTIME))
    #else
      Uptime(boot: boot, seconds: Self.seconds(of: CLOCK_MONOTONIC))
    #endif
  }

  /// Waits, at most a day.
  public func sleep(seconds: Double) async throws {
    try await Task.sleep(for: .seconds(min(max(0, seconds), 86_400)))
  }

  private static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the name that the kernel gave this start; empty if it has none.
  private static func currentBoot() -> String {
    #if os(Linux)
      let bytes = FolderFile.contents("/proc/sys/kernel/random/boot_id", limit: 64) ?? []
      return String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
    #else
      var name = [CChar](repeating: 0, count: 64)
      var count = name.count - 1
      guard sysctlbyname("kern.bootsessionuuid", &name, &count, nil, 0) == 0 else { return "" }
      return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #endif
  }
}
