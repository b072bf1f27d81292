/// Values for any number of listeners, each of which gets all values from its beginning on.
final class Broadcaster<Element: Sendable>: Sendable {
  private struct Listeners: Sendable {
    var next = 0
    var all: [Int: AsyncStream<Element>.Continuation] = [:]
  }

  private let listeners = Locked(Listeners())
  /// The number of values that wait for a slow listener; older ones are dropped.
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  deinit { for listener in listeners.withLock({ $0.all }).values { listener.finish() } }

  /// A new listener's values.
  func stream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.all.removeValue(forKey: number) }
    }
    return stream
  }

  /// Ends the streams of all listeners.
  func end() {
    let ended = listeners.withLock { listeners in
      defer { listeners.all = [:] }
      return Array(listeners.all.values)
    }
    for listener in ended { listener.finish() }
  }

  func send(_ value: Element) {
    for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield(value) }
  }
}
