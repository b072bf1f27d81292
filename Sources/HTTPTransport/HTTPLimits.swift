/// What a request may cost at most.
package struct HTTPLimits: Hashable, Sendable {
  /// Milliseconds until a connection stands.
  package var connectMilliseconds = 5_000
  /// Milliseconds for one request and its answer, and one more for every 16 bytes that are sent, or
  /// received: what trickles in ends as late, however long it might go on.
  package var requestMilliseconds = 60_000
  /// Seconds of fewer bytes, in both directions, than `leastBytesPerSecond`; at least 1.
  package var silentSeconds = 30
  /// Bytes of an answer's body, where the request sets no limit of its own.
  package var answerBytes = 256 << 20

  /// A body may go out as slowly as 16 kB a second.
  static let bytesPerMillisecond = 16
  /// A server that sends less for long could keep a command for ever.
  static let leastBytesPerSecond = 1_000

  /// Milliseconds for bodies of so many bytes, however large a length a server names.
  static func milliseconds(forBytes count: Int) -> Int {
    min(max(0, count) / bytesPerMillisecond, Int(Int32.max) / 4)
  }

  package init() {}
}
