package import HTTPTransport

/// nginx with ngx_cache_purge, at a location of its own: `GET /_purge/path`.
///
/// The form beside it, `PURGE /path`, ends the worker of Debian's nginx 1.22
/// (FRiCKLE/ngx_cache_purge#68). 404 says that there is nothing to forget, and each variant is one
/// of its own.
package struct NginxCDN: CDN {
  package let name = "nginx"
  private let nodes: CacheNodes

  package init(_ nodes: CacheNodes) { self.nodes = nodes }

  package func plan(_ scope: PurgeScope) -> CDNPlan {
    nodes.purgeOfVariants(scope, .get, below: "/_purge")
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    nodes.authorized(request)
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    nodes.verdict(on: answer, of: name, absent: 404)
  }
}
