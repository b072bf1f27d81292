import ContentModel
import ContentReleases
import System

/// The content of entries in earlier releases, back to the last one without them.
struct EarlierForms {
  /// The hashes of contents, by id.
  private(set) var hashes: [String: Set<Digest>] = [:]
  private var left: Set<String>
  private var seen: Set<Digest> = []

  /// Searches the kept releases of a channel, for some contexts or for all if `nil`.
  init(of ids: [String], for contexts: [ReleaseContext]?, in place: ChannelPlace) throws {
    left = Set(ids)
    var chain = try place.chain()
    while !left.isEmpty, let record = try chain.next() {
      try look(at: ReleaseReader(record.content(at: place.target)), for: contexts)
    }
  }

  private mutating func look(
    at reader: ReleaseReader, for contexts: [ReleaseContext]?
  ) throws {
    var bundles: Set<Digest> = []
    for id in left {
      // Objects that can no longer be read are skipped.
      guard let holders = try Self.present({ try reader.holders(of: id) ?? [] }) else { continue }
      if holders.isEmpty { left.remove(id) }
      bundles.formUnion(holders)
    }
    if let contexts {
      let rows = try contexts.flatMap { context in
        try Self.present { try reader.rows(context) } ?? []
      }
      bundles.formIntersection(rows.map(\.object))
    }
    let new = bundles.subtracting(seen).sorted().filter {
      reader.object($0)?.isPropertyList ?? false
    }
    seen.formUnion(new)
    let read = try new.mapOverlapped { bundle in
      try Self.present { try reader.entries(of: bundle) } ?? [:]
    }
    for (id, entry) in read.joined() where left.contains(id) {
      if let hash = PurgedContent.hash(of: entry, at: nil) { hashes[id, default: []].insert(hash) }
    }
  }

  private static func present<Result>(_ read: () throws -> Result) throws -> Result? {
    do { return try read() } catch is DeliveryError { return nil }
  }
}
