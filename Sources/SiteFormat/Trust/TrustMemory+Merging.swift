package import ContentModel

extension TrustMemory {
  /// Returns whether another memory may be of the same publisher.
  ///
  /// The publishers differ if the trusted documents have the same version and different texts.
  package func hasSamePublisher(as other: TrustMemory) -> Bool {
    document.version != other.document.version || document.signed.body == other.document.signed.body
  }

  /// Takes over what another memory of the channel knows: the newest document, and the higher
  /// floors.
  ///
  /// Floors from before a recovery do not count after it. A memory of another publisher changes
  /// nothing.
  package mutating func merge(_ other: TrustMemory) {
    guard hasSamePublisher(as: other) else { return }
    let newest = other.document.version > document.version ? other.document : document
    let versions = (own: recovery?.version ?? 0, other: other.recovery?.version ?? 0)
    if versions.other > versions.own { self = other }
    if versions.other == versions.own { mergeFloors(of: other) }
    document = newest
  }

  private mutating func mergeFloors(of other: TrustMemory) {
    if other.release > release || (other.release == release && config == nil) {
      (release, config, fresh) = (other.release, other.config, other.fresh)
    } else if other.release == release, other.config == config, let later = other.fresh,
      fresh.map({ $0.issued < later.issued }) ?? true
    {
      fresh = later
    }
    latestIssued = [latestIssued, other.latestIssued].compactMap(\.self).max()
  }

  /// The time after which the last accepted config has expired.
  ///
  /// Afterwards, only a config with later statements or key documents is accepted.
  package var validUntil: Instant {
    min(document.expires, fresh?.expires ?? document.expires)
  }
}
