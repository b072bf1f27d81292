import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import SiteFormat
import System

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
        .missingInput, .missingKeys, "the first key document lacks signatures",
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

  /// Notes in a channel's place which release this machine saw last, or was told of by `--not-below`.
  func remind(_ place: inout ChannelPlace, isSource: Bool) {
    let memory = ReleaseMemory(beside: input.content)
    let unsigned = memory.seen(
      place.channel, of: place.app, at: place.nameInMemory(isSigned: false))
    if let unsigned { place.seenUnsigned = SeenRelease(unsigned) }
    if let signing = place.signing {
      let signed = memory.seen(place.channel, of: place.app, at: place.nameInMemory(isSigned: true))
      // A recovery begins with other numbers. A channel that was not signed meanwhile has other ones,
      // too.
      if let signed, signed.keys >= signing.newest.floors?.version ?? 0,
        signed.release >= place.seenUnsigned.release
      {
        place.seen = SeenRelease(signed)
      }
    } else {
      place.seen = place.seenUnsigned
    }
    // The option is about the channel that the command writes, or reads alone.
    if !isSource, let least = trust.notBelow, least > place.seen.release {
      (place.seen.release, place.seen.config) = (least, nil)
    }
  }
}

extension ChannelPlace {
  /// The name of the target in the machine's memory.
  ///
  /// Servers may have buckets of the same name. A channel may be signed for some time only.
  func nameInMemory(isSigned: Bool) -> String {
    isSigned ? target.name : "unsigned \(target.conditionsKey ?? target.name)"
  }
}

extension SeenRelease {
  fileprivate init(_ seen: ReleaseMemory.Seen) {
    self.init(release: seen.release, config: seen.config, purge: seen.purge)
  }
}
