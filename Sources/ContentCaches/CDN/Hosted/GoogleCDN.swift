import ContentModel
package import ContentSource
package import HTTPTransport

/// Google Cloud CDN, through `urlMaps.invalidateCache`
/// (docs.cloud.google.com/cdn/docs/cache-invalidation-overview).
///
/// A request names one path or one tag, and the adapter polls until its operation is done.
package struct GoogleCDN: CDN {
  /// The quota: 500 requests in a minute, including the initial burst.
  private static let pace = CDNPace(requests: CDNPace.Bucket(20, perSecond: 8))
  /// The seconds between two polls; a purge takes about 10 s.
  private static let pollSeconds = 2.0

  package let name = CacheName.google
  private let project: String
  private let urlMap: String
  private let token: CDNSecret
  private let hasKeys: Bool
  private let api: String

  package init(
    project: String, urlMap: String, token: CDNSecret, hasKeys: Bool = false,
    api: String = "https://compute.googleapis.com"
  ) {
    (self.project, self.urlMap, self.token, self.hasKeys) = (project, urlMap, token, hasKeys)
    self.api = "\(api)/compute/v1/projects/\(project)/global"
  }

  package func plan(_ scope: PurgeScope) -> CDNPlan {
    // Google ignores queries, and rejects a path with one.
    let urls = scope.urls.compactMap(WebAddress.init).map { address in
      invalidation([
        "host": .string(address.host), "path": .string(String(address.target.prefix { $0 != "?" })),
      ])
    }
    let prefix = WebAddress(scope.prefix).map { address in
      let path = Value.string(address.target + "*")
      return plan(.prefix, of: [invalidation(["host": .string(address.host), "path": path])])
    }
    let keys = scope.keys.map { invalidation(["cacheTags": [.string($0)]]) }
    return .smallest(
      of: plan(.urls, of: urls),
      hasKeys && !keys.isEmpty ? plan(.keys, of: keys) : nil, prefix,
      plan(.everything, of: [invalidation(["path": "/*"])]))
  }

  private func plan(_ selector: CDNPlan.Selector, of requests: [CDNRequest]) -> CDNPlan {
    CDNPlan(selector, requests: requests, pace: Self.pace)
  }

  private func invalidation(_ rule: Value) -> CDNRequest {
    CDNRequest(.post(json: rule, to: "\(api)/urlMaps/\(urlMap)/invalidateCache"))
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    var request = request.request
    request.headers.append(("Authorization", "Bearer \(token.value)"))
    return request
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    // Older quotas of Compute report their end with 403.
    if answer.status == 403,
      String(decoding: answer.body, as: UTF8.self).contains("ateLimitExceeded")
    {
      return .again(afterSeconds: answer.retryAfterSeconds, "answers 403: its quota is used up")
    }
    let verdict = CDNVerdict.byStatus(
      answer,
      permission:
        "check that \(token.variable) holds a token that is in force and may invalidate this URL map"
    )
    guard case .done = verdict else { return verdict }
    return operation(answer)
  }

  private func operation(_ answer: HTTPAnswer) -> CDNVerdict {
    let status = answer.word(after: "status")
    guard let name = answer.word(after: "name"), let status else {
      return .refused("answers with no operation")
    }
    guard status != "\"DONE\"" else {
      return answer.word(after: "error") == nil
        ? .done : .refused("has ended the purge with an error")
    }
    let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return .begun(
      CDNRequest(HTTPRequest(.get, "\(api)/operations/\(plain)"), units: 0),
      afterSeconds: Self.pollSeconds)
  }
}

extension Cache {
  static let google = hosted(
    .google, title: "Google Cloud CDN",
    purges: "paths; tags; prefixes or everything where they are many",
    keyHeader: "Cache-Tag", steps: \.googleSteps
  ) { settings throws(CDNSettingsError) in
    GoogleCDN(
      project: try settings.name("project"), urlMap: try settings.name("urlMap"),
      token: try settings.secret("token"), hasKeys: settings.hasKeys,
      api: settings.address("api") ?? "https://compute.googleapis.com")
  }
}

extension ServerSettings {
  fileprivate var googleSteps: [String] {
    [
      """
      Config, \(configPath): a backend with cache mode USE_ORIGIN_HEADERS reads Cache-Control, \(lifetimes.app) s; for \(lifetimes.edge) s set
      FORCE_CACHE_ALL for a path rule of its own with default TTL \(lifetimes.edge) and client TTL \(lifetimes.app). Serve while stale:
      \(lifetimes.staleWhileRevalidate) s.
      """,
      keys("Cache-Tag"),
      "Who may purge: only users who may call invalidateCache; readers cannot.",
      token(
        "of a service account with compute.urlMaps.get and compute.urlMaps.invalidateCache on this project, nothing else."
      ),
      "Negative caching: off, or with a policy of 0 s for each code. Cache key: no query string.",
    ]
  }
}
