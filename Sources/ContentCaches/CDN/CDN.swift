package import ContentSource
package import HTTPTransport

/// A cache, or all caches of one vendor, that accepts purge requests.
///
/// An adapter plans the requests and interprets the answers. `CachePurge` decides for all adapters
/// when, how fast and how often requests are sent.
package protocol CDN: Sendable {
  /// The name in `content.yaml`.
  var name: CacheName { get }

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
