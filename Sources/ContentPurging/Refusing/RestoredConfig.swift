package import ContentModel
package import ContentReleases
import ContentTargets
import Parallel

/// A config that does not follow all purges that were live: it was restored from a backup, or is gone.
///
/// Readers may see what these purges removed, and objects of the release may be missing. A purge and
/// `maintenance on` go live in this state, and keep it. Only `publish --above` ends it, and every other
/// command that writes is refused.
///
/// In a signed channel, only a purge counts whose note `live` a key document accepts.
package struct RestoredConfig: Sendable {
  /// The purges that config does not follow, in the order of their numbers.
  private let missed: [KnownPurge]
  /// The highest number of a release that config, a record or a missed purge has.
  package let highestRelease: Int
  /// The number of the last purge that config follows.
  let lastFollowed: Int
  private let place: ChannelPlace
  private let live: LiveRelease?

  private var isConfigGone: Bool { live == nil }

  /// Compares the live config with the purges of its channel; `nil` if config follows all of them.
  ///
  /// - Throws: `DeliveryError`, of the kind `lost` if another publisher was faster; `TargetError`.
  package init?(_ list: PurgeList) throws {
    let (place, live) = (list.place, list.live)
    let folders = list.missed
    guard live?.purge?["missedAfter"] != nil || !folders.isEmpty else { return nil }
    // A purge may have gone live after config was read: config follows that purge.
    guard try place.live()?.record.digest == live?.record.digest else {
      throw DeliveryError(
        .lost, "another publisher was faster in '\(place.channel)'; nothing was changed; run again")
    }
    (self.place, self.live, lastFollowed) = (place, live, list.followed)
    // An emergency goes on although a newer version wrote one of them.
    missed = try list.purges.filter { folders.contains($0.folder) }.mapOverlapped { purge in
      do { return try list.read(purge) } catch is DeliveryError { return nil }
    }.compactMap(\.self)
    // A number beyond the lead is not that of a release.
    let releases = missed.map(\.begun.release).filter {
      $0 - (live?.number ?? 0) <= ChannelPlace.numbersAhead
    }
    highestRelease = max(try place.highestRelease(after: live), releases.max() ?? 0)
  }

  /// The missed purges that removed content.
  ///
  /// Publications that ended such a state are purges without content.
  private var removals: [Begun] {
    let purges = missed.map(\.begun)
    let removals = purges.filter { !$0.entries.isEmpty || !$0.objects.isEmpty }
    return removals.isEmpty ? purges : removals
  }

  // MARK: Messages

  /// The problem, as a sentence.
  package var sentence: String {
    let subject = removals.last.map { "purge \($0.number) (release \($0.release))" } ?? "a purge"
    if isConfigGone {
      return
        "config of '\(place.channel)' is gone, after \(subject): new readers get nothing, and objects may be missing"
    }
    return
      "config of '\(place.channel)' is older than \(subject), as after it was restored from a backup: readers may "
      + "see purged content"
  }

  /// The command that hides the content, as a sentence; what readers get without config, if it is gone.
  package var hiding: String {
    isConfigGone
      ? "apps keep what they have"
      : "'contentc maintenance on \(place.channel)' hides everything at once"
  }

  /// The command that ends the state, as a sentence.
  package var mending: String { "correct or remove the content, then: \(command)" }

  /// The command that ends the state.
  package var command: String { "contentc publish \(place.channel) --above \(highestRelease)" }

  /// The error of a command that must not write in this state.
  package var refusal: DeliveryError {
    DeliveryError(.refused, sentence, notes: ["nothing was changed; \(hiding)", mending])
  }

  /// The JSON of the state.
  package var value: Value {
    [
      "missedPurges": .array(removals.map { .integer(Int64($0.number)) }),
      "above": .integer(Int64(highestRelease)),
    ]
  }

  /// Returns the entries that a release shows although missed purges removed them, perhaps in another
  /// form, in order.
  ///
  /// - Throws: `DeliveryError` if the release lacks its build record; `TargetError`.
  package func entries(shownIn reader: ReleaseReader) throws -> [String] {
    let ids = Set(missed.flatMap(\.begun.entries))  // String keys: ids are ASCII
    return try ids.filter { try !(reader.holders(of: $0) ?? []).isEmpty }.sorted {
      $0.precedesInBytes($1)
    }
  }

  // MARK: The end of the state

  /// Returns a draft with the purge that ends the state: it names the entries and objects of all missed
  /// purges, so that readers discard what they got since config was restored.
  ///
  /// - Throws: `DeliveryError` for a note of a newer version; `TargetError`.
  func closed(by draft: Draft, as number: Int) throws -> Draft {
    let first = removals.first?.number ?? lastFollowed + 1
    let reason = "config was older than purge \(first)"
    let begun = Begun(number, because: reason, by: draft.by, after: live, at: place)
    let notes = ClosingNotes(begun: begun, live: live, place: place)
    var draft = draft
    let objects = try missed.flatMap { try place.objects(of: $0) }
    draft.purged = Draft.Purged(
      entries: missed.flatMap(\.begun.entries), objects: objects.map(\.digest), sequence: number,
      closing: Draft.Purged.Closing(first: first, begin: notes.begin, end: notes.end))
    draft.purged?.begun = { try notes.begun($0).file.body.bytes }
    return draft
  }
}

/// The notes of the purge that ends the state of a restored config: it removes nothing.
private struct ClosingNotes: Sendable {
  let begun: Begun
  let live: LiveRelease?
  let place: ChannelPlace

  func begun(_ record: ReleaseRecord) -> Begun {
    var begun = begun.released(as: record, after: live)
    begun.atRisk = []
    return begun
  }

  @Sendable func begin(_ record: ReleaseRecord) throws {
    guard try place.take(begun.number) else {
      throw DeliveryError(
        .lost, "a purge was faster in '\(place.channel)'; nothing was changed; run again")
    }
    _ = try place.write(begun(record))
  }

  @Sendable func end(_ now: LiveRelease) throws {
    var listed = try place.write(begun(now.record)).listed
    try place.noteLive(&listed, by: now)
    _ = try place.noteCopies([], of: &listed)
    let copies = listed.notes.copies
    let done = DoneNote(
      issued: begun.released(as: now.record, after: live).issued, copies: copies, caches: [],
      without: [], bound: [], urls: [], keys: [],
      kept: [])
    try place.put(.done(naming: copies), done.file, of: &listed)
  }
}
