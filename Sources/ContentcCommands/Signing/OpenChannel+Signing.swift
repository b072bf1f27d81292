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

/// The options that say which signed config is the right one.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Accept the live config with this SHA-256, although only an earlier key document accepts its "
        + "signatures. Default: none.", valueName: "hash"))
  var accept: String?
  @Option(
    help: ArgumentHelp(
      "Refuse a signed config below this release. Default: the last one that this machine saw.",
      valueName: "number"))
  var notBelow: Int?

  func validate() throws {
    if let accept, Digest(hex: accept) == nil {
      throw ValidationError("--accept takes the 64 digits of a SHA-256.")
    }
    if let notBelow, notBelow < 1 { throw ValidationError("--not-below must be at least 1.") }
  }
}

extension ChannelAccess {
  /// Returns the signing of a channel; `nil` for one that is not signed.
  ///
  /// Without `settings`, the channel is only read.
  ///
  /// - Throws: a failure if the key documents cannot be used, or the settings have mistakes.
  func signing(
    of channel: Channel, in project: Project, at target: String, by settings: SettingsOptions?,
    isSource: Bool = false
  ) throws(Failure) -> ChannelSigning? {
    guard let validFor = channel.signing?.validFor else { return nil }
    let keys = try ChannelKeys(channel, of: project, beside: input.content)
    let documents = keys.folder.trusted
    let signers = try settings?.signers(app: project.app, channel: channel.name)
    let signing = ChannelSigning(documents, validFor: validFor, now: { Clock.now }) {
      body, type, role, document in
      guard let signers else {
        throw DeliveryError(.refused, "this command does not sign; nothing was changed")
      }
      do throws(Signers.Missing) {
        return try signers.sign(body, as: type, for: role, of: document)
      } catch {
        throw DeliveryError(.refused, "\(error.sentence); nothing was changed")
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

  /// Remembers the release of a publication in a signed channel.
  func rememberSigned(after outcome: Publisher.Outcome) {
    guard place.signing != nil, case .released(let record, _) = outcome,
      let live = try? place.live(known: record)
    else { return }
    remember(live, isOwn: live.record.digest == record.digest)
  }

  /// Remembers a verified release: an older one is not accepted after it.
  ///
  /// Only a config that this machine made is accepted once the keys that signed it were removed.
  func remember(_ live: LiveRelease, isOwn: Bool) {
    guard let signing = place.signing, live.signed != nil else { return }
    let digest = Digest(of: live.config)
    signingMemory.note(
      SigningMemory.Seen(
        release: live.number, config: digest, purge: live.purge?["sequence"]?.number ?? 0,
        keys: signing.newest.version, own: isOwn ? digest : nil),
      of: channel.name, app: project.app, at: place.target.name)
  }

  /// Forgets the releases of a channel that is no longer signed.
  func forgetSigned() {
    signingMemory.forget(channel.name, of: project.app, at: place.target.name)
  }

  /// Returns a warning about a signed config that ends soon, or has ended: an error if less of the
  /// time is left than `limit`.
  func signingWarnings(_ live: LiveRelease?, failUnder limit: Share? = nil) -> [Diagnostic] {
    guard let signing = place.signing, let live else { return [] }
    var warnings: [Diagnostic] = []
    if let signed = live.signed {
      let (left, end) = (signed.validity(at: Clock.now), signed.fresh.expires)
      let isUnder = limit.map { left < $0.part } ?? false
      if isUnder || left < 0.25 {
        warnings.append(
          Diagnostic(
            isUnder ? .error : .warning, id: "signature-age", at: nil,
            message:
              "readers accept nothing new from '\(channel.name)' after \(end.rfc3339), when its signature \(end < Clock.now ? "ended" : "ends")",
            notes: [
              Diagnostic.Note("'contentc resign \(channel.name)' signs the live release again")
            ]))
      }
    } else {
      warnings.append(
        Diagnostic(
          limit == nil ? .warning : .error, id: "signature-age", at: nil,
          message: "config of '\(channel.name)' is not signed, although content.yaml has 'signing'",
          notes: [
            Diagnostic.Note("docs/trust.md says how to turn it on, and what else it can mean")
          ]))
    }
    let document = signing.newest
    let days =
      (document.expires.secondsSinceReferenceDate - Clock.now.secondsSinceReferenceDate) / 86_400
    if days < 60 {
      warnings.append(
        .warning(
          "key-document-age", at: nil,
          message:
            "key document \(document.version) of '\(channel.name)' ends at \(document.expires.rfc3339): readers accept nothing after it",
          notes: [Diagnostic.Note("'contentc keys renew \(channel.name)' makes the next one")]))
    }
    return warnings
  }
}
