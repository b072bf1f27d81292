import ContentModel
import HTTPTransport

/// Credentials from a server, and the time of their end.
struct FetchedCredentials: Sendable {
  /// The most bytes of a key or a token: servers accept no longer headers.
  private static let longestValue = 16 << 10

  let credentials: AmazonCredentials
  /// The seconds since 1970 on this machine's clock at which the credentials expire; `nil` if they
  /// do not.
  let end: Int64?

  init(credentials: AmazonCredentials, end: Int64?) {
    (self.credentials, self.end) = (credentials, end)
  }

  /// Creates temporary credentials from the values of an answer; `nil` if one is missing, or cannot
  /// be sent in a header.
  ///
  /// The server's clock states the end, and `lead` is the number of seconds by which that clock is
  /// ahead of this machine's.
  init?(
    accessKey: String?, secretKey: String?, sessionToken: String?, end: String?, lead: Int64
  ) {
    guard let accessKey, let secretKey, let sessionToken,
      [accessKey, secretKey, sessionToken].allSatisfy({
        (1...Self.longestValue).contains($0.utf8.count)
          && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      }),
      let end = end.flatMap({ Instant(rfc3339: $0) })
    else { return nil }
    credentials = AmazonCredentials(
      accessKey: accessKey, secretKey: secretKey, sessionToken: sessionToken)
    // An instant in RFC 3339 form fits, and a lead is limited as well.
    self.end =
      Int64(end.secondsSinceReferenceDate) + Instant.referenceDateInUnixTime - lead
  }
}
