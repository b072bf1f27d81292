/// Who asks: what requests to Amazon's services are signed with.
package struct AmazonCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  package let accessKey: String
  package let secretKey: String
  /// Of credentials that end soon.
  package let sessionToken: String?

  /// Keeps what must not hold line breaks, as it stands in headers.
  package init(accessKey: String, secretKey: String, sessionToken: String?) {
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
  }

  /// A text without the secrets in it: a server may quote what it was sent.
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
