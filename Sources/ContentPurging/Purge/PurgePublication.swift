import ContentModel
import ContentReleases
import ContentTargets
import Hashing

/// The publication of a purge, which is planned again if another release becomes live meanwhile.
struct PurgePublication {
  /// The error that ends the publication if another release has left no work.
  struct NothingLeft: Error {}

  /// The manifest that lists the remaining work; `nil` until it is written.
  private(set) var manifest: PurgeManifest?
  private let purge: Purge
  private var order: PurgeOrder
  private var plan: PurgePlan
  /// The release for which the purge is planned.
  private var live: LiveRelease
  /// The purges of the channel at that time.
  private var ledger: PurgeLedger
  private var sequence = 0
  /// The records of the releases tried so far: their pending manifests need not be read.
  private var tried: [Digest] = []

  init(
    of purge: Purge, _ order: PurgeOrder, as plan: PurgePlan, in ledger: PurgeLedger,
    after live: LiveRelease
  ) {
    (self.purge, self.order, self.plan) = (purge, order, plan)
    (self.ledger, self.live) = (ledger, live)
  }

  /// Returns the draft without the purged content; plans the purge again if another release became
  /// live.
  mutating func draft(
    after present: LiveRelease?,
    replan: (LiveRelease, PurgeLedger) throws -> (order: PurgeOrder, plan: PurgePlan)?
  ) throws -> Draft {
    manifest = nil
    guard let present else {
      throw DeliveryError.removedConfig(of: purge.place.channel)
    }
    if present.record.digest != live.record.digest {
      // After a lost answer, an attempt may be live in spite of all.
      let lost = tried.filter { $0 != present.record.digest }
      let purges = try PurgeLedger(purge.place, live: present, lost: lost, after: ledger)
      guard let new = try replan(present, purges) else { throw NothingLeft() }
      (live, ledger, order, plan) = (present, purges, new.order, new.plan)
    }
    // The live release may be that of a faster purge, whose number counts.
    sequence = try ledger.nextSequence(after: present)
    let restored = try RestoredConfig(ledger, live: present)
    var purged = Draft.Purged(
      entries: plan.entries.map(\.id), objects: plan.gone.map(\.digest), sequence: sequence)
    purged.missedAfter = restored?.lastFollowed
    purged.order = try PurgeManifest(
      sequence: sequence, issued: Instant(secondsSince1970: 0), release: 0, record: Digest(of: []),
      order: order, plan: plan
    ).orderDigest
    var draft = Draft(
      content: plan.content, of: plan.contentRelease, message: "purge \(sequence): \(order.reason)",
      by: order.by, purged: purged)
    draft.above = restored?.highestRelease
    return draft
  }

  /// Returns the manifest for the record of the release, without the objects at risk.
  func pending(for record: ReleaseRecord, at now: Instant) -> PurgeManifest {
    PurgeManifest(
      sequence: sequence, issued: record.issued ?? now, release: record.number,
      record: record.digest, order: order, plan: plan)
  }

  /// Writes the manifest for the record of the release, which is about to become live.
  mutating func writePending(for record: ReleaseRecord, at now: Instant) throws {
    var begun = pending(for: record, at: now)
    begun.endangered = try purge.endangered.objects + returned()
    let place = purge.place
    let (key, file) = (begun.pendingKey(place.channel), try begun.file)
    guard try place.target.create(key, as: file) || place.target.holds(key, as: file) else {
      throw DeliveryError(
        .lost, "another purge has just begun in '\(place.channel)'; nothing was changed; run again")
    }
    try place.target.requireHeld(file, at: key, otherwise: "nothing was changed; run again")
    tried.append(record.digest)
    manifest = begun
  }

  /// Returns the objects sent for the release that an earlier purge had removed.
  ///
  /// Only a restoration has read the manifests of all purges; for others, config names the objects of
  /// the last ones.
  private func returned() throws -> [ReleaseObject] {
    let sent = purge.endangered.sent
    if sent.isEmpty { return [] }
    var removed = Set((live.purge?["objects"]?.items ?? []).compactMap(\.digest))
    if case .nothing = order.remedy {} else { removed.formUnion(try ledger.removedObjects()) }
    let known = Set(purge.endangered.objects)
    return sent.filter { removed.contains($0.digest) && !known.contains($0) }
  }
}
