/// A request to a server.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
    /// Makes a cache forget a URL; no standard, but what Varnish, Squid and Traffic Server know.
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
  /// Sent with `PUT` and `POST` only.
  package var body: [UInt8]
  /// Sent in place of the body, if there is one.
  package var stream: HTTPStream?
  /// Takes the body of the answer, if it is one of success, in place of the answer.
  package var sink: HTTPSink?
  /// The most bytes that the body of the answer may have, in place of the client's limit.
  package var answerLimit: Int?

  package init(
    _ method: Method, _ url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }
}
