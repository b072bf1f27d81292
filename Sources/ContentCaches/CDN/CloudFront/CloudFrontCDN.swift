package import HTTPTransport

/// Amazon's CloudFront.
///
/// By "Invalidate files to remove content" and "CreateInvalidation" in Amazon's reference of
/// CloudFront.
package struct CloudFrontCDN: CDN {
  /// Files, or tags, that may be in progress at once for a distribution; also the most in one
  /// request.
  static let mostPaths = 3_000
  /// Characters of a path.
  static let longestPath = 4_000
  /// Seconds between two questions whether it has ended.
  static let pollSeconds = 3.0
  /// Amazon promises no time; its own tools ask that often.
  private static let pace = CDNPace(atOnce: 1, answerMilliseconds: 20_000)

  package let name = "cloudfront"
  let accessKey: CDNSecret
  let secretKey: CDNSecret
  let sessionToken: CDNSecret?
  private let distribution: String
  private let hasKeys: Bool
  private let base: String
  private let unique: @Sendable () -> UInt64

  /// A distribution.
  ///
  /// `hasKeys` says whether the origin sends surrogate keys in the header that the distribution's
  /// `CacheTagConfig` names. An invalidation with a name that was there before is not done again:
  /// `unique` makes another one of each plan, so that the same can be forgotten twice, but nothing
  /// is begun twice when a request is sent again.
  package init(
    distribution: String, accessKey: CDNSecret, secretKey: CDNSecret, sessionToken: CDNSecret?,
    hasKeys: Bool = false,
    api: String = "https://cloudfront.amazonaws.com",
    unique: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) {
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
    (self.distribution, self.hasKeys, base, self.unique) = (distribution, hasKeys, api, unique)
  }

  /// Up to 3,000 files; for more of them the keys, or one path that ends in `*`.
  ///
  /// One request, as all that it holds is in progress at once.
  package func plan(_ scope: PurgeScope) -> CDNPlan {
    guard !scope.urls.isEmpty else { return CDNPlan(.urls, [], Self.pace) }
    let paths = Self.distinct(scope.urls.map(CloudFrontPath.path))
    let keys = Self.distinct(scope.keys)
    let prefix = CloudFrontPath.path(scope.prefix)
    let arePathsTaken =
      paths.count <= Self.mostPaths && paths.allSatisfy { $0.utf8.count <= Self.longestPath }
    let areKeysTaken = hasKeys && !keys.isEmpty && keys.count <= Self.mostPaths
    return CDNPlan.smallest(
      of: arePathsTaken ? plan(.urls, paths) : nil,
      areKeysTaken ? plan(.keys, keys.map { "#\($0)" }) : nil,
      plan(prefix == "/" ? .everything : .prefix, ["\(prefix)*"]))
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    let credentials = AmazonCredentials(
      accessKey: accessKey.value, secretKey: secretKey.value, sessionToken: sessionToken?.value)
    // CloudFront has one region for the distributions of the whole world.
    return SignatureV4(.cloudFront, credentials: credentials, region: "us-east-1").signed(
      request.request, at: seconds)
  }

  /// The request that tells how far an invalidation is.
  func progress(_ id: String) -> CDNRequest {
    CDNRequest(HTTPRequest(.get, "\(invalidations)/\(id)"), units: 0)
  }

  private var invalidations: String {
    "\(base)/2020-05-31/distribution/\(URLEscape.segment(distribution))/invalidation"
  }

  private func plan(_ selector: CDNPlan.Selector, _ items: [String]) -> CDNPlan {
    let batch = CloudFrontBatch(items: items, unique: "\(distribution)\n\(unique())")
    let request = CDNRequest(
      HTTPRequest(.post, invalidations, body: batch.body), units: items.count)
    return CDNPlan(selector, [request], Self.pace)
  }

  private static func distinct(_ texts: [String]) -> [String] {
    var known: Set<String> = []  // String keys: URLs are ASCII
    return texts.filter { known.insert($0).inserted }
  }
}
