/// A program, or a service, for which `contentc server` prints a configuration.
package enum ServerName: String, CaseIterable, Sendable {
  case nginx, caddy, apache, varnish, haproxy, trafficserver, squid
  case fastly, cloudflare, cloudfront, akamai, google, bunny

  /// Whether somebody else runs it, so that it has settings to make and no file.
  package var isHosted: Bool {
    switch self {
    case .fastly, .cloudflare, .cloudfront, .akamai, .google, .bunny: true
    default: false
    }
  }

  /// Whether it can only stand before an origin; nginx can do both.
  package var needsUpstream: Bool {
    switch self {
    case .varnish, .haproxy, .trafficserver, .squid: true
    default: false
    }
  }

  /// Whether it serves a folder.
  package var servesFolder: Bool { self == .nginx || self == .caddy || self == .apache }
}
