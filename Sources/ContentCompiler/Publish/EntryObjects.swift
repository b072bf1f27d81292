import ContentModel
import ContentSource

/// Which objects show which entries.
struct EntryObjects: Sendable {
  private let rows: [Selector.Rows]
  /// By selection: from its first entry to its last, by place.
  private let reach: [ClosedRange<Int>?]
  private let isPresent: @Sendable (_ entry: Int, _ context: Int) -> Bool
  private let assets: @Sendable (_ entry: Int) -> [Digest]

  /// `isPresent` says whether an entry is there in a context, `assets` which assets it uses.
  init(
    _ rows: [Selector.Rows], isPresent: @escaping @Sendable (_ entry: Int, _ context: Int) -> Bool,
    assets: @escaping @Sendable (_ entry: Int) -> [Digest]
  ) {
    (self.rows, self.isPresent, self.assets) = (rows, isPresent, assets)
    reach = rows.map { rows in
      guard let first = rows.selection.entries.min(), let last = rows.selection.entries.max() else { return nil }
      return first...last
    }
  }

  /// Objects that show the same entries.
  private struct Shown {
    var entries: [Int]
    var digests: [Digest]
  }

  /// For each entry of a stretch, every object that shows something of it; most entries of a bundle share theirs.
  func digests(of stretch: Range<Int>) -> [[Digest]] {
    let shown = zip(rows, reach).filter { $1?.overlaps(stretch) ?? false }.flatMap { rows, _ in
      rows.selection.bundle.isSplit ? split(rows, in: stretch) : whole(rows, in: stretch)
    }
    var groups = [[Int]](repeating: [], count: stretch.count)
    for (place, group) in shown.enumerated() {
      for entry in group.entries { groups[entry - stretch.lowerBound].append(place) }
    }
    var known: [[Int]: [Digest]] = [:]
    return zip(stretch, groups).map { entry, places in
      let own = places.isEmpty ? [] : assets(entry)
      if own.isEmpty, let digests = known[places] { return digests }
      let digests = Set(places.flatMap { shown[$0].digests } + own).sorted()
      if own.isEmpty { known[places] = digests }
      return digests
    }
  }

  /// Of one bundle that is one object: entries that are there in the same contexts are told together.
  private func whole(_ rows: Selector.Rows, in stretch: Range<Int>) -> [Shown] {
    let byContext = rows.whole.map { $0.objects.map(\.digest) }
    var groups: [[Bool]: [Int]] = [:]
    for entry in rows.selection.entries where stretch.contains(entry) {
      groups[rows.whole.indices.map { isPresent(entry, $0) }, default: []].append(entry)
    }
    return groups.map { presence, entries in
      Shown(entries: entries, digests: Array(Set(zip(presence, byContext).filter(\.0).flatMap(\.1))))
    }
  }

  /// Of a split bundle: each entry has objects of its own.
  private func split(_ rows: Selector.Rows, in stretch: Range<Int>) -> [Shown] {
    var byEntry: [Int: Set<Digest>] = [:]
    for (entry, row) in rows.split.joined() where stretch.contains(entry) {
      byEntry[entry, default: []].formUnion(row.objects.map(\.digest))
    }
    return byEntry.map { Shown(entries: [$0], digests: Array($1)) }
  }
}
