import ContentModel
import Dispatch
import Synchronization

/// Calls once when a moment comes.
///
/// A class, since the moment is set anew while a queue waits for it.
final class WallClockTimer: Sendable {
  private let now: @Sendable () -> Instant
  private let ring: @Sendable () -> Void
  private let moments = Mutex<(awaited: Instant?, rung: Instant?)>((nil, nil))
  private let queue: DispatchQueue

  /// In seconds; a clock that is put forward is noticed after that long.
  private static let longestNap = 60.0

  init(
    on queue: DispatchQueue, now: @escaping @Sendable () -> Instant,
    ring: @escaping @Sendable () -> Void
  ) {
    (self.queue, self.now, self.ring) = (queue, now, ring)
  }

  /// Waits for a moment, and for no other any more; one that it has rung for is not waited for
  /// again.
  func set(to moment: Instant?) {
    let isNew = moments.withLock { moments in
      guard moment != moments.awaited else { return false }
      moments.awaited = moment == moments.rung ? nil : moment
      return moments.awaited != nil
    }
    if isNew, let moment { nap(until: moment) }
  }

  private func nap(until moment: Instant) {
    let rest = moment.secondsSinceReferenceDate - now().secondsSinceReferenceDate
    let nap = min(max(0, rest), Self.longestNap)
    queue.asyncAfter(wallDeadline: .now() + .milliseconds(Int((nap * 1000).rounded(.up)))) {
      [weak self] in
      self?.wake(for: moment)
    }
  }

  private func wake(for moment: Instant) {
    let isTime = moments.withLock { moments -> Bool? in
      guard moments.awaited == moment else { return nil }
      guard moment <= now() else { return false }
      moments = (nil, moment)
      return true
    }
    if isTime == true { ring() } else if isTime == false { nap(until: moment) }
  }
}
