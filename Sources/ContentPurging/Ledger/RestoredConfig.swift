package import ContentModel
package import ContentReleases
import ContentTargets

/// A config that does not follow all purges that were live: it was restored from a backup, or is gone.
///
/// Readers may see what these purges removed, and objects of the release may be missing. A purge and
/// `maintenance on` go live in this state, and keep it. Only `publish --above` ends it, and every other
/// command that writes is refused.
///
/// Manifests have no signatures, so a signed channel has no such state.
package struct RestoredConfig: Sendable {
  /// The purges that config does not follow, in the order of their numbers.
  private let missed: [PurgeManifest]
  /// Those of them that are not finished.
  private let unfinished: [PurgeManifest]
  /// The highest number of a release that config, a record or a missed purge has.
  package let highestRelease: Int
  /// The number of the last purge that config follows.
  let lastFollowed: Int
  private let place: ChannelPlace
  private let isConfigGone: Bool

  /// Judges the live config by the purges of its channel; `nil` if config follows all of them.
  ///
  /// - Throws: `DeliveryError`, of the kind `lost` if another publisher was faster; `TargetError`.
  package init?(_ ledger: PurgeLedger, live: LiveRelease?) throws {
    guard ledger.isRestored else { return nil }
    let place = ledger.place
    // A purge that went live after config was read is no missed one.
    guard try place.live()?.record.digest == live?.record.digest else {
      throw DeliveryError(
        .lost, "another publisher was faster in '\(place.channel)'; nothing was changed; run again")
    }
    (self.place, isConfigGone, lastFollowed) = (place, live == nil, ledger.sequence)
    (missed, unfinished) = (try ledger.missed(), ledger.missedUnfinished)
    // A number beyond the lead is not that of a release.
    let releases = missed.map(\.release).filter {
      $0 - (live?.number ?? 0) <= ChannelPlace.numbersAhead
    }
    highestRelease = max(try place.highestRelease(after: live), releases.max() ?? 0)
  }

  /// The missed purges that removed content.
  ///
  /// Publications that ended such a state have manifests without content.
  private var removals: [PurgeManifest] {
    let removals = missed.filter { !$0.entries.isEmpty || !$0.objects.isEmpty }
    return removals.isEmpty ? missed : removals
  }

  // MARK: Messages

  /// The problem, as a sentence.
  package var sentence: String {
    let subject = removals.last.map { "purge \($0.sequence) (release \($0.release))" } ?? "a purge"
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
      "missedPurges": .array(removals.map { .integer(Int64($0.sequence)) }),
      "above": .integer(Int64(highestRelease)),
    ]
  }

  /// Returns the entries that a release shows although missed purges removed them, perhaps in another
  /// form, in order.
  ///
  /// - Throws: `DeliveryError` if the release lacks its build record; `TargetError`.
  package func entries(shownIn reader: ReleaseReader) throws -> [String] {
    let ids = Set(missed.flatMap(\.entries))  // String keys: ids are ASCII
    return try ids.filter { try !(reader.holders(of: $0) ?? []).isEmpty }.sorted {
      $0.precedesInBytes($1)
    }
  }

  // MARK: The end of the state

  /// Returns a draft with the purge that ends the state: it names the entries and objects of all missed
  /// purges, so that readers discard what they got since config was restored.
  func closed(by draft: Draft, as sequence: Int) -> Draft {
    let first = removals.first?.sequence ?? lastFollowed + 1
    let closing = Draft.Purged.Closing(first: first) { [place, unfinished] record in
      let manifest = PurgeManifest(sequence: sequence, closing: first, in: record)
      _ = try place.target.create(manifest.key(place.channel), as: try manifest.file)
      // The records that prove it may be pruned.
      for purge in unfinished where !purge.wasLive { try purge.noteLive(at: place) }
    }
    var draft = draft
    draft.purged = Draft.Purged(
      entries: missed.flatMap(\.entries), objects: missed.flatMap(\.objects).map(\.digest),
      sequence: sequence, closing: closing)
    return draft
  }
}
