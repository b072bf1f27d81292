import ContentModel
import ContentReleases
import System

/// The content of entries in earlier releases, back to the last one without them.
///
/// A release that lacks an entry since a purge does not end the search: the forms before that purge
/// count, too.
struct EarlierForms {
  /// The hashes of contents, by id.
  private(set) var hashes: [String: Set<Digest>] = [:]
  /// The release of the first purge of each entry.
  private let firstPurges: [String: Int]
  private var left: Set<String>
  private var seen: Set<Digest> = []

  /// Searches the kept releases of a channel, for some contexts or for all if `nil`.
  ///
  /// `purges` are the purges of the channel.
  init(
    of ids: [String], for contexts: [ReleaseContext]?, in place: ChannelPlace,
    after purges: [KnownPurge] = []
  ) throws {
    left = Set(ids)
    firstPurges = purges.reduce(into: [:]) { first, purge in
      for id in purge.begun.entries { first[id] = min(first[id] ?? .max, purge.begun.release) }
    }
    var chain = try place.chain()
    while !left.isEmpty, let record = try chain.next() {
      try look(
        at: ReleaseReader(record.content(at: place.target)), number: record.number, for: contexts)
    }
  }

  private mutating func look(
    at reader: ReleaseReader, number: Int, for contexts: [ReleaseContext]?
  ) throws {
    var bundles: Set<Digest> = []
    for id in left {
      // Objects that can no longer be read are skipped.
      guard let holders = try Self.present({ try reader.holders(of: id) ?? [] }) else { continue }
      if holders.isEmpty, number < firstPurges[id] ?? .max { left.remove(id) }
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
