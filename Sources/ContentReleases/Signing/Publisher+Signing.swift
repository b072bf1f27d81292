package import ContentModel
import ContentTargets
import SiteFormat
import System

extension Publisher {
  /// The times that a swap is tried again because another command signed the live release again.
  static let resigningAttempts = 5

  /// Refuses to continue from a release of before a recovery: only `keys recovered` may follow it.
  private func checkRecovery(after live: LiveRelease?) throws(DeliveryError) {
    guard let version = place.awaitedRecovery(after: live) else { return }
    throw DeliveryError(
      .refused,
      "key document \(version) of '\(place.channel)' is a recovery, and the live release is from before it: "
        + "'contentc keys recovered \(place.channel)' must follow; nothing was changed")
  }

  /// Refuses to change whether a live channel is signed, unless the publisher was asked to.
  ///
  /// `above` is the number that the draft's release must exceed. The message names a command with
  /// this number, because that command may have to end the state of a restored config.
  func checkSigning(after live: LiveRelease?, above: Int?) throws(DeliveryError) {
    try checkRecovery(after: live)
    guard let live, live.isSigned != (place.signing != nil) else { return }
    if place.signing != nil, place.seen.release > 0 {
      throw DeliveryError(
        .refused,
        "config of '\(place.channel)' is not signed, although release \(place.seen.release) was: someone put another "
          + "one in its place; 'contentc keys replace \(place.channel)' replaces it; nothing was changed"
      )
    }
    if changesSigning { return }
    let number = above.map { " --above \($0)" } ?? ""
    throw DeliveryError(
      .refused,
      live.isSigned
        ? "config of '\(place.channel)' is signed, and content.yaml has no 'signing' for it: apps that pin a key would "
          + "stop following; 'contentc keys off \(place.channel)\(number)' does it; nothing was changed"
        : "config of '\(place.channel)' is not signed yet: apps that read format 1 only would stop following; "
          + "'contentc keys on \(place.channel)' does it; nothing was changed")
  }

  /// Signs the live release again, so that readers accept it for longer; its number stays.
  ///
  /// The statement that it is a release is kept if the newest key document accepts its signatures. If
  /// another release is faster, that one is signed again.
  ///
  /// - Throws: `DeliveryError`; `TargetError`; the errors of signing.
  package func resign() throws -> LiveRelease {
    try place.target.exclusively {
      var start: Instant?
      for attempt in 0..<Self.resigningAttempts {
        guard let live = try place.live() else {
          throw DeliveryError(.unknown, try place.reasonForNoConfig())
        }
        // The statements that another command signed meanwhile are no sign of a wrong clock.
        let issued = try start ?? issueTime(after: live).wholeSeconds
        start = issued
        // Another command has signed the release since.
        if attempt > 0, let signed = live.signed,
          signed.fresh.issued >= issued, place.signing?.hasNewestKeys(signed) ?? false
        {
          return live
        }
        if let done = try resign(live, issued: issued) { return done }
      }
      throw DeliveryError(
        .lost, "other publishers were faster each time; run again; nothing was changed")
    }
  }

  /// Signs a live release again; `nil` if another config is live by now.
  func resign(_ live: LiveRelease, issued: Instant) throws -> LiveRelease? {
    guard let signing = place.signing, let signed = live.signed else { throw place.notSigned }
    // This read is the one that is signed: whoever writes to the target may have put an old config back.
    try place.refuseOlder(live.number, at: place.location(of: place.configKey(live.format)))
    try checkRecovery(after: live)
    try place.requireRoom(after: live, for: .content)
    let statement = signed.envelope.release
    let bytes = try signing.signed(
      signed.config, release: live.number, of: place, issued: issued, format: live.format,
      keeping: signing.accepts(statement) ? statement : nil)
    return try replace(live, by: bytes)
  }

  /// Replaces the config of a live release, which stays live; `nil` if another config is live by now.
  func replace(_ live: LiveRelease, by bytes: [UInt8]) throws -> LiveRelease? {
    let file = OutgoingFile(bytes: bytes, headers: configHeaders)
    guard try place.target.replace(place.configKey(live.format), with: file, tagged: live.tag)
    else { return nil }
    return try confirm(bytes, of: live)
  }

  /// Reads the config back; `nil` if another one is live by now.
  private func confirm(_ bytes: [UInt8], of live: LiveRelease) throws -> LiveRelease? {
    for pause in Self.pauses {
      if pause > 0 { sleep(pause) }
      guard let now = try place.live(known: live.record) else { return nil }
      if now.bytes == bytes { return now }
      if now.bytes != live.bytes { return nil }
    }
    throw TargetError(
      .unreachable,
      "\(place.target.name) says that it took config, and still shows the old one; run again")
  }
}

/// Releases that are signed elsewhere.
extension Publisher {
  /// A draft to be signed, and the objects that belong in its folder.
  package struct Drafted: Sendable {
    package var signing: SigningDraft
    /// The objects that the target lacks.
    package var objects: [ReleaseObject] = []
    package var content: ReleaseContent?
  }

