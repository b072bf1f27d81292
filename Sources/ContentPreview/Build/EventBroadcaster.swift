import Synchronization

/// Tells every open page about builds.
///
/// A class, since the builder speaks and each connection listens.
final class EventBroadcaster: Sendable {
  private struct Listeners {
    var next = 0
    var open: [Int: AsyncStream<String>.Continuation] = [:]
    var isClosed = false
  }

  private let listeners = Mutex(Listeners())
  private let pulse = Mutex<Task<Void, Never>?>(nil)

  /// Says a comment every so many seconds, so that whoever is gone is noticed.
  init(pulseSeconds: Int = 15) {
    let task = Task { [weak self] in
      while (try? await Task.sleep(for: .seconds(pulseSeconds))) != nil { self?.say(":\n\n") }
    }
    pulse.withLock { $0 = task }
  }

  deinit { pulse.withLock { $0?.cancel() } }

  /// What is said from now on, as server-sent events, and before it what `first` says; ends when
  /// the server does.
  ///
  /// Who does not listen loses the oldest: the newest tells everything.
  func listen(first: () -> String) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(16))
    let number = listeners.withLock { listeners -> Int? in
      if listeners.isClosed { return nil }
      listeners.next += 1
      listeners.open[listeners.next] = continuation
      return listeners.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.open.removeValue(forKey: number) }
    }
    // Only now, so that nothing is lost between: what is said twice tells the same.
    continuation.yield(first())
    return stream
  }

  /// How many listen.
  var count: Int { listeners.withLock { $0.open.count } }

  /// Says something to all.
  func say(_ event: String) {
    let open = listeners.withLock { Array($0.open.values) }
    for continuation in open { continuation.yield(event) }
  }

  /// Ends all streams, those to come included.
  func close() {
    let open = listeners.withLock { listeners in
      listeners.isClosed = true
      return Array(listeners.open.values)
    }
    for continuation in open { continuation.finish() }
  }
}
