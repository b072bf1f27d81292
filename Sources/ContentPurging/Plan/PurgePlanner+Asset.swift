import ContentModel
import ContentReleases
import ContentTargets

extension PurgePlanner {
  /// Plans to remove an asset from all entries of the live release, or of earlier ones.
  func planAsset(_ asset: Digest, of order: PurgeOrder) throws -> PurgePlan {
    guard let object = reader.object(asset) else { return try planEarlierAsset(asset) }
    guard try isAsset(object, in: reader) else { throw partOfRelease(asset) }
    let ids = try reader.ids().filter { try reader.holders(of: $0)?.contains(asset) ?? false }
    let edits = Dictionary(ids.map { ($0, EntryEdit.removeAssets([asset])) }) { first, _ in first }
    let plan = try editRelease(for: order, edits: edits, restoring: Restoration())
    guard plan.gone.contains(where: { $0.digest == asset }) else { throw partOfRelease(asset) }
    return plan
  }

  /// Plans to remove an asset that only earlier releases show: readers keep their content.
  private func planEarlierAsset(_ asset: Digest) throws -> PurgePlan {
    var chain = try place.chain()
    while let record = try chain.next() {
      guard let object = record.objects.first(where: { $0.digest == asset }) else { continue }
      guard try isAsset(object, in: ReleaseReader(record.content(at: place.target))) else {
        throw partOfRelease(asset)
      }
      guard try place.target.read(object.key) != nil else {
        throw DeliveryError(
          .unknown,
          "nothing to purge: release \(record.number) of '\(place.channel)' had asset \(asset.hex.prefix(16))…, which is "
            + "removed already")
      }
      var content = live.record.content(at: place.target)
      content.members["maintenance"] = live.members["maintenance"]
      return PurgePlan(
        content: content, contentRelease: live.record.contentRelease, entries: [], unlisted: [],
        gone: [object], contents: [], restoredFrom: nil)
    }
    throw DeliveryError(
      .unknown, "no release of '\(place.channel)' that is kept has an asset \(asset.hex)")
  }

  /// Returns whether an object is an asset: an entry shows it, or it cannot be a property list.
  private func isAsset(_ object: ReleaseObject, in reader: ReleaseReader) throws -> Bool {
    if !object.isPropertyList { return true }
    return try reader.ids().contains { id in
      guard let holders = try reader.holders(of: id), holders.contains(object.digest) else {
        return false
      }
      return try holders.subtracting([object.digest]).sorted().contains { bundle in
        do {
          return try reader.entries(of: bundle)[id]?.assets.contains(object.digest) ?? false
        } catch is DeliveryError { return false }
      }
    }
  }

  private func partOfRelease(_ asset: Digest) -> DeliveryError {
    DeliveryError(
      .unknown,
      "object \(asset.hex.prefix(16))… is no asset but part of the release itself; purge the entries that it shows, or "
        + "the release with --release")
  }
}
