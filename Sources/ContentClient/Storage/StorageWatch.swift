import ContentModel

/// Says, at most once a second, that it is time to look for the states of other processes.
///
/// A class, since a client's readers share it. It reads no files itself: reading waits for no disk.
final class StorageWatch: Sendable {
  private let clock: any ContentClock
  private let checked: Locked<Uptime>

  /// The seconds between two checks.
  private static let pause = 1.0

  init(clock: any ContentClock) {
    self.clock = clock
    checked = Locked(clock.uptime)
  }

  /// Returns whether the last check is a second ago, and begins another one.
  func begins() -> Bool {
    let now = clock.uptime
    return checked.withLock { checked in
      guard abs(now.seconds - checked.seconds) >= Self.pause else { return false }
      checked = now
      return true
    }
  }
}
