/// Why there is no answer to a request.
package struct HTTPFailure: Error, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// There is no libcurl.
    case noLibrary
    /// No connection: no such host, nobody listens, or not in time.
    case unconnected
    /// The server's certificate is not trusted, or it does not speak TLS.
    case untrusted
    /// There was a connection, but no whole answer in time.
    case late
    /// The connection ended before the answer did, or what came is no HTTP.
    case lost
    /// The answer is longer than allowed.
    case tooLong
    /// What was to be sent cannot be read: the server has not got all of it.
    case unreadable
    /// The address cannot be right, or libcurl itself failed.
    case unusable
  }

  package var kind: Kind
  /// Whether the server may have got the request, and done what it asks for.
  package var mayHaveTakenEffect: Bool
  /// A few words, in which no address stands.
  package var description: String

  package init(_ kind: Kind, mayHaveTakenEffect: Bool, _ description: String) {
    (self.kind, self.mayHaveTakenEffect, self.description) = (kind, mayHaveTakenEffect, description)
  }

  /// Whether the same request may go well a moment later.
  package var isPassing: Bool { [.unconnected, .late, .lost].contains(kind) }
}
