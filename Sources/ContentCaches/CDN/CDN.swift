package import HTTPTransport

/// A cache, or all caches of one vendor, that accepts purge requests.
///
/// An adapter plans the requests and interprets the answers. `CachePurge` decides for all adapters
/// when, how fast and how often requests are sent.
package protocol CDN: Sendable {
  /// The name in content.yaml, such as `fastly`.
  var name: String { get }

  /// Plans the requests that purge a scope, with the smallest sufficient selector within the
  /// quotas.
  func plan(_ scope: PurgeScope) -> CDNPlan

  /// Returns the least number of seconds between two purges by these selectors: a vendor's own
  /// layers may fill each other with old bytes.
  func gapSeconds(_ selectors: [CDNPlan.Selector]) -> Int

  /// Returns a request with the credentials added.
  ///
  /// `seconds` is the time since 1970, and `unique` a number that no other request has.
  func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest

  /// Interprets the answer to a request.
  func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict
}

extension CDN {
  package func gapSeconds(_ selectors: [CDNPlan.Selector]) -> Int { 0 }
}

/// A request to a cache, without credentials.
package struct CDNRequest: Sendable {
  package var request: HTTPRequest
  /// The units of the vendor's quota that the request uses, where it counts URLs, tags or paths.
  package var units: Int

  package init(_ request: HTTPRequest, units: Int = 1) {
    (self.request, self.units) = (request, units)
  }
}

/// The requests that purge a scope, and their pace.
package struct CDNPlan: Sendable {
  package enum Selector: String, CaseIterable, Sendable {
    case urls, keys, prefix, everything
  }

  package var selector: Selector
  package var requests: [CDNRequest]
  package var pace: CDNPace

  package init(_ selector: Selector, requests: [CDNRequest], pace: CDNPace) {
    (self.selector, self.requests, self.pace) = (selector, requests, pace)
  }
}

/// The pace of a vendor: two token buckets, both full at first.
package struct CDNPace: Hashable, Sendable {
  /// A bucket of tokens.
  package struct Bucket: Hashable, Sendable {
    /// The number of tokens in a full bucket.
    package var size: Int
    /// The number of tokens that return in a second; above 0.
    package var perSecond: Double

    package init(_ size: Int, perSecond: Double) { (self.size, self.perSecond) = (size, perSecond) }
  }

  /// A token for each request; `nil` for no limit.
  package var requests: Bucket?
  /// A token for each unit.
  package var units: Bucket?
  /// The number of simultaneous requests to each machine.
  package var atOnce: Int
  /// The likely milliseconds until an answer, for estimates.
  package var answerMilliseconds: Int

  package init(
    requests: Bucket? = nil, units: Bucket? = nil, atOnce: Int = 8, answerMilliseconds: Int = 150
  ) {
    (self.requests, self.units, self.atOnce, self.answerMilliseconds) = (
      requests, units, atOnce, answerMilliseconds
    )
  }
}

/// The meaning of a cache's answer.
package enum CDNVerdict: Sendable {
  /// The cache has purged the scope, or had nothing of it.
  case done
  /// The purge has begun; this request asks whether it has ended.
  case begun(CDNRequest, afterSeconds: Double)
  /// The same request may succeed later, after the given seconds if the cache names any.
  case again(afterSeconds: Double?, String)
  /// The cache refuses, for a reason without a secret.
  case refused(String)
}
