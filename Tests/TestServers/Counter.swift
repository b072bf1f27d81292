import Synchronization

/// A counter for any thread; a class, so that closures can share it.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package var value: Int { count.load(ordering: .relaxed) }

  /// Adds one and returns the new value.
  @discardableResult
  package func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
