import ContentModel

/// Notices, at most once a second, that another process replaced the state.
final class StorageWatch: Sendable {
  private struct Seen: Sendable {
    var stamp: Int
    var checked: Uptime
  }

  private let storage: any ContentStorage
  private let clock: any ContentClock
  private let seen: Locked<Seen>

  init(_ storage: any ContentStorage, clock: any ContentClock) {
    (self.storage, self.clock) = (storage, clock)
    seen = Locked(Seen(stamp: storage.stamp, checked: clock.uptime))
  }

  /// Returns whether the state was replaced since the last check, maybe by this process.
  func noticesAnotherProcess() -> Bool {
    let now = clock.uptime
    let isDue = seen.withLock { seen in
      guard abs(now.seconds - seen.checked.seconds) >= 1 else { return false }
      seen.checked = now
      return true
    }
    guard isDue else { return false }
    let stamp = storage.stamp
    return seen.withLock { seen in
      defer { seen.stamp = stamp }
      return seen.stamp != stamp
    }
  }
}
