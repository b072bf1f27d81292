import ContentModel

/// The origin of a cache: a scheme, a host and a port.
package struct Upstream: Hashable, Sendable {
  package var isEncrypted: Bool
  package var address: NetworkAddress
  /// `true` if the user named no origin.
  package var isPlaceholder = false

  /// The origin if none is known: the address at which printed origins listen.
  package static let placeholder: Upstream = {
    var upstream = Upstream(
      isEncrypted: false, address: NetworkAddress(host: "127.0.0.1", port: 8080))
    upstream.isPlaceholder = true
    return upstream
  }()

  package init(isEncrypted: Bool, address: NetworkAddress) {
    (self.isEncrypted, self.address) = (isEncrypted, address)
  }

  /// Reads `https://host` or `http://host:port`; `nil` for anything else, such as a URL with a
  /// path.
  package init?(_ url: String) {
    let isEncrypted = url.hasBytePrefix("https://")
    guard isEncrypted || url.hasBytePrefix("http://") else { return nil }
    var rest = String(url.dropFirst(isEncrypted ? 8 : 7))
    if rest.hasByteSuffix("/") { rest.removeLast() }
    let port: UInt16 = isEncrypted ? 443 : 80
    guard let address = NetworkAddress(rest) ?? NetworkAddress("\(rest):\(port)") else {
      return nil
    }
    self.init(isEncrypted: isEncrypted, address: address)
  }

  package var scheme: String { isEncrypted ? "https" : "http" }
  package var url: String { "\(scheme)://\(address)" }
  /// The value of `Host`, with the port unless it is the scheme's default.
  package var hostHeader: String {
    address.port == (isEncrypted ? 443 : 80) ? address.host : address.description
  }
}
