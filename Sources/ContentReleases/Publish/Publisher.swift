package import ContentModel
package import ContentTargets
import PropertyLists
import SiteFormat
import System

/// Publishes releases, so that every reader sees one whole release even if a publication is
/// interrupted.
package struct Publisher: Sendable {
  let place: ChannelPlace
  let configHeaders: FileHeaders
  package let now: @Sendable () -> Instant
  let makeRunToken: @Sendable () -> String
  let purgeRule: PurgeRule
  /// The extra files of a folder.
  package var extras: FolderExtras?
  /// Hashes of the channel's addresses, for records.
  package var settings: Value?
  /// Waits for a number of milliseconds.
  package var sleep: @Sendable (_ milliseconds: Int) -> Void = RequestEnvironment.system.sleep
  /// `true` if the publisher gives up between two objects when an emergency waits for the folder's
  /// lock.
  package var givesWay = true
  /// `true` if a signed channel may become an unsigned one, or the other way round.
  package var changesSigning = false
  /// `true` if config is replaced without being read, since it does not verify.
  package var replacesUnverified = false
  /// What happens if the machine's clock is behind the time at which the live config was signed.
  package var clockRule = IssueTime.Rule.refuse
  /// Receives each step of a swap.
  ///
  /// If the publication is interrupted, the last step tells whether the release is live.
  package var watchSwap: @Sendable (SwapStep) -> Void = { _ in }

  package enum SwapStep: Hashable, Sendable {
    /// The swap begins: until its end, it is unknown whether the release is live.
    case begins(release: Int)
    /// The release is live.
    case isLive(release: Int)
    /// Another release was faster, and the swap has changed nothing.
    case isLost
  }

  /// The rule that earlier purges set for every draft that is no purge.
  ///
  /// The rule refuses a draft by throwing a `DeliveryError` if the draft shows purged content that
  /// the live release does not show, or if config was restored from a backup. `live` is `nil` if
  /// the channel has no config. `isUnchanged` is `true` if readers already get the content of the
  /// draft; such a draft is refused only if config was restored.
  ///
  /// The rule returns the draft to publish. A draft that ends the state of a restored config
  /// becomes a purge: the publisher then checks every object, since objects of the live release may
  /// be missing. For a draft that `replacesUnread`, the rule raises the numbers of the release and
  /// of the last purge: signatures prove earlier purges, and readers may have seen their numbers.
  package typealias PurgeRule =
    @Sendable (
      _ draft: Draft, _ live: LiveRelease?, _ place: ChannelPlace, _ isUnchanged: Bool
    ) throws -> Draft

  /// Creates a publisher for a channel.
  ///
  /// `now` returns the time. `makeRunToken` returns a text that no other run of a publisher has, so
  /// that no two records are equal. `refusing` applies the rules of earlier purges:
  /// `PurgeList.rule`.
  package init(
    _ place: ChannelPlace, configHeaders: FileHeaders, now: @escaping @Sendable () -> Instant,
    makeRunToken: @escaping @Sendable () -> String,
    refusing purgeRule: @escaping PurgeRule
  ) {
    (self.place, self.configHeaders, self.now) = (place, configHeaders, now)
    (self.makeRunToken, self.purgeRule) = (makeRunToken, purgeRule)
  }

  var target: any Target { place.target }

  /// The result of a publication.
  package enum Outcome: Sendable {
    case released(ReleaseRecord, sent: Sent)
    /// The live release already shows the same content.
    case unchanged(ReleaseRecord, sent: Sent)

    /// The record of the release that is live after the publication.
    package var record: ReleaseRecord {
      switch self {
      case .released(let record, _), .unchanged(let record, _): record
      }
    }
  }

  /// The objects sent to the target, without config and record.
  package struct Sent: Sendable {
    /// The objects that the target lacked.
    package var new: [ReleaseObject] = []
    /// The objects of `new` that the live release names.
    ///
    /// Readers may have asked for these objects while the target lacked them.
    package var lost: [ReleaseObject] = []
    /// The uncompressed bytes of these objects.
    package var bytes = 0
    /// The number of objects that the target had although no release of this channel names them.
    package var found = 0
    /// What the release ends or accepts about earlier purges, as sentences.
    package var purgeSentences: [String] = []
    /// The number of a release above the live one that may be under way, or was live before config
    /// was restored from a backup; `nil` if there is none.
    package var recordAhead: Int?
    /// `true` if the live release was signed again, because its signatures were old or the keys
    /// new.
    package var isSignedAgain = false
    /// The parts of the release that have more than a quarter of the bytes that clients accept.
    package var large: [LimitedPart] = []

    package init(new: [ReleaseObject] = [], bytes: Int = 0, found: Int = 0) {
      (self.new, self.bytes, self.found) = (new, bytes, found)
    }

    /// The number of objects that the target lacked.
    package var objects: Int { new.count }
  }

  /// Publishes the draft that `draft` returns for the live release.
  ///
  /// The order keeps readers safe:
  /// 1. Write the record.
  /// 2. Write the objects that the target lacks. Each object is read back, unless the target's
  ///    answer to the write proves that the object is stored.
  /// 3. Replace config, unless another writer has replaced it meanwhile. This swap alone decides
  ///    which release has the number.
  ///
  /// If the run ends before the swap, readers keep the old release, and another run finishes the
  /// job. With `repairs`, the publisher also checks the objects that the live release names.
  /// `known` is the live release as recently read, or `nil`.
  ///
  /// `beforeSwap` is called right before the swap.
  ///
  /// If another command may remove objects that the release needs, the publication throws `.lost`.
  /// An emergency continues: it passes these objects to `endangered`, and checks them later.
  ///
  /// - Throws: `DeliveryError`; `TargetError`; the errors of `draft` and `beforeSwap`.
  package func publish(
    known: LiveRelease? = nil, repairs: Bool = false, endangered: EndangeredObjects? = nil,
    progress: @escaping @Sendable (_ bytes: Int) -> Void = { _ in },
    beforeSwap: (ReleaseRecord) throws -> Void = { _ in },
    _ draft: (LiveRelease?) throws -> Draft
  ) throws -> Outcome {
    try target.exclusively {
      // Without a lock, the swap detects other writers.
      let live = try replacesUnverified ? nil : currentRelease(known: known)
      let issued = try issueTime(after: live)
      let plan = try self.plan(draft(live), after: live, repairs: repairs)
      if let live, plan.keepsLive {
        return try keep(live, as: plan, issued: issued, progress: progress)
      }
      return try release(
        plan, after: live, issued: issued, endangered: endangered, progress: progress,
        beforeSwap: beforeSwap)
    }
  }

  private func currentRelease(known: LiveRelease?) throws -> LiveRelease? {
    try target.hasLock ? place.live(known: known?.record) : known ?? place.live()
  }

  /// Keeps the live release: signs it again if it is due, repairs its objects if asked to, and writes a
  /// folder's extra files again.
  private func keep(
    _ live: LiveRelease, as plan: Plan, issued: Instant,
    progress: @escaping @Sendable (Int) -> Void
  ) throws -> Outcome {
    var isSignedAgain = false
    // The release is due if less than half of `validFor` is left, or if the newest keys have not
    // signed it.
    if let signing = place.signing, let signed = live.signed, signing.isDue(signed) {
      guard let renewed = try resign(live, issued: issued) else {
        throw DeliveryError(.lost, "another publisher was faster; nothing was changed; run again")
      }
      isSignedAgain = renewed.bytes != live.bytes
    }
    var sent = plan.repairs ? try send(plan.draft, progress: progress) : Sent()
    sent.isSignedAgain = isSignedAgain
    sent.lost = sent.new
    sent.recordAhead = plan.ahead?.number
    try extras?.writeHeaders()
    try extras?.writeLatest(live.members, format: live.format, in: place.channel)
    return .unchanged(live.record, sent: sent)
  }

  /// Writes the record and the objects of a new release, and makes it the live one.
  private func release(
    _ plan: Plan, after live: LiveRelease?, issued: Instant, endangered: EndangeredObjects?,
    progress: @escaping @Sendable (Int) -> Void, beforeSwap: (ReleaseRecord) throws -> Void
  ) throws -> Outcome {
    let draft = plan.draft
    let unreadTag = try replacesUnverified ? place.unreadTag(draft.content.format) : nil
    try checkSizes(draft)
    let derived = try derive(plan, after: live, issued: issued, runToken: makeRunToken())
    let record = derived.record
    let config = try configFile(for: derived, issued: issued)
    let large = try limitedParts(of: draft, config: config.body.count)
    // Later purges must search retired releases again for restored content, even if this
    // publication fails after it has sent that content.
    if plan.repairs || !draft.readmitted.isEmpty {
      try target.requireRemoved(
        place.retiredReleasesKey, otherwise: "nothing was changed; run again")
    }
    var afterSwap: ((LiveRelease) throws -> Void)?
    var sent = try makeLive(
      draft, as: record, in: config, after: live,
      tagged: replacesUnverified ? unreadTag : live?.tag, endangered: endangered,
      progress: progress
    ) { record in
      afterSwap = try draft.notes?.write(record)
      try beforeSwap(record)
    }
    sent.large = large
    sent.purgeSentences = draft.notes?.sentences ?? []
    // A failure is ignored: config has the same facts, and the next command that finishes purges
    // writes the missing notes.
    if let afterSwap, let live = try? place.live(known: record) { try? afterSwap(live) }
    try extras?.writeLatest(record.members, format: record.format, in: place.channel)
    return .released(record, sent: sent)
  }

  /// Writes the record and the objects of a release, and replaces config.
  ///
  /// A release that `isImported` may have been written in part by an earlier run, whose record it
  /// shares.
  func makeLive(
    _ draft: Draft, as record: ReleaseRecord, in config: OutgoingFile, after live: LiveRelease?,
    tagged tag: String?, isImported: Bool = false, endangered: EndangeredObjects?,
    progress: @escaping @Sendable (Int) -> Void, beforeSwap: (ReleaseRecord) throws -> Void
  ) throws -> Sent {
    try write(record, isImported: isImported)
    var sent = try retracting(record, isImported: isImported) {
      // A prune or purge that begins now sees the record. One that began earlier may have missed
      // the record.
      endangered?.begin(draft.content, as: record.number)
      try refuseOrKeepEndangered(of: draft.content, after: live, in: endangered)
      try checkAssumed(
        in: draft, after: live, otherwise: isImported ? "make the draft again" : "run again")
      let sent = try send(draft, progress: progress)
      endangered?.noteSent(sent.new)
      try extras?.writeHeaders()
      try beforeSwap(record)
      return sent
    }
    let shown = Set(live?.record.objects ?? [])
    sent.lost = sent.new.filter(shown.contains)
    watchSwap(.begins(release: record.number))
    do {
      try swap(
        to: record, in: config, after: live, tagged: tag,
        attempts: isImported ? 1 : Self.resigningAttempts)
    } catch let error as DeliveryError where error.kind == .lost {
      watchSwap(.isLost)
      throw error
    }
    watchSwap(.isLive(release: record.number))
    return sent
  }

  /// Refuses to publish while another command may remove objects that the release needs, or keeps
  /// these objects in `endangered`.
  ///
  /// No command removes objects of the live release.
  private func refuseOrKeepEndangered(
    of content: ReleaseContent, after live: LiveRelease?, in endangered: EndangeredObjects?
  ) throws {
    let shown = Set(live?.record.objects ?? [])
    let needed = content.objects.filter { !shown.contains($0) }
    guard !needed.isEmpty, let holder = try RemovalHolder(at: target, now: now()) else { return }
    let atRisk = try holder.endangered(needed, at: target)
    if atRisk.isEmpty { return }
    if let endangered { return try endangered.keep(atRisk, of: content) }
    throw DeliveryError(
      .lost,
      "\(holder) is at work at \(target.name), and may remove '\(atRisk[0].key)', which the release needs; nothing was "
        + "changed; "
        + (holder.hasWrongClock
          ? "if it is not at work, 'contentc prune \(place.channel)' replaces that lock, whose end a wrong clock set"
          : "run again later"))
  }

  /// Checks that the objects of other channels' releases still exist: a purge may have ended before
  /// the record was written.
  func checkAssumed(
    in draft: Draft, after live: LiveRelease?, otherwise remedy: String
  ) throws {
    let assumed = draft.assumedAtTarget.subtracting(live?.record.objects ?? [])
    if assumed.isEmpty { return }
    let there = Set(names: try target.list(below: "objects/").map(\.key))
    guard draft.content.objects.allSatisfy({ !assumed.contains($0) || there.contains($0.key) })
    else {
      throw DeliveryError(
        .lost,
        "some of the content was removed from \(target.name) meanwhile; nothing was changed; \(remedy)"
      )
    }
  }

  private func write(_ record: ReleaseRecord, isImported: Bool) throws {
    let key = record.key(in: place.channel)
    let headers = FileHeaders(
      contentType: .contentType(of: record.format.fileExtension), cacheControl: .forever)
    let file = OutgoingFile(bytes: record.bytes, headers: headers)
    try checkSize(of: record.bytes, at: key)
    if isImported {
      // An interrupted run with the same signatures may have written it, as a whole or in part.
      _ = try send(file, as: key)
      return
    }
    // The name is unique, since it holds a text that only this run knows.
    if try target.create(key, as: file) {
      try target.requireHeld(file, at: key, otherwise: "nothing was changed; run again")
    } else if try !target.holds(key, as: file) {
      throw DeliveryError(.refused, "\(target.name) has another '\(key)'; nothing was changed")
    }
  }

  /// Does the work before the swap; after a failure, the record is removed, so that it no longer
  /// protects its objects from removal.
  ///
  /// After the swap was tried, the record stays: it may be a link of the chain, and does no harm if
  /// another release has its number. The record of an imported release stays, too: another run with
  /// the same signatures writes the same record, and may have made it live.
  private func retracting<Result>(
    _ record: ReleaseRecord, isImported: Bool, onFailureOf work: () throws -> Result
  ) throws -> Result {
    do { return try work() } catch {
      if !isImported { try? target.remove(record.key(in: place.channel)) }
      throw error
    }
  }

  /// Sends the objects that the target lacks, and checks that it has them.
  private func send(
    _ draft: Draft, progress: @escaping @Sendable (Int) -> Void
  ) throws -> Sent {
    let lacking = draft.content.objects.filter { !draft.assumedAtTarget.contains($0) }
    let sent = try lacking.mapOverlapped { [self] object in
      if givesWay, target.isWantedByEmergency {
        throw DeliveryError(
          .lost, "an emergency has priority at \(target.name); nothing was changed; run again")
      }
      let file = try draft.content.file(object)
      let isNew = try send(file, as: object.key)
      progress(file.body.count)
      return (object, bytes: isNew ? file.body.count : nil)
    }
    let new = sent.filter { $0.bytes != nil }.map(\.0)
    return Sent(
      new: new, bytes: sent.compactMap(\.bytes).reduce(0, +), found: sent.count - new.count)
  }

  /// Sends a content-addressed file.
  ///
  /// A stored copy whose bytes differ, for example a truncated one, is replaced.
  ///
  /// - Returns: `false` if the target already had the file.
  private func send(_ file: OutgoingFile, as key: String) throws -> Bool {
    for isLast in [false, true] {
      if try target.create(key, as: file) {
        try target.requireHeld(file, at: key, otherwise: "nothing was changed; run again")
        return true
      }
      if try target.holds(key, as: file) { return false }
      if !isLast { try target.remove(key) }
    }
    throw DeliveryError(
      .refused,
      "'\(key)' at \(target.name) is not what its name says; nothing was changed; remove it and publish again"
    )
  }

  /// Returns the config file of a release, which is signed in a signed channel.
  ///
  /// - Throws: `DeliveryError` if the file would be too large to be read; the errors of signing.
  private func configFile(for derived: Derived, issued: Instant) throws -> OutgoingFile {
    let (format, release) = (derived.record.format, derived.record.number)
    let bytes =
      try place.signing?.signed(
        derived.config, release: release, of: place, issued: issued, format: format)
      ?? derived.config
    try checkSize(of: bytes, at: place.configKey(format))
    return OutgoingFile(bytes: bytes, headers: configHeaders)
  }

  /// Refuses a file that could be written, but would be too large to be read.
  private func checkSize(of bytes: [UInt8], at key: String) throws(DeliveryError) {
    guard bytes.count > ReadLimit.bytes(of: key) else { return }
    throw DeliveryError(
      .refused,
      "'\(key)' would have \(bytes.count) bytes, and contentc reads at most \(ReadLimit.bytes(of: key)) of such a file; "
        + "have fewer locales, devices or objects; nothing was changed")
  }
}

