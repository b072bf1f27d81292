/// A server that asks `PreviewRouter` for what it answers, and runs until it is stopped.
///
/// A protocol, since the one that there is needs libraries whose loading would cost every build a
/// millisecond: it stands in a module of its own, which only the executable `contentc-preview`
/// links.
package protocol PreviewListener: Sendable {
  /// The port it listens on.
  var port: Int { get }

  /// Listens on a port, on a free one where it is 0.
  static func start(
    _ router: PreviewRouter, port: Int, onNetwork isOnNetwork: Bool, _ limits: ServerLimits
  ) async throws(PreviewListenerError) -> Self

  /// Closes every connection, and the socket.
  func stop() async
}

/// Why no server could be started.
package enum PreviewListenerError: Error {
  case portTaken
  case failed(errno: Int32)
}
