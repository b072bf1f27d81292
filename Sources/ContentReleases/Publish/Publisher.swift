package import ContentModel
package import ContentTargets
import PropertyLists
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
  /// What happens if the machine's clock is behind a signed live config.
  package var clockRule = IssueTime.Rule.refuse
  /// Receives each step of a swap: the last one says what an interruption leaves.
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
  /// the live release does not show, or if config was restored from a backup. Without config, there
  /// is no live release. A draft that `isUnchanged`, because readers get its content already, is
  /// refused only after a restored config.
  ///
  /// The rule returns the draft to publish. A draft that ends the state of a restored config becomes a
  /// purge: the publisher then checks every object, since those of the live release may be missing. A draft that `replacesUnread` gets numbers that are at least those of all
  /// purges that signatures prove.
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

    /// The record of the release that is live then.
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
    /// Those of them that the live release names: readers may have asked for them meanwhile.
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
    /// `true` if the live release was signed again, since its signatures were due or the keys new.
    package var isSignedAgain = false
    /// The parts of the release that have more than a quarter of the bytes that clients accept.
    package var large: [LimitedPart] = []

    /// The number of objects that the target lacked.
    package var objects: Int { new.count }
  }

  /// Publishes the draft that `draft` returns for the live release.
  ///
  /// The order keeps readers safe: (1) the record, (2) the objects that the target lacks, each read
  /// back unless the answer to its write proves it, (3) config, replaced only if no other writer
  /// replaced it. This swap alone decides which release has the number. If the run ends before the
  /// swap, readers keep the old release, and another run finishes the job. A publisher that
  /// `repairs` checks every object, not only those that the live release does not name. `known` is
  /// the live release as recently read, or `nil`.
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
    // Less than half of `validFor` is left, or the newest keys have not signed it.
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
    // Config says the same, and the next command that finishes purges writes what is missing.
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
      // A prune or purge that begins now sees the record, but one at work may have missed it.
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

  /// Sends a file whose key has its hash, and replaces one that has other bytes, such as one that a
  /// power failure has cut.
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
