import ContentModel
import ContentTargets
import SiteFormat

/// Releases that were signed elsewhere.
extension Publisher {
  /// The state of a target that shows the config before a draft, or the draft's release.
  private struct Standing {
    /// The release of the draft, if it is live.
    var imported: LiveRelease?
    /// The release that the draft follows; `nil` if there is none, or if it is not read.
    var before: LiveRelease?
    /// The tag of the config that the draft replaces; `nil` without config.
    var tag: String?
  }

  /// Publishes a signed draft, as `publish` does with a new release, or updates the extra files of a
  /// folder if the release is live already, as after an interruption.
  ///
  /// Nothing is built or planned: the release has exactly the signed bytes. After an interruption,
  /// another run continues, whatever the first one wrote.
  ///
  /// `endangered` gets the objects that another command may be about to remove, and `beforeSwap` is
  /// called right before the swap.
  ///
  /// - Throws: `DeliveryError`, also if another config is live than the one before the draft;
  ///   `SigningDraft.Refusal` for a damaged object; `TargetError`; the errors of `beforeSwap`.
  package func publish(
    _ signed: SignedDraft, endangered: EndangeredObjects,
    progress: @escaping @Sendable (_ bytes: Int) -> Void = { _ in },
    beforeSwap: (ReleaseRecord) throws -> Void = { _ in }
  ) throws -> Outcome {
    try target.exclusively {
      let found = try standing(of: signed)
      if let live = found.imported {
        watchSwap(.isLive(release: live.number))
        try extras?.writeHeaders()
        try extras?.writeLatest(live.members, format: live.format, in: place.channel)
        return .released(live.record, sent: Sent())
      }
      let record = signed.record
      var publisher = self
      publisher.replacesUnverified = found.before == nil && found.tag != nil
      // Records that no verified config leads to say nothing.
      if !publisher.replacesUnverified { try requireNext(record, after: found.before) }
      let content = signed.content(at: target)
      let draft = Draft(
        content: content,
        assumedAtTarget: Set(content.objects.filter { !signed.folder.has($0) }))
      // Nothing is written for a damaged draft.
      try signed.checkObjects()
      try signed.requireBegun(after: found.before)
      try checkAssumed(in: draft, after: found.before, otherwise: "make the draft again")
      // The draft does not prove whether an earlier purge's content returns.
      try target.requireRemoved(
        place.retiredReleasesKey, otherwise: "nothing was changed; run again")
      let sent = try publisher.makeLive(
        draft, as: record, in: OutgoingFile(bytes: signed.bytes, headers: configHeaders),
        after: found.before, tagged: found.tag, isImported: true, endangered: endangered,
        progress: progress, beforeSwap: beforeSwap)
      try extras?.writeLatest(signed.members, format: record.format, in: place.channel)
      return .released(record, sent: sent)
    }
  }

  /// Gives the live release the signatures of a draft, or does nothing if it has them.
  ///
  /// - Throws: `DeliveryError`, also if another config is live than the one before the draft;
  ///   `TargetError`.
  package func resign(_ signed: SignedDraft) throws -> LiveRelease {
    try target.exclusively {
      guard let live = try place.live(), live.config == signed.draft.config else {
        throw try movedOn(from: signed, to: place.live())
      }
      if live.signed?.envelope.fresh.body == signed.draft.statements.fresh.body { return live }
      guard Digest(of: live.bytes) == signed.draft.facts.previous.file,
        let done = try replace(live, by: signed.bytes)
      else { throw try movedOn(from: signed, to: live) }
      return done
    }
  }

  private func standing(of signed: SignedDraft) throws -> Standing {
    let (record, file) = (signed.record, signed.draft.facts.previous.file)
    do {
      let live = try place.live()
      if let live, live.record.digest == record.digest { return Standing(imported: live) }
      guard live.map({ Digest(of: $0.bytes) }) == file, live?.number ?? 0 < record.number,
        record.previous == nil || record.previous == live?.record.digest
      else { throw try movedOn(from: signed, to: live) }
      return Standing(before: record.previous == nil ? nil : live, tag: live?.tag)
    } catch let error as DeliveryError where error.kind != .lost {
      // The first release of a recovery replaces a config that cannot be read.
      guard record.previous == nil, let stored = try target.read(place.configKey(record.format)),
        Digest(of: stored.bytes) == file
      else { throw error }
      return Standing(tag: stored.tag)
    }
  }

  /// Refuses a release whose number may have been published already, before config was restored from
  /// a backup.
  private func requireNext(_ record: ReleaseRecord, after live: LiveRelease?) throws {
    let next = try place.nextNumber(
      after: live, isOlder: false, ignoring: record.members["run"]?.text)
    let last = max(next - 1, place.seen.release)
    guard last >= record.number else { return }
    throw DeliveryError(
      .lost,
      "a release \(last) of '\(place.channel)' was published, so that readers may ignore release "
        + "\(record.number); make the draft again, with '--not-below \(last)' on a machine that did not see that "
        + "release; nothing was changed")
  }

  /// Returns the error for a target that does not show the config before a draft.
  private func movedOn(
    from signed: SignedDraft, to live: LiveRelease?
  ) throws -> DeliveryError {
    let (name, number) = (place.channel, signed.record.number)
    if let live, !signed.draft.isResigning, try isPublished(signed.record, asOf: live) {
      return DeliveryError(
        .lost,
        "release \(number) of '\(name)' was published, and release \(live.number) followed: nothing is left to "
          + "import; nothing was changed")
    }
    let previous = signed.draft.facts.previous
    let before: String
    switch (previous.file, previous.config) {
    case (nil, _): before = "before the first release of '\(name)'"
    case (_, nil): before = "to replace a config of '\(name)' that was not read"
    default: before = "after release \(previous.release) of '\(name)'"
    }
    let now: String
    if let live {
      let isSame =
        live.number == previous.release && Digest(of: live.config) == previous.config
      now = isSame ? "the same release was signed again" : "release \(live.number) is live"
    } else {
      now = "there is no config"
    }
    return DeliveryError(
      .lost,
      "'\(signed.folder.path)' was drafted \(before), and now \(now); make the draft again; "
        + "nothing was changed")
  }
}
