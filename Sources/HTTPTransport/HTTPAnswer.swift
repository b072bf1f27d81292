/// The answer of a server to a request.
package struct HTTPAnswer: Sendable {
  /// The status, from 100 to 999.
  package var status: Int
  /// Names and values, in the order in which the server sent them.
  package var headers: [(name: String, value: String)]
  /// The body as it was sent, in any `Content-Encoding`; empty after `HEAD`.
  package var body: [UInt8]
  /// `true` if the request may have reached the server twice, and this is the second answer.
  ///
  /// An open connection can end while a request is on its way; libcurl then sends it again over a
  /// new one.
  package var mayHaveBeenSentTwice: Bool

  package init(
    status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    mayHaveBeenSentTwice: Bool = false
  ) {
    (self.status, self.headers, self.body) = (status, headers, body)
    self.mayHaveBeenSentTwice = mayHaveBeenSentTwice
  }

  /// Returns the value of the first header of a name, in any case; `nil` if there is none.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

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
    /// The connection ended before the answer did, or the answer is no HTTP.
    case lost
    /// The answer is longer than allowed.
    case tooLong
    /// The body to send cannot be read: the server has not received all of it.
    case unreadable
    /// The client ended the request, or did not begin it.
    case cancelled
    /// The address cannot be right, or libcurl itself failed.
    case unusable
  }

  package var kind: Kind
  /// `true` if the server may have received the request and acted on it.
  package var mayHaveTakenEffect: Bool
  /// `true` if a part of the answer was received.
  package internal(set) var hasBegunAnswer = false
  /// The reason in a few words, without an address.
  package var description: String

  package init(_ kind: Kind, mayHaveTakenEffect: Bool, reason: String) {
    (self.kind, self.mayHaveTakenEffect, description) = (kind, mayHaveTakenEffect, reason)
  }

  /// `true` if the same request may succeed a moment later.
  package var isPassing: Bool { [.unconnected, .late, .lost].contains(kind) }
}
