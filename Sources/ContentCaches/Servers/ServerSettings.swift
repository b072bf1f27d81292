/// The facts in a printed configuration: those of a project, a channel and a machine.
package struct ServerSettings: Sendable {
  package var app: String
  package var channel: String
  /// The beginning of the path in the channel's public URL: `/v1`, or empty.
  package var prefix = ""
  package var listen = NetworkAddress(host: "127.0.0.1", port: 8080)
  /// The folder that is served, absolute.
  package var root: String
  /// The origin of a cache or a balancer.
  package var upstream: Upstream?
  /// The absolute path of the folder for caches, logs and process ids; the administrator creates
  /// it.
  package var state: String
  /// The folder of `<locale>.json`, absolute.
  package var maintenance: String
  /// Addresses and networks (`10.0.0.0/8`) that may purge.
  package var purgers = ["127.0.0.1"]
  /// The environment variable whose value a purge must bear in the header `Purge-Token`.
  package var tokenVariable: String?
  package var lifetimes: Lifetimes
  package var languages: MaintenanceLanguages
  /// Seconds after which a reader is to ask again.
  package var retryAfter = 300
  /// Headers by which caches before the origin find answers by key.
  package var keyHeaders = Self.knownKeyHeaders

  /// `true` if a cache before the origin reads only `Surrogate-Control`, as Squid does.
  package var sendsSurrogateControl = false

  package static let knownKeyHeaders = ["xkey", "Surrogate-Key", "Cache-Tag"]

  /// The lifetimes of config, in seconds.
  package struct Lifetimes: Sendable {
    /// By apps and browsers.
    package var app: Int
    /// By caches.
    package var edge: Int
    package var staleWhileRevalidate: Int
    package var staleIfError: Int
    /// The longest that the origin may take to answer.
    package var originTimeout: Int

    package init(
      app: Int, edge: Int, staleWhileRevalidate: Int, staleIfError: Int, originTimeout: Int
    ) {
      (self.app, self.edge, self.staleWhileRevalidate) = (app, edge, staleWhileRevalidate)
      (self.staleIfError, self.originTimeout) = (staleIfError, originTimeout)
    }

    /// For readers.
    var cacheControl: String { "public, max-age=\(app)" }
    /// For caches (RFC 9213).
    var cdnCacheControl: String {
      "max-age=\(edge), stale-while-revalidate=\(staleWhileRevalidate), stale-if-error=\(staleIfError)"
    }
    /// For Squid, which takes the second number, the time it may be stale, for the whole lifetime
    /// unless it is as long.
    var surrogateControl: String { "max-age=\(edge)+\(edge)" }
    /// The seconds for which a cache keeps files without requests.
    var kept: Int { max(edge + max(staleWhileRevalidate, staleIfError), 7 * 86_400) }
  }

  package init(
    app: String, channel: String, root: String, state: String, maintenance: String,
    lifetimes: Lifetimes,
    languages: MaintenanceLanguages
  ) {
    (self.app, self.channel, self.root, self.state) = (app, channel, root, state)
    (self.maintenance, self.lifetimes, self.languages) = (maintenance, lifetimes, languages)
  }

  /// The file whose being there switches maintenance on.
  package var flag: String { "\(state)/maintenance.on" }
}

/// A host, or an address, and a port.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

  /// Reads `127.0.0.1:8080` or `[::1]:8080`; `nil` for anything else.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      port > 0,
      case let host = String(text[..<colon]), host.isHost
    else { return nil }
    self.init(host: host, port: port)
  }

  package var description: String { "\(host):\(port)" }
}

/// The origin of a cache: scheme, host and port; paths are those of the readers.
package struct Upstream: Hashable, Sendable {
  package var isEncrypted: Bool
  package var address: NetworkAddress
  /// `true` if the user named no origin.
  package var isPlaceholder = false

  /// The origin that is printed if none is known: the printed origins listen there.
  package static let placeholder: Upstream = {
    var upstream = Upstream(
      isEncrypted: false, address: NetworkAddress(host: "127.0.0.1", port: 8080))
    upstream.isPlaceholder = true
    return upstream
  }()

  package init(isEncrypted: Bool, address: NetworkAddress) {
    (self.isEncrypted, self.address) = (isEncrypted, address)
  }

  /// Reads `https://host` or `http://host:port`; `nil` for anything else, a path among it.
  package init?(_ url: String) {
    let isEncrypted = url.hasPrefix("https://")
    guard isEncrypted || url.hasPrefix("http://") else { return nil }
    var rest = String(url.dropFirst(isEncrypted ? 8 : 7))
    if rest.hasSuffix("/") { rest.removeLast() }
    let port: UInt16 = isEncrypted ? 443 : 80
    guard let address = NetworkAddress(rest) ?? NetworkAddress("\(rest):\(port)") else {
      return nil
    }
    self.init(isEncrypted: isEncrypted, address: address)
  }

  package var scheme: String { isEncrypted ? "https" : "http" }
  package var url: String { "\(scheme)://\(address)" }
  /// The value of `Host`: the port only where it is not the scheme's.
  package var hostHeader: String {
    address.port == (isEncrypted ? 443 : 80) ? address.host : address.description
  }
}

extension String {
  /// `true` for a host name, an IPv4 address, or an IPv6 address in brackets.
  fileprivate var isHost: Bool {
    let body = hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    let extra: [UInt8] = body.utf8.count == utf8.count ? Array("-.".utf8) : Array(":.".utf8)
    return !body.isEmpty && body.utf8.allSatisfy { $0.isLetterOrDigit || extra.contains($0) }
  }

  /// `true` if every configuration can hold it unquoted: a folder's path without spaces, quotes and
  /// similar characters.
  package var isPlainPath: Bool {
    hasPrefix("/")
      && utf8.allSatisfy { $0.isLetterOrDigit || $0 >= 0x80 || "/._-+~@:,%=".utf8.contains($0) }
  }

  /// `true` for an address or a network, such as `10.0.0.0/8` or `::1`.
  package var isNetwork: Bool {
    let parts = split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let isAddress = parts[0].utf8.allSatisfy { $0.isHexDigit || $0 == 0x2E || $0 == 0x3A }
    let isIPv4 = parts[0].utf8.count { $0 == 0x2E } == 3
    guard isAddress, isIPv4 || parts[0].utf8.count(where: { $0 == 0x3A }) > 1 else { return false }
    return parts.count == 1 || UInt8(parts[1]).map { $0 <= (isIPv4 ? 32 : 128) } ?? false
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }

  fileprivate var isHexDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
  }
}
