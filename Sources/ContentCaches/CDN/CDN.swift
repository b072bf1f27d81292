package import HTTPTransport

/// A cache, or many of one vendor, that can be told to forget.
///
/// An adapter says which requests do that, and what an answer to one means; when they are sent, how
/// fast, and how often again is decided for all of them in one place, `CachePurge`.
package protocol CDN: Sendable {
  /// As in content.yaml: `fastly`.
  var name: String { get }

  /// The requests that make it forget a scope, by the smallest selector that is sufficient and
  /// within its quotas.
  func plan(_ scope: PurgeScope) -> CDNPlan

  /// How many seconds must lie between a purge by these selectors and the same once more, for
  /// layers of its own that fill one another.
  func gapSeconds(_ selectors: [CDNPlan.Selector]) -> Int

  /// A request as it is sent: with what proves who asks.
  ///
  /// The moment is in seconds since 1970, and `unique` a number that no other request has.
  func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest

  /// What an answer to a request means.
  func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict
}

extension CDN {
  package func gapSeconds(_ selectors: [CDNPlan.Selector]) -> Int { 0 }
}

/// What is asked of a cache, without what proves who asks.
package struct CDNRequest: Sendable {
  package var request: HTTPRequest
  /// How many of the vendor's units it takes, where not requests alone are counted: URLs, tags,
  /// paths.
  package var units: Int

  package init(_ request: HTTPRequest, units: Int = 1) {
    (self.request, self.units) = (request, units)
  }
}

/// How a cache is told to forget a scope.
package struct CDNPlan: Sendable {
  package enum Selector: String, CaseIterable, Sendable {
    case urls, keys, prefix, everything
  }

  package var selector: Selector
  package var requests: [CDNRequest]
  package var pace: CDNPace

  package init(_ selector: Selector, _ requests: [CDNRequest], _ pace: CDNPace) {
    (self.selector, self.requests, self.pace) = (selector, requests, pace)
  }
}

/// How fast a vendor takes requests: two token buckets, of which each is full at first.
package struct CDNPace: Hashable, Sendable {
  /// A bucket of tokens.
  package struct Bucket: Hashable, Sendable {
    /// How many can be taken at once.
    package var size: Int
    /// How many come back in a second; above 0.
    package var perSecond: Double

    package init(_ size: Int, perSecond: Double) { (self.size, self.perSecond) = (size, perSecond) }
  }

  /// A token for each request; `nil` for no limit.
  package var requests: Bucket?
  /// A token for each unit.
  package var units: Bucket?
  /// How many requests may be on their way at once, to each machine.
  package var atOnce: Int
  /// How long an answer is likely to take, for estimates.
  package var answerMilliseconds: Int

  package init(
    requests: Bucket? = nil, units: Bucket? = nil, atOnce: Int = 8, answerMilliseconds: Int = 150
  ) {
    (self.requests, self.units, self.atOnce, self.answerMilliseconds) = (
      requests, units, atOnce, answerMilliseconds
    )
  }
}

/// What an answer of a cache means.
package enum CDNVerdict: Sendable {
  /// It has forgotten, or has nothing to forget.
  case done
  /// It has begun; this request tells whether it has ended.
  case begun(CDNRequest, afterSeconds: Double)
  /// The same again may go well; after so many seconds, if it says so.
  case again(afterSeconds: Double?, String)
  /// It will not; why, without a secret.
  case refused(String)
}
