import ContentModel

/// Invented places, their tiles, and the searches that tests compare.
struct PlacesFixture: Sendable {
  typealias Search = NearestSearch<Int, String>

  let positions: [Coordinate]
  let ids: [String]
  let tree: TileTree
  /// The directory of the tiles.
  let rows: [(quadkey: Quadkey, count: Int, row: Int)]

  init(positions: [Coordinate], maximumCount: Int, minimumEdge: Int = 0) {
    self.positions = positions
    // The order of the ids is not that of the positions.
    ids = positions.indices.map { "store/\($0 &* 7_919 % 100_003)-\($0)" }
    tree = TileTree(positions: positions, maximumCount: maximumCount, minimumEdge: minimumEdge)
    rows = tree.leaves.enumerated().map { ($1.quadkey, $1.indices.count, $0) }
  }

  /// Returns the entries of a row of the directory.
  func entries(of row: Int) -> [(id: String, position: Coordinate)] {
    tree.leaves[row].indices.map { (ids[$0], positions[$0]) }
  }

  /// Returns a search that has loaded all tiles that it needs, and these tiles.
  func search(
    from origin: Coordinate, limit: Int, within radius: Double?, atMost: Int = 1
  ) -> (search: Search, loaded: [Search.Tile]) {
    var search = Search(rows: rows, origin: origin, limit: limit, within: radius)
    var loaded: [Search.Tile] = []
    while true {
      let tiles = search.next(atMost: atMost)
      if tiles.isEmpty { return (search, loaded) }
      for tile in tiles { search.add(entries(of: tile.row), of: tile) }
      loaded += tiles
    }
  }

  /// Returns the nearest of all entries, without a search.
  func bruteForce(
    from origin: Coordinate, limit: Int, within radius: Double?
  ) -> [(distance: Double, id: String)] {
    let all = positions.indices.map { (origin.distance(to: positions[$0]), ids[$0]) }
    return Array(
      all.filter { $0.0 <= radius ?? .infinity }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        .prefix(max(limit, 0)))
  }
}
