/// A program, or a service, for which `contentc server` prints a configuration.
package enum ServerName: String, CaseIterable, Sendable {
  case nginx, caddy, apache, varnish, haproxy, trafficserver, squid
  case fastly, cloudflare, cloudfront, akamai, google, bunny

  /// `true` if a vendor runs it: it has settings, and no configuration file.
  package var isHosted: Bool {
    switch self {
    case .fastly, .cloudflare, .cloudfront, .akamai, .google, .bunny: true
    default: false
    }
  }

  /// `true` if it needs an origin; nginx works with and without one.
  package var needsUpstream: Bool {
    switch self {
    case .varnish, .haproxy, .trafficserver, .squid: true
    default: false
    }
  }

  /// `true` if it serves a folder.
  package var servesFolder: Bool { self == .nginx || self == .caddy || self == .apache }
}
