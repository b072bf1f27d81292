/// The facts in a printed configuration, about a project, a channel and a machine.
package struct ServerSettings: Sendable {
  package var app: String
  package var channel: String
  /// The prefix of the paths in the channel's public URL, such as `/v1`; may be empty.
  package var prefix = ""
  package var listen = NetworkAddress(host: "127.0.0.1", port: 8080)
  /// The absolute path of the served folder.
  package var root: String
  /// The origin of a cache or a balancer.
  package var upstream: Upstream?
  /// The absolute path of the folder for caches, logs and process ids; the administrator creates
  /// it.
  package var state: String
  /// The absolute path of the folder with a `<locale>.json` for each locale.
  package var maintenance: String
  /// The addresses and networks (`10.0.0.0/8`) that may purge.
  package var purgers = ["127.0.0.1"]
  /// The environment variable with the value that a purge must send in the header `Purge-Token`.
  package var tokenVariable: String?
  package var lifetimes: Lifetimes
  package var languages: MaintenanceLanguages
  /// The number of seconds after which readers retry during maintenance.
  package var retryAfter = 300
  /// The headers that carry surrogate keys for the caches before the origin.
  package var keyHeaders = Self.knownKeyHeaders

  /// `true` if a cache before the origin takes its lifetime from `Surrogate-Control`.
  package var sendsSurrogateControl = false

  package static let knownKeyHeaders = ["xkey", "Surrogate-Key", "Cache-Tag"]

  /// The lifetimes of config, in seconds.
  package struct Lifetimes: Sendable {
    /// The lifetime in apps and browsers.
    package var app: Int
    /// The lifetime in caches.
    package var edge: Int
    package var staleWhileRevalidate: Int
    package var staleIfError: Int
    /// The longest time until the origin answers.
    package var originTimeout: Int

    package init(
      app: Int, edge: Int, staleWhileRevalidate: Int, staleIfError: Int, originTimeout: Int
    ) {
      (self.app, self.edge, self.staleWhileRevalidate) = (app, edge, staleWhileRevalidate)
      (self.staleIfError, self.originTimeout) = (staleIfError, originTimeout)
    }

    /// The value of `Cache-Control`, for readers.
    var cacheControl: String { "public, max-age=\(app)" }
    /// The value of `CDN-Cache-Control`, for caches (RFC 9213).
    var cdnCacheControl: String {
      "max-age=\(edge), stale-while-revalidate=\(staleWhileRevalidate), stale-if-error=\(staleIfError)"
    }
    /// The value of `Surrogate-Control`, for Squid, which takes the second number, the stale time,
    /// for the whole lifetime unless both are equal.
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

  /// The file whose presence switches maintenance on.
  package var flag: String { "\(state)/maintenance.on" }
}

/// A host name or an address, and a port.
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

extension String {
  /// `true` for a host name, an IPv4 address, or an IPv6 address in brackets.
  fileprivate var isHost: Bool {
    let isNumeric = utf8.first == UInt8(ascii: "[") && utf8.last == UInt8(ascii: "]")
    let body = isNumeric ? utf8.dropFirst().dropLast() : utf8[...]
    let extra = isNumeric ? ":." : "-."
    return !body.isEmpty && body.allSatisfy { $0.isLetterOrDigit || extra.utf8.contains($0) }
  }

  /// `true` if every configuration can contain the path unquoted: it has no spaces, quotes or
  /// similar characters.
  package var isPlainPath: Bool {
    utf8.first == UInt8(ascii: "/")
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
