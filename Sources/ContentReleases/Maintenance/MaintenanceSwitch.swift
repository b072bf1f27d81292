package import ContentModel
import PropertyLists

/// The maintenance settings of a channel, which replace those of `maintenance.yaml`.
package struct MaintenanceSwitch: Hashable, Sendable {
  package var isActive: Bool
  /// The start of the maintenance; `nil` if it starts at once.
  package var from: Instant?
  /// The end of the maintenance; `nil` if it lasts until it is switched off.
  package var until: Instant?
  /// The time at which it was switched on.
  package var since: Instant?
  /// The seconds after which readers ask again; `nil` for the content's own value.
  package var retryAfter: Int?
  /// The hashes of texts by locale and device; `nil` for the content's own texts.
  package var payloads: Value?

  package init(
    isActive: Bool, from: Instant? = nil, until: Instant? = nil, since: Instant? = nil,
    retryAfter: Int? = nil,
    payloads: Value? = nil
  ) {
    (self.isActive, self.from, self.until, self.since) = (isActive, from, until, since)
    (self.retryAfter, self.payloads) = (retryAfter, payloads)
  }

  /// `true` if readers see nothing of the content, and no entry instead of the usual texts, until it is
  /// switched off.
  var hidesContent: Bool { isActive && from == nil && until == nil && payloads == nil }

  package static let off = MaintenanceSwitch(isActive: false)

  /// Reads the block of a config.
  package init(_ block: Value?) {
    isActive = block?["active"]?.flag ?? false
    (from, until, since) = (
      block?["from"]?.instant, block?["until"]?.instant, block?["since"]?.instant
    )
    let usual = block?["usual"]
    retryAfter = usual?["retryAfter"] == nil ? nil : block?["retryAfter"]?.seconds
    payloads = usual?["payloads"] == nil ? nil : block?["payloads"]
  }

  /// Returns the `maintenance` block of a config; `content` is the content's own block.
  ///
  /// The set values are at the keys that readers use; the content's own are in `usual`, from which
  /// they are restored.
  func block(over content: Value?) -> Value {
    let usual = Self.usual(of: content)
    let set: Members = Members(
      [("retryAfter", retryAfter.map { .integer(Int64($0)) }), ("payloads", payloads)].compactMap {
        key, value in
        value.map { (key, $0) }
      })
    var members: Members = ["active": .boolean(isActive)]
    (members["from"], members["until"]) = (from.map(Value.date), until.map(Value.date))
    members["since"] = since.map(Value.date)
    for key in Self.texts { members[key] = set[key] ?? usual[key] }
    let replaced = Members(
      Self.texts.compactMap { key in set[key] == nil ? nil : usual[key].map { (key, $0) } })
    if !replaced.isEmpty { members["usual"] = .dictionary(replaced) }
    return .dictionary(members)
  }

  private static let texts = ["payloads", "retryAfter"]

  /// Returns the content's own settings from a block that may have others in their place.
  package static func usual(of block: Value?) -> Members {
    Members(texts.compactMap { key in (block?["usual"]?[key] ?? block?[key]).map { (key, $0) } })
  }

  /// Returns every object that a block names.
  package static func objects(of block: Value?) -> Set<Digest> {
    Set((block?["payloads"]?.digests ?? []) + (block?["usual"]?["payloads"]?.digests ?? []))
  }
}

extension MaintenanceSwitch {
  /// The state of a maintenance at a moment.
  package enum Phase: String, Sendable {
    case off, scheduled, on, over
  }

  /// Returns the state that readers see: the maintenance is on while it is active and
  /// `from` ≤ `now` < `until`.
  package func phase(at now: Instant) -> Phase {
    guard isActive else { return .off }
    if let until, until <= now { return .over }
    if let from, now < from { return .scheduled }
    return .on
  }

  /// Returns the problem with the times; `nil` if there is none.
  package func problem(at now: Instant) -> String? {
    guard let until else { return nil }
    if let from, until <= from {
      return "it would end (\(until.rfc3339)) before it begins (\(from.rfc3339))"
    }
    return until <= now ? "its end, \(until.rfc3339), is past" : nil
  }
}
