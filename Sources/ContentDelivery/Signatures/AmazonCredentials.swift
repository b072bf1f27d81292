/// Who asks: what requests to Amazon's services are signed with.
package struct AmazonCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  let accessKey: String
  let secretKey: String
  /// Of credentials that end soon.
  let sessionToken: String?

  /// Keeps what must not hold line breaks, as it stands in headers.
  package init(accessKey: String, secretKey: String, sessionToken: String?) {
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
  }

  /// Holds no secret.
  package var description: String { "credentials" }
  /// Holds no secret either, as tests and crash reports print it.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
