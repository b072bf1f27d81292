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
