import PropertyLists
import ContentModel

extension ReleaseDiff {
  /// Objects of one kind that a publication sends.
  package struct SentPart: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
      case index, bundle, list, maintenance, asset, record
    }

    package var kind: Kind
    package var objects = 0
    /// Not compressed.
    package var bytes = 0
    /// Of bundles, the names of those that are sent, with the number of objects of each; of
    /// indexes, the startup bundles that each carries.
    package var bundles: [String: Int] = [:]  // String keys: bundle names are ASCII
  }

  /// The objects of a release that are sent, by kind, and within each kind why there are so many.
  static func sent(_ objects: [ReleaseObject], of release: ReleaseReader) throws -> [SentPart] {
    var kinds: [Digest: (kind: SentPart.Kind, bundle: String?)] = [:]
    for digest in try release.recordObjects() { kinds[digest] = (.record, nil) }
    for digest in MaintenanceSwitch.objects(of: release.content.members["maintenance"]) {
      kinds[digest] = (.maintenance, nil)
    }
    let sent = Set(objects.map(\.digest))
    var startup: [String: Int] = [:]  // String keys: bundle names are ASCII
    for context in release.contexts {
      guard let digest = release.index(of: context), sent.contains(digest) else { continue }
      let index = try release.value(of: digest)
      kinds[digest] = (.index, nil)
      for (name, _) in index["startup"]?.members ?? Members() { startup[name, default: 0] += 1 }
      for (_, row) in index["bundles"]?.members ?? Members() {
        if let list = row["list"]?.digest { kinds[list] = (.list, nil) }
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

extension ReleaseReader {
  /// The build's record and its parts, which no reader of the app fetches.
  fileprivate func recordObjects() throws -> [Digest] {
    guard let build = content.members["build"]?.digest, object(build) != nil else { return [] }
    let record = try value(of: build)
    return [build] + (record["entries"]?.digests ?? []) + (record["sources"]?.digests ?? [])
  }
}
