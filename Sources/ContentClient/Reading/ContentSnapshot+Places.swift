public import ContentModel
import SiteFormat

/// An entry near a position.
///
/// ```swift
/// for nearby in stores { show(nearby.entry["name"]?.text, nearby.distance) }
/// ```
public struct NearbyEntry: Sendable, Identifiable {
  /// The entry.
  public let entry: Entry
  /// The distance in metres along the Earth's surface.
  public let distance: Double

  /// The id of the entry.
  public var id: EntryID { entry.id }
}

extension ContentSnapshot {
  /// Returns the entries nearest to a position, of a bundle with `split: place`: those that are
  /// shown now and that `condition` selects, at most `limit`, nearest first.
  ///
  /// The result is exact. Only the tiles of the map that can have one of the entries are loaded;
  /// the tiles next to them follow later, in the background. The position never leaves the device,
  /// but the tiles that are loaded tell the server roughly where the reader is: by `minimumTile` in
  /// `content.yaml`, no tile is smaller.
  ///
  /// ```swift
  /// if let here = Coordinate(latitude: 48.8566, longitude: 2.3522) {
  ///   let stores = try await snapshot.nearest(here, in: "stores", limit: 10, within: 25_000)
  ///   show(stores.first?.entry["name"]?.text)
  /// }
  /// ```
  ///
  /// `radius` is the greatest distance in metres, or `nil` for any distance.
  ///
  /// - Throws: ``ContentError`` if the release has no such bundle, or a tile cannot be loaded.
  public func nearest(
    _ position: Coordinate, in bundle: BundleName, limit: Int = 20, within radius: Double? = nil,
    where condition: (Entry) -> Bool = { _ in true }
  ) async throws(ContentError) -> [NearbyEntry] {
    guard let content else { throw ContentError(.missing, because: "there is no content yet") }
    guard content.index.tiledBundles.contains(bundle) else {
      throw ContentError(
        .missing, because: "release \(release) has no bundle '\(bundle)' with 'split: place'")
    }
    try await loader?.loadList(of: bundle, of: content)
    guard let parts = content.parts(ofFamily: bundle) else {
      throw ContentError(.damaged, because: "the tiles of '\(bundle)' cannot be read")
    }
    guard let field = parts.placeField.map({ FieldPath(keys: [$0]) }) else {
      // A bundle without entries may not know the field.
      if parts.tiles.isEmpty { return [] }
      throw ContentError(.damaged, because: "the tiles of '\(bundle)' name no field")
    }
    var search = NearestSearch<BundleName, EntryID>(
      rows: parts.tiles.map { ($0.quadkey, $0.count, $0.name) }, origin: position,
      limit: limit, within: radius)
    var found: [EntryID: Entry] = [:]
    var loadedCount = 0
    while case let tiles = search.next(atMost: 4), !tiles.isEmpty {
      let missing = tiles.map(\.row).filter { !isStored($0) }
      loadedCount += missing.count
      if !missing.isEmpty { try await loader?.load(missing, of: content) }
      for tile in tiles {
        guard isStored(tile.row) else {
          throw ContentError(.missing, because: "the tile '\(tile.row)' is not stored")
        }
        let entries = entries(in: tile.row, where: condition).compactMap { entry in
          entry.coordinate(field).map { (entry: entry, position: $0) }
        }
        for (entry, _) in entries { found[entry.id] = entry }
        search.add(entries.map { (id: $0.entry.id, position: $0.position) }, of: tile)
      }
    }
    loader?.report(.searched(tiles: search.loadedCount, loaded: loadedCount))
    loader?.prefetch(search.pending(atMost: 4).map(\.row).filter { !isStored($0) }, of: content)
    return search.results.compactMap { result in
      found[result.id].map { NearbyEntry(entry: $0, distance: result.distance) }
    }
  }
}

extension Entry {
  /// The position of a field of type `place`; `nil` for another value.
  ///
  /// ```swift
  /// let position = store.coordinate("location")
  /// ```
  public func coordinate(_ path: FieldPath) -> Coordinate? {
    self[path].flatMap { Coordinate($0) }
  }
}
