import ContentModel
import HTTPTransport

/// An EdgeGrid signature, which proves to Akamai the sender, the address and the body of a request.
///
/// See "Authenticate with EdgeGrid" in Akamai's documentation. No headers are signed: Fast Purge
/// requires none.
struct EdgeGridSignature {
  /// The number of bytes of a body that are signed; the rest is not.
  static let signedBytes = 131_072

  let credentials: EdgeGridCredentials

  /// Returns the value of `Authorization`; `nonce` is a word that no other request has.
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

  /// Returns a time such as `20130524T00:00:00+0000`, from seconds since 1970.
  private static func timestamp(_ seconds: Int64) -> String {
    Instant(secondsSince1970: seconds).rfc3339.filter { $0 != "-" && $0 != "Z" } + "+0000"
  }
}

/// The credentials that sign requests to Akamai's APIs.
package struct EdgeGridCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  let clientToken: String
  let clientSecret: String
  let accessToken: String

  /// Creates credentials, which must not contain line breaks, since headers carry them.
  package init(clientToken: String, clientSecret: String, accessToken: String) {
    (self.clientToken, self.clientSecret, self.accessToken) = (
      clientToken, clientSecret, accessToken
    )
  }

  /// A description without secrets.
  package var description: String { "credentials" }
  /// A mirror without secrets, since tests and crash reports print it.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
