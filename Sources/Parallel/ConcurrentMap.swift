import Dispatch
import Synchronization
import SystemC

extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
  /// Maps on all processors; results stand in the order of the elements, whoever was first.
  ///
  /// - Throws: the error of the first element, in order, that threw one.
  package func concurrentMap<Result: Sendable>(_ transform: @Sendable (Element) throws -> Result)
    throws -> [Result]
  {
    try concurrentValues { element in Swift.Result { try transform(element) } }.map { try $0.get() }
  }

  /// The same for what cannot fail.
  package func concurrentValues<Value: Sendable>(_ transform: @Sendable (Element) -> Value)
    -> [Value]
  {
    concurrentValues(transform, then: EmptyCollection<Int>()) { $0 }.0
  }

  /// The same, and then for the elements of others: those are begun while the last of these are not
  /// done yet.
  package func concurrentValues<Value: Sendable, Others, Other: Sendable>(
    _ transform: @Sendable (Element) -> Value, then others: Others,
    _ transformOther: @Sendable (Others.Element) -> Other
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

  /// Stretches of at most so many elements, so that small pieces of work are handed out together.
  package func chunks(of size: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: size).map {
      self[$0..<Swift.min($0 + size, endIndex)]
    }
  }
}

private let processorCount = Swift.max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

/// Room for results that come in any order.
///
/// Unchecked, since each place is written by the one thread that took its number, and read after
/// all are done.
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
