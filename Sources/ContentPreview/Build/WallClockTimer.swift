import ContentModel
import Dispatch
import Synchronization

/// A timer that fires once at a moment of the wall clock.
///
/// A class, since the moment can change while a queue waits for it.
final class WallClockTimer: Sendable {
  private let now: @Sendable () -> Instant
  private let action: @Sendable () -> Void
  /// The moment to wait for, and the one at which the timer has fired last.
  private let moments = Mutex<(next: Instant?, fired: Instant?)>((nil, nil))
  private let queue: DispatchQueue

  /// The longest wait in seconds, after which the clock is read again: it may have been set.
  private static let longestWait = 60.0

  init(
    on queue: DispatchQueue, now: @escaping @Sendable () -> Instant,
    action: @escaping @Sendable () -> Void
  ) {
    (self.queue, self.now, self.action) = (queue, now, action)
  }

  /// Replaces the moment; a moment at which the timer has fired is ignored.
  func set(to moment: Instant?) {
    let isNew = moments.withLock { moments in
      guard moment != moments.next else { return false }
      moments.next = moment == moments.fired ? nil : moment
      return moments.next != nil
    }
    if isNew, let moment { wait(until: moment) }
  }

  private func wait(until moment: Instant) {
    let rest = moment.secondsSinceReferenceDate - now().secondsSinceReferenceDate
    let wait = min(max(0, rest), Self.longestWait)
    queue.asyncAfter(wallDeadline: .now() + .milliseconds(Int((wait * 1000).rounded(.up)))) {
      [weak self] in
      self?.fire(at: moment)
    }
  }

  /// Fires if the moment has been reached and is still the next one.
  private func fire(at moment: Instant) {
    let isReached = moment <= now()
    let isNext = moments.withLock { moments in
      guard moments.next == moment else { return false }
      if isReached { moments = (next: nil, fired: moment) }
      return true
    }
    guard isNext else { return }
    if isReached { action() } else { wait(until: moment) }
  }
}
