import ContentModel
package import ContentReleases
import ContentTargets
import System

/// Purged content that publishers refuse.
extension PurgeList {
  /// The rule by which a publisher refuses purged content and, while config is a restored one,
  /// everything but `maintenance on` and `publish --above`.
  ///
  /// It is not asked about a purge: `PurgePublication.draft` keeps that state by itself.
  package static let rule: Publisher.PurgeRule = { draft, live, place, isUnchanged in
    if draft.publishesContentOnly { try refuseToSign(live, at: place) }
    let list = try PurgeList(place, live: live)
    if live == nil, place.signing != nil { try list.requireLastPurge(for: draft) }
    if draft.replacesUnread { return try list.replacing(draft) }
    guard let restored = try RestoredConfig(list) else {
      guard draft.publishesContentOnly else { return draft }
      var draft = try list.refuseLost(by: draft, isUnchanged: isUnchanged)
      if !isUnchanged { try list.refusePurged(by: draft) }
      if live == nil, place.seen.release > 0 {
        // An empty target tells no numbers, and apps ignore lower ones than they have seen.
        draft.above = max(draft.above ?? 0, place.seen.release)
        draft.lastPurge = place.lastPurge
      }
      return draft
    }
    var draft = draft
    if draft.hidesContent {
      restored.keepState(in: &draft)
      return draft
    }
    guard draft.publishesContentOnly, let above = draft.above, above >= restored.highestRelease
    else { throw restored.refusal(of: draft) }
    try list.requireLastPurge(for: draft)
    draft = try list.refuseLost(by: draft, isUnchanged: false)
    try list.refusePurged(by: draft)
    return try restored.endingState(draft, as: list.nextNumber())
  }

  /// Refuses the first signed release while purges are not finished: a signed channel has no proof of
  /// them.
  private static func refuseToSign(_ live: LiveRelease?, at place: ChannelPlace) throws {
    guard place.signing != nil, let live, !live.isSigned else { return }
    var unsigned = place
    (unsigned.signing, unsigned.seen) = (nil, place.seenUnsigned)
    let list = try PurgeList(unsigned, live: live)
    let restored = try RestoredConfig(list)
    guard restored == nil, list.unfinished.isEmpty else {
      throw DeliveryError(
        .refused,
        "'\(place.channel)' has an unfinished purge, or a config from before a purge, which a signed "
          + "channel does not follow up; nothing was changed; remove 'signing' from content.yaml, run "
          + (restored.map { "'\($0.command)'" } ?? "the purge") + ", and turn signing on then")
    }
  }

  /// Returns a draft that replaces a config unread, with numbers that are at least those of all purges
  /// that signatures prove: readers may have seen them.
  ///
  /// Whoever writes to the target can make config one that does not verify. Purged content must not
  /// return because of that.
  ///
  /// - Throws: `DeliveryError` for purged content, and for a file of a newer version; `TargetError`.
  private func replacing(_ draft: Draft) throws -> Draft {
    var draft = try refuseLost(by: draft, isUnchanged: false)
    try refusePurged(by: draft)
    let proven = try purges.filter { $0.state != .void }.mapOverlapped { try read($0)?.begun }
      .compactMap(\.self)
    let known = draft.above ?? 0
    // A number beyond the lead is not that of a release.
    let releases = proven.map(\.release).filter { $0 - known <= ChannelPlace.numbersAhead }
    draft.above = max(known, releases.max() ?? 0)
    draft.lastPurge = max(draft.lastPurge, proven.map(\.number).max() ?? 0)
    return draft
  }

  /// `true` if the list lacks the last purge that this machine saw, as after a whole target was restored
  /// from a backup.
  var lacksLastPurge: Bool {
    let known = place.seen.purge
    return known > 0 && !finals.contains(known)
      && !purges.contains {
        $0.folder.number == known
          && ($0.state != .void || $0.manifest != nil || $0.notes.contains(.lost))
      }
  }

  /// Refuses content if the list lacks the last purge that this machine saw, unless the draft readmits
  /// all content.
  ///
  /// Without config, and with a restored one, only the list tells what was purged, and whoever writes
  /// to the target can cut it.
  private func requireLastPurge(for draft: Draft) throws(DeliveryError) {
    if !lacksLastPurge || draft.readmitted.contains("all") { return }
    let known = place.seen.purge
    throw DeliveryError(
      .refused,
      "this machine saw purge \(known) of '\(place.channel)', whose files are gone from \(place.target.name), or not "
        + "proven without config: nothing tells what the purge removed",
      notes: [
        "nothing was changed; put the files of a backup back, config first",
        "or publish everything on purpose: \(draft.command(in: place.channel)) --unpurge all",
      ])
  }

