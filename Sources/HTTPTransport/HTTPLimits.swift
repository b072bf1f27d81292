/// What a request may cost at most.
package struct HTTPLimits: Hashable, Sendable {
  /// Milliseconds until a connection stands.
  package var connectMilliseconds = 5_000
  /// Milliseconds for one request and its answer, and one more for every 16 bytes that are sent, or expected.
  package var requestMilliseconds = 600_000
  /// Seconds without a byte in either direction, at least 1.
  package var silentSeconds = 30
  /// Bytes of an answer's body.
  package var answerBytes = 256 << 20

  /// A body may go out as slowly as 16 kB a second.
  static let bytesPerMillisecond = 16

  package init() {}
}
