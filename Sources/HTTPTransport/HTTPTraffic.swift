/// The bytes of a client's connections, as HTTP counts them: without TLS and TCP.
package struct HTTPTraffic: Hashable, Sendable {
  /// Requests that were sent, whatever became of them; one that was sent again counts again.
  package var requests = 0
  /// Bytes of requests, heads and bodies.
  package var sentBytes = 0
  /// Bytes of answers, heads and bodies.
  package var receivedBytes = 0

  package init() {}

  package static func += (total: inout HTTPTraffic, more: HTTPTraffic) {
    total.requests += more.requests
    total.sentBytes += more.sentBytes
    total.receivedBytes += more.receivedBytes
  }
}
