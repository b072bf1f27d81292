import ContentModel
import ContentTargets
import PropertyLists

extension Publisher {
  /// Refuses objects that the target would refuse, or contentc itself later on, before anything is
  /// sent.
  func checkSizes(_ draft: Draft) throws {
    if let object = draft.content.objects.first(where: {
      $0.isPropertyList && $0.size > ReadLimit.propertyList
    }) {
      throw DeliveryError(
        .refused,
        "'\(object.key)' is too large: it has \(object.size) bytes, and contentc and clients read "
          + "property lists of at most \(ReadLimit.propertyList); divide the bundle into several "
          + "ones, or make the asset smaller; nothing was changed")
    }
    guard let limit = place.target.largestFile else { return }
    let lacking = draft.content.objects.filter { !draft.assumedAtTarget.contains($0) }
    guard let object = lacking.first(where: { $0.size > limit }) else { return }
    throw DeliveryError(
      .refused,
      "'\(object.key)' is too large: it has \(object.size) bytes, and \(place.target.name) takes files of at most \(limit); "
        + "make the asset smaller, or leave it elsewhere and link to it; nothing was changed")
  }

  /// Returns the large parts of a release whose config has some bytes.
  ///
  /// An emergency is published in any case: other readers may accept what clients refuse. It reads
  /// no index, which would delay it, and may be missing after config was restored.
  ///
  /// - Throws: `DeliveryError` if clients would refuse one of them.
  func limitedParts(of draft: Draft, config: Int) throws -> [LimitedPart] {
    let config = LimitedPart(.config, bytes: config)
    guard givesWay else { return [config].large }
    let parts = try ([config] + draft.content.limitedParts()).large
    guard let part = parts.first(where: \.isTooLarge) else { return parts }
    throw DeliveryError(
      .refused, "\(part.sentence); \(part.remedy); nothing was changed")
  }
}

extension ReleaseContent {
  /// The indexes and the payloads for maintenance, and each list that is too large.
  fileprivate func limitedParts() throws -> [LimitedPart] {
    let sizes = Dictionary(objects.map { ($0.digest, $0.size) }) { first, _ in first }
    func parts(_ kind: LimitedPart.Kind, in digests: Value?) -> [LimitedPart] {
      (digests?.members ?? Members()).flatMap { locale, devices in
        (devices.members ?? Members()).compactMap { device, value in
          value.digest.flatMap { sizes[$0] }.map {
            LimitedPart(kind, of: "\(locale)/\(device)", bytes: $0)
          }
        }
      }
    }
    return try parts(.index, in: members["indexes"])
      + parts(.maintenance, in: members["maintenance"]?["payloads"]) + largeLists()
  }

  /// The lists of split bundles that clients would refuse.
  ///
  /// Only indexes name lists, so they are read if any property list is as large.
  private func largeLists() throws -> [LimitedPart] {
    let limit = LimitedPart.Kind.list.limit
    let large = objects.filter { $0.isPropertyList && $0.size > limit }
    guard !large.isEmpty else { return [] }
    let indexes = Set((members["indexes"]?.members ?? Members()).flatMap { $0.value.digests })
    return try objects.filter { indexes.contains($0.digest) && $0.size <= limit }.flatMap { index in
      let bytes = try file(index).body.bytes(limit: limit)
      let bundles = (try? PropertyList.decode(bytes))?.value["bundles"]?.members ?? Members()
      return bundles.flatMap { name, row in
        large.filter { BundleParts(row)?.digest == $0.digest }.map {
          LimitedPart(.list, of: name, bytes: $0.size)
        }
      }
    }
  }
}
