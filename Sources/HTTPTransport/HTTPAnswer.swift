/// The answer of a server to a request.
package struct HTTPAnswer: Sendable {
  /// From 100 to 999.
  package var status: Int
  /// Names and values, in the order in which they came.
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

  /// The value of the first header of a name, in either case; `nil` if there is none.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
