package import ContentModel
import ContentTargets
import SiteFormat
import System

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
  ///   - until: The time from which the release has no purpose; `nil` for the end of its signatures.
  ///   - repairs: `true` if every object of the content belongs in the folder unless the target has it.
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

  /// Returns the objects of a draft that the target does not have as a whole.
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
