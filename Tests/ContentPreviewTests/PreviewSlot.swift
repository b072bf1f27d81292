import Synchronization

/// The right to have a preview: a system watches for a hundred and some at once, and has threads
/// for as many, and all cases of all tests begin at the same time.
///
/// A class, since its end lets the next one begin.
final class PreviewSlot: Sendable {
  private struct Turns {
    var free = 24
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let turns = Mutex(Turns())

  /// Waits for one.
  static func take() async -> PreviewSlot {
    await withCheckedContinuation { next in
      let isFree = turns.withLock { turns in
        guard turns.free == 0 else {
          turns.free -= 1
          return true
        }
        turns.waiting.append(next)
        return false
      }
      if isFree { next.resume() }
    }
    return PreviewSlot()
  }

  private init() {}

  deinit {
    let next = Self.turns.withLock { turns -> CheckedContinuation<Void, Never>? in
      guard turns.waiting.isEmpty else { return turns.waiting.removeFirst() }
      turns.free += 1
      return nil
    }
    next?.resume()
  }
}
