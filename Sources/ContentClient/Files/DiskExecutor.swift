import Dispatch

/// An executor of actors that wait for the disk: it has a thread of its own, so that waiting
/// occupies none of those that all tasks share.
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

/// A place for work that waits for nothing, on the threads that all tasks share.
package actor MemoryPlace {
  package init() {}
}
