import Dispatch

/// An executor for actors that wait for the disk.
///
/// The executor has its own thread, so that waiting does not block a thread that all tasks share.
package final class DiskExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "ContentClient")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}

/// An executor for work that never waits, on the threads that all tasks share.
package actor MemoryPlace {
  package init() {}
}
