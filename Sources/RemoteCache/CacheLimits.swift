/// What a cache may cost a build at most.
package struct CacheLimits: Sendable {
  /// Milliseconds until a connection stands.
  package var connectMilliseconds = 2_000
  /// Milliseconds for one request and its answer.
  package var requestMilliseconds = 10_000
  /// Seconds without a byte in either direction, after which a request has failed.
  package var silentSeconds = 3
  /// Requests that are under way at once, reading.
  package var readers = 16
  /// Requests that are under way at once, writing.
  package var writers = 4
  /// Bytes of an answer; a longer one is a failure.
  package var answerBytes = 64 << 20
  /// Bytes that wait to be written; what comes on top is not sent.
  package var waitingBytes = 64 << 20
  /// Failures in a row after which the cache is given up.
  ///
  /// One is enough if there is no connection, or nothing is heard in time.
  package var failures = 3
  /// Milliseconds that `finish` waits for what is still to be written.
  package var finishMilliseconds = 3_000

  package init() {}
}
