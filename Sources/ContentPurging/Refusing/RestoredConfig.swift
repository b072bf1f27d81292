package import ContentModel
package import ContentReleases
import ContentTargets
import System

/// A config that was restored from a backup, or that is gone.
///
/// Such a config misses a purge that went live, or its release is older than one that this machine
/// saw. Readers may see content that a missed purge removed, and objects of the release may be
/// missing.
///
/// `publish --above` ends this state. A purge and `maintenance on` go live, but do not end the
/// state. Every other command that writes is refused. There are three exceptions:
///
/// - If config is signed and `content.yaml` has no `signing` for the channel, `keys off --above`
///   ends the state instead of `publish --above`.
/// - If config is unsigned and an earlier one was signed, only `keys replace` writes. The command
///   ends the state.
/// - If a recovery is not published yet, only `keys recovered` writes. The command ends the state.
///
/// In a signed channel, a purge counts only if a key document accepts its note `live`.
package struct RestoredConfig: Sendable {
  /// The purges that config does not follow, in the order of their numbers.
  private let missed: [KnownPurge]
  /// The highest release number in config, the records, the missed purges and this machine's memory.
  package let highestRelease: Int
  /// The number of the last purge that config follows.
  private let lastFollowed: Int
  private let place: ChannelPlace
  private let live: LiveRelease?
  /// `true` if the newest key document is a recovery, and config is older than the recovery.
  private var awaitsRecovery: Bool { place.awaitedRecovery(after: live) != nil }

  /// `true` if this machine saw a release with a higher number than config's.
  private let isBehindMemory: Bool
  private let lacksLastPurge: Bool

  private var isConfigGone: Bool { live == nil }
  /// `true` if config is signed, and `content.yaml` has no `signing` for the channel.
  private var endsSigning: Bool { place.signing == nil && live?.isSigned == true }
  /// `true` if config is unsigned, and an earlier config was signed.
  ///
  /// The evidence is a signed release that this machine saw, or a missed purge that the keys prove.
  private var lacksSignatures: Bool {
    place.signing != nil && live?.isSigned == false && (place.seen.release > 0 || !missed.isEmpty)
  }

  /// Compares the live config with the purges of its channel; `nil` if config follows all of them.
  ///
  /// - Throws: `DeliveryError`, of the kind `lost` if another publisher was faster; `TargetError`.
  package init?(_ list: PurgeList) throws {
    let (place, live) = (list.place, list.live)
    let listed = list.missed
    isBehindMemory = try list.isBehindMemory()
    guard live?.purge?["missedAfter"] != nil || !listed.isEmpty || isBehindMemory else {
      return nil
    }
    // If config has changed since it was read, the missed purges may be wrong, too.
    guard try place.live()?.record.digest == live?.record.digest else {
      throw DeliveryError(
        .lost, "another publisher was faster in '\(place.channel)'; nothing was changed; run again")
    }
    (self.place, self.live, lastFollowed) = (place, live, list.followed)
    // Skips a note that a newer version wrote, because the note must not stop an emergency.
    missed = try listed.mapOverlapped { purge in
      do { return try list.read(purge) } catch is DeliveryError { return nil }
    }.compactMap(\.self)
    // Ignores numbers that no release of the channel can have yet.
    let releases = missed.map(\.begun.release).filter {
      $0 - (live?.number ?? 0) <= ChannelPlace.numbersAhead
    }
    highestRelease = max(
      try place.highestRelease(after: live), releases.max() ?? 0,
      isBehindMemory ? place.seen.release : 0)
    lacksLastPurge = list.lacksLastPurge
  }

  /// The missed purges that removed content; all missed purges if none did.
  ///
  /// A publication that ended such a state is also a purge, but removed no content.
  private var removals: [Begun] {
    let purges = missed.map(\.begun)
    let removals = purges.filter { !$0.entries.isEmpty || !$0.objects.isEmpty }
    return removals.isEmpty ? purges : removals
  }

  // MARK: Messages

  /// The problem, as a sentence.
  package var sentence: String {
    let purge = removals.last.map { "purge \($0.number) (release \($0.release))" }
    let later = purge ?? (isBehindMemory ? "release \(place.seen.release), which was live" : nil)
    if isConfigGone {
      return
        "config of '\(place.channel)' is gone, after \(later ?? "a release"): new readers get nothing, and objects "
        + "may be missing"
    }
    guard let later else {
      return
        "config of '\(place.channel)' was restored from a backup, and only emergencies were published since: readers "
        + "may see purged content"
    }
    return
      "config of '\(place.channel)' is older than \(later), as after it was restored from a backup: readers may "
      + "see purged content"
  }

  /// A sentence that names the command that hides the content, or says why no command does.
  package var hiding: String {
    if isConfigGone { return "apps keep what they have" }
    // Every command except 'keys replace' is refused.
    if lacksSignatures { return "apps that pin a key keep what they have" }
    if awaitsRecovery { return "no other command publishes before the recovery" }
    // If config is signed and 'signing' is missing, every command except 'keys off' is refused.
    let start = endsSigning ? "with 'signing' in content.yaml again, " : ""
    return start + "'contentc maintenance on \(place.channel)' hides everything at once"
  }

  /// A sentence that names the command that ends the state.
  package var mending: String {
    let mending = "correct or remove the content, then: \(command)"
    guard live?.rollout != nil, !lacksSignatures, !awaitsRecovery else { return mending }
    if endsSigning { return "\(mending); this ends the rollout, and all readers get the content" }
    return
      "\(mending); if that is refused because of the stable side, leave out '--replace-next': this ends the "
      + "rollout, and all readers get the content"
  }

  /// A note about a purge whose files are gone, as after a restore of the whole target.
  ///
  /// Empty if the files of all purges exist.
  private var unknown: [String] {
    lacksLastPurge
      ? [
        "this machine saw purge \(place.seen.purge), whose files are gone: repeat the purges since the backup"
      ] : []
  }

  /// The command that ends the state.
  package var command: String {
    if lacksSignatures {
      let number = place.seen.release > 0 ? "" : " --not-below \(highestRelease)"
      return "contentc keys replace \(place.channel)\(number)"
    }
    if awaitsRecovery { return "contentc keys recovered \(place.channel)" }
    if endsSigning { return "contentc keys off \(place.channel) --above \(highestRelease)" }
    return "contentc publish \(place.channel) --above \(highestRelease)"
      + (live?.rollout == nil ? "" : " --replace-next")
  }

  /// The error of a command that must not write in this state.
  package var refusal: DeliveryError {
    DeliveryError(
      .refused, sentence, notes: ["nothing was changed; \(hiding)"] + unknown + [mending])
  }

  /// Returns the error for a draft that is refused in this state.
  ///
  /// For `maintenance on`, the error names the options to leave out, because readers would
  /// see content with these options.
  func refusal(of draft: Draft) -> DeliveryError {
    guard let order = draft.maintenance, order.isActive else { return refusal }
    let options = [
      order.from.map { _ in "--from" }, order.until.map { _ in "--until" },
      order.payloads.map { _ in "--message" },
    ].compactMap(\.self)
    return DeliveryError(
      .refused, sentence,
      notes: [
        "leave out \(options.joined(separator: " and ")): with \(options.count == 1 ? "this option" : "these options"), readers may still see purged content"
      ] + refusal.notes)
  }

  /// Returns the error of a purge that cannot read an object of the live release.
  ///
  /// Usually, a later purge has removed the object.
  package func refusalOfPurge(because error: DeliveryError) -> DeliveryError {
    let release = live.map { "release \($0.number)" } ?? "the live release"
    // Omits the advice after the reason: the command there, such as 'publish --repair', is refused.
    let reason = "\(error.description.prefix { $0 != ";" })"
    return DeliveryError(
      .missing,
      "\(place.target.name) lacks objects of \(release), so no purge can change what that release shows; \(sentence)",
      notes: [reason] + refusal.notes)
  }

  /// The JSON of the state.
  package var value: Value {
    [
      "missedPurges": .array(removals.map { .integer(Int64($0.number)) }),
      "above": .integer(Int64(highestRelease)),
    ]
  }

  /// Returns the entries of missed purges that a release shows, sorted by ID.
  ///
  /// The release may show another form of an entry than the purged one.
  ///
  /// - Throws: `DeliveryError` if the release lacks its build record; `TargetError`.
  package func entries(shownIn reader: ReleaseReader) throws -> [String] {
    let ids = Set(missed.flatMap(\.begun.entries))
    return try ids.filter { try !(reader.holders(of: $0) ?? []).isEmpty }.sorted {
      $0.precedesInBytes($1)
    }
  }

  // MARK: Drafts

  /// Gives the release of an emergency a number that readers accept.
  ///
  /// The release does not end the state.
  func keepState(in draft: inout Draft) {
    draft.above = highestRelease
    draft.missedAfter = .set(lastFollowed)
  }

  /// Returns a draft with a purge that ends the state.
  ///
  /// The purge names the entries and objects of all missed purges. Readers then discard what they got
  /// since config was restored.
  ///
  /// - Throws: `DeliveryError` for a note of a newer version; `TargetError`.
  func endingState(_ draft: Draft, as number: Int) throws -> Draft {
    let reason =
      removals.last.map { "config was older than purge \($0.number)" }
      ?? "config was restored from a backup"
    let objects = try missed.flatMap { try place.objects(of: $0) }
    let begun = { @Sendable [place, live, by = draft.by] (record: ReleaseRecord) in
      var begun = Begun(number, because: reason, by: by, after: live, at: place)
        .released(as: record, after: live)
      // No object is at risk, because the publication has checked all of them.
      begun.atRisk = []
      return begun
    }
    var draft = draft
    draft.missedAfter = .end
    draft.purged = Draft.Purged(
      entries: missed.flatMap(\.begun.entries), objects: objects, sequence: number)
    draft.purged?.begun = { try begun($0).file.body.bytes }
    draft.notes = Draft.Notes(["\(reason), and follows it now"]) { [place] record in
      guard try place.take(number) else {
        throw DeliveryError(
          .lost, "a purge was faster in '\(place.channel)'; nothing was changed; run again")
      }
      let written = try place.write(begun(record))
      return { live in try place.noteEnd(of: written, by: live) }
    }.adding(draft.notes)
    return draft
  }
}

extension PurgeList {
  /// Returns whether this machine saw a release with a higher number than config's.
  ///
  /// If config is gone, the channel's records replace config.
  fileprivate func isBehindMemory() throws -> Bool {
    let seen = place.seen.release
    if seen == 0 { return false }
    let number = try live?.number ?? place.highestRelease(after: nil)
    // Ignores a number that no release of the channel can have yet.
    return number > 0 && number < seen && seen - number <= ChannelPlace.numbersAhead
  }
}

extension ChannelPlace {
  /// Writes the notes `live` and `done` of a purge that removed no content.
  ///
  /// The live config names the purge.
  fileprivate func noteEnd(of purge: KnownPurge, by live: LiveRelease) throws {
    var listed = purge.listed
    try noteLive(&listed, by: live)
    _ = try noteCopies([], of: &listed)
    let copies = listed.notes.copies
    let done = DoneNote(
      issued: purge.begun.issued, copies: copies, caches: [], without: [], bound: [], urls: [],
      keys: [], kept: [])
    try put(.done(naming: copies), done.file, of: &listed)
  }
}
