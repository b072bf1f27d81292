package import ContentModel
package import HTTPTransport

/// Varnish with the configuration that contentc prints.
///
/// `PURGE` purges a URL in all variants (VCL's `return(purge)`), `PURGEKEYS` purges by keys
/// (`xkey.purge()` of varnish-modules), and `BAN` purges a prefix (`std.ban()`).
package struct VarnishCDN: CDN {
  /// The size of a header with keys in bytes; Varnish accepts up to 8,192 (`http_req_hdr_len`).
  private static let headerBytes = 4_096

  package let name = CacheName.varnish
  private let nodes: CacheNodes
  private let hasKeys: Bool

  package init(_ nodes: CacheNodes, hasKeys: Bool = false) {
    (self.nodes, self.hasKeys) = (nodes, hasKeys)
  }

  package func plan(_ scope: PurgeScope) -> CDNPlan {
    let addresses = scope.urls.compactMap(WebAddress.init)
    let urls = addresses.flatMap { nodes.requests(.purge, to: $0.target, host: $0.host) }
    return .smallest(
      of: CDNPlan(.urls, requests: urls, pace: CacheNodes.pace), keys(scope), prefix(scope))
  }

  private func keys(_ scope: PurgeScope) -> CDNPlan? {
    guard hasKeys, !scope.keys.isEmpty, let address = WebAddress(scope.prefix) else { return nil }
    var lines: [String] = []
    for key in scope.keys {
      if let last = lines.last, last.utf8.count + key.utf8.count < Self.headerBytes {
        lines[lines.count - 1] = "\(last) \(key)"
      } else {
        lines.append(key)
      }
    }
    let requests = lines.flatMap {
      nodes.requests(.purgeKeys, to: "/", host: address.host, headers: [("xkey-purge", $0)])
    }
    return CDNPlan(.keys, requests: requests, pace: CacheNodes.pace)
  }

  private func prefix(_ scope: PurgeScope) -> CDNPlan? {
    guard let address = WebAddress(scope.prefix) else { return nil }
    let requests = nodes.requests(
      .ban, to: "/", host: address.host, headers: [("x-ban-prefix", address.target)])
    return CDNPlan(.prefix, requests: requests, pace: CacheNodes.pace)
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    nodes.authorized(request)
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    nodes.verdict(on: answer, of: name)
  }
}
