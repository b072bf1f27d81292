import Dispatch
import Synchronization

extension OpenFiles {
  /// The most calls at a time, each of which opens up to three files.
  fileprivate static let callsAtOnce = limit.map { max(8, $0 / 4 - 16) } ?? 32
}

extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
  /// Returns the results of `body`, which waits for a disk or a server, in the order of the
  /// elements.
  ///
  /// At most `limit` calls run at the same time, each on its own thread, and fewer if the process
  /// may open few files. After a failure, no other call begins.
  ///
  /// - Throws: the error of the first element, in order, whose call failed.
  package func mapOverlapped<Result: Sendable, Failure: Error>(
    atOnce limit: Int = 32, _ body: @escaping @Sendable (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    let next = Atomic(0)
    let hasFailed = Atomic(false)
    let results = Mutex<[(offset: Int, result: Swift.Result<Result, Failure>)]>([])
    let group = DispatchGroup()
    for _ in 0..<Swift.min(limit, count, OpenFiles.callsAtOnce) {
      // Each serial queue gets its own thread, even on a machine with one processor.
      DispatchQueue(label: "contentc.overlapped").async(group: group) {
        // Threads that wait for one lock after each of many short calls take twice the processor time.
        var own: [(offset: Int, result: Swift.Result<Result, Failure>)] = []
        while !hasFailed.load(ordering: .relaxed) {
          let offset = next.add(1, ordering: .relaxed).oldValue
          guard offset < self.count else { break }
          let result = Swift.Result { () throws(Failure) in
            try body(self[self.startIndex + offset])
          }
          if case .failure = result { hasFailed.store(true, ordering: .relaxed) }
          own.append((offset, result))
        }
        results.withLock { [own] in $0 += own }
      }
    }
    group.wait()
    let all = results.withLock { $0.sorted { $0.offset < $1.offset } }
    var mapped: [Result] = []
    mapped.reserveCapacity(count)
    for (_, result) in all { mapped.append(try result.get()) }
    return mapped
  }
}
