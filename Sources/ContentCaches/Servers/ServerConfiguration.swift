/// The files that `contentc server` prints for one server.
package struct ServerConfiguration: Sendable {
  package let name: ServerName
  /// The files in reading order; most servers have one.
  package let files: [ServerFile]

  /// Creates the configuration of a server, or the list of settings at a vendor.
  package init(of name: ServerName, settings: ServerSettings) {
    self.name = name
    var settings = settings
    if name.needsUpstream, settings.upstream == nil { settings.upstream = .placeholder }
    files = Self.files(of: name, settings: settings, upstream: settings.upstream ?? .placeholder)
  }

  private static func files(
    of name: ServerName, settings: ServerSettings, upstream: Upstream
  ) -> [ServerFile] {
    switch name {
    case .nginx: [settings.upstream.map(settings.nginxCache) ?? settings.nginxOrigin]
    case .varnish: [settings.varnish(before: upstream)]
    case .caddy: [settings.caddy]
    case .apache: [settings.apache]
    case .haproxy: settings.haproxy(before: upstream)
    case .trafficserver: settings.trafficServer(before: upstream)
    case .squid: [settings.squid(before: upstream)]
    case .fastly: [settings.hosted(name, title: "Fastly", steps: settings.fastlySteps)]
    case .cloudflare: [settings.hosted(name, title: "Cloudflare", steps: settings.cloudflareSteps)]
    case .cloudfront:
      [settings.hosted(name, title: "Amazon CloudFront", steps: settings.cloudFrontSteps)]
    case .akamai: [settings.hosted(name, title: "Akamai", steps: settings.akamaiSteps)]
    case .google: [settings.hosted(name, title: "Google Cloud CDN", steps: settings.googleSteps)]
    case .bunny: [settings.hosted(name, title: "Bunny", steps: settings.bunnySteps)]
    }
  }
}
