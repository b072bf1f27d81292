import ContentModel
package import HTTPTransport

/// Cloudflare, by `purge_cache` (developers.cloudflare.com/cache/how-to/purge-cache).
package struct CloudflareCDN: CDN {
  /// The plan of an account, which decides its quotas.
  package enum Plan: String, CaseIterable, Sendable {
    case free, pro, business, enterprise

    /// URLs of one request.
    var urls: Int { self == .enterprise ? 500 : 100 }

    /// A bucket of requests, and one of URLs.
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

  /// Tags, prefixes or hosts of one request.
  private static let operations = 100
  /// Of answers to who may not ask: a header that cannot be right, no such token, no permission.
  private static let permissionCodes = [6003, 9106, 9109, 10000, 10001]

  package let name = "cloudflare"
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
    let urls = CDNPlan(.urls, requests("files", scope.urls, by: plan.urls), plan.pace)
    // Prefixes are those of hosts and paths, without a scheme.
    let prefix = WebAddress(scope.prefix).map { address in
      CDNPlan(
        .prefix, requests("prefixes", [address.host + address.target], by: Self.operations),
        plan.pace)
    }
    let keys =
      hasKeys && !scope.keys.isEmpty
      ? CDNPlan(.keys, requests("tags", scope.keys, by: Self.operations), plan.pace) : nil
    let everything = CDNRequest(.json(.post, url, ["purge_everything": true]))
    return .smallest(of: urls, keys, prefix, CDNPlan(.everything, [everything], plan.pace))
  }

  private func requests(_ selector: String, _ items: [String], by size: Int) -> [CDNRequest] {
    items.batches(of: size).map { items in
      CDNRequest(
        .json(.post, url, .dictionary([selector: .array(items.map(Value.string))])),
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
    // An error can come with status 200.
    if answer.status == 200, answer.word(after: "success") != "true" {
      return .refused("answers 200, but not that it has purged\(code.map { ": code \($0)" } ?? "")")
    }
    return .byStatus(answer, permission: permission)
  }
}
