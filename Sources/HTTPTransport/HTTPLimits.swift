/// The limits of a request's time and size.
package struct HTTPLimits: Hashable, Sendable {
  /// The milliseconds until a connection is made.
  package var connectMilliseconds = 5_000
  /// The milliseconds for a request and its answer, without the time for their bytes.
  ///
  /// A slow trickle of bytes ends as late as that.
  package var requestMilliseconds = 60_000
  /// The number of bytes, sent or received, that extend the time by a millisecond; `.max` for a
  /// time that does not depend on them, and at least 1.
  ///
  /// By default, a body may be as slow as 16 kB a second.
  package var bytesPerMillisecond = 16
  /// The seconds with fewer than `silentBytesPerSecond`, in both directions, after which a request
  /// fails; at least 1.
  package var silentSeconds = 30
  /// The bytes per second below which a server counts as silent.
  ///
  /// Otherwise a server that sends a byte now and then could block a command for ever.
  package var silentBytesPerSecond = 1_000
  /// The most bytes of an answer's body, where the request sets no limit of its own.
  package var answerBytes = 256 << 20

  package init() {}

  /// Returns the most bytes of a request's answer in memory.
  func answerBytes(of request: HTTPRequest) -> Int {
    request.method == .head ? 0 : request.answerLimit ?? answerBytes
  }

  /// Returns the milliseconds for a request until the first byte of its answer.
  func milliseconds(for request: HTTPRequest) -> Int {
    requestMilliseconds + milliseconds(forBytes: request.bodyCount)
  }

  /// Returns the milliseconds for a body, limited however large a length a server names.
  func milliseconds(forBytes count: Int) -> Int {
    min(max(0, count) / bytesPerMillisecond, Int(Int32.max) / 4)
  }
}
