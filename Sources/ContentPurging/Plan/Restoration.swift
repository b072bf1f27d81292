import ContentModel
import ContentReleases
import ContentTargets
import SiteFormat

/// An earlier release of a channel, with the reader of its objects.
struct EarlierRelease: Sendable {
  var number: Int
  var reader: ReleaseReader

  /// The release of a record; in a rollout, the stable side.
  init(_ record: ReleaseRecord, at target: any Target) {
    var content = record.content(at: target)
    content.members = content.members.stableSide
    (number, reader) = (record.number, ReleaseReader(content))
  }
}

/// The sources of restored entries: for each context, the last release in which the entry was
/// different.
struct Restoration: Sendable {
  /// The source releases, the latest first.
  private(set) var releases: [EarlierRelease] = []
  /// The index of the source release, by id and context.
  private(set) var sources: [String: [ReleaseContext: Int]] = [:]

  /// The earlier places of entries that a context no longer has, by id and context.
  private(set) var insertions: [String: [ReleaseContext: [InsertionPlace]]] = [:]

  /// The index of the source release of these entries, by id and context.
  private(set) var insertionSources: [String: [ReleaseContext: Int]] = [:]

  /// The contexts in which an entry is not restored, because every kept release has only a purged
  /// form of it there, ordered by id.
  var unrestored: [(id: String, contexts: [ReleaseContext])] = []

  /// The removed assets without which later forms of entries cannot return.
  var removedAssets: [RemovedAsset] = []

  /// The bytes of assets that the target lacks and that the user allows to return.
  var returning: [Digest: [UInt8]] = [:]

  var isEmpty: Bool { sources.isEmpty && insertions.isEmpty }

  /// The number of the source release, if there is only one.
  var onlyRelease: Int? { releases.count == 1 ? releases.first?.number : nil }

  /// Takes the form of an entry from a release, which is not later than the last one.
  mutating func take(_ id: String, for context: ReleaseContext, from release: EarlierRelease) {
    sources[id, default: [:]][context] = index(of: release)
  }

  /// Takes an entry that a context no longer has from all places where a release had it.
  mutating func take(
    _ id: String, for context: ReleaseContext, at places: [InsertionPlace],
    from release: EarlierRelease
  ) {
    insertions[id, default: [:]][context] = places
    insertionSources[id, default: [:]][context] = index(of: release)
  }

  private mutating func index(of release: EarlierRelease) -> Int {
    if releases.last?.number != release.number { releases.append(release) }
    return releases.count - 1
  }

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

/// A context's bundles, by name and variant.
struct BundlePlaces {
  private let objects: [ExactString: Digest]

  init(_ rows: [ReleasedBundle]) {
    objects = Dictionary(firstOf: rows.map { ("\($0.bundle) \($0.variant)", $0.object) })
  }

  /// Returns the object that a release has for a bundle of another one, or for the same bundle
  /// without its variant.
  func object(for row: ReleasedBundle) -> Digest? {
    objects["\(row.bundle) \(row.variant)"] ?? objects["\(row.bundle) "]
  }
}
