import ContentModel

/// Says, at most once a second, that it is time to look for the states of other processes.
///
/// The watch reads no files itself, so an app that reads a snapshot never waits for the disk. A
/// class, since all readers of a client share the time of the last check.
final class StorageWatch: Sendable {
  private let clock: any ContentClock
  private let checked: Locked<Uptime>

  /// The seconds between two checks.
  private static let pause = 1.0

  init(clock: any ContentClock) {
    self.clock = clock
    checked = Locked(clock.uptime)
  }

  /// Returns `true` if the last check is at least a second ago; a new check begins then.
  func begins() -> Bool {
    let now = clock.uptime
    return checked.withLock { checked in
      guard abs(now.seconds - checked.seconds) >= Self.pause else { return false }
      checked = now
      return true
    }
  }
}
