package import ContentModel
import ContentTargets
import ContentTrust
import Hashing

/// Releases whose signatures are made elsewhere.
extension Publisher {
  /// Derives the release of a draft, and its statements without signatures; writes nothing.
  ///
  /// `command` is the name of the command, and `known` the live release as recently read. `issued` is
  /// the time from which the draft was made, since the draft is made from it again. The result is
  /// `nil` if the live release shows the content already.
  ///
  /// - Throws: `DeliveryError`; `TargetError`; the errors of `draft`.
  package func prepare(
    by command: String, at issued: Instant, after known: LiveRelease?, repairs: Bool = false,
    _ draft: (LiveRelease?) throws -> Draft
  ) throws -> PreparedRelease? {
    let live = replacesUnverified ? nil : known
    let run = makeRunToken()
    let issued = issued.wholeSeconds
    guard
      let (plan, derived) = try derivedPlan(
        draft(live), after: live, repairs: repairs, issued: issued, runToken: run)
    else { return nil }
    return try prepared(
      derived.config, as: derived.record.number, by: command,
      after: previous(live), issued: issued,
      texts: PreparedRelease.Texts(
        run: run, message: plan.draft.message, by: plan.draft.by, commit: plan.draft.commit))
  }

  /// Prepares the signatures with which the live release is signed again; writes nothing.
  ///
  /// - Throws: `DeliveryError`; `TargetError`.
  package func prepareResigning(_ live: LiveRelease) throws -> PreparedRelease {
    guard let signed = live.signed else { throw notSigned }
    return try prepared(
      signed.config, as: live.number, by: "resign",
      after: previous(live), issued: issueTime(after: live).wholeSeconds,
      texts: PreparedRelease.Texts(run: ""), keeping: signed.envelope.release)
  }

  private func prepared(
    _ config: [UInt8], as release: Int, by command: String,
    after previous: PreparedRelease.Previous,
    issued: Instant, texts: PreparedRelease.Texts, keeping known: SignedBody? = nil
  ) throws -> PreparedRelease {
    guard let signing = place.signing else { throw notSigned }
    return PreparedRelease(
      app: place.app, channel: place.channel, command: command, previous: previous,
      release: release, issued: issued, texts: texts, config: config,
      statements: try signing.statements(
        about: config, release: release, of: place, issued: issued,
        keeping: known.flatMap { signing.accepts($0) ? $0 : nil }),
      keys: signing.newest)
  }

  var notSigned: DeliveryError {
    DeliveryError(.refused, "config of '\(place.channel)' is not signed: nothing was changed")
  }

  /// Returns the facts that name the config before a release.
  func previous(_ live: LiveRelease?) throws -> PreparedRelease.Previous {
    if let live {
      return PreparedRelease.Previous(release: live.number, config: Digest(of: live.config))
    }
    if replacesUnverified, let unread = try target.read(place.configKey(place.format)) {
      return PreparedRelease.Previous(config: Digest(of: unread.bytes))
    }
    return PreparedRelease.Previous()
  }

  /// Returns the outcome if the prepared release is live already, as after an interruption; `nil` if
  /// the release before it is live.
  ///
  /// The interrupted run may not have announced the release, so it counts as released.
  ///
  /// - Throws: `DeliveryError` if another release is live; `TargetError`.
  func outcome(of prepared: PreparedRelease, after live: LiveRelease?) throws -> Outcome? {
    if let live = try live ?? replacement(by: prepared), live.config == prepared.config {
      try extras?.writeHeaders()
      try extras?.writeLatest(live.members, format: live.format, in: place.channel)
      return .released(live.record, sent: Sent())
    }
    try prepared.require(previous(live))
    return nil
  }

  /// Returns the live release if it is the prepared one, which replaced a config that was not read;
  /// `nil` if another config is there.
  private func replacement(by prepared: PreparedRelease) throws -> LiveRelease? {
    guard replacesUnverified, let unread = try target.read(place.configKey(place.format)),
      let envelope = try? Envelope(unread.bytes), envelope.config == prepared.config
    else { return nil }
    // The signatures may be false.
    do { return try place.live() } catch is DeliveryError { return nil }
  }
}
