/// Values for any number of listeners, each of which gets all values from its beginning on.
package final class Broadcaster<Element: Sendable>: Sendable {
  private struct Listeners: Sendable {
    var next = 0
    var isEnded = false
    var all: [Int: AsyncStream<Element>.Continuation] = [:]
  }

  private let listeners = Locked(Listeners())
  /// The number of values that wait for a slow listener; older ones are dropped.
  private let capacity: Int

  package init(capacity: Int) { self.capacity = capacity }

  deinit { for listener in listeners.withLock({ $0.all }).values { listener.finish() } }

  /// The number of listeners.
  package var listenerCount: Int { listeners.withLock { $0.all.count } }

  /// Returns a new listener's values, the result of `first` before them; `first` must not send.
  package func stream(first: () -> Element? = { nil }) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    let number = listeners.withLock { listeners -> Int? in
      if listeners.isEnded { return nil }
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      // No value is sent meanwhile, so that the order is right.
      if let value = first() { continuation.yield(value) }
      return listeners.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.all.removeValue(forKey: number) }
    }
    return stream
  }

  /// Ends the streams of all listeners, also of later ones.
  package func end() {
    let ended = listeners.withLock { listeners in
      defer { (listeners.isEnded, listeners.all) = (true, [:]) }
      return Array(listeners.all.values)
    }
    for listener in ended { listener.finish() }
  }

  /// Sends a value, which is made while no other one is sent: all listeners get the values in the
  /// order in which they were made.
  @discardableResult package func send(_ make: () -> Element) -> Element {
    listeners.withLock { listeners in
      let value = make()
      for listener in listeners.all.values { listener.yield(value) }
      return value
    }
  }
}
