import ContentModel
import ContentReleases
import ContentTargets

/// The publication of a purge, which is planned again if another release becomes live meanwhile.
struct PurgePublication {
  /// The error that ends the publication if another release has left no work.
  struct NothingLeft: Error {}

  /// The error of an attempt whose number another purge took; the next attempt has another number.
  struct NumberTaken: Error {}

  /// The purge whose `begun` was written last; `nil` before.
  private(set) var written: KnownPurge?
  private let purge: Purge
  private var order: PurgeOrder
  private var plan: PurgePlan
  /// The release for which the purge is planned.
  private var live: LiveRelease
  /// The purges of the channel at that time.
  private var list: PurgeList
  /// The note `begun`, without the release; `nil` before the first draft.
  private var planned: Begun?
  /// The number whose file this command has created, so that no other purge has the number.
  private var ownNumber: Int?
  /// `true` if another purge took the number of the last attempt.
  private var isOvertaken = false

  init(
    of purge: Purge, _ order: PurgeOrder, as plan: PurgePlan, in list: PurgeList,
    after live: LiveRelease
  ) {
    (self.purge, self.order, self.plan) = (purge, order, plan)
    (self.list, self.live) = (list, live)
  }

  /// Returns the draft without the purged content; plans the purge again if another release became
  /// live.
  mutating func draft(
    after present: LiveRelease?,
    replan: (LiveRelease, PurgeList) throws -> (order: PurgeOrder, plan: PurgePlan)?
  ) throws -> Draft {
    guard let present else {
      throw DeliveryError.removedConfig(of: purge.place.channel)
    }
    if present.record.digest != live.record.digest {
      // After a lost answer, an attempt may be live in spite of all: then the list has it.
      let purges = try PurgeList(purge.place, live: present, after: list)
      guard let new = try replan(present, purges) else { throw NothingLeft() }
      (live, list, order, plan) = (present, purges, new.order, new.plan)
    } else if isOvertaken {
      // The command of that purge may have been killed: then no release will follow.
      list = try PurgeList(purge.place, live: present, after: list)
    }
    isOvertaken = false
    // Readers act only on a number that rises.
    let number =
      if let ownNumber, ownNumber > list.configNumber { ownNumber } else { try list.nextNumber() }
    var begun = Begun(number, order, as: plan, after: present, at: purge.place)
    begun.returned = try returned()
    planned = begun
    let restored = try RestoredConfig(list)
    var purged = Draft.Purged(
      entries: begun.entries, objects: begun.objects, sequence: number)
    purged.order = try begun.orderDigest
    purged.begun = { [begun] record in
      try begun.released(as: record, after: present).file.body.bytes
    }
    var draft = Draft(
      content: plan.content, of: plan.contentRelease, message: "purge \(number): \(order.reason)",
      by: order.by, purged: purged)
    restored?.keepState(in: &draft)
    return draft
  }

  /// Returns the objects that the release shows again although an earlier purge removed them.
  ///
  /// Only a restoration or a replacement reads all purges; for others, config names the objects of the last ones.
  private func returned() throws -> [ReleaseObject] {
    let shown = Set(live.record.objects)
    let new = plan.content.objects.filter { !shown.contains($0) }
    if new.isEmpty { return [] }
    var removed = Set((live.purge?["objects"]?.items ?? []).compactMap(\.digest))
    if case .nothing = order.remedy {} else { removed.formUnion(try list.removedObjects()) }
    return new.filter { removed.contains($0.digest) }
  }

  /// Repeats an attempt whose number another purge took, at most 30 times.
  mutating func retryingTakenNumbers<Result>(
    _ attempt: (inout PurgePublication) throws -> Result
  ) throws -> Result {
    for _ in 0..<30 {
      do { return try attempt(&self) } catch is NumberTaken {}
    }
    throw DeliveryError(
      .lost,
      "other purges have just begun in '\(purge.place.channel)'; nothing was changed; run again")
  }

  /// Ends step 1: takes the number, and writes `begun` for the release that is about to become
  /// live.
  mutating func writeBegun(for record: ReleaseRecord) throws {
    guard let planned else { return }
    if ownNumber != planned.number {
      guard try purge.place.take(planned.number) else {
        isOvertaken = true
        throw NumberTaken()
      }
      ownNumber = planned.number
    }
    written = try purge.place.write(planned.released(as: record, after: live))
  }
}

extension Begun {
  /// Creates the note of a planned purge, whose release will follow the live one.
  fileprivate init(
    _ number: Int, _ order: PurgeOrder, as plan: PurgePlan, after live: LiveRelease,
    at place: ChannelPlace
  ) {
    self.init(number, because: order.reason, by: order.by, after: live, at: place)
    commandWords = order.commandWords
    switch order.subject {
    case .entries: break
    case .release(let number): subject = "release \(number)"
    case .assets(let digests):
      let noun = digests.count == 1 ? "asset" : "assets"
      subject = "\(noun) \(digests.map(\.hex).joined(separator: ", "))"
      assets = digests
    }
    (entries, contents, objects) = (plan.entries.map(\.id), plan.contents, plan.gone)
    given = subject == nil ? plan.given : nil
  }
}
