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
  /// The releases of the purges of each entry.
  private let purges: [String: Set<Int>]
  /// The latest of the releases without an entry that follow the next one with it.
  private var without: [String: Int] = [:]
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
    self.purges = purges.reduce(into: [:]) { releases, purge in
      for id in purge.begun.entries { releases[id, default: []].insert(purge.begun.release) }
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
      if isSearched(id, in: number, isThere: !holders.isEmpty) {
        bundles.formUnion(holders)
      } else {
        left.remove(id)
      }
    }
    if let contexts {
      // A rollout may have shown other forms to some of these readers.
      let rows = try (contexts + contexts.map(\.next)).flatMap { context in
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

  /// Returns `false` if the search for an entry ends: a later release, or this one, lacks the entry,
  /// and not because of a purge.
  private mutating func isSearched(_ id: String, in number: Int, isThere: Bool) -> Bool {
    let purges = purges[id] ?? []
    if isThere {
      guard let last = without.removeValue(forKey: id) else { return true }
      return purges.contains { (number...last).contains($0) }
    }
    without[id] = without[id] ?? number
    return purges.contains { $0 <= number }
  }

  private static func present<Result>(_ read: () throws -> Result) throws -> Result? {
    do { return try read() } catch is DeliveryError { return nil }
  }
}
