package import HTTPTransport

/// Apache Traffic Server: `PURGE /path`, of each variant; 404 says that there is nothing to forget.
package struct TrafficServerCDN: CDN {
  package let name = "trafficserver"
  private let nodes: CacheNodes

  package init(_ nodes: CacheNodes) { self.nodes = nodes }

  package func plan(_ scope: PurgeScope) -> CDNPlan { nodes.purgeOfVariants(scope) }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    nodes.authorized(request)
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    nodes.verdict(on: answer, of: name, absent: 404)
  }
}
