package import ContentModel

/// A program, or a service, for which `contentc server` prints a configuration.
package enum ServerName: String, CaseIterable, Sendable {
  case nginx, caddy, apache, varnish, haproxy, trafficserver, squid
  case fastly, cloudflare, cloudfront, akamai, google, bunny

  /// `true` if it needs an origin; nginx works with and without one.
  package var needsUpstream: Bool {
    switch self {
    case .varnish, .haproxy, .trafficserver, .squid: true
    case .nginx, .caddy, .apache: false
    case .fastly, .cloudflare, .cloudfront, .akamai, .google, .bunny: false
    }
  }

  /// The name of the cache in `content.yaml`; `nil` for a program that is no cache there.
  package var cache: CacheName? { CacheName(rawValue: rawValue) }

  /// `true` if it serves a folder.
  package var servesFolder: Bool {
    switch self {
    case .nginx, .caddy, .apache: true
    case .varnish, .haproxy, .trafficserver, .squid: false
    case .fastly, .cloudflare, .cloudfront, .akamai, .google, .bunny: false
    }
  }
}
