import ContentModel
import HTTPTransport

/// An unsigned request to a bucket.
struct S3Request: Sendable {
  var method: HTTPRequest.Method
  /// Within the bucket, not escaped; empty for the bucket itself.
  var key: String
  /// Names and values, not escaped.
  var query: [(name: String, value: String)] = []
  var headers: [(name: String, value: String)] = []
  let body: FileBody
  /// The SHA-256 of the body, in hexadecimal digits: it is signed, and S3 compares the body with
  /// it.
  let bodyHash: String
  /// The receiver of a body that is too large for memory.
  var sink: HTTPSink?
  /// The most bytes that the body of the answer may have.
  var answerLimit = S3Request.statementLimit

  /// Of an answer that only says how it went.
  static let statementLimit = 1 << 20
  /// Of a page of a list, which has at most 1,000 keys.
  static let pageLimit = 16 << 20

  init(
    _ method: HTTPRequest.Method, _ key: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: FileBody = .bytes([])
  ) {
    (self.method, self.key, self.query, self.headers, self.body) = (
      method, key, query, headers, body
    )
    bodyHash = body.digest.hex
  }
}
