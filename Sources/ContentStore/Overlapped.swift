import Dispatch
import Synchronization

/// Work that waits for the disk, on a thread of its own, since it would keep no processor busy.
///
/// A class, since its thread and the one that waits for it share it.
final class Overlapped: Sendable {
  private let failure = Mutex<StoreError?>(nil)
  private let group = DispatchGroup()

  /// Begins the work.
  init(_ work: @escaping @Sendable () throws(StoreError) -> Void) {
    // A queue of its own has a thread of its own, however few processors there are.
    DispatchQueue(label: "overlapped").async(group: group) {
      do throws(StoreError) { try work() } catch { self.failure.withLock { $0 = error } }
    }
  }

  /// Waits for the end of the work; throws what it threw.
  func wait() throws(StoreError) {
    group.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
