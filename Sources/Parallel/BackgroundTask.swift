import Dispatch
import Synchronization

/// Work on a thread of its own, whose result is waited for later.
///
/// A class, since its thread and the one that waits for it share it.
package final class BackgroundTask<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)
  private let group = DispatchGroup()

  /// Begins the work.
  package init(_ work: @escaping @Sendable () -> Value) {
    // A queue of its own has a thread of its own, however few processors there are.
    DispatchQueue(label: "contentc.background").async(group: group) {
      let value = work()
      self.result.withLock { $0 = value }
    }
  }

  /// The result; waits for the end of the work.
  package var value: Value {
    group.wait()
    guard let value = result.withLock({ $0 }) else { preconditionFailure("the work has ended") }
    return value
  }
}
