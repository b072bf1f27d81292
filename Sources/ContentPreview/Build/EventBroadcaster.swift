import ContentModel

/// A broadcaster of server-sent events to all open pages.
///
/// A class, since the builder sends and each connection receives.
final class EventBroadcaster: Sendable {
  /// A slow subscriber loses the oldest events; the newest one has the whole state.
  private let events: Broadcaster<String>
  private let heartbeat: Task<Void, Never>

  /// Creates a broadcaster that sends a comment at an interval, so that closed connections are
  /// noticed.
  init(heartbeatSeconds: Int = 15) {
    let events = Broadcaster<String>(capacity: 16)
    self.events = events
    heartbeat = Task { [weak events] in
      while (try? await Task.sleep(for: .seconds(heartbeatSeconds))) != nil {
        _ = events?.send { ":\n\n" }
      }
    }
  }

  deinit { heartbeat.cancel() }

  /// Returns a stream with the result of `first`, then all later events, until ``close()``.
  func subscribe(first: () -> String) -> AsyncStream<String> { events.stream(first: first) }

  /// The number of open streams.
  var subscriberCount: Int { events.listenerCount }

  /// Sends an event to all subscribers.
  func send(_ event: String) { events.send { event } }

  /// Ends all streams, including later ones.
  func close() { events.end() }
}
