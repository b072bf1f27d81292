/// The limits of a request's time and size.
package struct HTTPLimits: Hashable, Sendable {
  /// The milliseconds until a connection is made.
  package var connectMilliseconds = 5_000
  /// The milliseconds for a request and its answer, plus one for every 16 bytes sent or received.
  ///
  /// A slow trickle of bytes ends as late as that.
  package var requestMilliseconds = 60_000
  /// The seconds with fewer than `leastBytesPerSecond`, in both directions, after which a request
  /// fails; at least 1.
  package var silentSeconds = 30
  /// Bytes of an answer's body, where the request sets no limit of its own.
  package var answerBytes = 256 << 20

  /// A body may go out as slowly as 16 kB a second.
  static let bytesPerMillisecond = 16
  /// A server that sends less than this for long could block a command for ever.
  static let leastBytesPerSecond = 1_000

  /// Returns the milliseconds for a body, limited however large a length a server names.
  static func milliseconds(forBytes count: Int) -> Int {
    min(max(0, count) / bytesPerMillisecond, Int(Int32.max) / 4)
  }

  package init() {}
}
