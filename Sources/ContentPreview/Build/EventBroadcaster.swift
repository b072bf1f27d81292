import Synchronization

/// A broadcaster of server-sent events to all open pages.
///
/// A class, since the builder sends and each connection receives.
final class EventBroadcaster: Sendable {
  private struct Subscribers {
    var lastNumber = 0
    var streams: [Int: AsyncStream<String>.Continuation] = [:]
    var isClosed = false
  }

  private let subscribers = Mutex(Subscribers())
  private let heartbeat = Mutex<Task<Void, Never>?>(nil)

  /// Creates a broadcaster that sends a comment at an interval, so that closed connections are
  /// noticed.
  init(heartbeatSeconds: Int = 15) {
    let task = Task { [weak self] in
      while (try? await Task.sleep(for: .seconds(heartbeatSeconds))) != nil { self?.send(":\n\n") }
    }
    heartbeat.withLock { $0 = task }
  }

  deinit { heartbeat.withLock { $0?.cancel() } }

  /// Returns a stream with the result of `first`, then all later events, until ``close()``.
  ///
  /// A slow subscriber loses the oldest events; the newest one has the whole state.
  func subscribe(first: () -> String) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(16))
    let number = subscribers.withLock { subscribers -> Int? in
      if subscribers.isClosed { return nil }
      subscribers.lastNumber += 1
      subscribers.streams[subscribers.lastNumber] = continuation
      return subscribers.lastNumber
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.subscribers.withLock { _ = $0.streams.removeValue(forKey: number) }
    }
    // After the subscription, so that no event is lost in between. A repeated one does no harm.
    continuation.yield(first())
    return stream
  }

  /// The number of open streams.
  var subscriberCount: Int { subscribers.withLock { $0.streams.count } }

  /// Sends an event to all subscribers.
  func send(_ event: String) {
    let streams = subscribers.withLock { Array($0.streams.values) }
    for stream in streams { stream.yield(event) }
  }

  /// Ends all streams, including later ones.
  func close() {
    let streams = subscribers.withLock { subscribers in
      subscribers.isClosed = true
      return Array(subscribers.streams.values)
    }
    for stream in streams { stream.finish() }
  }
}
