import ContentModel

/// The path and query of a request, decoded once and safe to use as names of files.
package struct RequestTarget: Sendable {
  /// The names between the slashes; empty for `/`.
  package var segments: [String]
  /// The parameters in the order of the text.
  var query: [(name: ExactString, value: String)]

  /// The reason why a target is refused.
  package enum ParseError: Error { case malformed }

  /// Parses a target in origin form (RFC 9112, section 3.2.1).
  ///
  /// Clients resolve `.` and `..` before they send a path, so a path with one of them in any
  /// spelling is refused. So are names with a slash, a backslash or a control character, and text
  /// that is not UTF-8.
  package init(_ text: String) throws(ParseError) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
      throw .malformed
    }
    guard text.hasPrefix("/") else { throw .malformed }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    segments = try Self.segments(parts[0].dropFirst())
    query = parts.count == 2 ? try Self.query(parts[1]) : []
  }

  /// Creates a target from its decoded parts.
  init(segments: [String], query: [(name: ExactString, value: String)]) {
    (self.segments, self.query) = (segments, query)
  }

  private static func segments(_ path: Substring) throws(ParseError) -> [String] {
    if path.isEmpty { return [] }
    var segments: [String] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      let name = try decoded(part, plusIsSpace: false)
      let isHarmless = name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x2F && $0 != 0x5C }
      guard isHarmless, name != ".", name != ".." else { throw .malformed }
      segments.append(name)
    }
    return segments
  }

  private static func query(
    _ text: Substring
  ) throws(ParseError) -> [(name: ExactString, value: String)] {
    var query: [(name: ExactString, value: String)] = []
    for part in text.split(separator: "&") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count == 2 ? try decoded(sides[1], plusIsSpace: true) : ""
      query.append((ExactString(try decoded(sides[0], plusIsSpace: true)), value))
    }
    return query
  }

  /// Decodes percent escapes once (RFC 3986, section 2.1).
  private static func decoded(_ text: Substring, plusIsSpace: Bool) throws(ParseError) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst()?.hexadecimalValue,
          let low = rest.popFirst()?.hexadecimalValue
        else {
          throw .malformed
        }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw .malformed
    }
    return text
  }
}
