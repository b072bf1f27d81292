import CommandParts
import CommandReports
import ContentKeys
import ContentModel
import ContentReleases
import ContentSigning
import ContentSource
import ContentTrust
import Platform

extension ChannelAccess {
  /// Returns the signing of a channel; `nil` for one that is not signed.
  ///
  /// Without `signers`, the channel is only read.
  ///
  /// - Throws: a failure if the key documents cannot be used, or the settings have mistakes.
  func signing(
    of channel: Channel, in project: DeliverySettings, at target: String, by signers: Signers?,
    isSource: Bool = false
  ) throws(Failure) -> ChannelSigning? {
    guard let validFor = channel.signing?.validFor else { return nil }
    let keys = try ChannelKeys(channel, of: project, beside: input.content)
    let documents = keys.folder.trusted
    let signing = ChannelSigning(
      documents, after: keys.folder.base, validFor: validFor, now: { Clock.now }
    ) {
      body, type, role, document in
      guard let signers else {
        throw DeliveryError(.refused, "this command does not sign; nothing was changed")
      }
      do throws(Signers.Missing) {
        return try signers.sign(body, as: type, for: role, of: document)
      } catch {
        throw DeliveryError(
          .refused,
          "\(error.sentence); --draft FOLDER writes what others must sign; nothing was changed")
      }
    }
    guard var signing else {
      guard let pending = keys.folder.pending else { throw keys.missing }
      throw Failure(
        .missingInput, "missing-keys", "the first key document lacks signatures",
        at: keys.folder.file(pending.version),
        notes: ["'contentc keys sign \(channel.name)' adds them"])
    }
    signing.pending = keys.folder.pending
    let seen = ReleaseMemory(beside: input.content).seen(channel.name, of: project.app, at: target)
    if let own = seen?.own { signing.acceptedConfigs.insert(own) }
    // The option is about the channel that the command writes, or reads alone.
    let hash = isSource ? nil : trust.accept.flatMap { Digest(hex: $0) }
    if let hash { signing.acceptedConfigs.insert(hash) }
    return signing
  }

  /// Returns the last release of a channel that this machine saw, or that `--not-below` names.
  func seenRelease(
    of channel: Channel, in project: DeliverySettings, at target: String,
    signing: ChannelSigning?, isSource: Bool
  ) -> SeenRelease {
    let seen = ReleaseMemory(beside: input.content).seen(channel.name, of: project.app, at: target)
    var known = SeenRelease()
    // The first signed release and a recovery begin with other keys, and perhaps with other numbers.
    if let seen, signing == nil || seen.keys >= max(signing?.newest.floors?.version ?? 0, 1) {
      known = SeenRelease(release: seen.release, config: seen.config, purge: seen.purge)
    }
    // The option is about the channel that the command writes, or reads alone.
    if !isSource, let least = trust.notBelow, least > known.release {
      (known.release, known.config) = (least, nil)
    }
    return known
  }
}
