import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import PropertyLists
import SiteFormat
import System

extension OpenChannel {
  private var releaseMemory: ReleaseMemory { ReleaseMemory(beside: content) }

  /// Returns the live release, as `ChannelPlace.live` does, and remembers it: an older one is taken for
  /// a restored one after it.
  func live() throws -> LiveRelease? {
    let live = try waiting { try place.live() }
    if let live { remember(live, isOwn: false) }
    return live
  }

  /// Remembers the release of a publication.
  func rememberRelease(of outcome: Publisher.Outcome) {
    let record = outcome.record
    guard let live = try? place.live(known: record) else { return }
    let isNew = if case .released = outcome { true } else { false }
    remember(live, isOwn: isNew && live.record.digest == record.digest)
  }

  /// Remembers a release.
  ///
  /// In a signed channel, the release must be verified. Only a config that this machine made, or a copy
  /// that its owner trusts, is accepted once the keys that signed it were removed. Numbers that leave no
  /// room are not remembered.
  func remember(_ live: LiveRelease, isOwn: Bool) {
    if place.signing != nil, live.signed == nil { return }
    // An old config that was put back must not count as the last one where the memory has no other.
    if live.number < place.seen.release { return }
    // A thief's number would hide that it leaves no room for later ones.
    guard place.numbersWithoutRoom(in: live).isEmpty else { return }
    let isFar = live.number - 1 - place.seen.release > ChannelPlace.numbersAhead
    if place.signing == nil, place.seen.release > 0, isFar { return }
    let digest = Digest(of: live.config)
    releaseMemory.note(
      ReleaseMemory.Seen(
        release: live.number, config: digest, purge: live.purge?["sequence"]?.number ?? 0,
        keys: live.signed?.fresh.keys ?? 0, own: isOwn ? digest : nil),
      of: channel.name, app: project.app,
      at: place.nameInMemory(isSigned: place.signing != nil))
  }

  /// Remembers a copy of a config that its owner trusts: it is accepted although the keys that signed it
  /// were removed.
  ///
  /// - Throws: A failure if no key document accepts the copy, if this machine saw a later release, or if
  ///   the memory cannot be written.
  func accept(_ copy: [UInt8], at path: String) throws -> SignedConfig {
    guard let signing = place.signing else { throw place.notSigned }
    let config: SignedConfig
    do throws(DeliveryError) {
      config = try signing.verifiedCopy(copy, of: place, at: "'\(path.harmless)'")
    } catch { throw Failure(.contentErrors, .unverified, error.description) }
    let (fresh, name) = (config.fresh, channel.name)
    let seen = releaseMemory.seen(name, of: project.app, at: place.target.name)
    if let seen, (fresh.keys, fresh.release) < (seen.keys, seen.release) {
      throw Failure(
        .usage, .unverified,
        "the copy is release \(fresh.release) of '\(name)', and this machine saw release \(seen.release)",
        at: path, notes: ["nothing was changed"])
    }
    let purge = (try? PropertyList.decode(config.config).value)?["purge"]?["sequence"]?.number ?? 0
    releaseMemory.note(
      ReleaseMemory.Seen(
        release: fresh.release, config: fresh.config, purge: purge, keys: fresh.keys,
        own: fresh.config),
      of: name, app: project.app, at: place.target.name)
    let noted = releaseMemory.seen(name, of: project.app, at: place.target.name)
    guard noted?.own == fresh.config else {
      if let newer = releaseMemory.newerFormat {
        throw Failure(
          .inputOutput, .unwritable, newer.sentence(about: "'.contentc/signed.plist'"))
      }
      throw Failure(
        .inputOutput, .unwritable, "the folder '.contentc' beside the content cannot be written")
    }
    return config
  }

