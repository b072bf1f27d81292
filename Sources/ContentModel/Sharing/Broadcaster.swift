/// A sender of values to any number of listeners, each of which gets all values from its beginning
/// on.
///
/// Values are yielded while the lock is not held: `yield` takes the lock of the listener's task. A
/// cancellation holds that lock while `onTermination` waits for the lock of this class.
package final class Broadcaster<Element: Sendable>: Sendable {
  private typealias Listener = AsyncStream<Element>.Continuation

  private struct State: Sendable {
    var next = 0
    var isEnded = false
    var listeners: [Int: Listener] = [:]
    /// The values that wait for their delivery, in order.
    var deliveries: [Delivery] = []
    /// `true` while a thread delivers; that thread then also delivers the values of other threads.
    var isDelivering = false

    /// Adds a value, or the end; returns `true` if the caller must deliver it.
    mutating func enqueue(_ value: Element?) -> Bool {
      if listeners.isEmpty { return false }
      deliveries.append(Delivery(value: value, listeners: Array(listeners.values)))
      defer { isDelivering = true }
      return !isDelivering
    }
  }

  /// A value, or `nil` for the end of all values, and the listeners when it was sent.
  private struct Delivery: Sendable {
    var value: Element?
    var listeners: [Listener]
  }

  private let state = Locked(State())
  /// The number of values that wait for a slow listener; older ones are dropped.
  private let capacity: Int

  package init(capacity: Int) { self.capacity = capacity }

  deinit { for listener in state.withLock({ $0.listeners }).values { listener.finish() } }

  /// The number of listeners.
  package var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Returns the values for a new listener, which begin with the result of `first`.
  ///
  /// `first` must not send a value.
  package func stream(first: () -> Element? = { nil }) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    let number = state.withLock { state -> Int? in
      if state.isEnded { return nil }
      state.next += 1
      state.listeners[state.next] = continuation
      // The lock keeps other threads from making a value, so the order is right. No task waits for
      // the stream yet.
      if let value = first() { continuation.yield(value) }
      return state.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  /// Ends the streams of all listeners, also of later ones.
  package func end() {
    let isFirst = state.withLock { state in
      defer { (state.isEnded, state.listeners) = (true, [:]) }
      return state.enqueue(nil)
    }
    if isFirst { deliver() }
  }

  /// Makes a value and sends it.
  ///
  /// Values are made one after the other, and all listeners get them in this order. If another
  /// thread is sending values, that thread delivers this value, perhaps after the return.
  @discardableResult package func send(_ make: () -> Element) -> Element {
    let (value, isFirst) = state.withLock { state in
      let value = make()
      return (value, state.enqueue(value))
    }
    if isFirst { deliver() }
    return value
  }

  /// Delivers all values in their order, also those that other threads add meanwhile.
  private func deliver() {
    while true {
      let deliveries = state.withLock { state in
        defer { state.deliveries = [] }
        state.isDelivering = !state.deliveries.isEmpty
        return state.deliveries
      }
      if deliveries.isEmpty { return }
      for delivery in deliveries {
        for listener in delivery.listeners {
          if let value = delivery.value { listener.yield(value) } else { listener.finish() }
        }
      }
    }
  }
}
