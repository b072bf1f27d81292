import ContentModel
package import ContentSource
package import HTTPTransport

/// Fastly, through its purge API (fastly.com/documentation/reference/api/purging).
///
/// Purges are hard: after a soft purge, a cache may answer with the old content once more.
package struct FastlyCDN: CDN {
  /// The largest number of keys in one request.
  private static let keys = 256
  /// The pace; Fastly documents no rate.
  private static let pace = CDNPace(atOnce: 16)

  package let name = CacheName.fastly
  private let service: String
  private let token: CDNSecret
  private let api: String
  private let hasKeys: Bool

  package init(
    service: String, token: CDNSecret, hasKeys: Bool = false, api: String = "https://api.fastly.com"
  ) {
    (self.service, self.token, self.hasKeys, self.api) = (service, token, hasKeys, api)
  }

  package func plan(_ scope: PurgeScope) -> CDNPlan {
    let urls = scope.urls.compactMap(WebAddress.init).map { address in
      CDNRequest(HTTPRequest(.post, "\(api)/purge/\(address.host)\(address.target)"))
    }
    let everything = CDNRequest(HTTPRequest(.post, "\(api)/service/\(service)/purge_all"))
    return .smallest(
      of: CDNPlan(.urls, requests: urls, pace: Self.pace), keys(scope),
      CDNPlan(.everything, requests: [everything], pace: Self.pace))
  }

  private func keys(_ scope: PurgeScope) -> CDNPlan? {
    guard hasKeys, !scope.keys.isEmpty else { return nil }
    let requests = scope.keys.batches(of: Self.keys).map { keys in
      let body: Value = ["surrogate_keys": .array(keys.map(Value.string))]
      return CDNRequest(
        .post(json: body, to: "\(api)/service/\(service)/purge"), units: keys.count)
    }
    return CDNPlan(.keys, requests: requests, pace: Self.pace)
  }

  /// With shielding, an edge may be filled again from a shield that has not purged yet.
  package func gapSeconds(_ selectors: [CDNPlan.Selector]) -> Int {
    selectors.contains(.everything) ? 30 : 2
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    var request = request.request
    request.headers.append(("Fastly-Key", token.value))
    return request
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    .byStatus(
      answer,
      permission: "check that \(token.variable) is right, and may do 'purge_select' and 'purge_all'"
    )
  }
}

extension Cache {
  static let fastly = hosted(
    .fastly, title: "Fastly", purges: "URLs; keys, by 256; everything where they are many",
    keyHeader: "Surrogate-Key", steps: \.fastlySteps
  ) { settings throws(CDNSettingsError) in
    FastlyCDN(
      service: try settings.name("service"), token: try settings.secret("token"),
      hasKeys: settings.hasKeys, api: settings.address("api") ?? "https://api.fastly.com")
  }
}

extension ServerSettings {
  fileprivate var fastlySteps: [String] {
    [
      """
      Config, \(configPath): \(lifetimes.edge) s. Fastly reads Surrogate-Control, then Cache-Control, and not CDN-Cache-Control: in
      vcl_fetch, where req.url.path matches: set beresp.ttl = \(lifetimes.edge)s;
      set beresp.stale_while_revalidate = \(lifetimes.staleWhileRevalidate)s; set beresp.stale_if_error = \(lifetimes.staleIfError)s;
      """,
      keys("Surrogate-Key"),
      """
      Who may purge: a URL can be purged by anybody, unless you forbid it. In vcl_recv, for req.method == "FASTLYPURGE":
      set req.http.Fastly-Purge-Requires-Auth = "1";
      """,
      token(
        "an automation token for this service with the scopes purge_select and purge_all, nothing else."
      ),
      "With shielding: nothing to set; contentc purges twice, since a shield may fill an edge between.",
    ]
  }
}
