package import ContentSource

/// A cache or a vendor's CDN: how it is purged, and what `contentc server` prints for it.
///
/// Each cache is described in two places: by a value of this type, in a file beside its adapter, and by a
/// case of `CacheName`, which has the settings that `content.yaml` accepts.
package struct Cache: Sendable {
  /// The units that a purge can name, from the smallest to the largest, in words for the
  /// documentation.
  package let purges: String
  /// The header from which the cache reads surrogate keys; `nil` if it cannot purge by key.
  let keyHeader: String?
  /// `true` if the cache takes its lifetime from `Surrogate-Control`: it does not read
  /// `CDN-Cache-Control`, and its printed configuration sets no lifetime.
  package let needsSurrogateControl: Bool
  /// The printed configuration, or the list of settings at a vendor.
  package let server: ServerKind
  /// Returns the adapter that settings describe.
  let adapter: @Sendable (CDNSettings) throws(CDNSettingsError) -> any CDN

  init(
    purges: String, keyHeader: String? = nil, needsSurrogateControl: Bool = false,
    server: ServerKind,
    adapter: @escaping @Sendable (CDNSettings) throws(CDNSettingsError) -> any CDN
  ) {
    (self.purges, self.keyHeader, self.server) = (purges, keyHeader, server)
    (self.needsSurrogateControl, self.adapter) = (needsSurrogateControl, adapter)
  }
}

extension CacheName {
  /// The cache with this name.
  package var cache: Cache {
    switch self {
    case .akamai: .akamai
    case .bunny: .bunny
    case .cloudflare: .cloudflare
    case .cloudfront: .cloudFront
    case .fastly: .fastly
    case .frontdoor: .frontDoor
    case .google: .google
    case .nginx: .nginx
    case .squid: .squid
    case .trafficserver: .trafficServer
    case .varnish: .varnish
    }
  }
}
