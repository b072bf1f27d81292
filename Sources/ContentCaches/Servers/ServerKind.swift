package import ContentSource

/// A program, or a service, for which `contentc server` prints a configuration.
package struct ServerKind: Sendable {
  /// The roles of a server between the content and its readers.
  package enum Role: Sendable {
    /// The server serves a folder. nginx is also a cache if it has an origin.
    case origin
    /// The server is a cache, and needs an origin.
    case front
    /// A vendor runs the server. contentc prints settings for the vendor instead of a configuration.
    case hosted
  }

  /// The ways to switch maintenance on.
  package enum Maintenance: String, Sendable {
    case file = "a file"
    case socket = "a map, through its socket"
    case origin = "the origin's"
  }

  /// The name on the command line.
  ///
  /// A cache has the same name in `content.yaml`.
  package let name: String
  package let role: Role
  /// The kind of server, in words for the documentation.
  package let summary: String
  /// The requests that purge the server, in words for the documentation.
  package let purges: String
  /// The way to switch maintenance on at this server; `nil` for a hosted one, since contentc has no
  /// access to it.
  package let maintenance: Maintenance?
  private let files: @Sendable (ServerSettings, Upstream) -> [ServerFile]

  init(
    _ name: String, _ role: Role, summary: String, purges: String = "", maintenance: Maintenance?,
    files: @escaping @Sendable (ServerSettings, Upstream) -> [ServerFile]
  ) {
    (self.name, self.role, self.summary) = (name, role, summary)
    (self.purges, self.maintenance, self.files) = (purges, maintenance, files)
  }

  /// All servers in the order in which messages list them; origins send the headers with surrogate
  /// keys in the order of the caches.
  package static let all =
    [nginx, caddy, apache, varnish, haproxy, trafficServer, squid]
    + [Cache.fastly, .cloudflare, .cloudFront, .akamai, .google, .bunny, .frontDoor].map(\.server)

  /// Returns the server with a name; `nil` if there is none.
  package static func named(_ name: String) -> ServerKind? { all.first { $0.name == name } }

  /// The name of the cache in `content.yaml`; `nil` for a program that is no cache there.
  package var cache: CacheName? { CacheName(rawValue: name) }

  /// Returns the files that `contentc server` prints, in reading order; most servers have one.
  package func configuration(_ settings: ServerSettings) -> [ServerFile] {
    var settings = settings
    if role == .front, settings.upstream == nil { settings.upstream = .placeholder }
    return files(settings, settings.upstream ?? .placeholder)
  }
}

extension ServerKind: Equatable, CustomStringConvertible {
  package static func == (a: ServerKind, b: ServerKind) -> Bool { a.name == b.name }

  package var description: String { name }
}
