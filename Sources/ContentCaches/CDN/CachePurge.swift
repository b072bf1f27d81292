package import HTTPTransport
package import Platform

/// Purges caches one after another, from the origin outward: a cache that is purged first could be
/// filled again from one that still has the old files.
package struct CachePurge: Sendable {
  package typealias Send = @Sendable (HTTPRequest) throws(HTTPFailure) -> HTTPAnswer

  private let caches: [any CDN]
  private let send: Send
  private let surroundings: RequestEnvironment
  /// Is called at the beginning of each cache and after each request, never twice at a time.
  package var progress: @Sendable (Progress) -> Void = { _ in }
  /// Of each cache: rounds of one purge take from the same quotas.
  private let pacers: [PurgePacer]

  /// Caches from the origin outward.
  package init(_ caches: [any CDN], send: @escaping Send, surroundings: RequestEnvironment) {
    (self.caches, self.send, self.surroundings) = (caches, send, surroundings)
    pacers = caches.map { _ in PurgePacer() }
  }

  package var count: Int { caches.count }
  /// `true` if there is no cache.
  package var isEmpty: Bool { caches.isEmpty }

  /// The plans for one cache.
  package struct Plan: Sendable {
    package let cache: String
    /// One for each scope, in order; a single one where everything is forgotten.
    package let plans: [CDNPlan]

    /// The least number of seconds that the plans take.
    package var seconds: Double { CDNPlan.seconds(plans) }
    package var requests: Int { plans.reduce(0) { $0 + $1.requests.count } }
    package var units: Int { plans.reduce(0) { $0 + $1.units } }
    /// Each once, from the smallest up.
    package var selectors: [CDNPlan.Selector] {
      CDNPlan.Selector.allCases.filter { selector in
        plans.contains { $0.selector == selector && !$0.requests.isEmpty }
      }
    }
  }

  /// The result of a purge at one cache.
  package struct Outcome: Hashable, Sendable {
    package var cache: String
    /// Each once, from the smallest up.
    package var selectors: [CDNPlan.Selector]
    /// The number of requests sent, retries included.
    package var requests: Int
    package var units: Int
    package var seconds: Double
    /// Why it may not have forgotten all, as a sentence without secrets.
    package var failure: String?
  }

  /// The progress of a purge at one cache.
  package struct Progress: Hashable, Sendable {
    package var cache: String
    /// The number of finished requests.
    package var done: Int
    package var of: Int
  }

  /// Returns the plans for scopes; nothing is sent.
  package func plan(_ scopes: [PurgeScope]) -> [Plan] {
    caches.map { Self.plan(scopes, for: $0) }
  }

  /// Returns the least number of seconds between two rounds, for all caches.
  package func gapSeconds(_ scopes: [PurgeScope]) -> Int {
    caches.map { cache in cache.gapSeconds(Self.plan(scopes, for: cache).selectors) }.max() ?? 0
  }

  /// Purges cache after cache, each in so many seconds, whatever becomes of the others.
  ///
  /// The time in which quotas come back that earlier rounds took is not counted.
  package func run(_ scopes: [PurgeScope], deadlineSeconds: Int) -> [Outcome] {
    zip(caches, pacers).map { cache, pacer in
      CachePurgeRun(
        cache, Self.plan(scopes, for: cache), pacer: pacer, send: send, surroundings: surroundings,
        seconds: deadlineSeconds,
        progress: progress
      ).outcome()
    }
  }

  private static func plan(_ scopes: [PurgeScope], for cache: any CDN) -> Plan {
    let plans = scopes.map(cache.plan)
    let all = plans.first { $0.selector == .everything }
    return Plan(cache: cache.name, plans: all.map { [$0] } ?? plans)
  }
}
