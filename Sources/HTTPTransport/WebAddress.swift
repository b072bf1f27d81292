/// The parts of an absolute URL that a purge needs.
package struct WebAddress: Hashable, Sendable {
  /// With its port if it has one, and without a user.
  package let host: String
  /// Path and query, at least `/`.
  package let target: String

  /// `nil` if it is no absolute one.
  package init?(_ url: String) {
    guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
    // By bytes, as a purge can have tens of thousands.
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
  /// Begins with `/`; as it is sent.
  package let path: String
  /// Without the `?`; empty if there is none.
  package let query: String

  /// The path, and the query if there is any.
  package var target: String { query.isEmpty ? path : "\(path)?\(query)" }

  /// Takes a URL apart.
  package init(_ url: String) {
    let address = WebAddress(url)
    scheme = url.hasPrefix("http://") ? "http" : "https"
    host = Self.host(address?.host ?? "", scheme)
    let parts = (address?.target ?? "/").split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    query = parts.count > 1 ? String(parts[1]) : ""
  }

  /// Returns the host without the default port, which clients leave out.
  private static func host(_ authority: String, _ scheme: String) -> String {
    let port = scheme == "https" ? ":443" : ":80"
    return authority.hasSuffix(port) ? String(authority.dropLast(port.utf8.count)) : authority
  }
}
