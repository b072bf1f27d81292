import ContentModel
import HTTPTransport

extension SignatureV4 {
  /// Returns the headers of a signed request to a bucket; `path` is not escaped.
  ///
  /// See "Signature Calculations for the Authorization Header: Transferring Payload in a Single
  /// Chunk" in Amazon's reference of S3.
  func headers(of request: S3Request, host: String, path: String, at seconds: Int64) -> [(
    name: String, value: String
  )] {
    let message = Message(
      method: request.method, path: URLEscape.path(path), query: URLEscape.query(request.query),
      headers: request.headers, bodyHash: request.bodyHash)
    return headers(of: message, host: host, at: seconds)
  }
}
