import Dispatch
import Synchronization
import SystemC

extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
  /// Returns the results of `transform` in the order of the elements, computed on all processors.
  ///
  /// - Throws: the error of the first element, in order, for which `transform` throws, after all
  ///   elements have been processed.
  package func concurrentMap<Result: Sendable>(_ transform: @Sendable (Element) throws -> Result)
    throws -> [Result]
  {
    try concurrentValues { element in Swift.Result { try transform(element) } }.map { try $0.get() }
  }

  /// Returns the results of `transform`, which cannot fail, in the order of the elements, computed
  /// on all processors.
  package func concurrentValues<Value: Sendable>(_ transform: @Sendable (Element) -> Value)
    -> [Value]
  {
    concurrentValues(transform, then: EmptyCollection<Int>()) { $0 }.0
  }

  /// Returns the results for two collections, each in the order of its elements, computed on all
  /// processors.
  ///
  /// A processor that finds no more elements in the first collection begins with the second.
  package func concurrentValues<Value: Sendable, Others, Other: Sendable>(
    _ transform: @Sendable (Element) -> Value, then others: Others,
    by transformOther: @Sendable (Others.Element) -> Other
  ) -> ([Value], [Other])
  where Others: RandomAccessCollection & Sendable, Others.Element: Sendable, Others.Index == Int {
    let slots = Slots<Value>(count: count)
    let otherSlots = Slots<Other>(count: others.count)
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: Swift.min(count + others.count, processorCount)) {
      _ in
      while true {
        let offset = next.add(1, ordering: .relaxed).oldValue
        if offset < count {
          slots.put(transform(self[startIndex + offset]), at: offset)
        } else if offset - count < others.count {
          let offset = offset - count
          otherSlots.put(transformOther(others[others.startIndex + offset]), at: offset)
        } else {
          return
        }
      }
    }
    return (slots.all, otherSlots.all)
  }

  /// Returns consecutive slices of at most `size` elements.
  ///
  /// Small pieces of work are faster if a thread takes several at once.
  package func chunks(of size: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: size).map {
      self[$0..<Swift.min($0 + size, endIndex)]
    }
  }
}

private let processorCount = Swift.max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

/// The results of concurrent work, stored in any order.
///
/// Unchecked, since only one thread writes each slot, and slots are read after all threads have
/// ended.
private final class Slots<Element>: @unchecked Sendable {
  private let places: UnsafeMutableBufferPointer<Element?>

  init(count: Int) {
    places = .allocate(capacity: count)
    places.initialize(repeating: nil)
  }

  deinit {
    places.deinitialize()
    places.deallocate()
  }

  func put(_ element: Element, at place: Int) { places[place] = element }

  var all: [Element] { places.compactMap(\.self) }
}
