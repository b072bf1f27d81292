import ContentModel
import ContentReleases

/// The sources of restored entries: for each reader, the last release in which the entry was
/// different.
struct Restoration: Sendable {
  /// The latest first.
  private(set) var releases: [(number: Int, reader: ReleaseReader)] = []
  /// By id and reader: the place of the release among them.
  private(set) var sources: [String: [ReleaseContext: Int]] = [:]  // String keys: ids are ASCII

  // String keys: ids are ASCII
  /// By id and reader: the places of entries that no reader has any more, or not this one.
  private(set) var insertions: [String: [ReleaseContext: [InsertionPlace]]] = [:]

  var isEmpty: Bool { sources.isEmpty && insertions.isEmpty }

  /// The release, if all come from the same one.
  var onlyRelease: Int? { releases.count == 1 ? releases.first?.number : nil }

  mutating func take(
    _ id: String, _ context: ReleaseContext, from number: Int, _ reader: ReleaseReader
  ) {
    if releases.last?.number != number { releases.append((number, reader)) }
    sources[id, default: [:]][context] = releases.count - 1
  }

  /// Takes an entry that a reader has no more from all places where he had it.
  mutating func take(
    _ id: String, _ context: ReleaseContext, at places: [InsertionPlace], from number: Int,
    _ reader: ReleaseReader
  ) {
    if releases.last?.number != number { releases.append((number, reader)) }
    insertions[id, default: [:]][context] = places
    insertionSources[id, default: [:]][context] = releases.count - 1
  }

  // String keys: ids are ASCII
  /// By id and reader: the index of the source release.
  private(set) var insertionSources: [String: [ReleaseContext: Int]] = [:]

  /// Returns the numbers of an entry's source releases.
  func numbers(of id: String) -> Set<Int> {
    let places = Array((sources[id] ?? [:]).values) + Array((insertionSources[id] ?? [:]).values)
    return Set(places.map { releases[$0].number })
  }

  /// The restored entries, as readers will get them.
  var shown: ShownEntries {
    var shown: ShownEntries = [:]
    for (id, contexts) in insertions {
      for (context, places) in contexts {
        for place in places {
          shown[context, default: [:]][id, default: [:]][place.row] = place.insertion.entry
        }
      }
    }
    return shown
  }

  /// Returns an asset of a restored entry.
  func object(_ digest: Digest) -> ReleaseObject? {
    releases.lazy.compactMap { $0.reader.object(digest) }.first
  }
}

/// A reader's bundles, by name and variant.
struct BundlePlaces {
  private let objects: [String: Digest]  // String keys: ids are ASCII

  init(_ rows: [ReleasedBundle]) {
    objects = Dictionary(rows.map { ("\($0.bundle) \($0.variant)", $0.object) }) { first, _ in first
    }
  }

  /// Returns the object in place of a row, whose variant may not have existed.
  func object(for row: ReleasedBundle) -> Digest? {
    objects["\(row.bundle) \(row.variant)"] ?? objects["\(row.bundle) "]
  }
}
