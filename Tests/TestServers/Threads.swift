import Dispatch
import Synchronization

/// Threads for tests, independent of the number of processors.
package enum Threads {
  /// Calls `work` on several threads at once, waits for them, and rethrows the first error.
  ///
  /// The test fails if an expectation in `work` fails.
  package static func run(
    _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask(executorPreference: OwnThread("thread \(number)")) { try await work(number) }
      }
      try await group.waitForAll()
    }
  }

  /// Calls `work` on several threads at once, waits for them, and rethrows the first error.
  ///
  /// The testing library cannot assign an expectation in `work` to a test.
  package static func runBlocking(
    _ count: Int, _ work: @escaping @Sendable (Int) throws -> Void
  ) throws {
    let failure = Mutex<(any Error)?>(nil)
    let group = DispatchGroup()
    for number in 0..<count {
      DispatchQueue(label: "thread \(number)").async(group: group) {
        do { try work(number) } catch { failure.withLock { $0 = $0 ?? error } }
      }
    }
    group.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Runs work that waits on a thread of its own, so that it does not block the tests' few threads.
  ///
  /// The test fails if an expectation in `work` fails.
  package static func runApart(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await run(1) { _ in try work() }
  }
}

/// A thread as the executor of a task, so that the work on it belongs to the task's test.
package final class OwnThread: TaskExecutor {
  private let queue: DispatchQueue

  package init(_ name: String) {
    queue = DispatchQueue(label: name)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
