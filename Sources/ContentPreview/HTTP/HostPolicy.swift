import ContentModel

/// The host names and pages from which requests are accepted.
///
/// A page of another site can make a browser send requests here, and can resolve its own name to
/// this machine (DNS rebinding). Neither may read or start anything.
struct HostPolicy: Sendable {
  /// This machine's names on the network; empty if the server is local only.
  var names: [String] = []
  /// `true` if the connection's local address is accepted as a host, too.
  var admitsLocalAddress = false

  /// Returns `true` if a host names this server, on a connection to `localAddress`.
  func admits(host: String, localAddress: String?) -> Bool {
    guard let name = Self.name(in: host.lowercased()) else { return false }
    // 10.0.2.2 is the host machine in Android's emulator; no name outside can resolve to it.
    if Self.loopbackNames.contains(name) || name == "10.0.2.2" { return true }
    if names.contains(where: { $0.hasSameBytes(as: name) }) { return true }
    guard admitsLocalAddress, let localAddress else { return false }
    return name == localAddress || name == "[\(localAddress)]"
  }

  /// The names of the loopback interface.
  ///
  /// Browsers send `Sec-Fetch-Site` only to these and over TLS (W3C Secure Contexts, section 3.1).
  private static let loopbackNames = ["127.0.0.1", "localhost", "[::1]"]

  /// Returns `true` if a request is from this machine, on a connection to `localAddress`.
  static func isLocal(host: String, localAddress: String?) -> Bool {
    guard let name = name(in: host.lowercased()), loopbackNames.contains(name), let localAddress
    else { return false }
    return localAddress.hasPrefix("127.") || localAddress == "::1"
  }

  /// Returns the host without its port; `nil` if the port is invalid.
  private static func name(in host: String) -> String? {
    let start =
      host.hasBytePrefix("[") ? host.firstIndex(of: "]") ?? host.startIndex : host.startIndex
    guard let colon = host[start...].lastIndex(of: ":") else { return host }
    let port = host[host.index(after: colon)...]
    let isPort =
      (1...5).contains(port.utf8.count) && port.utf8.allSatisfy(\.isDigit)
    return isPort ? String(host[..<colon]) : nil
  }

  /// Returns `true` if a request is from the preview's own page, or from no page at all.
  static func isOwn(_ request: PreviewRequest, host: String) -> Bool {
    let page = "http://\(host.lowercased())"
    if let origin = request["origin"], !origin.lowercased().hasSameBytes(as: page) { return false }
    if let site = request["sec-fetch-site"] { return site == "same-origin" || site == "none" }
    if let name = name(in: host.lowercased()), loopbackNames.contains(name) { return true }
    return request["cookie"]?.split(separator: ";").contains { $0.drop { $0 == " " } == cookiePair }
      ?? false
  }

  /// Returns the cookie that is set with the page, for hosts to which browsers do not send
  /// `Sec-Fetch-Site`; `nil` for others.
  ///
  /// A browser sends it with requests of this page, but not of other sites' pages (RFC 6265bis,
  /// section 5.6.7).
  static func cookie(host: String) -> String? {
    if let name = name(in: host.lowercased()), loopbackNames.contains(name) { return nil }
    return "\(cookiePair); Path=/; SameSite=Strict; HttpOnly"
  }

  /// The cookie's name and value, no secret: pages of other sites cannot have it sent.
  static let cookiePair = "contentc-preview=1"
}
