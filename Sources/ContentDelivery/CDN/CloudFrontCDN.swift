package import HTTPTransport

/// Amazon's CloudFront.
///
/// By "Invalidate files to remove content" and "CreateInvalidation" in Amazon's reference of CloudFront.
package struct CloudFrontCDN: CDN {
  package static let vendorsOwn = "https://cloudfront.amazonaws.com"
  /// Files, or tags, that may be in progress at once for a distribution; also the most in one request.
  static let mostPaths = 3_000
  /// Characters of a path.
  static let longestPath = 4_000
  /// Seconds between two questions whether it has ended.
  static let pollSeconds = 3.0

  package let name = "cloudfront"
  let distribution: String
  let credentials: AmazonCredentials
  let hasKeys: Bool
  private let base: String
  private let unique: String

  /// A distribution.
  ///
  /// `api` is an address in place of Amazon's own, and `hasKeys` says whether the origin sends surrogate keys in the header
  /// that the distribution's `CacheTagConfig` names. An invalidation with a name that was there before is not done
  /// again: `unique` is to be another one for each time that the same is to be forgotten, and the same one for each try.
  package init(
    distribution: String, credentials: AmazonCredentials, api: String? = nil, hasKeys: Bool = false, unique: String
  ) {
    (self.distribution, self.credentials, self.hasKeys, self.unique) = (distribution, credentials, hasKeys, unique)
    var base = api ?? Self.vendorsOwn
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
  }

  /// Up to 3,000 files; for more of them the keys, or one path that ends in `*`.
  ///
  /// One request, as all that it holds is in progress at once.
  package func plan(_ scope: PurgeScope) -> CDNPlan {
    let pace = CDNPace(atOnce: 1)
    let paths = Self.paths(scope.urls)
    guard !paths.isEmpty else { return CDNPlan(.urls, [], pace) }
    if paths.count <= Self.mostPaths, paths.allSatisfy({ $0.utf8.count <= Self.longestPath }) {
      return CDNPlan(.urls, [invalidation(paths)], pace)
    }
    let keys = Self.distinct(scope.keys)
    if hasKeys, !keys.isEmpty, keys.count <= Self.mostPaths {
      return CDNPlan(.keys, [invalidation(keys.map { "#\($0)" })], pace)
    }
    let prefix = CloudFrontPath.path(scope.prefix)
    return CDNPlan(prefix == "/" ? .everything : .prefix, [invalidation(["\(prefix)*"])], pace)
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    var signed = request.request
    let address = CDNAddress(signed.url)
    let message = SignatureV4.Message(
      method: signed.method, path: address.path, headers: signed.headers, body: signed.body)
    // The whole world's distributions are kept in one region.
    signed.headers = SignatureV4(.cloudFront, credentials, region: "us-east-1").headers(
      of: message, host: address.host, at: seconds)
    return signed
  }

  /// The request that tells how far an invalidation is.
  func progress(_ id: String) -> CDNRequest { CDNRequest(HTTPRequest(.get, "\(invalidations)/\(id)"), units: 0) }

  private var invalidations: String {
    "\(base)/2020-05-31/distribution/\(URLEscape.segment(distribution))/invalidation"
  }

  private func invalidation(_ items: [String]) -> CDNRequest {
    let batch = CloudFrontBatch(items: items, unique: "\(distribution)\n\(unique)")
    return CDNRequest(HTTPRequest(.post, invalidations, body: batch.body), units: items.count)
  }

  /// What of URLs tells objects apart: no host, and each once.
  private static func paths(_ urls: [String]) -> [String] { distinct(urls.map(CloudFrontPath.path)) }

  private static func distinct(_ texts: [String]) -> [String] {
    var known: Set<String> = []
    return texts.filter { known.insert($0).inserted }
  }
}
