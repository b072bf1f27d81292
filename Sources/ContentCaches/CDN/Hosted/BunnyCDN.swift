import ContentModel
package import HTTPTransport

/// Bunny (docs.bunny.net/cdn/purge-cache): one URL, one prefix or one tag in a request.
package struct BunnyCDN: CDN {
  /// Of URLs, by account.
  private static let exactPace = CDNPace(requests: CDNPace.Bucket(120, perSecond: 5))
  /// Of prefixes; taken for tags and pull zones too, for which no rate is documented.
  private static let prefixPace = CDNPace(requests: CDNPace.Bucket(20, perSecond: 0.5))

  package let name = "bunny"
  private let pullZone: String
  private let token: CDNSecret
  private let api: String
  private let hasKeys: Bool

  package init(
    pullZone: String, token: CDNSecret, hasKeys: Bool = false, api: String = "https://api.bunny.net"
  ) {
    (self.pullZone, self.token, self.hasKeys, self.api) = (pullZone, token, hasKeys, api)
  }

  package func plan(_ scope: PurgeScope) -> CDNPlan {
    let zone = "\(api)/pullzone/\(pullZone)/purgeCache"
    let keys = scope.keys.map { CDNRequest(.json(.post, zone, ["CacheTag": .string($0)])) }
    return .smallest(
      of: CDNPlan(.urls, scope.urls.map { purge($0) }, Self.exactPace),
      hasKeys && !keys.isEmpty ? CDNPlan(.keys, keys, Self.prefixPace) : nil,
      CDNPlan(.prefix, [purge(scope.prefix + "*")], Self.prefixPace),
      CDNPlan(.everything, [CDNRequest(HTTPRequest(.post, zone))], Self.prefixPace))
  }

  /// Waits for the purge's end; a URL that ends with `*` is a prefix.
  private func purge(_ url: String) -> CDNRequest {
    let query = URLEscape.query([("url", url)])
    return CDNRequest(HTTPRequest(.post, "\(api)/purge?\(query)&async=false&exactPath=false"))
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    var request = request.request
    request.headers.append(("AccessKey", token.value))
    return request
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    .byStatus(answer, permission: "check that \(token.variable) is the account's API key")
  }
}
