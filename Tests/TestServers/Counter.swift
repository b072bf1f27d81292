import Synchronization

/// Counts, for any thread.
///
/// A class, so that closures can share it.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package var value: Int { count.load(ordering: .relaxed) }

  /// Counts one more; 1 at the first call.
  @discardableResult
  package func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