  /// Derives the release of a draft, and its statements without signatures; writes nothing.
  ///
  /// - Parameters:
  ///   - draft: The draft of the release.
  ///   - known: The live release as recently read.
  ///   - command: The name of the command.
  ///   - texts: Lines about the changes, for those who sign.
  ///   - issued: The time from which the draft was made.
  ///   - until: The time from which it is useless to publish the release; `nil` for the end of its
  ///     signatures.
  ///   - repairs: `true` to check every object of the content, and to put those that the target
  ///     lacks into the folder.
  /// - Returns: The draft to be signed; `nil` if the live release shows the content already.
  /// - Throws: `DeliveryError` if the draft must not be published; `TargetError`; the error of encoding a purge's notes.
  package func drafted(
    _ draft: Draft, after known: LiveRelease?, by command: String, texts: [String] = [],
    issued: Instant, until: Instant? = nil, repairs: Bool = false
  ) throws -> Drafted? {
    guard let signing = place.signing else { throw place.notSigned }
    let (live, issued) = (replacesUnverified ? nil : known, issued.wholeSeconds)
    guard
      let (plan, derived) = try derivedPlan(
        draft, after: live, repairs: repairs, issued: issued, runToken: makeRunToken())
    else { return nil }
    var previous = try configBefore(live)
    if live == nil { previous.release = plan.draft.above ?? 0 }
    let statements = try signing.statements(
      about: derived.config, release: derived.record.number, of: place, issued: issued)
    let facts = SigningDraft.Facts(
      command: command, app: place.app, channel: place.channel, release: derived.record.number,
      previous: previous, until: try signing.end(of: statements, notAfter: until),
      texts: SigningDraft.texts(texts))
    return Drafted(
      signing: try SigningDraft(
        facts, config: derived.config, record: derived.record.bytes,
        begun: plan.draft.purged?.begun?(derived.record),
        statements: statements, keys: signing.newest),
      objects: try objectsToCarry(for: plan.draft), content: plan.draft.content)
  }

  /// Drafts new signatures of the live release; writes nothing.
  ///
  /// - Throws: `DeliveryError`; `TargetError`.
  package func draftedResigning(_ live: LiveRelease) throws -> Drafted {
    guard let signing = place.signing, let signed = live.signed else { throw place.notSigned }
    try checkRecovery(after: live)
    try place.requireRoom(after: live, for: .content)
    let known = signed.envelope.release
    let statements = try signing.statements(
      about: signed.config, release: live.number, of: place,
      issued: issueTime(after: live).wholeSeconds, keeping: signing.accepts(known) ? known : nil)
    let facts = SigningDraft.Facts(
      command: "resign", app: place.app, channel: place.channel, release: live.number,
      previous: try configBefore(live), until: try signing.end(of: statements), texts: [])
    return Drafted(
      signing: try SigningDraft(
        facts, config: signed.config, record: live.record.bytes, begun: nil, statements: statements,
        keys: signing.newest))
  }

  /// Returns the facts that name the config before a release.
  private func configBefore(_ live: LiveRelease?) throws -> SigningDraft.Previous {
    if let live {
      return SigningDraft.Previous(
        release: live.number, config: Digest(of: live.config), file: Digest(of: live.bytes))
    }
    guard replacesUnverified else { return SigningDraft.Previous() }
    let unread = try target.read(place.configKey(place.format))
    return SigningDraft.Previous(file: unread.map { Digest(of: $0.bytes) })
  }

  /// Returns the objects of a draft that the target lacks or has only in part.
  private func objectsToCarry(for draft: Draft) throws -> [ReleaseObject] {
    let lacking = draft.content.objects.filter { !draft.assumedAtTarget.contains($0) }
    if lacking.isEmpty { return [] }
    let listed = Set(names: try target.names(below: "objects/"))
    return try lacking.mapOverlapped { [target] object in
      let isThere =
        try listed.contains(object.key)
        && target.holds(object.key, as: draft.content.file(object))
      return isThere ? nil : object
    }.compactMap(\.self)
  }
}

extension ChannelSigning {
  /// Returns the time from which readers refuse a config with some statements, or an earlier time.
  fileprivate func end(
    of statements: ReleaseStatements, notAfter time: Instant? = nil
  ) throws -> Instant {
    let end = min(try FreshStatement(statements.fresh.body).expires, newest.expires)
    return min(end, time?.wholeSeconds ?? end)
  }
}

/// Releases that were signed elsewhere.
extension Publisher {
  /// The state of a target that shows the config before a draft, or the draft's release.
  private struct Standing {
    /// The live release, if the draft's release is live.
    var imported: LiveRelease?
    /// The release that the draft follows; `nil` if there is none, or if it is not read.
    var before: LiveRelease?
    /// The tag of the config that the draft replaces; `nil` without config.
    var tag: String?
  }

  /// Publishes a signed draft.
  ///
  /// Nothing is built or planned: the release has exactly the signed bytes. After an interruption,
  /// another run continues, whatever the first run wrote. If the release is live already, the run
  /// only updates the extra files of a folder.
  ///
  /// `endangered` gets the objects that another command may be about to remove, and `beforeSwap` is
  /// called right before the swap.
  ///
  /// - Throws: `DeliveryError`, also if the live config is not the one that the draft follows;
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
      // Content of an earlier purge may return: the draft does not show that. Therefore later
      // purges must search retired releases again.
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
  /// - Throws: `DeliveryError`, also if the live config is not the one that the draft follows;
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

extension ChannelPlace {
  /// Returns the version of the key document whose recovery must follow a live release; `nil` if none
  /// must.
  package func awaitedRecovery(after live: LiveRelease?) -> Int? {
    guard let floors = signing?.newFloors, let signed = live?.signed,
      signed.fresh.keys < floors.version
    else { return nil }
    return floors.version
  }
}
