/// Which names the server answers to, and from which pages.
///
/// A page elsewhere can make a browser send requests here, and can point a name of its own at this
/// machine (DNS rebinding): neither may read or start anything.
struct HostPolicy: Sendable {
  /// This machine's names, where others on the network may ask; empty where only this machine may.
  var names: [String] = []
  /// Whether the connection's own address is a name, too.
  var admitsOwnAddress = false

  /// Whether a request meant this server, whose end of the connection has the address `own`.
  func admits(host: String, own: String?) -> Bool {
    guard let name = Self.name(in: host.lowercased()) else { return false }
    // What Android's emulator calls the machine that it runs on; no name can be pointed at it.
    if Self.own.contains(name) || name == "10.0.2.2" || names.contains(name) { return true }
    guard admitsOwnAddress, let own else { return false }
    return name == own || name == "[\(own)]"
  }

  /// This machine's names for itself.
  ///
  /// Browsers say who asks (`Sec-Fetch-Site`) only to these and over TLS (W3C Secure Contexts,
  /// section 3.1).
  private static let own = ["127.0.0.1", "localhost", "[::1]"]

  /// Tells if a browser on this machine asks, on a connection that ends at the address `own`.
  static func isLocal(host: String, own address: String?) -> Bool {
    guard let name = name(in: host.lowercased()), own.contains(name), let address else {
      return false
    }
    return address.hasPrefix("127.") || address == "::1"
  }

  /// The host without its port; `nil` for anything that is no host.
  private static func name(in host: String) -> String? {
    let start = host.hasPrefix("[") ? host.firstIndex(of: "]") ?? host.startIndex : host.startIndex
    guard let colon = host[start...].lastIndex(of: ":") else { return host }
    let port = host[host.index(after: colon)...]
    let isPort =
      (1...5).contains(port.utf8.count) && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isPort ? String(host[..<colon]) : nil
  }

  /// Whether a request comes from the preview's own page, or from no page at all.
  static func isOwn(_ request: PreviewRequest, host: String) -> Bool {
    if let origin = request["origin"], origin.lowercased() != "http://\(host.lowercased())" {
      return false
    }
    if let site = request["sec-fetch-site"] { return site == "same-origin" || site == "none" }
    if let name = name(in: host.lowercased()), own.contains(name) { return true }
    return request["cookie"]?.split(separator: ";").contains { $0.drop { $0 == " " } == proof }
      ?? false
  }

  /// What a browser gets with the page where it would not say who asks, and sends with what the
  /// page asks, but not with what a page elsewhere does (RFC 6265bis, section 5.6.7); `nil` where
  /// it says so itself.
  static func cookie(host: String) -> String? {
    if let name = name(in: host.lowercased()), own.contains(name) { return nil }
    return "\(proof); Path=/; SameSite=Strict; HttpOnly"
  }

  /// No secret: pages elsewhere can neither send it nor have it sent, and all others may.
  static let proof = "contentc-preview=1"
}
