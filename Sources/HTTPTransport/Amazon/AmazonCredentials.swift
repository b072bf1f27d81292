/// The credentials with which requests to Amazon's services are signed.
package struct AmazonCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  package let accessKey: String
  package let secretKey: String
  /// The token of temporary credentials.
  package let sessionToken: String?

  /// Creates credentials, which must not hold line breaks: they are sent in headers.
  package init(accessKey: String, secretKey: String, sessionToken: String?) {
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
  }

  /// Returns a text without the secrets: a server may quote the request.
  package func hidden(in text: String) -> String {
    [secretKey, sessionToken ?? ""].filter { $0.utf8.count >= 8 }.reduce(text) {
      $0.replacing($1, with: "…")
    }
  }

  /// Holds no secret.
  package var description: String { "credentials" }
  /// Holds no secret either, as tests and crash reports print it.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
