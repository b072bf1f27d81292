import Dispatch
import Synchronization

extension Array where Element: Sendable {
  /// Does what waits for a server, not for a processor, to several elements at a time; results come
  /// back in order.
  ///
  /// After a failure nothing more begins, and what failed first by place is thrown.
  package func mapOverlapped<Result: Sendable>(
    atOnce limit: Int = 16, _ body: @escaping @Sendable (Element) throws -> Result
  ) throws -> [Result] {
    let next = Atomic(0)
    let hasFailed = Atomic(false)
    let results = Mutex<[Int: Swift.Result<Result, any Error>]>([:])
    let group = DispatchGroup()
    for _ in 0..<Swift.min(limit, count) {
      // A queue of its own has a thread of its own, however few processors there are.
      DispatchQueue(label: "overlapped").async(group: group) {
        while !hasFailed.load(ordering: .relaxed) {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < self.count else { break }
          let result = Swift.Result { try body(self[index]) }
          if case .failure = result { hasFailed.store(true, ordering: .relaxed) }
          results.withLock { $0[index] = result }
        }
      }
    }
    group.wait()
    let all = results.withLock { $0 }
    return try indices.compactMap { try all[$0]?.get() }
  }
}