  /// Returns the warnings about the signatures of a release; see `ChannelSigning.warnings`.
  func signingWarnings(_ live: LiveRelease?, failUnder limit: Share? = nil) -> [Diagnostic] {
    guard let signing = place.signing else { return [] }
    let clock = clockWarning(live)
    if live == nil, limit != nil, (try? place.hasReleases()) == true {
      return clock + [
        Diagnostic(
          .error, rule: .signatureAge, at: nil,
          message: "config of '\(channel.name)' is gone, although releases were published")
      ]
    }
    return clock + signing.warnings(about: live, in: channel.name, failUnder: limit)
  }

  /// Returns a warning if the machine's clock is behind that of the target, or behind a signed live
  /// config.
  private func clockWarning(_ live: LiveRelease?) -> [Diagnostic] {
    let times = IssueTime(at: Clock.now, after: live, of: place)
    guard place.signing != nil, let sentence = times.sentence else { return [] }
    return [
      .warning(
        .clockBehind, at: nil, message: sentence,
        notes: [
          Diagnostic.Note(
            "set the clock: commands that sign refuse; only 'purge' and 'maintenance on' go on, "
              + "signing at \(times.corrected.rfc3339)"
              + (times.corrected == times.clock
                ? ": apps may refuse that, but the target's time is too far from it" : ""))
        ])
    ]
  }

  /// Derives a release without signatures, and writes what must be signed.
  ///
  /// `texts` are lines about the changes that readers see. `issued` is the time from which the draft
  /// was made, if it depends on that, and `until` the time after which it has no purpose.
  func write(
    _ draft: Draft, by request: DraftRequest, after live: LiveRelease?, repairs: Bool = false,
    texts: [String], issued: Instant? = nil, until: Instant? = nil
  ) throws -> Report {
    let drafted = try publisher.drafted(
      draft, after: live, by: request.command, texts: texts,
      issued: issued ?? publisher.issueTime(after: live), until: until, repairs: repairs)
    if let drafted { return try request.write(drafted) }
    var text =
      "Nothing to sign: release \(live?.number ?? 0) of '\(channel.name)' shows this content "
      + "already\n"
    if let signed = live?.signed, place.signing?.isDue(signed) ?? false {
      text += "Its signatures are due: 'contentc resign \(channel.name) --draft FOLDER'\n"
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
        try settings.signers(app: project.app, channel: channel.name, notes: notes), of: document)
    } catch {
      var warning = error.diagnostic
      warning.severity = .warning
      report.diagnostics.append(warning)
      return nil
    }
  }
}

/// New signatures of the live release.
extension OpenChannel {
  /// Refuses to sign if nothing shows that the live config is not an earlier one.
  ///
  /// Whoever stole the target's credentials may have put back an earlier config, whose signatures
  /// are still valid. `command` is the command to run again with `--not-below`.
  func requireMemory(by command: String) throws {
    guard let signing = place.signing, place.seen.release == 0, let live = try place.live(),
      !signing.acceptedConfigs.contains(Digest(of: live.config))
    else { return }
    let name = channel.name
    throw Failure(
      .usage, .usage,
      "this machine remembers no release of '\(name)', so an earlier config in its place would be signed as current",
      notes: [
        "keep the folder '.contentc' beside the content between runs, or say the last release: "
          + "\(command) --not-below N",
        "'contentc history \(name)' on the machine that published lists its releases",
      ])
  }

  /// Remembers the live release, which has new signatures, and returns the report.
  func reportOfResigning(_ live: LiveRelease) -> Report {
    remember(live, isOwn: false)
    let expires = live.signed?.fresh.expires ?? Clock.now
    return Report(
      text: "Signed release \(live.number) of '\(channel.name)' again, until \(expires.rfc3339)\n",
      json: membersOfResigning(expires: expires, isNew: true), diagnostics: signingWarnings(live))
  }

  /// The JSON of a command that signs the live release again.
  func membersOfResigning(expires: Instant, isNew: Bool) -> Members {
    [
      "channel": .string(channel.name), "expires": .string(expires.rfc3339),
      "signed": .boolean(isNew),
    ]
  }
}
