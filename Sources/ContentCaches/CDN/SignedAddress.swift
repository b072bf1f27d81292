/// The parts of an absolute URL that a signature covers.
struct SignedAddress {
  /// `http` or `https`.
  let scheme: String
  /// The host, with the port unless it is the scheme's default: the value of the header `Host`.
  let host: String
  /// Begins with `/`; as it is sent.
  let path: String
  /// Without the `?`; empty if there is none.
  let query: String

  /// The path, and the query if there is any.
  var target: String { query.isEmpty ? path : "\(path)?\(query)" }

  /// Takes a URL apart.
  init(_ url: String) {
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
