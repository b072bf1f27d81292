import ContentModel

/// Where entries are restored from: each for each reader from the last release in which it was another.
struct Restoration: Sendable {
  /// The latest first.
  private(set) var releases: [(number: Int, reader: ReleaseReader)] = []
  /// By id and reader: the place of the release among them.
  private(set) var sources: [String: [ReleaseContext: Int]] = [:]

  var isEmpty: Bool { sources.isEmpty }

  /// The release, if all come from the same one.
  var onlyRelease: Int? { releases.count == 1 ? releases.first?.number : nil }

  mutating func take(_ id: String, _ context: ReleaseContext, from number: Int, _ reader: ReleaseReader) {
    if releases.last?.number != number { releases.append((number, reader)) }
    sources[id, default: [:]][context] = releases.count - 1
  }

  /// The numbers of the releases that an entry comes from.
  func numbers(of id: String) -> Set<Int> { Set((sources[id] ?? [:]).values.map { releases[$0].number }) }

  /// An asset that what is restored shows.
  func object(_ digest: Digest) -> ReleaseObject? { releases.lazy.compactMap { $0.reader.object(digest) }.first }
}

/// A reader's bundles, by name and variant.
struct BundlePlaces {
  private let objects: [String: Digest]

  init(_ rows: [BundleRow]) {
    objects = Dictionary(rows.map { ("\($0.bundle) \($0.variant)", $0.object) }) { first, _ in first }
  }

  /// What stands in a row's place: its variant may not have been one of its own.
  func object(for row: BundleRow) -> Digest? { objects["\(row.bundle) \(row.variant)"] ?? objects["\(row.bundle) "] }
}
