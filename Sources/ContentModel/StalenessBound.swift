/// How long a reader can see old content after new content is at the origin, layer by layer (RFC
/// 9111, 4.2; RFC 5861, 3).
///
/// Time on the way is not in it: a second or so, where servers answer as they should.
public struct StalenessBound: Hashable, Sendable {
  /// A number of a layer, and the rule that it comes from.
  public struct Term: Hashable, Sendable {
    /// What it is, as `content.yaml` calls it where it stands there: `ttl.edge`.
    public let name: String
    /// Its length.
    public let span: TimeSpan
    /// Why it counts: a section of an RFC, an issue, or what the tool itself does.
    public let rule: String
  }

  /// One layer's share.
  public struct Part: Hashable, Sendable {
    /// The layer: `origin`, a cache's name, `app`, `purge`.
    public let layer: String
    /// What it consists of.
    public let terms: [Term]

    /// Its share.
    public var span: TimeSpan { terms.reduce(.zero) { $0 + $1.span } }

    init(_ layer: String, _ terms: [Term]) {
      (self.layer, self.terms) = (layer, terms.filter { $0.span > .zero })
    }
  }

  /// How long each layer may keep config.
  public struct Lifetimes: Hashable, Sendable {
    /// Until the origin gives out what was written to it.
    public var origin: TimeSpan
    /// In each cache.
    public var edge: TimeSpan
    /// In a cache after that, while it asks again.
    public var staleWhileRevalidate: TimeSpan
    /// In a cache after that, while the origin does not answer.
    public var staleIfError: TimeSpan
    /// In an app, from receipt.
    public var app: TimeSpan

    /// Lifetimes of all layers.
    public init(
      origin: TimeSpan = .zero, edge: TimeSpan, staleWhileRevalidate: TimeSpan,
      staleIfError: TimeSpan = .zero,
      app: TimeSpan
    ) {
      (self.origin, self.edge, self.app) = (origin, edge, app)
      (self.staleWhileRevalidate, self.staleIfError) = (staleWhileRevalidate, staleIfError)
    }
  }

  /// What readers are to get.
  public enum Change: Hashable, Sendable {
    /// Another release, whose caches nobody purges.
    case correction
    /// A release without something, every cache that can be purged being purged in so much time.
    case purge(time: TimeSpan)
    /// Maintenance, switched on: config is purged at once.
    case maintenanceOn(time: TimeSpan)
    /// Maintenance, switched off: readers in it ask after so long.
    case maintenanceOff(time: TimeSpan, retryAfter: TimeSpan)
  }

  private let lifetimes: Lifetimes
  /// From the origin outward.
  private let caches: [CacheLayer]

  /// The bound of a channel; caches from the origin outward.
  public init(_ lifetimes: Lifetimes, caches: [CacheLayer]) {
    (self.lifetimes, self.caches) = (lifetimes, caches)
  }

  /// The layers that count for a correction, from the origin outward.
  public var parts: [Part] { parts(of: .correction) }

  /// The sum of all layers: the bound for a correction.
  public var correction: TimeSpan { span(of: .correction) }

  /// What is left after a purge, whose own time comes on top.
  public var afterPurge: TimeSpan { span(of: .purge(time: .zero)) }

  /// Caches that a purge reaches: behind one that it does not reach, a purged cache is only filled
  /// with old bytes again.
  public var purged: [CacheLayer] { Array(caches.prefix(while: \.isPurgeable)) }

  /// The sum of all layers; where the origin does not answer, for longer.
  public func span(of change: Change, originAnswers: Bool = true) -> TimeSpan {
    parts(of: change, originAnswers: originAnswers).reduce(.zero) { $0 + $1.span }
  }

  /// The layers that count, from the origin outward; where the origin does not answer, for longer.
  public func parts(of change: Change, originAnswers: Bool = true) -> [Part] {
    let left = change.purgeTime == nil ? caches[...] : caches.drop(while: \.isPurgeable)
    let purge = change.purgeTime.map { [Part("purge", [Self.purgeTerm($0)])] } ?? []
    let all =
      [Part("origin", [originTerm])] + purge + shares(of: left, originAnswers) + [
        Part("app", [appTerm(change)])
      ]
    return all.filter { $0.span > .zero }
  }

