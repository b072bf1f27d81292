import Dispatch
import Synchronization

extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
  /// Maps on all processors; results stand in the order of the elements, whoever was first.
  ///
  /// - Throws: the error of the first element, in order, that threw one.
  package func concurrentMap<Result: Sendable>(_ transform: @Sendable (Element) throws -> Result) throws -> [Result] {
    let slots = Mutex([Swift.Result<Result, any Error>?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { offset in
      let result = Swift.Result { try transform(self[startIndex + offset]) }
      slots.withLock { $0[offset] = result }
    }
    return try slots.withLock { $0 }.compactMap { try $0?.get() }
  }

  /// Stretches of at most so many elements, so that small pieces of work are handed out together.
  package func chunks(of size: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
  }
}
