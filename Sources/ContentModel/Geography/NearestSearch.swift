/// The search for the entries nearest to a position, in tiles that are loaded one after the other.
///
/// The search is exact, and asks only for tiles that it needs. The bound of a tile is the least
/// distance that an entry in the tile can have. A tile is loaded only if its bound is not greater
/// than the distance of the last entry of the result.
///
/// ```
/// while true {
///   let tiles = search.next(atMost: 4)
///   if tiles.isEmpty { break }
///   for tile in tiles { search.add(try await load(tile.row), of: tile) }
/// }
/// show(search.results)
/// ```
///
/// The directory is not trusted: a search only uses the quadkey of a row and, to ask for several
/// tiles at once, its count. A wrong count changes how many tiles are asked for, but no result.
package struct NearestSearch<Row: Sendable, ID: Comparable & Sendable>: Sendable {
  /// A row of the directory.
  package struct Tile: Sendable {
    /// The name of the tile.
    package let quadkey: Quadkey
    /// The number of entries according to the directory, at least 0.
    package let count: Int
    /// The row, as the caller passed it.
    package let row: Row
    /// A lower bound of the distance of each entry in metres.
    package let bound: Double
  }

  /// An entry of the result.
  package struct Result: Sendable {
    /// The id of the entry.
    package let id: ID
    /// The position of the entry.
    package let position: Coordinate
    /// The distance from the origin in metres.
    package let distance: Double

    /// Compares by distance; equal distances by id.
    fileprivate static func < (a: Result, b: Result) -> Bool {
      (a.distance, a.id) < (b.distance, b.id)
    }
  }

  /// The position from which distances are measured.
  package let origin: Coordinate
  /// The entries found so far, nearest first; equal distances are sorted by id.
  package private(set) var results: [Result] = []
  /// The number of tiles whose entries were added.
  package private(set) var loadedCount = 0

  /// All tiles by bound; equal bounds are sorted by quadkey.
  private let tiles: [Tile]
  private let limit: Int
  private let radius: Double
  private var isLoaded: [Bool]
  /// The index of the first tile that is not loaded.
  private var firstPending = 0

  /// Starts a search.
  ///
  /// - Parameters:
  ///   - rows: The rows of the directory in any order; of rows with the same quadkey, the first is
  ///     used.
  ///   - origin: The position from which distances are measured.
  ///   - limit: The greatest number of results; for 0 or less, there are none.
  ///   - radius: The greatest distance of a result in metres; `nil` for any distance. For NaN and
  ///     negative numbers, there are no results.
  package init(
    rows: some Sequence<(quadkey: Quadkey, count: Int, row: Row)>, origin: Coordinate, limit: Int,
    within radius: Double? = nil
  ) {
    self.origin = origin
    self.limit = limit
    self.radius = radius ?? .infinity
    var seen: Set<Quadkey> = []
    tiles = rows.filter { seen.insert($0.quadkey).inserted }.map {
      Tile(
        quadkey: $0.quadkey, count: max($0.count, 0), row: $0.row,
        bound: $0.quadkey.box.distance(from: origin))
    }.sorted { ($0.bound, $0.quadkey) < ($1.bound, $1.quadkey) }
    isLoaded = Array(repeating: false, count: tiles.count)
  }

  /// Returns the tiles to load now, nearest first; empty if the results are complete.
  ///
  /// If the counts of the directory are right, the result needs each of these tiles. The caller can
  /// load them in parallel, and adds the entries of each. `maximum` is the greatest number of
  /// tiles, at least 1. Default: 1.
  package func next(atMost maximum: Int = 1) -> [Tile] {
    var found: [Tile] = []
    var expected = 0
    for index in tiles.indices.dropFirst(firstPending) where !isLoaded[index] {
      let tile = tiles[index]
      // The result is complete without this tile only if enough entries are nearer than its bound.
      // An entry at exactly the bound does not count: an entry of the tile can have a lesser id.
      let (nearer, overflow) = resultCount(nearerThan: tile.bound).addingReportingOverflow(expected)
      guard found.count < max(maximum, 1), tile.bound <= radius, !overflow, nearer < limit else {
        break
      }
      found.append(tile)
      let sum = expected.addingReportingOverflow(tile.count)
      expected = sum.overflow ? .max : sum.partialValue
    }
    return found
  }

  /// Returns the tiles that are not loaded, in the order in which searches from near the origin
  /// need them.
  ///
  /// After a search, these are the tiles to prefetch.
  package func pending(atMost maximum: Int) -> [Tile] {
    Array(
      tiles.indices.dropFirst(firstPending).lazy.filter { !isLoaded[$0] }.prefix(max(maximum, 0))
        .map { tiles[$0] })
  }

  /// Adds all entries of a tile; a tile that was added before is ignored.
  ///
  /// The tile can be any tile of the directory, in any order, such as one that is in a cache.
  package mutating func add(
    _ candidates: some Sequence<(id: ID, position: Coordinate)>, of tile: Tile
  ) {
    guard let index = index(of: tile), !isLoaded[index] else { return }
    isLoaded[index] = true
    loadedCount += 1
    while firstPending < tiles.count, isLoaded[firstPending] { firstPending += 1 }
    guard limit > 0 else { return }
    let farthest = results.count < limit ? radius : min(radius, results.last?.distance ?? radius)
    let added = candidates.map { candidate in
      Result(
        id: candidate.id, position: candidate.position,
        distance: origin.distance(to: candidate.position))
    }.filter { $0.distance <= farthest }.sorted { $0 < $1 }
    merge(added)
  }

  /// Merges sorted entries into the results.
  private mutating func merge(_ added: [Result]) {
    guard !added.isEmpty else { return }
    let count = min(limit, results.count + added.count)
    var merged: [Result] = []
    merged.reserveCapacity(count)
    var (old, new) = (results[...], added[...])
    while merged.count < count {
      if let next = new.first, old.first.map({ next < $0 }) ?? true {
        merged.append(next)
        new.removeFirst()
      } else {
        merged.append(old.removeFirst())
      }
    }
    results = merged
  }

  /// Returns the number of results with a distance less than a bound, by binary search.
  private func resultCount(nearerThan bound: Double) -> Int {
    var (low, high) = (0, results.count)
    while low < high {
      let middle = low + (high - low) / 2
      if results[middle].distance < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the index of a tile, by binary search; `nil` for a tile of another search.
  private func index(of tile: Tile) -> Int? {
    var (low, high) = (0, tiles.count)
    while low < high {
      let middle = low + (high - low) / 2
      if (tiles[middle].bound, tiles[middle].quadkey) < (tile.bound, tile.quadkey) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < tiles.count && tiles[low].quadkey == tile.quadkey ? low : nil
  }
}
