/// A server that sends the responses of a `PreviewRouter`, and runs until it is stopped.
///
/// A protocol, since its only implementation is in `ContentPreviewServer`, the one module that
/// imports SwiftNIO.
package protocol PreviewListener: Sendable {
  /// The port that the server listens on.
  var port: Int { get }

  /// Starts a server on a port; 0 selects any free port.
  static func start(
    _ router: PreviewRouter, port: Int, isOnNetwork: Bool, limits: ServerLimits
  ) async throws(PreviewListenerError) -> Self

  /// Closes all connections and the socket.
  func stop() async
}

/// A failure to start a server.
package enum PreviewListenerError: Error {
  /// Another program listens on the port.
  case portTaken
  /// The system refuses to listen, with the value of `errno`.
  case failed(errno: Int32)
}

/// The limits for one client of the server.
package struct ServerLimits: Sendable {
  /// The longest request line in bytes (RFC 9112, section 3, asks for at least 8,000).
  package var requestLine = 8_192
  /// The longest header section in bytes, including the request line.
  package var head = 16_384
  /// The longest body in bytes that a client may send.
  package var body = 64 << 20
  /// The seconds after which a connection without a complete request is closed.
  package var idleSeconds = 30
  /// The seconds after which a connection is closed if the client reads nothing.
  package var stalledSeconds = 30
  /// The most open connections; further ones wait.
  package var connections = 2_048

  package init() {}
}
