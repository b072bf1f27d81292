/// Who asks: what requests to a bucket are signed with.
struct S3Credentials: Sendable, CustomStringConvertible, CustomReflectable {
  let accessKey: String
  let secretKey: String
  /// Of credentials that end soon.
  let sessionToken: String?

  /// Holds no secret.
  var description: String { "credentials" }
  /// Holds no secret either, as tests and crash reports print it.
  var customMirror: Mirror { Mirror(self, children: []) }
}