  // MARK: Layers

  /// Caches that count `Age` share one lifetime, each that does not adds its own.
  private func shares(of caches: ArraySlice<CacheLayer>, _ originAnswers: Bool) -> [Part] {
    let sharing = caches.filter(\.countsAge)
    let rounding = sharing.map(\.rounding).max() ?? .zero
    let shared = Part(
      sharing.map(\.name).joined(separator: " and "),
      cacheTerms(Self.sharing, rounding: rounding, originAnswers))
    let others = caches.filter { !$0.countsAge }.map {
      Part(
        $0.name,
        cacheTerms(
          $0.name == "nginx" ? Self.resetting : Self.unknown, rounding: $0.rounding, originAnswers))
    }
    return (sharing.isEmpty ? [] : [shared]) + others
  }

  private static let sharing = "(RFC 9111, 4.2.1); caches that count Age share one (4.2.3)"
  private static let resetting =
    "(RFC 9111, 4.2.1); it neither counts nor sends Age (4.2.3), so it adds its own (nginx#1234)"
  private static let unknown =
    "(RFC 9111, 4.2.1); that it counts Age (4.2.3) is documented nowhere, so it is taken to add its own"

  private func cacheTerms(_ age: String, rounding: TimeSpan, _ originAnswers: Bool) -> [Term] {
    // Without a lifetime, there is nothing to be kept a second longer.
    let isKept = lifetimes.edge + lifetimes.staleWhileRevalidate > .zero
    return [
      Term(
        name: "ttl.edge", span: lifetimes.edge,
        rule:
          "max-age of CDN-Cache-Control (RFC 9213, 2.2; no s-maxage: RFC 9111, 5.2.2.10) is its lifetime "
          + age),
      Term(
        name: "ttl.staleWhileRevalidate", span: lifetimes.staleWhileRevalidate,
        rule: "it may answer with stale content while it asks again (RFC 5861, 3)"),
      Term(
        name: "whole seconds", span: isKept ? rounding : .zero,
        rule: "it compares whole seconds: measured, no rule"),
      Term(
        name: "ttl.staleIfError", span: originAnswers ? .zero : lifetimes.staleIfError,
        rule: "it may answer with stale content while the origin fails (RFC 5861, 4)"),
    ]
  }

  private var originTerm: Term {
    Term(
      name: "ttl.origin", span: lifetimes.origin,
      rule: "as content.yaml says; no cache can be fresher")
  }

  private static func purgeTerm(_ time: TimeSpan) -> Term {
    Term(
      name: "purge", span: time,
      rule:
        "in place of a purged cache's lifetime: the requests, and originTimeout, until no old answer is under way"
    )
  }

  private func appTerm(_ change: Change) -> Term {
    if case .maintenanceOff(_, let retryAfter) = change {
      return Term(
        name: "retryAfter", span: retryAfter,
        rule: "readers in maintenance ask again (RFC 9110, 10.2.3)")
    }
    return Term(
      name: "ttl.app", span: lifetimes.app,
      rule: "an app asks when its last look is so old, from receipt (RFC 9111, 4.2.1 and 5.2.2.1)")
  }
}

extension StalenessBound.Change {
  /// The time until purged caches have forgotten; `nil` where none is purged.
  fileprivate var purgeTime: TimeSpan? {
    switch self {
    case .correction: nil
    case .purge(let time), .maintenanceOn(let time), .maintenanceOff(let time, _): time
    }
  }
}

extension StalenessBound {
  /// As in `15m30s for a correction (fastly 5m30s + app 10m); after a purge: the purge's own time +
  /// 10m`.
  package var sentence: String {
    let shares = parts.map { "\($0.layer) \($0.span)" }.joined(separator: " + ")
    return
      "\(correction) for a correction (\(shares)); after a purge: the purge's own time + \(afterPurge)"
  }
}