  /// Refuses a draft with purged content, unless `--unpurge` names that content or the live release shows it.
  ///
  /// Content of a missed purge is refused even if readers see it: they see it only because config
  /// was restored.
  ///
  /// - Throws: `DeliveryError`, which names the content; `TargetError`.
  private func refusePurged(by draft: Draft) throws {
    let readmitted = draft.readmitted
    if readmitted.contains("all") { return }
    if isEmpty { return }
    let shown = live.map { ReleaseReader($0.content(at: place.target)) }
    let reader = ReleaseReader(draft.content)
    var refused: [(purge: Begun, what: String, name: String)] = []
    let purges = try readAll()
    for known in purges {
      let purge = known.begun
      let assets = purge.assets.filter { !readmitted.contains($0.hex) }
      // Allowing an asset also allows the entries that were purged because of it.
      if assets.isEmpty, !purge.assets.isEmpty { continue }
      let isMissed = known.listed.isMissed
      for asset in assets where reader.object(asset) != nil {
        if let shown, try !isMissed && isPublic(asset, in: shown) { continue }
        refused.append((purge, "asset \(asset.hex.prefix(16))… is", asset.hex))
      }
      if !purge.assets.isEmpty, refused.last?.purge == purge { continue }
      for purged in purge.contents where !readmitted.contains(purged.entry) {
        guard try Self.isShown(purged, in: reader) else { continue }
        if let shown, try !isMissed && Self.isShown(purged, in: shown, countingMissing: false) {
          continue
        }
        let contexts = try PurgedReaders(of: purged, in: reader).uncorrectedContexts()
        if contexts.isEmpty { continue }
        let what = purged.field.map { "'\($0)' of \(purged.entry)" } ?? purged.entry
        refused.append((purge, "\(what) is, for \(Self.list(contexts)),", purged.entry))
      }
    }
    guard let first = refused.first else {
      guard let note = draft.returnedEntries else { return }
      // A restored release may show what a missed purge removed.
      let returned = try [true, false].flatMap { isMissed in
        try ReturnedEntries(in: reader, after: isMissed ? nil : shown).entries(
          of: purges.filter { $0.listed.isMissed == isMissed }.map(\.begun), besides: readmitted)
      }
      return try note(returned)
    }
    var names: [String] = []
    for name in refused.map(\.name) where !names.contains(name) { names.append(name) }
    throw refusal(of: first.what, purgedBy: first.purge, names: names, in: draft)
  }

  /// Returns whether a release names an asset that the target has.
  private func isPublic(_ asset: Digest, in reader: ReleaseReader) throws -> Bool {
    guard let object = reader.object(asset) else { return false }
    return try place.target.lists(object.key)
  }

  private static func list(_ contexts: [ReleaseContext]) -> String {
    if contexts.count > 3 {
      return "\(contexts[0]), \(contexts[1]) and \(contexts.count - 2) other readers"
    }
    return contexts.map(\.description).joined(separator: " and ")
  }

  private func refusal(
    of what: String, purgedBy purge: Begun, names: [String], in draft: Draft
  ) -> DeliveryError {
    let flags = names.prefix(10).map { " --unpurge \($0)" }.joined()
    let others = names.count > 10 ? ["\(names.count - 10) more are refused, too"] : []
    let remedy =
      live?.purge?["missedAfter"] != nil || live != nil && !missed.isEmpty
      ? "correct it, or hide everything with 'contentc maintenance on \(place.channel)'"
      : "correct it"
    return DeliveryError(
      .refused,
      "\(what) as it was when purge \(purge.number) removed it (\(purge.reason))",
      notes: ["nothing was changed; \(remedy)"] + others + [
        "or show readers what was purged again, on purpose: "
          + "\(draft.command(in: place.channel))\(flags)"
      ])
  }

  /// Returns whether a release shows content or assets that a purge removed.
  static func isShown(_ purge: Begun, in reader: ReleaseReader) throws -> Bool {
    try purge.contents.contains { try isShown($0, in: reader) }
      || purge.assets.contains { reader.object($0) != nil }
  }

  /// Returns whether a release shows purged content.
  ///
  /// A missing object was removed because of its content, so it may show it. Readers cannot get it.
  private static func isShown(
    _ purged: PurgedContent, in reader: ReleaseReader, countingMissing missingCounts: Bool = true
  ) throws -> Bool {
    let holders = try reader.holders(of: purged.entry) ?? []
    return try holders.sorted().contains { digest in
      guard let object = reader.object(digest), object.isPropertyList else { return false }
      do {
        return try reader.entries(of: digest)[purged.entry].map(purged.isShown) ?? false
      } catch is DeliveryError { return missingCounts }
    }
  }
}

extension Draft {
  /// Returns the command that publishes the draft, to which a refusal adds options.
  ///
  /// A rollback has no option to readmit content: then the command is `publish`.
  fileprivate func command(in channel: String) -> String {
    command ?? "contentc publish \(channel)\(above.map { " --above \($0)" } ?? "")"
  }
}
