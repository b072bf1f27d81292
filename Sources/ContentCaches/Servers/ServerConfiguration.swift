/// The files that `contentc server` prints for one server.
package struct ServerConfiguration: Sendable {
  package let name: ServerName
  /// In the order in which they are read; one for most.
  package let files: [ServerFile]

  /// The configuration of a server that is run by oneself, or the settings of one that is not.
  package init(_ name: ServerName, _ settings: ServerSettings) {
    self.name = name
    var settings = settings
    if name.needsUpstream, settings.upstream == nil { settings.upstream = .placeholder }
    files = Self.files(name, settings, settings.upstream ?? .placeholder)
  }

  /// All files one after another; with a line before each that says which it is, if there are
  /// several.
  package var text: String {
    guard files.count > 1 else { return files.map(\.text).joined() }
    return files.map { "# file: \($0.name)\n\($0.text)" }.joined(separator: "\n")
  }

  private static func files(_ name: ServerName, _ settings: ServerSettings, _ upstream: Upstream)
    -> [ServerFile]
  {
    switch name {
    case .nginx: [settings.upstream.map(settings.nginxCache) ?? settings.nginxOrigin]
    case .varnish: [settings.varnish(before: upstream)]
    case .caddy: [settings.caddy]
    case .apache: [settings.apache]
    case .haproxy: settings.haproxy(before: upstream)
    case .trafficserver: settings.trafficServer(before: upstream)
    case .squid: [settings.squid(before: upstream)]
    case .fastly, .cloudflare, .cloudfront, .akamai, .google, .bunny: [settings.hosted(name)]
    }
  }
}
