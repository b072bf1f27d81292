import Dispatch
import Synchronization

/// Work on a thread of its own, whose result is waited for later.
///
/// A class, since its thread and the one that waits for it share it.
final class Aside<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)
  private let group = DispatchGroup()

  /// Begins the work.
  init(_ work: @escaping @Sendable () -> Value) {
    // A queue of its own has a thread of its own, however few processors there are.
    DispatchQueue(label: "aside").async(group: group) {
      let value = work()
      self.made.withLock { $0 = value }
    }
  }

  /// What came of it, once it is done.
  var value: Value? {
    group.wait()
    return made.withLock { $0 }
  }
}
