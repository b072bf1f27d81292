import ContentModel
import ContentSource

/// Which objects show which entries.
struct EntryObjects: Sendable {
  private let rows: [BundleRows]
  /// By selection: from its first entry to its last, by place.
  private let spans: [ClosedRange<Int>?]
  private let presence: @Sendable (_ entry: Int) -> [Bool]
  private let assets: @Sendable (_ entry: Int) -> [Digest]

  /// `presence` says in which contexts an entry is there, empty where in all, and `assets` which
  /// assets it uses.
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

  /// Objects that show the same entries.
  private struct Shown {
    var entries: [Int]
    var digests: [Digest]
  }

  /// Every object that shows something of an entry: most entries of a bundle share theirs.
  struct Groups: Sendable {
    var digests: [[Digest]]
    /// By entry: which of these are its own.
    var places: [Int]
  }

  /// For each entry of a stretch, the objects that show it.
  func groups(of stretch: Range<Int>) -> Groups {
    let shown = zip(rows, spans).filter { $1?.overlaps(stretch) ?? false }.flatMap { rows, _ in
      rows.selection.bundle.isSplit ? split(rows, in: stretch) : whole(rows, in: stretch)
    }
    var groups = [[Int]](repeating: [], count: stretch.count)
    for (place, group) in shown.enumerated() {
      for entry in group.entries { groups[entry - stretch.lowerBound].append(place) }
    }
    var known: [[Int]: Int] = [:]
    var result = Groups(digests: [], places: [])
    for (entry, places) in zip(stretch, groups) {
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

  /// Of one bundle that is one object: entries that are there in the same contexts are told
  /// together.
  private func whole(_ rows: BundleRows, in stretch: Range<Int>) -> [Shown] {
    let byContext = rows.whole.map { $0.objects.map(\.digest) }
    var groups: [[Bool]: [Int]] = [:]
    for entry in rows.selection.entries where stretch.contains(entry) {
      groups[presence(entry), default: []].append(entry)
    }
    return groups.map { presence, entries in
      let there = presence.isEmpty ? byContext : zip(presence, byContext).filter(\.0).map(\.1)
      return Shown(entries: entries, digests: Array(Set(there.joined())))
    }
  }

  /// Of a split bundle: each entry has objects of its own.
  private func split(_ rows: BundleRows, in stretch: Range<Int>) -> [Shown] {
    var byEntry: [Int: Set<Digest>] = [:]
    for (entry, row) in rows.split.joined() where stretch.contains(entry) {
      byEntry[entry, default: []].formUnion(row.objects.map(\.digest))
    }
    return byEntry.map { Shown(entries: [$0], digests: Array($1)) }
  }
}
