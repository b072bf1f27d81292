import Synchronization

/// A client that sends requests and waits for the answers; any number of threads may use it.
///
/// Follows no redirections, and keeps connections open for the next request: as many as were used
/// at once. A class, since its connections outlive the call.
package final class HTTPClient: Sendable {
  private let limits: HTTPLimits
  private let certificates: String?
  private let idle = Mutex<[HTTPConnection]>([])
  private let counted = Mutex(HTTPTraffic())

  /// Creates a client without loading the library.
  ///
  /// `certificates` is a file of those to trust in place of the system's, as `SSL_CERT_FILE` names
  /// it.
  package init(limits: HTTPLimits = HTTPLimits(), certificates: String? = nil) {
    (self.limits, self.certificates) = (limits, certificates)
  }

  /// Loads the library while the caller does something else; the process must not end before this
  /// returns.
  package static func prepare() { _ = Curl.loaded }

  /// Sends a request once, and waits for the whole answer.
  ///
  /// - Throws: why there is none; an answer with an error's status is an answer.
  package func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    guard
      let connection = idle.withLock({ $0.popLast() })
        ?? HTTPConnection(limits, certificates: certificates)
    else {
      throw HTTPFailure(
        .noLibrary, mayHaveTakenEffect: false, "\(Curl.name) cannot be loaded: install libcurl 4")
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
