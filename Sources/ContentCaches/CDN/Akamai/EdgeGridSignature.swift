import Hashing
import ContentModel
import HTTPTransport

/// EdgeGrid: what proves to Akamai who sends a request, and that its address and body were not
/// changed.
///
/// By "Authenticate with EdgeGrid" in Akamai's documentation; signs no headers, as Fast Purge wants
/// none signed.
struct EdgeGridSignature {
  /// Bytes of a body that are signed; what follows them is not.
  static let signedBytes = 131_072

  let credentials: EdgeGridCredentials

  /// The value of `Authorization`; a nonce is a word that no other request has.
  func authorization(_ request: HTTPRequest, at seconds: Int64, nonce: String) -> String {
    let time = Self.timestamp(seconds)
    let unsigned =
      "EG1-HMAC-SHA256 client_token=\(credentials.clientToken);access_token=\(credentials.accessToken);"
      + "timestamp=\(time);nonce=\(nonce);"
    let address = SignedAddress(request.url)
    let signed = [
      request.method.rawValue, address.scheme, address.host, address.target, "",
      Self.bodyHash(request), unsigned,
    ].joined(separator: "\t")
    return "\(unsigned)signature=\(code(signed, key: code(time, key: credentials.clientSecret)))"
  }

  private func code(_ text: String, key: String) -> String {
    HMAC.code(for: Array(text.utf8), key: Array(key.utf8)).base64
  }

  private static func bodyHash(_ request: HTTPRequest) -> String {
    guard request.method == .post, !request.body.isEmpty else { return "" }
    return Digest(of: Array(request.body.prefix(signedBytes))).bytes.base64
  }

  /// Such as `20130524T00:00:00+0000`, from seconds since 1970.
  private static func timestamp(_ seconds: Int64) -> String {
    Instant(secondsSince1970: seconds).rfc3339.filter { $0 != "-" && $0 != "Z" } + "+0000"
  }
}
