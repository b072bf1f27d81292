/// The credentials with which requests to Akamai's interfaces are signed.
package struct EdgeGridCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  let clientToken: String
  let clientSecret: String
  let accessToken: String

  /// Creates credentials, which must not hold line breaks: they are sent in headers.
  package init(clientToken: String, clientSecret: String, accessToken: String) {
    (self.clientToken, self.clientSecret, self.accessToken) = (
      clientToken, clientSecret, accessToken
    )
  }

  /// Holds no secret.
  package var description: String { "credentials" }
  /// Holds no secret either, as tests and crash reports print it.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
