import SystemC

/// A value that several threads use, one at a time.
///
/// A class, since the lock has an address. Unchecked, since only the holder of the lock reads or
/// writes the value. `Mutex` of the standard library needs iOS 18.
package final class Locked<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` while no other thread uses the value; `body` must not use it a second time.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

extension Locked where Value: Sendable {
  /// A copy of the value.
  package var current: Value { withLock { $0 } }
}
