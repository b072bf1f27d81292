package import ContentModel
package import HTTPTransport

/// A self-hosted cache that purges each variant of a URL by a request of its own: nginx, Squid or
/// Apache Traffic Server.
///
/// These caches answer 404 if they have nothing to purge.
package struct PerVariantCDN: CDN {
  package let name: CacheName
  private let nodes: CacheNodes
  private var method = HTTPRequest.Method.purge
  /// The beginning of the paths of purges.
  private var folder = ""

  private init(_ name: CacheName, nodes: CacheNodes) { (self.name, self.nodes) = (name, nodes) }

  /// Returns the adapter for nginx with ngx_cache_purge, at a location of its own: `GET /_purge/path`.
  ///
  /// The other form, `PURGE /path`, crashes the worker of Debian's nginx 1.22
  /// (FRiCKLE/ngx_cache_purge#68).
  package static func nginx(_ nodes: CacheNodes) -> PerVariantCDN {
    var cdn = PerVariantCDN(.nginx, nodes: nodes)
    (cdn.method, cdn.folder) = (.get, "/_purge")
    return cdn
  }

  /// Returns the adapter for Squid: `PURGE /path`.
  package static func squid(_ nodes: CacheNodes) -> PerVariantCDN {
    PerVariantCDN(.squid, nodes: nodes)
  }

  /// Returns the adapter for Apache Traffic Server: `PURGE /path`.
  package static func trafficServer(_ nodes: CacheNodes) -> PerVariantCDN {
    PerVariantCDN(.trafficserver, nodes: nodes)
  }

  package func plan(_ scope: PurgeScope) -> CDNPlan {
    let urls = scope.urls.compactMap(WebAddress.init)
    let requests = EncodingVariant.of(scope).flatMap { headers in
      urls.flatMap {
        nodes.requests(method, to: folder + $0.target, host: $0.host, headers: headers)
      }
    }
    return CDNPlan(.urls, requests: requests, pace: CacheNodes.pace)
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    nodes.authorized(request)
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    nodes.verdict(on: answer, of: name, absent: 404)
  }
}
