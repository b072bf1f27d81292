/// The rules for headers that an app adds to requests (RFC 9110, section 5).
enum RequestHeader {
  /// The headers that the client or its transport sets, in lower case.
  private static let reserved = [
    "accept-encoding", "cache-control", "connection", "content-length", "host", "if-match",
    "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "pragma",
    "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Returns whether a text is a token, as names are.
  static func isName(_ text: String) -> Bool {
    let isToken = text.utf8.allSatisfy { byte in
      let isLetter = (0x61...0x7A).contains(byte | 0x20)
      return isLetter || (0x30...0x39).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
    return isToken && !text.isEmpty
  }

  /// Returns whether the client or its transport sets a header of a name.
  static func isReserved(_ name: String) -> Bool { reserved.contains(name.lowercased()) }

  /// Returns whether a text is printable ASCII, with spaces and tabs inside only, so that no
  /// part of it can be taken for another header.
  static func isValue(_ text: String) -> Bool {
    let isPrintable = text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
    let blanks = " \t".utf8
    let hasBlankEnd =
      text.utf8.first.map(blanks.contains) ?? false || text.utf8.last.map(blanks.contains) ?? false
    return isPrintable && !hasBlankEnd
  }
}
