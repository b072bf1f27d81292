import ContentModel

/// The parts of an absolute URL that name a file to a cache.
package struct WebAddress: Hashable, Sendable {
  /// The host with its port, if any, and without a user.
  package let host: String
  /// The path and the query, at least `/`.
  package let target: String

  /// Reads a URL; `nil` if it is not absolute.
  package init?(_ url: String) {
    guard let scheme = ["https://", "http://"].first(where: url.hasBytePrefix) else { return nil }
    // A purge can have tens of thousands of URLs, and bytes are faster to search.
    let rest = url.utf8.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { Self.ends.contains($0) } ?? rest.endIndex
    let start =
      rest[..<end].lastIndex(of: UInt8(ascii: "@")).map(rest.index(after:)) ?? rest.startIndex
    let target = rest[end...].prefix { $0 != UInt8(ascii: "#") }
    host = String(Substring(rest[start..<end]))
    self.target = (target.first == UInt8(ascii: "/") ? "" : "/") + String(Substring(target))
  }

  /// The bytes that end an authority.
  private static let ends = Array("/?#".utf8)
}

/// The parts of an absolute URL that a signature covers.
package struct SignedAddress {
  /// `http` or `https`.
  package let scheme: String
  /// The host, with the port unless it is the scheme's default: the value of the header `Host`.
  package let host: String
  /// The path as it is sent, with `/` at its beginning.
  let path: String
  /// The query without the `?`; empty if there is none.
  let query: String

  /// The path, and the query if there is any.
  package var target: String { query.isEmpty ? path : "\(path)?\(query)" }

  /// Reads an absolute URL.
  package init(_ url: String) {
    let address = WebAddress(url)
    scheme = url.hasBytePrefix("http://") ? "http" : "https"
    host = Self.host(of: address?.host ?? "", scheme: scheme)
    let parts = (address?.target ?? "/").split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    query = parts.count > 1 ? String(parts[1]) : ""
  }

  /// Returns the host without the default port, which clients leave out.
  private static func host(of authority: String, scheme: String) -> String {
    let port = scheme == "https" ? ":443" : ":80"
    return authority.hasByteSuffix(port) ? String(authority.dropLast(port.utf8.count)) : authority
  }
}
