import Parallel
package import ContentModel
import PropertyLists

/// Puts releases in place, so that every reader sees one whole release whatever happens on the way.
package struct Publisher: Sendable {
  let place: ChannelPlace
  let configHeaders: FileHeaders
  let now: @Sendable () -> Instant
  let run: @Sendable () -> String
  /// What is written into a folder besides.
  package var extras: FolderExtras?
  /// Hashes of the channel's addresses, for records.
  package var settings: Value?
  /// Waits so many milliseconds.
  package var sleep: @Sendable (_ milliseconds: Int) -> Void = Surroundings.system.sleep
  /// True if it ends between two objects where an emergency waits for the folder's lock.
  package var givesWay = true

  /// A publisher for a channel; `now` is asked for the time, and `run` for a text that no other run
  /// has.
  package init(
    _ place: ChannelPlace, configHeaders: FileHeaders, now: @escaping @Sendable () -> Instant,
    run: @escaping @Sendable () -> String
  ) {
    (self.place, self.configHeaders, self.now, self.run) = (place, configHeaders, now, run)
  }

  private var target: any Target { place.target }

  /// What became of a publication.
  package enum Outcome: Sendable {
    case released(ReleaseRecord, sent: Sent)
    /// The live release shows just this already.
    case unchanged(ReleaseRecord, sent: Sent)
  }

  /// What was sent to the target, config and record not counted.
  package struct Sent: Hashable, Sendable {
    /// Objects that the target lacked.
    package var objects = 0
    /// As readers get them, not compressed.
    package var bytes = 0
    /// Objects that were there, though no release of this channel names them.
    package var found = 0
  }

  /// Publishes what `draft` makes of the live release.
  ///
  /// The order is what keeps readers safe: (1) the record, (2) the objects that it names, (3) a
  /// look whether they are there, (4) config, replaced only if nobody else replaced it: this swap
  /// alone decides which release has the number. Whatever ends the run before the swap leaves
  /// readers the old release; running again finishes the job. A publisher that `repairs` looks at
  /// every object, not only at those that the live release does not name. `known` is what was live
  /// a moment ago, if that was looked at.
  ///
  /// `beforeSwap` is called when all else is in place. Where another command may remove objects
  /// which the release needs, this throws `.lost`. An emergency goes on: it gives `endangered`
  /// those objects, and looks after them.
  ///
  /// - Throws: `DeliveryError`, `TargetError`, what `draft` and `beforeSwap` throw.
  package func publish(
    known: LiveRelease? = nil, repairs: Bool = false, endangered: EndangeredObjects? = nil,
    progress: @escaping @Sendable (_ bytes: Int) -> Void = { _ in },
    beforeSwap prepare: (ReleaseRecord) throws -> Void = { _ in },
    _ draft: (LiveRelease?) throws -> Draft
  ) throws -> Outcome {
    try target.exclusively {
      // Where nothing keeps others from writing, the swap finds out whether somebody did.
      let live = try target.hasLock ? place.live(known: known) : known ?? place.live()
      var draft = try draft(live)
      draft.settings = settings
      draft.present = repairs ? [] : draft.present.union(live?.record.objects ?? [])
      if let live, draft.changesNoSwitch, draft.content.isSame(as: live.members) {
        let sent = repairs ? try send(draft, progress) : Sent()
        try extras?.writeHeaders()
        try extras?.writeLatest(live.members, live.format, in: place.channel)
        return .unchanged(live.record, sent: sent)
      }
      try checkPlace(draft.content, live)
      if let live, draft.changesNoSwitch, !draft.unpurged.contains("all") {
        try PurgeLedger(place, live: live).refusePurged(
          in: draft.content, but: draft.unpurged, live: live, place)
      }
      try checkSizes(draft)
      // What comes back is looked for again, even if this publication fails after it was sent.
      if repairs || !draft.unpurged.isEmpty { try RetiredReleases.remove(at: place) }
      let record = try draft.record(after: live, of: place, at: now(), run: run())
      _ = try configFile(draft, record, live)
      try write(record)
      let sent = try retracting(record) {
        // A prune or purge that begins now sees the record; one that is at work may not have seen
        // it.
        try heedRemovals(of: draft.content, live, endangered)
        try checkAssumed(draft, live)
        let sent = try send(draft, progress)
        try extras?.writeHeaders()
        try prepare(record)
        return sent
      }
      try swap(draft, record, live)
      try extras?.writeLatest(record.members, record.format, in: place.channel)
      return .released(record, sent: sent)
    }
  }

  private func checkPlace(_ content: ReleaseContent, _ live: LiveRelease?) throws {
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

  /// Refuses to publish beside a command that may be removing what the release needs, or keeps the
  /// bytes of that.
  ///
  /// Objects that readers get already are never removed.
  private func heedRemovals(
    of content: ReleaseContent, _ live: LiveRelease?, _ endangered: EndangeredObjects?
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
        + "changed; run again later")
  }

  /// Looks whether what another channel's release named is there still: a purge may have ended
  /// before the record was there.
  private func checkAssumed(_ draft: Draft, _ live: LiveRelease?) throws {
    let assumed = draft.present.subtracting(live?.record.objects ?? [])
    if assumed.isEmpty { return }
    let there = Set(try target.list(below: "objects/").map(\.key))
    guard draft.content.objects.allSatisfy({ !assumed.contains($0) || there.contains($0.key) })
    else {
      throw DeliveryError(
        .lost,
        "some of the content was removed from \(target.name) meanwhile; nothing was changed; run again"
      )
    }
  }

  /// Refuses what the target would refuse, before anything is sent.
  private func checkSizes(_ draft: Draft) throws {
    guard let limit = target.largestFile else { return }
    let lacking = draft.content.objects.filter { !draft.present.contains($0) }
    guard let object = lacking.first(where: { $0.size > limit }) else { return }
    throw DeliveryError(
      .refused,
      "'\(object.key)' is too large: it has \(object.size) bytes, and \(target.name) takes files of at most \(limit); "
        + "make the asset smaller, or leave it elsewhere and link to it; nothing was changed")
  }

  private func write(_ record: ReleaseRecord) throws {
    let key = ReleaseRecord.key(place.channel, record.number, record.digest, record.format)
    let headers = FileHeaders(
      contentType: .contentType(of: record.format.fileExtension), cacheControl: .forever)
    let file = OutgoingFile(bytes: record.bytes, headers: headers)
    try check(record.bytes, at: key)
    // Nobody else has its name, which holds what this run alone knows.
    if try target.create(key, file) {
      try target.requireHeld(key, file, "nothing was changed; run again")
    } else if try !target.holds(key, file) {
      throw DeliveryError(.refused, "\(target.name) has another '\(key)'; nothing was changed")
    }
  }

  /// Does what comes before the swap; where it fails, the record goes, which keeps others from
  /// removing what it names.
  ///
  /// Once a swap was tried it stays: it may be a link of the chain, and does no harm when its
  /// number is taken.
  private func retracting<Result>(_ record: ReleaseRecord, _ work: () throws -> Result) throws
    -> Result
  {
    do { return try work() } catch {
      try? target.remove(
        ReleaseRecord.key(place.channel, record.number, record.digest, record.format))
      throw error
    }
  }

  /// Sends what the target lacks, and looks whether it is there as it should be.
  private func send(
    _ draft: Draft, _ progress: @escaping @Sendable (Int) -> Void
  ) throws -> Sent {
    let lacking = draft.content.objects.filter { !draft.present.contains($0) }
    let isNew = try lacking.mapOverlapped { [self] object in
      if givesWay, target.isWantedByEmergency {
        throw DeliveryError(
          .lost, "an emergency has priority at \(target.name); nothing was changed; run again")
      }
      let file = try draft.content.file(object)
      let isNew = try sendWhole(object, file)
      progress(file.body.count)
      return isNew ? file.body.count : nil
    }
    let sizes = isNew.compactMap(\.self)
    return Sent(objects: sizes.count, bytes: sizes.reduce(0, +), found: isNew.count - sizes.count)
  }

  /// Sends an object, also in the place of one that a power failure has cut: whatever bears its
  /// name must be it.
  private func sendWhole(_ object: ReleaseObject, _ file: OutgoingFile) throws -> Bool {
    for isLast in [false, true] {
      if try target.create(object.key, file) {
        try target.requireHeld(object.key, file, "nothing was changed; run again")
        return true
      }
      if try target.holds(object.key, file) { return false }
      if !isLast { try target.remove(object.key) }
    }
    throw DeliveryError(
      .refused,
      "'\(object.key)' at \(target.name) is not what its name says; nothing was changed; remove it and publish again"
    )
  }

  /// Makes the release the live one, if the live one is still the one that it was made after.
  private func swap(_ draft: Draft, _ record: ReleaseRecord, _ live: LiveRelease?) throws {
    let file = try configFile(draft, record, live)
    let isReplaced: Bool
    do {
      isReplaced = try target.replace(
        place.configKey(draft.content.format), file, tagged: live?.tag)
    } catch {
      // Maybe only the answer was lost, or came from somebody between us and the target.
      if let now = try? place.live(), now.record.digest == record.digest { return }
      throw error
    }
    if isReplaced { return try confirm(record, file) }
    let winner = try place.live()
    if let winner, winner.record.digest == record.digest { return }
    throw DeliveryError(.lost, sentence(on: winner, record))
  }

  /// The config of the release, which is checked before anything is sent as well.
  private func configFile(_ draft: Draft, _ record: ReleaseRecord, _ live: LiveRelease?) throws
    -> OutgoingFile
  {
    let config = try draft.config(record, after: live, of: place)
    let bytes = try PropertyList.encode(.dictionary(config), as: draft.content.format)
    try check(bytes, at: place.configKey(draft.content.format))
    return OutgoingFile(bytes: bytes, headers: configHeaders)
  }

  /// Refuses a file that could be written, and never be read again.
  private func check(_ bytes: [UInt8], at key: String) throws(DeliveryError) {
    guard bytes.count > ReadLimit.bytes(of: key) else { return }
    throw DeliveryError(
      .refused,
      "'\(key)' would have \(bytes.count) bytes, and contentc reads at most \(ReadLimit.bytes(of: key)) of such a file; "
        + "have fewer locales, devices or objects; nothing was changed")
  }

  /// Milliseconds between looks at a config that the target says it has replaced: two seconds in
  /// all.
  private static let looks = [0, 50, 150, 300, 500, 1_000]

  /// Reads config back: something on the way may have said that it was written, or may answer with
  /// an older copy.
  ///
  /// - Throws: `TargetError` where the target goes on showing the old release, so that it is not
  ///   known what readers get.
  private func confirm(_ record: ReleaseRecord, _ file: OutgoingFile) throws {
    var last = "cannot be read back"
    for pause in Self.looks {
      if pause > 0 { sleep(pause) }
      do {
        let now = try place.live()
        if let now, try shows(record, now) { return }
        last = now.map { "still shows release \($0.number)" } ?? "shows no release at all"
      } catch let error as TargetError {
        // The answer to the write may have proven it.
        if (try? target.holds(place.configKey(record.format), file)) == true { return }
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

  /// True if a release is the one that was put in place, or came after it.
  private func shows(_ record: ReleaseRecord, _ now: LiveRelease) throws -> Bool {
    if now.record.digest == record.digest { return true }
    guard now.number > record.number else { return false }
    var chain = try place.chain()
    while let earlier = try chain.next(), earlier.number >= record.number {
      if earlier.digest == record.digest { return true }
    }
    return false
  }

  private func sentence(on winner: LiveRelease?, _ record: ReleaseRecord) -> String {
    guard let winner else {
      return
        "config of '\(place.channel)' at \(target.name) was removed meanwhile; nothing was changed; run again"
    }
    if winner.number < record.number {
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
