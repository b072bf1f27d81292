import Dispatch
import Synchronization

extension Array where Element: Sendable {
  /// Does what waits for the disk, not for a processor, to several elements at a time; throws what failed first.
  ///
  /// After a failure nothing more is begun.
  func forEachOverlapped(
    atOnce count: Int = 8, _ body: @escaping @Sendable (Element) throws(StoreError) -> Void
  ) throws(StoreError) {
    if self.count < 2 {
      for element in self { try body(element) }
      return
    }
    let state = OverlappedState()
    let group = DispatchGroup()
    // Each queue of its own has a thread of its own, however few processors there are.
    for _ in 0..<Swift.min(count, self.count) {
      DispatchQueue(label: "overlapped").async(group: group) {
        while let index = state.next(below: self.count) {
          do throws(StoreError) { try body(self[index]) } catch { state.fail(error) }
        }
      }
    }
    group.wait()
    if let failure = state.failure { throw failure }
  }
}

/// Which element comes next, and what went wrong; a class, since the threads share it.
private final class OverlappedState: Sendable {
  private let state = Mutex<(next: Int, failure: StoreError?)>((0, nil))

  var failure: StoreError? { state.withLock { $0.failure } }

  func next(below count: Int) -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.next < count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func fail(_ error: StoreError) { state.withLock { $0.failure = $0.failure ?? error } }
}
