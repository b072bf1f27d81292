import Synchronization

/// One of the previews that may run at the same time.
///
/// All test cases start at once, but the system limits the number of watchers and threads.
///
/// A class, since its end frees the slot.
final class PreviewSlot: Sendable {
  private struct Slots {
    var free = 24
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let slots = Mutex(Slots())

  /// Waits for a free slot.
  static func take() async -> PreviewSlot {
    await withCheckedContinuation { next in
      let isFree = slots.withLock { slots in
        guard slots.free == 0 else {
          slots.free -= 1
          return true
        }
        slots.waiting.append(next)
        return false
      }
      if isFree { next.resume() }
    }
    return PreviewSlot()
  }

  private init() {}

  deinit {
    let next = Self.slots.withLock { slots -> CheckedContinuation<Void, Never>? in
      guard slots.waiting.isEmpty else { return slots.waiting.removeFirst() }
      slots.free += 1
      return nil
    }
    next?.resume()
  }
}
