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

/// Work on threads of its own, added over time and waited for together.
///
/// A class, since the threads that add work and those that do it share it.
package final class BackgroundGroup: Sendable {
  private let group = DispatchGroup()

  package init() {}

  /// Begins some work.
  package func add(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "contentc.background").async(group: group, execute: work)
  }

  /// Waits for the end of all work that was added; `false` if it takes longer.
  package func wait(milliseconds: Int) -> Bool {
    group.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }
}

/// Work that is added over time, and done on as many threads as the machine has processors.
///
/// A class, since the threads that add work and those that do it share it.
package final class WorkQueue: Sendable {
  private let queue = DispatchQueue(label: "contentc.work", attributes: .concurrent)
  private let group = DispatchGroup()

  package init() {}

  /// Begins some work as soon as a thread is free.
  package func add(_ work: @escaping @Sendable () -> Void) {
    queue.async(group: group, execute: work)
  }

  /// Waits for the end of all work that was added.
  package func waitForAll() { group.wait() }
}
