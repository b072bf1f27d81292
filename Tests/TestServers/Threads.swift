import Dispatch
import Synchronization

/// Threads for tests, independent of the number of processors.
package enum Threads {
  /// Calls `work` on several threads at once, waits for them, and rethrows the first error.
  package static func run(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws {
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
  package static func runApart(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      DispatchQueue(label: "apart").async { done.resume(with: Result { try work() }) }
    }
  }
}
