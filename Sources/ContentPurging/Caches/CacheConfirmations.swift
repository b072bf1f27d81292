package import ContentModel
import ContentReleases
package import ContentSource
import ContentTargets

/// The finished purges that caches have not confirmed with their present settings, as the names of notes
/// tell.
///
/// A purge of format 1 has no note about a cache, and a purge without objects leaves nothing in caches.
/// Both count as confirmed.
package struct CacheConfirmations: Sendable {
  /// A cache and the numbers of the purges that it has not confirmed, in order.
  package struct Cache: Hashable, Sendable {
    package let name: CacheName
    package let purges: [Int]

    /// The JSON of the cache.
    package var value: Value {
      [
        "name": .string(name.rawValue), "purges": .array(purges.map { .integer(Int64($0)) }),
      ]
    }

    /// The fact as a sentence, such as `fastly has not confirmed purges 3 to 118`.
    package var sentence: String { "\(name.rawValue) has not confirmed \(purges.purgeNames)" }
  }

  /// The caches that have not confirmed every purge, from the origin outward.
  package let caches: [Cache]
  /// The purges that some cache has not confirmed, in order.
  package let unconfirmed: [ListedPurge]

  /// Compares the purges of a list with caches of content.yaml.
  ///
  /// - Throws: The error of encoding the settings of a cache.
  package init(of list: PurgeList, by layers: [CacheLayer]) throws {
    try self.init(of: list.purges, by: layers)
  }

  init(of purges: [ListedPurge], by layers: [CacheLayer]) throws {
    let purges = try purges.filter { purge in
      try purge.state == .finished && purge.manifest == nil && purge.hasObjects
    }
    var caches: [(name: CacheName, purges: Set<PurgeFolder>)] = []
    for layer in layers {
      let left = try purges.filter { try !$0.isConfirmed(by: layer) }.map(\.folder)
      if left.isEmpty { continue }
      if let index = caches.firstIndex(where: { $0.name == layer.name }) {
        caches[index].purges.formUnion(left)
      } else {
        caches.append((layer.name, Set(left)))
      }
    }
    self.caches = caches.map { Cache(name: $0.name, purges: $0.purges.map(\.number).sorted()) }
    let left = caches.reduce(into: Set()) { $0.formUnion($1.purges) }
    unconfirmed = purges.filter { left.contains($0.folder) }
  }
}

extension ListedPurge {
  /// `false` for a finished purge that removed nothing, such as one that ended the state of a restored
  /// config.
  var hasObjects: Bool {
    get throws {
      if let manifest { return !manifest.begun.objects.isEmpty }
      let nothing = try CopiesNote(objects: []).file.body.bytes
      return notes.copies != [.copies(Digest(of: nothing).shortHex)]
    }
  }

  fileprivate func isConfirmed(by layer: CacheLayer) throws -> Bool {
    let isNamed = notes.contains { note in
      if case .cache(layer.name, _) = note { true } else { false }
    }
    return try isNamed && notes.contains(.cache(layer, after: notes.copies))
  }
}

extension [Int] {
  /// The numbers of some purges in words, such as `purges 3 to 118`; at least one.
  package var purgeNames: String {
    guard let first, let last, count > 1 else { return "purge \(first ?? 0)" }
    if count == 2 { return "purges \(first) and \(last)" }
    let isWhole = last - first == count - 1
    return isWhole ? "purges \(first) to \(last)" : "\(count) purges from \(first) to \(last)"
  }
}
