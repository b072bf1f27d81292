import Dispatch

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
