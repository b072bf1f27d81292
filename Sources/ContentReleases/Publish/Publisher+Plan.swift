import ContentModel
import ContentTargets

/// The decision about a draft, before anything is written.
extension Publisher {
  /// The work that a publication does for a draft.
  struct Plan {
    var draft: Draft
    /// `true` if every object is checked.
    var repairs: Bool
    /// `true` if the live release stays, since it shows the same content.
    var keepsLive: Bool
    /// A record above the live release's; `nil` if there is none.
    var ahead: ChannelPlace.RecordAhead?
    /// `true` if the release needs a number above that of `ahead`.
    var isBehind = false
  }

  /// Decides on the work for a draft.
  ///
  /// - Throws: `DeliveryError` if the draft must not be published; `TargetError`.
  func plan(_ draft: Draft, after live: LiveRelease?, repairs: Bool) throws -> Plan {
    var plan = Plan(
      draft: draft, repairs: repairs,
      keepsLive: draft.publishesContentOnly
        && live.map { draft.content.isSame(as: $0.members) } ?? false)
    plan.draft.settings = settings
    try checkSigning(after: live, above: draft.above)
    try place.requireRoom(after: live, for: draft.numberNeed)
    if let live, live.isSigned != (place.signing != nil) { plan.keepsLive = false }
    if !plan.keepsLive { try checkPlace(of: draft.content, after: live) }
    plan.draft.replacesUnread = replacesUnverified
    if draft.purged == nil {
      plan.draft = try purgeRule(plan.draft, live, place, plan.keepsLive && !repairs)
      // The rule ends the state of a restored config by a purge: objects of the release may be missing.
      if plan.draft.purged != nil { plan.repairs = true }
    }
    if draft.above != nil || plan.draft.notes != nil { plan.keepsLive = false }
    if plan.keepsLive { plan.ahead = try live.flatMap { try place.recordAhead(of: $0, at: now()) } }
    // While another publisher may be at work, unchanged content gets no new release.
    plan.isBehind = plan.ahead.map { !$0.mayBeUnderWay } ?? false
    if plan.isBehind { plan.keepsLive = false }
    plan.draft.assumedAtTarget =
      plan.repairs ? [] : draft.assumedAtTarget.union(live?.record.objects ?? [])
    return plan
  }

  /// A release that is about to be written.
  struct Derived {
    var record: ReleaseRecord
    /// The bytes of the config of format 1.
    var config: [UInt8]
  }

  /// Derives the release of a plan: the same bytes from the same plan, live release, time and text.
  ///
  /// - Throws: `DeliveryError` if no number can follow; `TargetError`.
  func derive(
    _ plan: Plan, after live: LiveRelease?, issued: Instant, runToken: String
  ) throws -> Derived {
    let draft = plan.draft
    // Records that no verified config leads to say nothing.
    let number =
      try replacesUnverified
      ? SerialNumber.next(
        after: draft.above ?? 0, of: "release",
        at: place.location(of: place.configKey(draft.content.format)))
      : place.nextNumber(
        after: live, isOlder: plan.isBehind, above: draft.above)
    let record = try draft.record(
      after: live, as: number, of: place, at: issued, runToken: runToken)
    var config = try draft.configBytes(record, after: live, of: place)
    if config.count > place.signing?.room(in: draft.content.format)
      ?? LimitedPart.Kind.config.limit
    {
      // No release fails because of purged names: it withdraws all earlier releases instead.
      config = try draft.configBytes(record, after: live, of: place, namesPurged: false)
    }
    return Derived(record: record, config: config)
  }

  /// Refuses a draft as `publish` does before it changes anything.
  ///
  /// - Throws: `DeliveryError`; `TargetError`.
  package func check(_ draft: Draft, after live: LiveRelease?, repairs: Bool = false) throws {
    _ = try derivedPlan(
      draft, after: live, repairs: repairs, issued: issueTime(after: live), runToken: "")
  }

  /// Decides on the work for a draft, and derives the release; `nil` if the live one stays.
  ///
  /// - Throws: `DeliveryError` if the draft must not be published; `TargetError`.
  func derivedPlan(
    _ draft: Draft, after live: LiveRelease?, repairs: Bool, issued: Instant, runToken: String
  ) throws -> (plan: Plan, derived: Derived)? {
    let plan = try self.plan(draft, after: live, repairs: repairs)
    if live != nil, plan.keepsLive { return nil }
    try checkSizes(plan.draft)
    let derived = try derive(plan, after: live, issued: issued, runToken: runToken)
    _ = try limitedParts(of: plan.draft, config: derived.config.count)
    return (plan, derived)
  }

  /// Refuses content of another app, and content in another format than that of the live release.
  private func checkPlace(of content: ReleaseContent, after live: LiveRelease?) throws {
    guard content.app == place.app else {
      throw DeliveryError(
        .refused, "the content is of the app '\(content.app)', not of '\(place.app)'")
    }
    guard let live, live.format.fileExtension != content.format.fileExtension else { return }
    throw DeliveryError(
      .refused,
      "readers of '\(place.channel)' ask for \(place.configKey(live.format)), and this build has "
        + "\(place.configKey(content.format)); keep 'format', or publish to a channel of another name"
    )
  }
}
