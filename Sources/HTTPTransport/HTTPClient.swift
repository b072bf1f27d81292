import Synchronization

/// A client that sends requests and waits for the answers; any number of threads may use it.
///
/// Follows no redirections, and keeps connections open for the next request: as many as were used
/// at once. A class, since its connections outlive the call.
package final class HTTPClient: Sendable {
  /// Returns `true` once no request should begin, and those in progress should end.
  package typealias Cancellation = @Sendable () -> Bool

  private let limits: HTTPLimits
  private let certificates: String?
  private let isCancelled: Cancellation?
  private let idle = Mutex<[HTTPConnection]>([])
  private let counted = Mutex(HTTPTraffic())

  /// Creates a client without loading the library.
  ///
  /// `certificates` is a file of those to trust in place of the system's, as `SSL_CERT_FILE` names
  /// it. `isCancelled` is called at least once a second during a request, on the thread of the
  /// request.
  package init(
    limits: HTTPLimits = HTTPLimits(), certificates: String? = nil,
    isCancelled: Cancellation? = nil
  ) {
    (self.limits, self.certificates, self.isCancelled) = (limits, certificates, isCancelled)
  }

  /// Loads the library while the caller does something else; the process must not end before this
  /// returns.
  package static func prepare() { _ = Curl.loaded }

  /// Sends a request once, and waits for the whole answer.
  ///
  /// - Throws: the reason for which there is no answer; an error's status is an answer.
  package func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    guard isCancelled?() != true else {
      throw HTTPFailure(.cancelled, mayHaveTakenEffect: false, reason: "the request was cancelled")
    }
    guard
      let connection = idle.withLock({ $0.popLast() })
        ?? HTTPConnection(limits: limits, certificates: certificates, isCancelled: isCancelled)
    else {
      throw HTTPFailure(
        .noLibrary, mayHaveTakenEffect: false,
        reason: "\(Curl.name) cannot be loaded: install libcurl 4")
    }
    defer {
      let traffic = connection.traffic
      counted.withLock { $0 += traffic }
      idle.withLock { $0.append(connection) }
    }
    return try connection.send(request)
  }

  /// The bytes of all requests so far.
  package var traffic: HTTPTraffic { counted.withLock { $0 } }

  /// Closes all connections that are not in use.
  package func close() { idle.withLock { $0 = [] } }
}

/// The bytes of a client's connections, as HTTP counts them: without TLS and TCP.
package struct HTTPTraffic: Hashable, Sendable {
  /// The number of requests that were sent, also without an answer; a second sending counts again.
  package var requests = 0
  /// The number of bytes of requests, heads and bodies.
  package var sentBytes = 0
  /// The number of bytes of answers, heads and bodies.
  package var receivedBytes = 0

  static func += (total: inout HTTPTraffic, more: HTTPTraffic) {
    total.requests += more.requests
    total.sentBytes += more.sentBytes
    total.receivedBytes += more.receivedBytes
  }
}
