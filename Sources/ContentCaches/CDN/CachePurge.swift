import ContentSource
package import HTTPTransport
package import System

/// Purges caches one after another, from the origin outward: a cache that is purged first could be
/// filled again from one that still has the old files.
package struct CachePurge: Sendable {
  package typealias Send = @Sendable (HTTPRequest) throws(HTTPFailure) -> HTTPAnswer

  private let caches: [any CDN]
  private let send: Send
  private let environment: RequestEnvironment
  /// The function that reports progress at the beginning of each cache and after each request, one
  /// call at a time.
  package var progress: @Sendable (Progress) -> Void = { _ in }
  /// Receives the name of a machine, without a secret, once a request to it takes long: because the
  /// machine does not answer, or asks for patience.
  package var whenSlow: @Sendable (_ machine: String) -> Void = { _ in }
  /// Receives the state of a cache of several machines, once one of them is slow.
  package var whenNodeIsSlow: @Sendable (SlowNode) -> Void = { _ in }
  /// The longest time of one request, in seconds.
  package var requestSeconds = 30
  /// The quotas of each cache, which all rounds of a purge share.
  private let pacers: [PurgePacer]
  /// The machines of each cache that failed in the last round.
  private let failedNodes: [FailedNodes]

  /// Creates a purge of caches, ordered from the origin outward.
  package init(_ caches: [any CDN], send: @escaping Send, environment: RequestEnvironment) {
    (self.caches, self.send, self.environment) = (caches, send, environment)
    pacers = caches.map { _ in PurgePacer() }
    failedNodes = caches.map { _ in FailedNodes() }
  }

  package var count: Int { caches.count }
  /// `true` if there is no cache.
  package var isEmpty: Bool { caches.isEmpty }

  /// The plans for one cache.
  package struct Plan: Sendable {
    package let cache: String
    /// The plans of the scopes, in order; a single plan if it purges everything.
    package let plans: [CDNPlan]

    /// The least number of seconds that the plans take.
    package var seconds: Double { CDNPlan.seconds(plans) }
    package var requests: Int { plans.reduce(0) { $0 + $1.requests.count } }
    package var units: Int { plans.reduce(0) { $0 + $1.units } }
    /// The selectors of the plans, from the smallest up.
    package var selectors: [CDNPlan.Selector] {
      CDNPlan.Selector.allCases.filter { selector in
        plans.contains { $0.selector == selector && !$0.requests.isEmpty }
      }
    }
  }

  /// The result of a purge at one cache.
  package struct Outcome: Hashable, Sendable {
    package var cache: String
    /// The selectors of the requests, from the smallest up.
    package var selectors: [CDNPlan.Selector]
    /// The number of requests sent, retries included.
    package var requests: Int
    package var units: Int
    package var seconds: Double
    /// The reason for which files may remain, as a sentence without secrets; `nil` after a complete
    /// purge.
    package var failure: String?
    /// The machines of a self-hosted cache that did not confirm the purge, as `host:port`.
    package var failedNodes: [String] = []
  }

  /// A machine that does not answer, beside others of the same cache.
  package struct SlowNode: Hashable, Sendable {
    package let cache: String
    /// The machines that have confirmed, as `host:port`.
    package let confirmed: [String]
    /// The number of all machines.
    package let count: Int
    /// The longest wait for the slow machine, in seconds.
    package let seconds: Int
  }

  /// The progress of a purge at one cache.
  package struct Progress: Hashable, Sendable {
    package var cache: String
    /// The number of finished requests.
    package var done: Int
    package var total: Int
  }

  /// Returns the plans for scopes; nothing is sent.
  package func plan(_ scopes: [PurgeScope]) -> [Plan] {
    caches.map { Self.plan(scopes, for: $0) }
  }

  /// Returns the least number of seconds between two rounds, for all caches.
  package func gapSeconds(_ scopes: [PurgeScope]) -> Int {
    caches.map { cache in cache.gapSeconds(Self.plan(scopes, for: cache).selectors) }.max() ?? 0
  }

  /// Purges cache after cache, each within `deadlineSeconds`, even if another one fails.
  ///
  /// The time that earlier rounds' quotas need to refill is not counted.
  package func run(_ scopes: [PurgeScope], deadlineSeconds: Int) -> [Outcome] {
    caches.indices.map { index in
      let cache = caches[index]
      return CachePurgeRun(
        cache, plan: Self.plan(scopes, for: cache), pacer: pacers[index],
        failedNodes: failedNodes[index], send: send, environment: environment,
        seconds: deadlineSeconds, requestSeconds: requestSeconds, progress: progress,
        whenSlow: whenSlow, whenNodeIsSlow: whenNodeIsSlow
      ).outcome()
    }
  }

  private static func plan(_ scopes: [PurgeScope], for cache: any CDN) -> Plan {
    let plans = scopes.map(cache.plan)
    let all = plans.first { $0.selector == .everything }
    return Plan(cache: cache.name.rawValue, plans: all.map { [$0] } ?? plans)
  }
}
