import ContentModel
import HTTPTransport

/// An unsigned request to a bucket.
struct S3Request: Sendable {
  var method: HTTPRequest.Method
  /// The key within the bucket, not escaped; empty for the bucket itself.
  var key: String
  /// The parameters of the query, not escaped.
  var query: [(name: String, value: String)] = []
  var headers: [(name: String, value: String)] = []
  let body: FileBody
  /// The SHA-256 of the body in hexadecimal digits, which is signed and which S3 compares with the
  /// body.
  let bodyHash: String
  /// The receiver of the answer's body, if that is too large for memory.
  var sink: HTTPSink?
  /// The largest size of the answer's body in bytes.
  var answerLimit = S3Request.statementLimit

  /// The limit of an answer that only reports success or an error.
  static let statementLimit = 1 << 20
  /// The limit of a page of a list, which has at most 1,000 keys.
  static let pageLimit = 16 << 20

  init(
    _ method: HTTPRequest.Method, key: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: FileBody = .bytes([])
  ) {
    (self.method, self.key, self.query, self.headers, self.body) = (
      method, key, query, headers, body
    )
    bodyHash = body.digest.hex
  }
}
