import TestInputs
import Testing

@testable import ContentModel

@Suite struct NearestSearchTests {
  /// Returns an origin: half of them are at special positions, the others at, near or far from the
  /// places.
  private static func origin(
    near positions: [Coordinate], using generator: inout SeededGenerator
  ) -> Coordinate {
    let position = generator.one(of: positions)
    switch generator.below(8) {
    case 0: return position
    case 1: return .at(generator.one(of: [-90, 90]), longitude: position.longitude)
    case 2: return .at(position.latitude, longitude: generator.one(of: [-180, 180]))
    case 3: return Quadkey(containing: position, depth: generator.below(17)).box.corner
    case 4: return Distribution.lattice.positions(count: 1, using: &generator)[0]
    case 5:
      return .at(
        position.latitude + Distribution.degrees(0.1, using: &generator),
        longitude: position.longitude + Distribution.degrees(0.1, using: &generator))
    default: return Distribution.uniform.positions(count: 1, using: &generator)[0]
    }
  }

  /// 10,080 searches in all.
  @Test(arguments: Distribution.allCases, [(10, 0), (40, 20_000)])
  func findsWhatBruteForceFinds(distribution: Distribution, parameters: (Int, Int)) throws {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<12 {
      let positions = distribution.positions(count: 1 + generator.below(500), using: &generator)
      let places = PlacesFixture(
        positions: positions, maximumCount: parameters.0, minimumEdge: parameters.1)
      for _ in 0..<60 {
        let origin = Self.origin(near: positions, using: &generator)
        let limit = generator.one(of: [1, 10, 100])
        let farthest = generator.one(of: [0, 1_000, 100_000, 2_000_000, 30_000_000.0])
        let radius = generator.once(in: 2) ? nil : farthest
        let atMost = generator.one(of: [1, 4, .max])
        let (search, loaded) = places.search(
          from: origin, limit: limit, within: radius, atMost: atMost)
        let expected = places.bruteForce(from: origin, limit: limit, within: radius)
        try #require(search.results.map(\.id) == expected.map(\.id), "\(origin)")
        #expect(search.results.map(\.distance) == expected.map(\.distance))
        #expect(search.loadedCount == loaded.count)
        // Each loaded tile could have had a nearer entry.
        let last = expected.count == limit ? expected.last?.distance : nil
        #expect(loaded.allSatisfy { $0.bound <= last ?? radius ?? .infinity })
      }
    }
  }

  @Test func includesADistanceThatIsTheGreatestOne() throws {
    let positions = [Coordinate.at(1, longitude: 0), .at(-1, longitude: 0)]
    let places = PlacesFixture(positions: positions, maximumCount: 1)
    let origin = Coordinate.at(0, longitude: 0)
    let distance = origin.distance(to: positions[0])
    let found = places.search(from: origin, limit: 5, within: distance).search
    #expect(found.results.map(\.distance) == [distance, distance])
    #expect(places.search(from: origin, limit: 5, within: distance.nextDown).search.results.isEmpty)
  }

  /// Two tiles have the same bound, and the entry with the least id is in the tile that is loaded
  /// last.
  @Test func loadsTilesWhoseBoundIsTheLastDistance() {
    let positions = [-1.0, 1, -1, 1].map { Coordinate.at(0.5, longitude: $0) }
    let tree = TileTree(positions: positions, maximumCount: 2, minimumEdge: 0)
    #expect(tree.leaves.count == 2)
    for ids in [["a", "b", "c", "d"], ["d", "c", "b", "a"]] {
      var search = NearestSearch<[Int], String>(
        rows: tree.leaves.map { ($0.quadkey, $0.indices.count, $0.indices) },
        origin: .at(0.5, longitude: 0), limit: 1)
      while let tile = search.next().first {
        search.add(tile.row.map { (ids[$0], positions[$0]) }, of: tile)
      }
      #expect(search.results.map(\.id) == ["a"])
      #expect(search.loadedCount == 2)
    }
  }

