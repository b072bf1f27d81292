package import ContentModel

/// The greatest time for which a reader can see old content after a release, by layer (RFC 9111,
/// section 4.2; RFC 5861, section 3).
///
/// ```swift
/// let lifetimes = StalenessBound.Lifetimes(
///   edge: .minutes(5), staleWhileRevalidate: .seconds(30), app: .minutes(10))
/// let longest = StalenessBound(lifetimes, caches: [CacheLayer(.fastly)]).correction  // 15m30s
/// ```
///
/// The bound does not include the time of requests in transit, about a second for healthy servers.
package struct StalenessBound: Hashable, Sendable {
  /// A time span of a layer, and the rule that requires it.
  package struct Term: Hashable, Sendable {
    /// The key in `content.yaml`, such as `ttl.edge`, or a description.
    package let name: String
    /// The length.
    package let span: TimeSpan
    /// The reason: a section of an RFC, an issue, or the behaviour of contentc.
    package let rule: String
  }

  /// A layer's share of the bound.
  package struct Part: Hashable, Sendable {
    /// The layer: `origin`, a cache's name, `app` or `purge`.
    package let layer: String
    /// The terms that are longer than zero.
    package let terms: [Term]

    /// The sum of the terms.
    package var span: TimeSpan { terms.reduce(.zero) { $0 + $1.span } }

    init(_ layer: String, terms: [Term]) {
      (self.layer, self.terms) = (layer, terms.filter { $0.span > .zero })
    }
  }

  /// The lifetimes of config in each layer.
  package struct Lifetimes: Hashable, Sendable {
    /// The time until the origin serves a written file.
    package var origin: TimeSpan
    /// The lifetime in each cache.
    package var edge: TimeSpan
    /// The time after `edge` for which a cache serves config while it revalidates.
    package var staleWhileRevalidate: TimeSpan
    /// The time after `edge` for which a cache serves config while the origin fails.
    package var staleIfError: TimeSpan
    /// The lifetime in an app, from receipt.
    package var app: TimeSpan

    /// Creates the lifetimes of all layers.
    package init(
      origin: TimeSpan = .zero, edge: TimeSpan, staleWhileRevalidate: TimeSpan,
      staleIfError: TimeSpan = .zero, app: TimeSpan
    ) {
      (self.origin, self.edge, self.app) = (origin, edge, app)
      (self.staleWhileRevalidate, self.staleIfError) = (staleWhileRevalidate, staleIfError)
    }
  }

  /// A change that readers receive.
  package enum Change: Hashable, Sendable {
    /// A release without a purge of caches.
    case correction
    /// A release that removes content.
    ///
    /// The purge of every purgeable cache takes `time`.
    case purge(time: TimeSpan)
    /// The start of maintenance.
    ///
    /// The purge of config takes `time`.
    case maintenanceOn(time: TimeSpan)
    /// The end of maintenance.
    ///
    /// The purge of config takes `time`. Readers in maintenance send the next request after
    /// `retryAfter`.
    case maintenanceOff(time: TimeSpan, retryAfter: TimeSpan)
  }

  private let lifetimes: Lifetimes
  /// The caches from the origin outward.
  private let caches: [CacheLayer]

  /// Creates the bound of a channel with caches from the origin outward.
  package init(_ lifetimes: Lifetimes, caches: [CacheLayer]) {
    (self.lifetimes, self.caches) = (lifetimes, caches)
  }

  /// The layers of the bound for a correction, from the origin outward.
  package var parts: [Part] { parts(of: .correction) }

  /// The bound for a correction.
  package var correction: TimeSpan { span(of: .correction) }

  /// The bound for a purge, without the time that the purge takes.
  package var afterPurge: TimeSpan { span(of: .purge(time: .zero)) }

  /// The purgeable caches from the origin up to the first cache that is not purgeable.
  ///
  /// To purge a cache behind an unpurged one has no effect: the unpurged cache refills it with old
  /// content.
  package var purged: [CacheLayer] { Array(caches.prefix(while: \.isPurgeable)) }

  /// Returns the bound for a change.
  ///
  /// If `originAnswers` is `false`, the bound includes the time for which caches serve old content
  /// while the origin fails.
  package func span(of change: Change, originAnswers: Bool = true) -> TimeSpan {
    parts(of: change, originAnswers: originAnswers).reduce(.zero) { $0 + $1.span }
  }

  /// Returns the layers of the bound for a change, from the origin outward.
  ///
  /// If `originAnswers` is `false`, the layers include the time for which caches serve old content
  /// while the origin fails.
  package func parts(of change: Change, originAnswers: Bool = true) -> [Part] {
    let left = change.purgeTime == nil ? caches[...] : caches.drop(while: \.isPurgeable)
    let purge = change.purgeTime.map { [Part("purge", terms: [Self.purgeTerm($0)])] } ?? []
    let shares = shares(of: left, originAnswers: originAnswers)
    let all =
      [Part("origin", terms: [originTerm])] + purge + shares
      + [Part("app", terms: [appTerm(change)])]
    return all.filter { $0.span > .zero }
  }

  // MARK: Layers

  /// Caches that count `Age` share one lifetime; each of the others adds its own.
  private func shares(of caches: ArraySlice<CacheLayer>, originAnswers: Bool) -> [Part] {
    let sharing = caches.map(\.name).filter(\.countsAge)
    let rounding = sharing.map(\.rounding).max() ?? .zero
    let shared = Part(
      sharing.map(\.rawValue).joined(separator: " and "),
      terms: cacheTerms(age: Self.sharing, rounding: rounding, originAnswers: originAnswers)
        + [ageTerm(ofCaches: sharing.count)])
    let others = caches.map(\.name).filter { !$0.countsAge }.map {
      Part(
        $0.rawValue,
        terms: cacheTerms(
          age: Self.rule(ofAgeIn: $0), rounding: $0.rounding, originAnswers: originAnswers))
    }
    return (sharing.isEmpty ? [] : [shared]) + others
  }

  private static func rule(ofAgeIn cache: CacheName) -> String {
    switch cache.ageHandling {
    case .counted: sharing
    case .reset: resetting
    case .undocumented: unknown
    }
  }

  private static let sharing = "(RFC 9111, 4.2.1); caches that count Age share one (4.2.3)"
  private static let resetting =
    "(RFC 9111, 4.2.1); it neither counts nor sends Age (4.2.3), so it adds its own (nginx#1234)"
  private static let unknown =
    "(RFC 9111, 4.2.1); its handling of Age (4.2.3) is not documented, "
    + "so it is taken to add its own"

  private func cacheTerms(age: String, rounding: TimeSpan, originAnswers: Bool) -> [Term] {
    let lifetime =
      "max-age of CDN-Cache-Control "
      + "(RFC 9213, 2.2; no s-maxage: RFC 9111, 5.2.2.10) is its lifetime"
    return [
      Term(name: "ttl.edge", span: lifetimes.edge, rule: "\(lifetime) \(age)"),
      Term(
        name: "ttl.staleWhileRevalidate", span: lifetimes.staleWhileRevalidate,
        rule: "it may serve stale content while it revalidates (RFC 5861, 3)"),
      Term(
        name: "whole seconds", span: isKept ? rounding : .zero,
        rule: "it compares whole seconds (measured; no specification)"),
      Term(
        name: "ttl.staleIfError", span: originAnswers ? .zero : lifetimes.staleIfError,
        rule: "it may serve stale content while the origin fails (RFC 5861, 4)"),
    ]
  }

  /// The time by which `Age` is too low at the last of several caches.
  private func ageTerm(ofCaches count: Int) -> Term {
    Term(
      name: "Age", span: isKept ? .seconds(UInt16(max(0, count - 1))) : .zero,
      rule: "each further cache gets an Age in whole seconds, rounded down (RFC 9111, 5.1)")
  }

  /// `true` if caches keep config at all, so that rounding can prolong its lifetime.
  private var isKept: Bool { lifetimes.edge + lifetimes.staleWhileRevalidate > .zero }

  private var originTerm: Term {
    Term(
      name: "ttl.origin", span: lifetimes.origin,
      rule: "the value in content.yaml; no cache can be fresher")
  }

  private static func purgeTerm(_ time: TimeSpan) -> Term {
    Term(
      name: "purge", span: time,
      rule: "in place of a purged cache's lifetime: the requests, "
        + "and originTimeout, until no old response is in transit")
  }

  private func appTerm(_ change: Change) -> Term {
    if case .maintenanceOff(_, let retryAfter) = change {
      return Term(
        name: "retryAfter", span: retryAfter,
        rule: "readers in maintenance send the next request then (RFC 9110, 10.2.3)")
    }
    return Term(
      name: "ttl.app", span: lifetimes.app,
      rule: "an app asks again after this time, from receipt (RFC 9111, 4.2.1 and 5.2.2.1)")
  }
}

extension StalenessBound.Change {
  /// The time that the purge takes; `nil` without a purge.
  fileprivate var purgeTime: TimeSpan? {
    switch self {
    case .correction: nil
    case .purge(let time), .maintenanceOn(let time), .maintenanceOff(let time, _): time
    }
  }
}

extension StalenessBound {
  /// A summary such as `15m30s for a correction (fastly 5m30s + app 10m); after a purge: …`.
  package var sentence: String {
    let shares = parts.map { "\($0.layer) \($0.span)" }.joined(separator: " + ")
    let purge = "after a purge: the purge's own time + \(afterPurge)"
    return "\(correction) for a correction (\(shares)); \(purge)"
  }
}
