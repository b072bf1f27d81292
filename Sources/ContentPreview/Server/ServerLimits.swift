/// What one client may take of the server.
package struct ServerLimits: Sendable {
  /// The longest request line, in bytes (RFC 9112, section 3, asks for 8,000 at least).
  package var requestLine = 8_192
  /// The longest header section with its request line, in bytes.
  package var head = 16_384
  /// How long a connection may be open without a whole request, in seconds: before one, between
  /// two, or within one.
  package var idleSeconds = 30
  /// How long a client may leave what is sent to it untaken, in seconds.
  package var untakenSeconds = 30
  /// How many connections may be open; those beyond wait until one is closed.
  package var connections = 2_048

  package init() {}
}
