import Dispatch
import Synchronization

/// Threads of their own, however few processors there are.
package enum Threads {
  /// Does the same work on several threads at once, and waits; throws what was thrown first.
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
}
