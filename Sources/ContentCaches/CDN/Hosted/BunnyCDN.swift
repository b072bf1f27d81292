import ContentModel
package import ContentSource
package import HTTPTransport

/// Bunny (docs.bunny.net/cdn/purge-cache); a request names one URL, one prefix or one tag.
package struct BunnyCDN: CDN {
  /// The quota of an account for URLs.
  private static let exactPace = CDNPace(requests: CDNPace.Bucket(120, perSecond: 5))
  /// The quota for prefixes, also assumed for tags and pull zones, for which no rate is documented.
  private static let prefixPace = CDNPace(requests: CDNPace.Bucket(20, perSecond: 0.5))

  package let name = CacheName.bunny
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
    let keys = scope.keys.map { CDNRequest(.post(json: ["CacheTag": .string($0)], to: zone)) }
    return .smallest(
      of: CDNPlan(.urls, requests: scope.urls.map { purge($0) }, pace: Self.exactPace),
      hasKeys && !keys.isEmpty ? CDNPlan(.keys, requests: keys, pace: Self.prefixPace) : nil,
      CDNPlan(.prefix, requests: [purge(scope.prefix + "*")], pace: Self.prefixPace),
      CDNPlan(
        .everything, requests: [CDNRequest(HTTPRequest(.post, zone))], pace: Self.prefixPace))
  }

  /// Returns a synchronous purge of a URL; a URL that ends with `*` is a prefix.
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

extension Cache {
  static let bunny = hosted(
    .bunny, title: "Bunny", purges: "URLs; tags; prefixes or the zone where they are many",
    keyHeader: "CDN-Tag", steps: \.bunnySteps
  ) { settings throws(CDNSettingsError) in
    BunnyCDN(
      pullZone: try settings.name("pullZone"), token: try settings.secret("token"),
      hasKeys: settings.hasKeys, api: settings.address("api") ?? "https://api.bunny.net")
  }
}

extension ServerSettings {
  fileprivate var bunnySteps: [String] {
    [
      """
      Config, \(configPath): an edge rule 'Override cache time' of \(lifetimes.edge) s, and 'Override browser cache time' of
      \(lifetimes.app) s. Bunny reads Cache-Control; the rule holds in its place.
      """,
      keys("CDN-Tag")
        + " Add it with an edge rule 'Set response header' where the origin sends another name.",
      "Who may purge: only holders of the account's key; Bunny ignores PURGE requests of readers.",
      token(
        "Bunny has one access key for the account, with all its rights: use a sub-account that holds this zone only."
      ),
      """
      Cache error responses: off. Stale cache 'while origin offline': off, or it hides maintenance; 'while updating': on.
      Query string sort and vary: off.
      """,
    ]
  }
}
