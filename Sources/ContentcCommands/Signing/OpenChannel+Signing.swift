import ArgumentParser
import CommandParts
import CommandReports
import ContentKeys
import ContentModel
import ContentReleases
import ContentSigning
import ContentSource
import ContentTargets
import ContentTrust
import Diagnostics
import Hashing
import Notifications
import Platform

extension ChannelAccess {
  /// Returns the signing of a channel; `nil` for one that is not signed.
  ///
  /// Without `settings`, the channel is only read.
  ///
  /// - Throws: a failure if the key documents cannot be used, or the settings have mistakes.
  func signing(
    of channel: Channel, in project: Project, at target: String, by signers: Signers?,
    isSource: Bool = false
  ) throws(Failure) -> ChannelSigning? {
    guard let validFor = channel.signing?.validFor else { return nil }
    let keys = try ChannelKeys(channel, of: project, beside: input.content)
    let documents = keys.folder.trusted
    let signing = ChannelSigning(documents, validFor: validFor, now: { Clock.now }) {
      body, type, role, document in
      guard let signers else {
        throw DeliveryError(.refused, "this command does not sign; nothing was changed")
      }
      do throws(Signers.Missing) {
        return try signers.sign(body, as: type, for: role, of: document)
      } catch {
        throw DeliveryError(
          .refused,
          "\(error.sentence); --prepare FOLDER writes what others must sign; nothing was changed")
      }
    }
    guard var signing else {
      guard let pending = keys.folder.pending else { throw keys.missing }
      throw Failure(
        .missingInput, "missing-keys", "the first key document lacks signatures",
        at: keys.folder.file(pending.version),
        notes: ["'contentc keys sign \(channel.name)' adds them"])
    }
    let seen = SigningMemory(beside: input.content).seen(channel.name, of: project.app, at: target)
    // A recovery begins with other numbers.
    if let seen, seen.keys >= signing.newest.floors?.version ?? 0 {
      (signing.knownRelease, signing.knownConfig) = (seen.release, seen.config)
      signing.knownPurge = seen.purge
    }
    if let own = seen?.own { signing.acceptedConfigs.insert(own) }
    // The options are about the channel that the command writes, or reads alone.
    if isSource { return signing }
    if let least = trust.notBelow, least > signing.knownRelease {
      (signing.knownRelease, signing.knownConfig) = (least, nil)
    }
    if let hash = trust.accept.flatMap({ Digest(hex: $0) }) { signing.acceptedConfigs.insert(hash) }
    return signing
  }
}

extension OpenChannel {
  private var signingMemory: SigningMemory { SigningMemory(beside: content) }

  /// Returns the live release, as `ChannelPlace.live` does, and remembers it in a signed channel: an
  /// older one is not accepted after it.
  func live() throws -> LiveRelease? {
    let live = try place.live()
    if let live { remember(live, isOwn: false) }
    return live
  }

  /// Remembers the release of a publication in a signed channel.
  func rememberSigned(after outcome: Publisher.Outcome) {
    let record = outcome.record
    guard place.signing != nil, let live = try? place.live(known: record) else { return }
    let isNew = if case .released = outcome { true } else { false }
    remember(live, isOwn: isNew && live.record.digest == record.digest)
  }

  /// Remembers a verified release: an older one is not accepted after it.
  ///
  /// Only a config that this machine made is accepted once the keys that signed it were removed.
  func remember(_ live: LiveRelease, isOwn: Bool) {
    guard let signed = live.signed else { return }
    let digest = Digest(of: live.config)
    signingMemory.note(
      SigningMemory.Seen(
        release: live.number, config: digest, purge: live.purge?["sequence"]?.number ?? 0,
        keys: signed.fresh.keys, own: isOwn ? digest : nil),
      of: channel.name, app: project.app, at: place.target.name)
  }

  /// Forgets the releases of a channel that is no longer signed.
  func forgetSigned() {
    signingMemory.forget(channel.name, of: project.app, at: place.target.name)
  }

  /// Returns the warnings about the signatures of a release; see `ChannelSigning.warnings`.
  func signingWarnings(_ live: LiveRelease?, failUnder limit: Share? = nil) -> [Diagnostic] {
    guard let signing = place.signing else { return [] }
    if live == nil, limit != nil, (try? place.hasReleases()) == true {
      return [
        Diagnostic(
          .error, id: "signature-age", at: nil,
          message: "config of '\(channel.name)' is gone, although releases were published")
      ]
    }
    return signing.warnings(about: live, in: channel.name, failUnder: limit)
  }

  /// The time of the release that the command makes.
  var issued: Instant { preparation?.issued ?? place.signing?.prepared?.issued ?? Clock.now }

  /// Returns the record of a live release that the command prepared, as after an interruption; `nil`
  /// for another release.
  func preparedRecord(of live: LiveRelease?) -> ReleaseRecord? {
    guard let live, live.config == place.signing?.prepared?.config else { return nil }
    return live.record
  }

  /// Derives a release without signatures, and writes the statements to sign.
  func prepare(
    _ preparation: OfflineSigning.Preparation, after live: LiveRelease?, repairs: Bool = false,
    _ draft: Draft
  ) throws -> Report {
    let prepared = try publisher.prepare(
      by: preparation.command, at: issued, after: live, repairs: repairs
    ) { _ in draft }
    if let prepared { return try preparation.write(prepared) }
    var text =
      "Nothing to sign: release \(live?.number ?? 0) of '\(channel.name)' shows this content "
      + "already\n"
    if let signed = live?.signed, place.signing?.isDue(signed) ?? false {
      text += "Its signatures are due: 'contentc resign \(channel.name) --prepare FOLDER'\n"
    }
    return Report(
      text: text, json: ["channel": .string(channel.name)])
  }

  /// Asks the signers of this machine, and adds them to a report of a dry run.
  func addSigners(_ settings: SettingsOptions, to report: inout Report) {
    guard let signers = signersAtHand(settings, reportingIn: &report) else { return }
    report.text += signers.lines.map { $0 + "\n" }.joined()
    report.json["signers"] = signers.value
    report.diagnostics += signers.warnings
  }

  /// Asks the signers of this machine; `nil` in a channel that is not signed, and with mistakes in
  /// the settings, which are warnings.
  func signersAtHand(
    _ settings: SettingsOptions, reportingIn report: inout Report
  ) -> SignersAtHand? {
    guard let document = place.signing?.newest else { return nil }
    do throws(Failure) {
      return SignersAtHand(
        try settings.signers(app: project.app, channel: channel.name), of: document)
    } catch {
      var warning = error.diagnostic
      warning.severity = .warning
      report.diagnostics.append(warning)
      return nil
    }
  }
}
