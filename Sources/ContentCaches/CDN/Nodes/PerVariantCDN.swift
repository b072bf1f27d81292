package import ContentSource
package import HTTPTransport

/// A self-hosted cache that purges each variant of a URL by a request of its own: nginx, Squid or
/// Apache Traffic Server.
///
/// These caches answer 404 if they have nothing to purge.
package struct PerVariantCDN: CDN {
  package let name: CacheName
  private let nodes: CacheNodes
  private let method: HTTPRequest.Method
  /// The beginning of the paths of purges.
  private let folder: String

  init(
    _ name: CacheName, nodes: CacheNodes, method: HTTPRequest.Method = .purge, folder: String = ""
  ) {
    (self.name, self.nodes, self.method, self.folder) = (name, nodes, method, folder)
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
