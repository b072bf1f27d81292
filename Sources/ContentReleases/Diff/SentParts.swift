import ContentModel
import PropertyLists

extension ReleaseDiff {
  /// Objects of one kind that a publication sends.
  package struct SentPart: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
      case index, bundle, recipe, list, maintenance, asset, record
    }

    package var kind: Kind
    package var objects = 0
    /// The uncompressed size.
    package var bytes = 0
    /// The number of objects by bundle: of kind `bundle`, those that are sent; of kind `index`,
    /// the indexes that carry it as a startup bundle.
    package var bundles: [String: Int] = [:]
  }

  /// Groups the sent objects of a release by kind, with the bundles that account for them.
  static func sent(_ objects: [ReleaseObject], of release: ReleaseReader) throws -> [SentPart] {
    var kinds: [Digest: (kind: SentPart.Kind, bundle: String?)] = [:]
    for digest in try release.recordObjects() { kinds[digest] = (.record, nil) }
    let members = release.content.members
    for block in [members["maintenance"], members["next"]?["maintenance"]] {
      for digest in MaintenanceSwitch.objects(of: block) { kinds[digest] = (.maintenance, nil) }
    }
    for object in objects where object.isRecipe { kinds[object.digest] = (.recipe, nil) }
    let sent = Set(objects.map(\.digest))
    var startup: [String: Int] = [:]
    for context in release.contexts {
      guard let digest = release.index(of: context), sent.contains(digest) else { continue }
      let index = try release.value(of: digest)
      kinds[digest] = (.index, nil)
      for (name, _) in index["startup"]?.members ?? Members() { startup[name, default: 0] += 1 }
      for (_, row) in index["bundles"]?.members ?? Members() {
        if let parts = BundleParts(row) { kinds[parts.digest] = (.list, nil) }
      }
      for row in try release.rows(context) {
        kinds[row.object] = (.bundle, String(row.bundle.prefix { $0 != "/" }))
      }
    }
    var parts: [SentPart.Kind: SentPart] = [:]
    for object in objects {
      let (kind, bundle) = kinds[object.digest] ?? (.asset, nil)
      parts[kind, default: SentPart(kind: kind)].objects += 1
      parts[kind, default: SentPart(kind: kind)].bytes += object.size
      if let bundle { parts[kind, default: SentPart(kind: kind)].bundles[bundle, default: 0] += 1 }
    }
    parts[.index]?.bundles = startup
    return SentPart.Kind.allCases.compactMap { parts[$0] }
  }
}
