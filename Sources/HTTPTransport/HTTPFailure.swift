/// The reason for which there is no answer to a request.
package struct HTTPFailure: Error, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// There is no libcurl.
    case noLibrary
    /// No connection: the host does not exist, does not listen, or is too slow.
    case unconnected
    /// The server's certificate is not trusted, or it does not speak TLS.
    case untrusted
    /// There was a connection, but no whole answer in time.
    case late
    /// The connection ended before the answer did, or what came is no HTTP.
    case lost
    /// The answer is longer than allowed.
    case tooLong
    /// The body to send cannot be read: the server has not received all of it.
    case unreadable
    /// The address cannot be right, or libcurl itself failed.
    case unusable
  }

  package var kind: Kind
  /// `true` if the server may have received the request and acted on it.
  package var mayHaveTakenEffect: Bool
  /// A few words without an address.
  package var description: String

  package init(_ kind: Kind, mayHaveTakenEffect: Bool, _ description: String) {
    (self.kind, self.mayHaveTakenEffect, self.description) = (kind, mayHaveTakenEffect, description)
  }

  /// `true` if the same request may succeed a moment later.
  package var isPassing: Bool { [.unconnected, .late, .lost].contains(kind) }
}
