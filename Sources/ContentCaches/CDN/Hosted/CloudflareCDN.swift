import ContentModel
package import ContentSource
package import HTTPTransport

/// Cloudflare, through `purge_cache` (developers.cloudflare.com/cache/how-to/purge-cache).
package struct CloudflareCDN: CDN {
  /// The plan of an account, which determines its quotas.
  package enum Plan: String, CaseIterable, Sendable {
    case free, pro, business, enterprise

    /// The largest number of URLs in one request.
    var urls: Int { self == .enterprise ? 500 : 100 }

    /// The quotas of requests and of URLs.
    var pace: CDNPace {
      let (requests, urls): (CDNPace.Bucket, Int) =
        switch self {
        case .free: (CDNPace.Bucket(25, perSecond: 5.0 / 60), 800)
        case .pro: (CDNPace.Bucket(25, perSecond: 5), 1_500)
        case .business: (CDNPace.Bucket(50, perSecond: 10), 1_500)
        case .enterprise: (CDNPace.Bucket(500, perSecond: 50), 3_000)
        }
      return CDNPace(requests: requests, units: CDNPace.Bucket(urls, perSecond: Double(urls)))
    }
  }

  /// The largest number of tags, prefixes or hosts in one request.
  private static let operations = 100
  /// The codes for refused credentials: an invalid header, an unknown token, a missing permission.
  private static let permissionCodes = [6003, 9106, 9109, 10000, 10001]

  package let name = CacheName.cloudflare
  private let url: String
  private let token: CDNSecret
  private let plan: Plan
  private let hasKeys: Bool

  package init(
    zone: String, token: CDNSecret, plan: Plan = .free, hasKeys: Bool = false,
    api: String = "https://api.cloudflare.com"
  ) {
    url = "\(api)/client/v4/zones/\(zone)/purge_cache"
    (self.token, self.plan, self.hasKeys) = (token, plan, hasKeys)
  }

  package func plan(_ scope: PurgeScope) -> CDNPlan {
    let urls = CDNPlan(
      .urls, requests: requests("files", of: scope.urls, by: plan.urls), pace: plan.pace)
    // Cloudflare's prefixes are a host and a path, without a scheme.
    let prefix = WebAddress(scope.prefix).map { address in
      CDNPlan(
        .prefix,
        requests: requests("prefixes", of: [address.host + address.target], by: Self.operations),
        pace: plan.pace)
    }
    let keys =
      hasKeys && !scope.keys.isEmpty
      ? CDNPlan(
        .keys, requests: requests("tags", of: scope.keys, by: Self.operations), pace: plan.pace)
      : nil
    let everything = CDNRequest(.post(json: ["purge_everything": true], to: url))
    return .smallest(
      of: urls, keys, prefix, CDNPlan(.everything, requests: [everything], pace: plan.pace))
  }

  /// Returns requests that list items as a member of their bodies, at most `size` in each.
  private func requests(_ member: String, of items: [String], by size: Int) -> [CDNRequest] {
    items.batches(of: size).map { items in
      CDNRequest(
        .post(json: .dictionary([member: .array(items.map(Value.string))]), to: url),
        units: items.count)
    }
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    var request = request.request
    request.headers.append(("Authorization", "Bearer \(token.value)"))
    return request
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    let permission = "check that \(token.variable) is right, and may do 'Cache Purge' in this zone"
    let code = answer.number(after: "code")
    if let code, answer.status == 400, Self.permissionCodes.contains(code) {
      return .refused("answers 400 with code \(code): \(permission)")
    }
    // Cloudflare can report an error with status 200.
    if answer.status == 200, answer.word(after: "success") != "true" {
      return .refused("answers 200, but not that it has purged\(code.map { ": code \($0)" } ?? "")")
    }
    return .byStatus(answer, permission: permission)
  }
}

extension Cache {
  static let cloudflare = hosted(
    .cloudflare, title: "Cloudflare",
    purges: "URLs; tags, prefixes or everything where they are many",
    keyHeader: "Cache-Tag", steps: \.cloudflareSteps
  ) { settings throws(CDNSettingsError) in
    CloudflareCDN(
      zone: try settings.name("zone"), token: try settings.secret("token"),
      plan: settings.first("plan").flatMap(CloudflareCDN.Plan.init) ?? .free,
      hasKeys: settings.hasKeys, api: settings.address("api") ?? "https://api.cloudflare.com")
  }
}

extension ServerSettings {
  fileprivate var cloudflareSteps: [String] {
    [
      """
      Config, \(configPath): a cache rule, 'Eligible for cache', edge TTL 'use cache-control header if present'. Cloudflare reads
      CDN-Cache-Control, which the printed origins send. An origin that cannot (a bucket): edge TTL \(lifetimes.edge) s, browser TTL
      'respect origin'. The same rule for objects: by default, Cloudflare does not cache .plist.
      """,
      keys("Cache-Tag"),
      "Who may purge: only holders of a token; Cloudflare ignores PURGE requests of readers.",
      token("an API token with 'Zone / Cache Purge / Purge' for this zone only."),
      "Tiered cache: may be on. 'Always Online': off, as it shows old copies when the origin is down.",
    ]
  }
}
