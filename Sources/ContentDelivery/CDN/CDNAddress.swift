/// The parts of an absolute URL that signatures go by.
struct CDNAddress {
  /// `http` or `https`.
  let scheme: String
  /// The host, and its port unless it is the scheme's own: as it stands in the header `Host`.
  let host: String
  /// Begins with `/`; as it is sent.
  let path: String
  /// Without the `?`; empty if there is none.
  let query: String

  /// The path, and the query if there is any.
  var target: String { query.isEmpty ? path : "\(path)?\(query)" }

  /// Takes an URL apart; what follows a `#` never leaves a client.
  init(_ url: String) {
    var rest = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    scheme = rest.starts(with: "http://".utf8) ? "http" : "https"
    let separator = "\(scheme)://"
    if rest.starts(with: separator.utf8) { rest = rest.dropFirst(separator.utf8.count) }
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    host = Self.host(String(Substring(authority)), scheme)
    rest = rest[authority.endIndex...]
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    self.path = path.isEmpty ? "/" : String(Substring(path))
    query = String(Substring(rest[path.endIndex...].dropFirst()))
  }

  /// Clients leave out a port that goes without saying.
  private static func host(_ authority: String, _ scheme: String) -> String {
    let port = scheme == "https" ? ":443" : ":80"
    return authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
  }
}