  /// A group has only tiles that the search also loads one by one.
  @Test(arguments: [1, 10, 100, 1_000])
  func asksForSeveralTilesOnlyIfEachIsNeeded(limit: Int) {
    var generator = SeededGenerator(seed: 22)
    let positions = Distribution.clustered.positions(count: 5_000, using: &generator)
    let places = PlacesFixture(positions: positions, maximumCount: 50)
    for _ in 0..<50 {
      let origin = Self.origin(near: positions, using: &generator)
      let single = places.search(from: origin, limit: limit, within: nil)
      let grouped = places.search(from: origin, limit: limit, within: nil, atMost: .max)
      #expect(single.loaded.map(\.quadkey) == grouped.loaded.map(\.quadkey))
    }
  }

  /// The names of loaded tiles reveal where a reader is, and each tile costs a request.
  @Test(arguments: [(1, 1, 4), (10, 2, 5), (100, 4, 9)])
  func loadsFewTilesOfManyPlaces(limit: Int, median: Int, maximum: Int) {
    var generator = SeededGenerator(seed: 23)
    let positions = Distribution.clustered.positions(count: 50_000, using: &generator)
    let places = PlacesFixture(positions: positions, maximumCount: 200, minimumEdge: 1_000)
    let counts = (0..<400).map { _ in
      let place = generator.one(of: positions)
      let origin = Coordinate.at(
        place.latitude + Distribution.degrees(0.05, using: &generator),
        longitude: place.longitude + Distribution.degrees(0.05, using: &generator))
      return places.search(from: origin, limit: limit, within: nil).search.loadedCount
    }.sorted()
    #expect(counts[counts.count / 2] <= median, "\(counts[counts.count / 2])")
    #expect(counts[counts.count - 1] <= maximum, "\(counts[counts.count - 1])")
  }

  @Test func prefetchesTheTilesAroundTheOrigin() throws {
    var generator = SeededGenerator(seed: 24)
    let positions = Distribution.uniform.positions(count: 20_000, using: &generator)
    let places = PlacesFixture(positions: positions, maximumCount: 200)
    let origin = Coordinate.at(10, longitude: 179.9)
    let (search, loaded) = places.search(from: origin, limit: 1, within: nil)
    let pending = search.pending(atMost: 8)
    #expect(pending.count == 8)
    #expect(pending.map(\.bound) == pending.map(\.bound).sorted())
    let names = loaded.map(\.quadkey)
    #expect(pending.allSatisfy { !names.contains($0.quadkey) })
    // Tiles on both sides of 180 degrees.
    #expect(pending.contains { $0.quadkey.box.west == -180 })
    #expect(pending.contains { $0.quadkey.box.west > 100 })
    #expect(search.pending(atMost: .max).count == places.tree.leaves.count - search.loadedCount)
    #expect(search.pending(atMost: -1).isEmpty)
  }

  /// Tiles that a cache has can be added first, in any order.
  @Test func usesTilesThatAreAddedInAnyOrder() {
    var generator = SeededGenerator(seed: 25)
    let positions = Distribution.clustered.positions(count: 2_000, using: &generator)
    let places = PlacesFixture(positions: positions, maximumCount: 50)
    for _ in 0..<50 {
      let origin = Self.origin(near: positions, using: &generator)
      var search = PlacesFixture.Search(rows: places.rows, origin: origin, limit: 20)
      for tile in search.pending(atMost: .max).shuffled(using: &generator).prefix(10) {
        search.add(places.entries(of: tile.row), of: tile)
        search.add(places.entries(of: tile.row), of: tile)
      }
      #expect(search.loadedCount <= 10)
      while let tile = search.next().first { search.add(places.entries(of: tile.row), of: tile) }
      #expect(
        search.results.map(\.id)
          == places.bruteForce(from: origin, limit: 20, within: nil).map(\.id))
    }
  }
}

