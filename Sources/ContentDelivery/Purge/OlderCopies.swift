import ContentModel

/// Objects of earlier releases that show what was purged, in releases that look otherwise than the live one did.
package struct OlderCopies {
  /// Each once.
  package private(set) var objects: [ReleaseObject] = []

  /// Looks through a channel's history for objects that show what must not come back, besides some that are known.
  ///
  /// - Throws: `DeliveryError`, `TargetError`.
  package init(_ place: ChannelPlace, of contents: [PurgedContent], besides known: [ReleaseObject]) throws {
    var seen = Set(known.map(\.digest))
    let live = try place.live().map { Set($0.record.objects.map(\.digest)) } ?? []
    var chain = try place.chain()
    while let record = try chain.next() {
      if live.isSuperset(of: record.objects.map(\.digest)) { continue }
      let reader = ReleaseReader(record.content(at: place.target))
      let holders = try contents.compactMap { purged in
        try Self.present { try reader.holders(of: purged.entry) } ?? nil
      }
      let candidates = holders.reduce(into: Set<Digest>()) { $0.formUnion($1) }.subtracting(live)
      for digest in candidates.sorted() where seen.insert(digest).inserted {
        guard let object = reader.object(digest), ["plist", "json"].contains(object.fileExtension),
          let entries = try Self.present({ try reader.entries(of: digest) }),
          contents.contains(where: { purged in entries[purged.entry].map(purged.isShown) ?? false })
        else { continue }
        objects.append(object)
      }
    }
  }

  /// What is read, unless a prune or a purge has removed it: a target that does not answer is no reason to leave it.
  private static func present<Result>(_ read: () throws -> Result) throws -> Result? {
    do { return try read() } catch is DeliveryError { return nil }
  }
}
