import ContentModel
package import ContentSource
package import HTTPTransport

/// Amazon's CloudFront.
///
/// See "Invalidate files to remove content" and "CreateInvalidation" in Amazon's reference of
/// CloudFront.
package struct CloudFrontCDN: CDN {
  /// The largest number of paths or tags in progress for a distribution, and in one request.
  static let mostPaths = 3_000
  /// The largest number of characters in a path.
  static let longestPath = 4_000
  /// The seconds between two requests for the state of an invalidation.
  static let pollSeconds = 3.0
  /// The assumed pace: Amazon promises no time, and its own tools poll at this interval.
  private static let pace = CDNPace(atOnce: 1, answerMilliseconds: 20_000)

  package let name = CacheName.cloudfront
  let accessKey: CDNSecret
  let secretKey: CDNSecret
  let sessionToken: CDNSecret?
  private let distribution: String
  private let hasKeys: Bool
  private let base: String
  private let unique: @Sendable () -> UInt64

  /// Creates the adapter for a distribution.
  ///
  /// With `hasKeys`, the origin sends surrogate keys in the header that the distribution's
  /// `CacheTagConfig` names. CloudFront does not repeat an invalidation whose reference it knows.
  /// `unique` gives each plan a reference of its own, so that the same files can be purged twice,
  /// while a retried request starts nothing twice.
  package init(
    distribution: String, accessKey: CDNSecret, secretKey: CDNSecret, sessionToken: CDNSecret?,
    hasKeys: Bool = false,
    api: String = "https://cloudfront.amazonaws.com",
    unique: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) {
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
    (self.distribution, self.hasKeys, base, self.unique) = (distribution, hasKeys, api, unique)
  }

  /// Plans up to 3,000 files; for more, the keys, or one path that ends with `*`.
  ///
  /// There is one request, because all its paths are in progress at once.
  package func plan(_ scope: PurgeScope) -> CDNPlan {
    guard !scope.urls.isEmpty else { return CDNPlan(.urls, requests: [], pace: Self.pace) }
    let paths = scope.urls.map(CloudFrontPath.path).distinct
    let keys = scope.keys.distinct
    let prefix = CloudFrontPath.path(scope.prefix)
    let arePathsTaken =
      paths.count <= Self.mostPaths && paths.allSatisfy { $0.utf8.count <= Self.longestPath }
    let areKeysTaken = hasKeys && !keys.isEmpty && keys.count <= Self.mostPaths
    return CDNPlan.smallest(
      of: arePathsTaken ? plan(.urls, of: paths) : nil,
      areKeysTaken ? plan(.keys, of: keys.map { "#\($0)" }) : nil,
      plan(prefix == "/" ? .everything : .prefix, of: ["\(prefix)*"]))
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    let credentials = AmazonCredentials(
      accessKey: accessKey.value, secretKey: secretKey.value, sessionToken: sessionToken?.value)
    // CloudFront has one region for the distributions of the whole world.
    return SignatureV4(.cloudFront, credentials: credentials, region: "us-east-1").signed(
      request.request, at: seconds)
  }

  /// Returns the request for the state of an invalidation.
  func progress(_ id: String) -> CDNRequest {
    CDNRequest(HTTPRequest(.get, "\(invalidations)/\(id)"), units: 0)
  }

  private var invalidations: String {
    "\(base)/2020-05-31/distribution/\(URLEscape.segment(distribution))/invalidation"
  }

  private func plan(_ selector: CDNPlan.Selector, of items: [String]) -> CDNPlan {
    let batch = CloudFrontBatch(items: items, unique: "\(distribution)\n\(unique())")
    let request = CDNRequest(
      HTTPRequest(.post, invalidations, body: batch.body), units: items.count)
    return CDNPlan(selector, requests: [request], pace: Self.pace)
  }
}

extension Cache {
  static let cloudFront = hosted(
    .cloudfront, title: "Amazon CloudFront", purges: "paths, by 3,000; tags",
    keyHeader: "Cache-Tag", steps: \.cloudFrontSteps
  ) { settings throws(CDNSettingsError) in
    // Only temporary keys come with a session token, so the variable may be empty.
    CloudFrontCDN(
      distribution: try settings.name("distribution"),
      accessKey: try settings.secret("accessKey"), secretKey: try settings.secret("secretKey"),
      sessionToken: settings.isSet("sessionToken") ? try settings.secret("sessionToken") : nil,
      hasKeys: settings.hasKeys,
      api: settings.address("api") ?? "https://cloudfront.amazonaws.com")
  }
}

extension ServerSettings {
  fileprivate var cloudFrontSteps: [String] {
    [
      """
      Config, \(configPath): a cache behaviour with a policy of minimum TTL 0, default TTL \(lifetimes.edge), maximum TTL \(lifetimes.edge).
      CloudFront reads Cache-Control only, so that the shorter of this and the app's \(lifetimes.app) s holds; it knows no
      CDN-Cache-Control. The minimum is 0: a higher one would keep no-store.
      """,
      """
      Error caching minimum TTL: 0 for 400, 403, 404, 405, 414, 416, 500, 501, 502, 503 and 504 (Error pages). CloudFront keeps
      errors for 10 s by default, and ignores no-store for that.
      """,
      """
      Tags: CacheTagConfig with HeaderName Cache-Tag. \(keys("Cache-Tag"))
      """,
      "Who may purge: only users who may call CreateInvalidation; readers cannot.",
      token(
        "an access key of a user whose policy allows cloudfront:CreateInvalidation and cloudfront:GetInvalidation on this "
          + "distribution, nothing else."),
      "Query strings, cookies and headers in the cache key: none. Compression: 'Gzip' on, so that Accept-Encoding is normalised.",
    ]
  }
}
