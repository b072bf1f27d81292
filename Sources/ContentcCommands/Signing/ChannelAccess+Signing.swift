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