/// Directories and limits that neither a compiler nor an app makes.
@Suite struct NearestSearchForeignInputTests {
  private static let places: PlacesFixture = {
    var generator = SeededGenerator(seed: 31)
    return PlacesFixture(
      positions: Distribution.uniform.positions(count: 500, using: &generator), maximumCount: 20)
  }()
  private static let origin = Coordinate.at(48, longitude: 11)

  @Test(arguments: [Int.min, -1, 0, 1, .max], [1, Int.max])
  func findsTheSameWithWrongCounts(count: Int, atMost: Int) {
    let rows = Self.places.rows.map { (quadkey: $0.quadkey, count: count, row: $0.row) }
    var search = PlacesFixture.Search(rows: rows, origin: Self.origin, limit: 30)
    while true {
      let tiles = search.next(atMost: atMost)
      if tiles.isEmpty { break }
      for tile in tiles { search.add(Self.places.entries(of: tile.row), of: tile) }
    }
    let expected = Self.places.bruteForce(from: Self.origin, limit: 30, within: nil)
    #expect(search.results.map(\.id) == expected.map(\.id))
  }

  @Test func usesTheFirstOfRowsWithOneQuadkey() {
    let rows = Self.places.rows + Self.places.rows.map { ($0.quadkey, 1, -1) }
    var search = PlacesFixture.Search(rows: rows, origin: Self.origin, limit: .max)
    while let tile = search.next(atMost: .min).first {
      search.add(Self.places.entries(of: tile.row), of: tile)
    }
    #expect(search.results.count == 500)
    #expect(search.loadedCount == Self.places.rows.count)
  }

  @Test(
    arguments: [
      (Int.min, nil), (0, nil), (-1, 5), (10, -1), (10, .nan), (10, -.infinity),
    ] as [(Int, Double?)])
  func hasNoResultsForSuchLimits(limit: Int, radius: Double?) throws {
    var search = PlacesFixture.Search(
      rows: Self.places.rows, origin: Self.origin, limit: limit, within: radius)
    #expect(search.next(atMost: .max).isEmpty)
    let tile = try #require(search.pending(atMost: 1).first)
    search.add(Self.places.entries(of: tile.row), of: tile)
    #expect(search.results.isEmpty)
  }

  @Test func findsAllWithoutLimits() {
    let found = Self.places.search(
      from: Self.origin, limit: .max, within: .infinity, atMost: .max)
    let expected = Self.places.bruteForce(from: Self.origin, limit: .max, within: nil)
    #expect(found.search.results.map(\.id) == expected.map(\.id))
  }

  @Test func hasNoResultsInAnEmptyDirectory() {
    var search = PlacesFixture.Search(rows: [], origin: Self.origin, limit: 5)
    #expect(search.next().isEmpty && search.pending(atMost: 5).isEmpty && search.results.isEmpty)
    // A tile of another search is ignored.
    let other = PlacesFixture.Search(rows: Self.places.rows, origin: Self.origin, limit: 5)
    if let tile = other.next().first {
      search.add(Self.places.entries(of: tile.row), of: tile)
    }
    #expect(search.results.isEmpty && search.loadedCount == 0)
  }

  /// Tiles that overlap, and entries outside their tile.
  @Test func endsWithOverlappingTilesAndMisplacedEntries() throws {
    let names = ["", "0", "00", "012", "3333333333333333", "1"]
    let quadkeys = try names.map { try #require(Quadkey($0)) }
    var search = PlacesFixture.Search(
      rows: quadkeys.map { ($0, 2, 0) }, origin: Self.origin, limit: 4)
    var count = 0
    while let tile = search.next().first {
      count += 1
      let misplaced = [("a", Coordinate.at(-90, longitude: 0)), ("b", .at(90, longitude: 180))]
      search.add(misplaced.map { (id: $0.0, position: $0.1) }, of: tile)
    }
    #expect(count <= names.count && search.results.count <= 4)
  }
}

extension CoordinateBox {
  /// The corner in the north-west, which belongs to this box and touches three others.
  fileprivate var corner: Coordinate { .at(north, longitude: west) }
}