/// The decision about a draft, before anything is written.
extension Publisher {
  /// The work that a publication does for a draft.
  struct Plan {
    var draft: Draft
    /// `true` if every object is checked.
    var repairs: Bool
    /// `true` if no release is made, because the live release shows the same content.
    var keepsLive: Bool
    /// A record with a higher number than the live release; `nil` if there is none.
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
      // The rule has added a purge that ends the state of a restored config. In that state, the
      // target may lack objects of the release.
      if plan.draft.purged != nil { plan.repairs = true }
    }
    // The end of that state may end a rollout: its stable side may show what a purge removed.
    let endsRestoredState = draft.purged == nil && plan.draft.purged != nil
    if !endsRestoredState { try checkRollout(of: draft, after: live) }
    if draft.above != nil || plan.draft.notes != nil { plan.keepsLive = false }
    if plan.keepsLive { plan.ahead = try live.flatMap { try place.recordAhead(of: $0, at: now()) } }
    // While another publisher may be at work, unchanged content gets no new release.
    plan.isBehind = plan.ahead.map { !$0.mayBeUnderWay } ?? false
    if plan.isBehind { plan.keepsLive = false }
    plan.draft.assumedAtTarget =
      plan.repairs ? [] : draft.assumedAtTarget.union(live?.record.objects ?? [])
    return plan
  }

  /// Refuses content that would end a rollout by accident.
  private func checkRollout(of draft: Draft, after live: LiveRelease?) throws {
    guard let rollout = live?.rollout, !draft.decidesRollout, draft.content.rollout != rollout
    else { return }
    throw rollout.refusal(in: place.channel)
  }

  /// A release that is about to be written.
  struct Derived {
    var record: ReleaseRecord
    /// The bytes of the config of format 1.
    var config: [UInt8]
  }

  /// Derives the release of a plan.
  ///
  /// The same plan, live release, time and token give the same bytes.
  ///
  /// - Throws: `DeliveryError` if no number can follow; `TargetError`.
  func derive(
    _ plan: Plan, after live: LiveRelease?, issued: Instant, runToken: String
  ) throws -> Derived {
    let draft = plan.draft
    // Only a verified config proves its records. Without one, the records at the target count for
    // nothing.
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
      // The purged names do not fit into config, so config withdraws all earlier releases instead.
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

  /// Decides on the work for a draft, and derives the release; `nil` if no release is made.
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

/// The swap of config, which alone decides which release is live.
extension Publisher {
  /// Makes a release live, unless config at the target has another tag than `tag`.
  ///
  /// If only the statements of the live release were signed again meanwhile, the swap is tried
  /// again.
  func swap(
    to record: ReleaseRecord, in file: OutgoingFile, after live: LiveRelease?, tagged tag: String?,
    attempts: Int
  ) throws {
    let isReplaced: Bool
    do {
      isReplaced = try target.replace(
        place.configKey(record.format), with: file, tagged: tag)
    } catch {
      // The target may have replaced config even though the answer was lost or came from a proxy.
      if let now = try? place.live(), (try? isPublished(record, asOf: now)) == true { return }
      throw error
    }
    if isReplaced { return try confirm(record, config: file) }
    if replacesUnverified {
      throw DeliveryError(
        .lost,
        "config of '\(place.channel)' was replaced meanwhile; nothing was changed; look with 'contentc status'"
      )
    }
    let winner = try place.live()
    // The answer to an earlier attempt may be lost, and another release may have followed.
    if let winner, try isPublished(record, asOf: winner) { return }
    if let winner, let live, winner.config == live.config, attempts > 1,
      tag?.hasSameBytes(as: winner.tag) != true
    {
      return try swap(
        to: record, in: file, after: live, tagged: winner.tag, attempts: attempts - 1)
    }
    throw DeliveryError(.lost, sentence(on: winner, after: live))
  }

  /// The milliseconds before each attempt to read back a replaced config: two seconds in total.
  static let pauses = [0, 50, 150, 300, 500, 1_000]

  /// Reads config back.
  ///
  /// A proxy may report a write that the target never got, or answer with an older copy.
  ///
  /// - Throws: `TargetError` if the target still shows the old release: the live release is then
  ///   unknown.
  private func confirm(_ record: ReleaseRecord, config file: OutgoingFile) throws {
    var last = "cannot be read back"
    for pause in Self.pauses {
      if pause > 0 { sleep(pause) }
      do {
        let now = try place.live(known: record)
        if let now, try isPublished(record, asOf: now) { return }
        last = now.map { "still shows release \($0.number)" } ?? "shows no release at all"
      } catch let error as TargetError {
        // Config cannot be read. A target may still know from its answer to the write that it has
        // the new config.
        if (try? target.holds(place.configKey(record.format), as: file)) == true { return }
        last = "cannot be read back (\(error))"
        break
      } catch {
        last = "cannot be read back (\(error))"
      }
    }
    throw TargetError(
      .unreachable,
      "\(target.name) says that it took config of release \(record.number), and \(last): whether release "
        + "\(record.number) is live is unknown; look with 'contentc status', then run again")
  }

  /// Returns whether the live release is the one of a record, or follows it.
  func isPublished(_ record: ReleaseRecord, asOf now: LiveRelease) throws -> Bool {
    if now.record.digest == record.digest { return true }
    guard now.number > record.number else { return false }
    var chain = try place.chain()
    while let earlier = try chain.next(), earlier.number >= record.number {
      if earlier.digest == record.digest { return true }
    }
    return false
  }

  private func sentence(on winner: LiveRelease?, after live: LiveRelease?) -> String {
    guard let winner else {
      return
        "config of '\(place.channel)' at \(target.name) was removed meanwhile; nothing was changed; run again"
    }
    if let live, winner.record.digest == live.record.digest {
      if winner.bytes != live.bytes {
        return
          "release \(live.number) of '\(place.channel)' was signed again meanwhile; nothing was changed; run again"
      }
      return
        "\(target.name) refuses to replace config, although it did not change; does a proxy drop 'ETag'? "
        + "Nothing was changed"
    }
    let who = winner.record.by.map { " by \($0)" } ?? ""
    let what = winner.record.message.map { " (\($0))" } ?? ""
    return
      "another publisher was faster: release \(winner.number) of '\(place.channel)' was published\(who)\(what); "
      + "nothing was changed; run again"
  }
}

extension Publisher {
  /// The number of swaps that an emergency tries to win.
  private static let attempts = 30

  /// Repeats an emergency's attempt after another release has won the swap.
  ///
  /// At a folder, an emergency gets the lock first. A bucket cannot exclude other writers, but the
  /// next attempt may win. `live` is a release that was live recently; each further attempt gets
  /// the release that is live then.
  ///
  /// - Throws: The errors of `attempt`. A `.lost` error is thrown at once if no other release has
  ///   become live, since a repetition would not help. Otherwise, it is thrown after 30 lost
  ///   attempts.
  package func retryingLostSwaps<Result>(
    after live: LiveRelease, _ attempt: (LiveRelease) throws -> Result
  ) throws -> Result {
    var live = live
    for _ in 1..<Self.attempts {
      do { return try attempt(live) } catch let error as DeliveryError where error.kind == .lost {
        guard let now = try place.live(), now.record.digest != live.record.digest else {
          throw error
        }
        live = now
      }
    }
    return try attempt(live)
  }

  /// Publishes for an emergency.
  ///
  /// If another release wins the swap, tries again after that release. At a bucket, does not wait
  /// for a command that removes objects.
  ///
  /// `draft` gets the live release of each attempt; `endangered` gets the objects to check once
  /// caches are purged.
  ///
  /// - Throws: `DeliveryError`; `TargetError`; the errors of `draft`.
  package func publishUrgently(
    after live: LiveRelease, endangered: EndangeredObjects, _ draft: (LiveRelease) throws -> Draft
  ) throws -> Outcome {
    let outcome = try retryingLostSwaps(after: live) { live in
      try publish(known: live, endangered: endangered) { now in
        guard let now else {
          throw DeliveryError.removedConfig(of: place.channel)
        }
        return try draft(now)
      }
    }
    // Sends the objects again that were removed before the swap. The caller sends objects that are
    // removed later, once caches are purged.
    try? endangered.putBack(at: place)
    return outcome
  }
}

extension Publisher {
  /// Refuses objects that the target would not store or contentc could not read, before any is
  /// sent.
  private func checkSizes(_ draft: Draft) throws {
    if let object = draft.content.objects.first(where: {
      $0.isPropertyList && $0.size > ReadLimit.propertyList
    }) {
      throw DeliveryError(
        .refused,
        "'\(object.key)' is too large: it has \(object.size) bytes, and contentc and clients read "
          + "property lists of at most \(ReadLimit.propertyList); divide the bundle into several "
          + "ones, or make the asset smaller; nothing was changed")
    }
    guard let limit = place.target.largestFile else { return }
    let lacking = draft.content.objects.filter { !draft.assumedAtTarget.contains($0) }
    guard let object = lacking.first(where: { $0.size > limit }) else { return }
    throw DeliveryError(
      .refused,
      "'\(object.key)' is too large: it has \(object.size) bytes, and \(place.target.name) takes files of at most \(limit); "
        + "make the asset smaller, or leave it elsewhere and link to it; nothing was changed")
  }

  /// Returns the large parts of a release; `config` is the number of bytes of its config.
  ///
  /// An emergency is published in any case, because other readers may accept what clients refuse.
  /// An emergency reads no index: reading takes time, and the index may be missing after config was
  /// restored.
  ///
  /// - Throws: `DeliveryError` if clients would refuse one of the parts.
  func limitedParts(of draft: Draft, config: Int) throws -> [LimitedPart] {
    let config = LimitedPart(.config, bytes: config)
    guard givesWay else { return [config].large }
    let parts = try ([config] + draft.content.limitedParts()).large
    guard let part = parts.first(where: \.isTooLarge) else { return parts }
    throw DeliveryError(
      .refused, "\(part.sentence); \(part.remedy); nothing was changed")
  }
}

extension ReleaseContent {
  /// The parts of a release: its indexes, its maintenance payloads, and the lists that are too
  /// large.
  fileprivate func limitedParts() throws -> [LimitedPart] {
    let sizes = Dictionary(objects.map { ($0.digest, $0.size) }) { first, _ in first }
    func parts(_ kind: LimitedPart.Kind, in digests: Value?) -> [LimitedPart] {
      (digests?.members ?? Members()).flatMap { locale, devices in
        (devices.members ?? Members()).compactMap { device, value in
          value.digest.flatMap { sizes[$0] }.map {
            LimitedPart(kind, of: "\(locale)/\(device)", bytes: $0)
          }
        }
      }
    }
    return try [members, members.nextSide ?? Members()].flatMap { side in
      parts(.index, in: side["indexes"]) + parts(.maintenance, in: side["maintenance"]?["payloads"])
    } + largeLists()
  }

  /// The lists of split bundles that clients would refuse.
  ///
  /// Only indexes name lists. The indexes are read only if some property list is too large for a
  /// list.
  private func largeLists() throws -> [LimitedPart] {
    let limit = LimitedPart.Kind.list.limit
    let large = objects.filter { $0.isPropertyList && $0.size > limit }
    guard !large.isEmpty else { return [] }
    let indexes = Set(
      [members["indexes"], members["next"]?["indexes"]].flatMap { $0?.digests ?? [] })
    return try objects.filter { indexes.contains($0.digest) && $0.size <= limit }.flatMap { index in
      let bytes = try file(index).body.bytes(limit: limit)
      let bundles = (try? PropertyList.decode(bytes))?.value["bundles"]?.members ?? Members()
      return bundles.flatMap { name, row in
        large.filter { BundleParts(row)?.digest == $0.digest }.map {
          LimitedPart(.list, of: name, bytes: $0.size)
        }
      }
    }
  }
}
