package import ContentModel

extension CacheLayer {
  /// The headers that tell it how long to keep an answer, the one that counts most first.
  ///
  /// By the vendors' documentation: Cloudflare's "CDN-Cache-Control" (RFC 9213), Fastly's "About
  /// cache control headers", Akamai's "Caching", Bunny's "Smart Cache" and Google's "Cache modes",
  /// with settings that follow the origin; nginx 1.22, Varnish 7.1, Squid 5.7 and Traffic Server
  /// 9.2 go by none but `Cache-Control` when measured, unless they are configured to. Whether it
  /// counts `Age` is said by `countsAge`.
  package var lifetimeHeaders: [String] {
    switch name {
    case "cloudflare": ["CDN-Cache-Control", "Cache-Control"]
    case "fastly": ["Surrogate-Control", "Cache-Control"]
    default: ["Cache-Control"]
    }
  }
}
