import Dispatch
import Synchronization

/// Work on a thread of its own, whose result is waited for later.
///
/// A class, since its thread and the one that waits for it share it.
package final class BackgroundTask<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)
  private let group = DispatchGroup()

  /// Begins the work.
  package init(_ work: @escaping @Sendable () -> Value) {
    // A queue of its own has a thread of its own, however few processors there are.
    DispatchQueue(label: "contentc.background").async(group: group) {
      let value = work()
      self.made.withLock { $0 = value }
    }
  }

  /// The result, once the work is done.
  package var value: Value? {
    group.wait()
    return made.withLock { $0 }
  }
}
