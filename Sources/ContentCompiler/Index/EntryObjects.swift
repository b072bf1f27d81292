import ContentModel
import ContentSource

/// The objects that show each entry.
struct EntryObjects: Sendable {
  private let rows: [BundleRows]
  /// By selection: the range of its entries in the tree.
  private let spans: [ClosedRange<Int>?]
  private let presence: @Sendable (_ entry: Int) -> [Bool]
  private let assets: @Sendable (_ entry: Int) -> [Digest]

  /// The objects in the rows of all bundles.
  ///
  /// `presence` returns the presence of an entry by context, empty for all contexts. `assets`
  /// returns the assets that the entry uses.
  init(
    _ rows: [BundleRows], presence: @escaping @Sendable (_ entry: Int) -> [Bool],
    assets: @escaping @Sendable (_ entry: Int) -> [Digest]
  ) {
    (self.rows, self.presence, self.assets) = (rows, presence, assets)
    spans = rows.map { rows in
      guard let first = rows.selection.entries.min(), let last = rows.selection.entries.max() else {
        return nil
      }
      return first...last
    }
  }

  /// Entries that the same objects show.
  private struct Shown {
    var entries: [Int]
    var digests: [Digest]
  }

  /// The objects of each entry; most entries of a bundle share a group.
  struct Groups: Sendable {
    var digests: [[Digest]]
    /// By entry: its group.
    var places: [Int]
  }

  /// Returns the objects that show each entry of a range.
  func groups(of range: Range<Int>) -> Groups {
    let shown = zip(rows, spans).filter { $1?.overlaps(range) ?? false }.flatMap { rows, _ in
      rows.whole.isEmpty ? split(rows, in: range) : whole(rows, in: range)
    }
    var groups = [[Int]](repeating: [], count: range.count)
    for (place, group) in shown.enumerated() {
      for entry in group.entries { groups[entry - range.lowerBound].append(place) }
    }
    var known: [[Int]: Int] = [:]
    var result = Groups(digests: [], places: [])
    for (entry, places) in zip(range, groups) {
      let own = places.isEmpty ? [] : assets(entry)
      if own.isEmpty, let place = known[places] {
        result.places.append(place)
        continue
      }
      if own.isEmpty { known[places] = result.digests.count }
      result.places.append(result.digests.count)
      result.digests.append(Set(places.flatMap { shown[$0].digests } + own).sorted())
    }
    return result
  }

  /// The objects of a bundle that is one object, by the presence of its entries.
  private func whole(_ rows: BundleRows, in range: Range<Int>) -> [Shown] {
    let byContext = rows.whole.map { $0.objects.flatMap(\.digests) }
    var groups: [[Bool]: [Int]] = [:]
    for entry in rows.selection.entries where range.contains(entry) {
      groups[presence(entry), default: []].append(entry)
    }
    return groups.map { presence, entries in
      let there = presence.isEmpty ? byContext : zip(presence, byContext).filter(\.0).map(\.1)
      return Shown(entries: entries, digests: Array(Set(there.joined())))
    }
  }

  /// The objects of a split bundle, where each entry has its own.
  private func split(_ rows: BundleRows, in range: Range<Int>) -> [Shown] {
    var byEntry: [Int: Set<Digest>] = [:]
    for (entry, row) in rows.split.joined() where range.contains(entry) {
      byEntry[entry, default: []].formUnion(row.objects.flatMap(\.digests))
    }
    return byEntry.map { Shown(entries: [$0], digests: Array($1)) }
  }
}
