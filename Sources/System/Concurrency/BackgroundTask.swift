import Dispatch
import Synchronization

/// Work that runs on its own thread while the caller continues.
///
/// A class, since that thread and the caller share the result.
package final class BackgroundTask<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)
  private let group = DispatchGroup()

  /// Starts the work.
  package init(_ work: @escaping @Sendable () -> Value) {
    // Each serial queue gets its own thread, even on a machine with one processor.
    DispatchQueue(label: "contentc.background").async(group: group) {
      let value = work()
      self.result.withLock { $0 = value }
    }
  }

  /// The result; access to it waits until the work has ended.
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

/// A queue of work that can be added at any time, and runs on all processors.
///
/// A class, since the threads that add work and those that run it share it.
package final class WorkQueue: Sendable {
  private let queue = DispatchQueue(label: "contentc.work", attributes: .concurrent)
  private let group = DispatchGroup()

  package init() {}

  /// Adds work, which begins as soon as a thread is free.
  package func add(_ work: @escaping @Sendable () -> Void) {
    queue.async(group: group, execute: work)
  }

  /// Waits until all added work has ended.
  package func waitForAll() { group.wait() }
}
