/// Which names the server answers to, and from which pages.
///
/// A page elsewhere can make a browser send requests here, and can point a name of its own at this machine (DNS
/// rebinding): neither may read or start anything.
struct HostPolicy: Sendable {
  /// This machine's names, where others on the network may ask; empty where only this machine may.
  var names: [String] = []
  /// Whether the connection's own address is a name, too.
  var admitsOwnAddress = false

  /// Whether a request meant this server, whose end of the connection has the address `own`.
  func admits(host: String, own: String?) -> Bool {
    guard let name = Self.name(in: host.lowercased()) else { return false }
    // The last one is what Android's emulator calls the machine that it runs on; no name can be pointed at it.
    if ["127.0.0.1", "localhost", "[::1]", "10.0.2.2"].contains(name) || names.contains(name) { return true }
    guard admitsOwnAddress, let own else { return false }
    return name == own || name == "[\(own)]"
  }

  /// The host without its port; `nil` for anything that is no host.
  private static func name(in host: String) -> String? {
    let start = host.hasPrefix("[") ? host.firstIndex(of: "]") ?? host.startIndex : host.startIndex
    guard let colon = host[start...].lastIndex(of: ":") else { return host }
    let port = host[host.index(after: colon)...]
    let isPort = (1...5).contains(port.utf8.count) && port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isPort ? String(host[..<colon]) : nil
  }

  /// Whether a request comes from the preview's own page, or from no page at all.
  static func isOwn(_ question: Question, host: String) -> Bool {
    if let site = question["sec-fetch-site"], site != "same-origin", site != "none" { return false }
    guard let origin = question["origin"] else { return true }
    return origin.lowercased() == "http://\(host.lowercased())"
  }
}
