/// A request to a server.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
    /// Makes a cache forget a URL; no standard, but known to Varnish, Squid and Traffic Server.
    case purge = "PURGE"
    /// Makes Varnish forget the files that an expression selects.
    case ban = "BAN"
    /// Makes Varnish forget the files with a key, by the configuration that contentc prints.
    case purgeKeys = "PURGEKEYS"
  }

  package var method: Method
  /// The absolute URL, with `http` or `https`, escaped as it is sent.
  package var url: String
  /// The headers in the order in which they are sent; the caller ensures that they hold no line
  /// breaks.
  package var headers: [(name: String, value: String)]
  /// The body; `GET` and `HEAD` do not send it.
  package var body: [UInt8]
  /// The body in place of `body`, if it is not in memory.
  package var stream: HTTPStream?
  /// The receiver of a success's body, in place of the answer.
  package var sink: HTTPSink?
  /// The most bytes that the body of the answer may have, in place of the client's limit.
  package var answerLimit: Int?
  /// `true` if the server may compress the body, which the answer has without its
  /// `Content-Encoding`.
  package var decodesBody = false
  /// The observer of this request.
  package var observer: HTTPObserver?
  /// `true` if the server is asked before a body of more than a megabyte is sent, with
  /// `Expect: 100-continue`.
  ///
  /// A server that does not know the header delays the body by a second.
  package var expectsContinue = true
  /// `true` if no proxy may forward the request, whatever the environment names.
  package var bypassesProxies = false

  package init(
    _ method: Method, _ url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }

  /// The number of bytes to send.
  var bodyCount: Int { stream?.count ?? body.count }
}

/// An observer of a request while it is answered.
package struct HTTPObserver: Sendable {
  /// Receives the number of bytes of each piece of the body.
  let received: @Sendable (Int) -> Void
  /// Returns `true` once the request should end.
  let isCancelled: HTTPClient.Cancellation

  package init(
    received: @escaping @Sendable (Int) -> Void, isCancelled: @escaping HTTPClient.Cancellation
  ) {
    (self.received, self.isCancelled) = (received, isCancelled)
  }
}

/// A body that is read piece by piece while it is sent, and never in memory as a whole.
package struct HTTPStream: Sendable {
  /// Fills a buffer with the next bytes, and returns their number; an error ends the request.
  package typealias Reading = (UnsafeMutableRawBufferPointer) throws -> Int

  /// The number of bytes, at least 1.
  let count: Int
  /// Begins a reading at the first byte; a second one is needed if a request is sent again.
  let begin: @Sendable () -> Reading

  package init(count: Int, begin: @escaping @Sendable () -> Reading) {
    (self.count, self.begin) = (count, begin)
  }
}

/// The receiver of a body that is too large for memory.
///
/// It receives only the body of a success; the answer holds the body of an error.
package struct HTTPSink: Sendable {
  /// Takes a received piece; `false` ends the request.
  package typealias Taking = (UnsafeRawBufferPointer) -> Bool

  /// The approximate number of bytes, which extends the time limit.
  let count: Int
  /// Begins at the first byte; a second beginning is needed if a request is sent again.
  let begin: @Sendable () -> Taking

  package init(count: Int, begin: @escaping @Sendable () -> Taking) {
    (self.count, self.begin) = (count, begin)
  }
}
