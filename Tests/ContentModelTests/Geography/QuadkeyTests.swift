import TestInputs
import Testing

@testable import ContentModel

@Suite struct QuadkeyTests {
  @Test(arguments: [
    "", "0", "3", "0123", "1202102332221212", "3333333333333333", "0000000000000000",
  ])
  func readsItsDescription(text: String) throws {
    let quadkey = try #require(Quadkey(text))
    #expect(quadkey.description == text)
    #expect(quadkey.depth == text.utf8.count)
  }

  @Test(arguments: [
    "4", "-1", " ", "0 ", "01234", "t0", "00000000000000000", "٣", "１", "0\u{301}", "\0", "a",
    String(repeating: "0", count: 100_000),
  ])
  func refusesOtherTexts(text: String) {
    #expect(Quadkey(text) == nil)
  }

  @Test func isDividedIntoQuarters() throws {
    #expect(Quadkey.root.children.map(\.description) == ["0", "1", "2", "3"])
    #expect(Quadkey.root.parent == nil)
    let quadkey = try #require(Quadkey("0132"))
    #expect(quadkey.parent?.description == "013")
    #expect(quadkey.children.map(\.parent) == Array(repeating: quadkey, count: 4))
    #expect(try #require(Quadkey("0123012301230123")).children.isEmpty)
    #expect(Quadkey.root.contains(quadkey) && quadkey.contains(quadkey))
    #expect(!quadkey.contains(.root) && !quadkey.children[0].contains(quadkey.children[1]))
  }

  @Test func sortsAsItsTextDoes() {
    var generator = SeededGenerator(seed: 5)
    let texts = (0..<2_000).map { _ in
      String((0..<generator.below(17)).map { _ in generator.one(of: Array("0123")) })
    }
    let sorted = texts.compactMap { Quadkey($0) }.sorted().map(\.description)
    #expect(sorted == texts.sorted { $0.precedesInBytes($1) })
  }

  @Test func hasTheRowAndColumnOfItsDigits() throws {
    // The example of Microsoft's "Bing Maps Tile System": tile (3, 5) at level 3 is 213.
    let quadkey = try #require(Quadkey("213"))
    #expect((quadkey.column, quadkey.row) == (3, 5))
    #expect(Quadkey(row: 5, column: 3, depth: 3) == quadkey)
  }

  @Test(arguments: Distribution.allCases)
  func containsThePositionsThatItIsMadeOf(distribution: Distribution) {
    var generator = SeededGenerator(seed: 1)
    for position in distribution.positions(count: 500, using: &generator) {
      let deepest = Quadkey(containing: position)
      #expect(deepest.depth == 16)
      for depth in 0...16 {
        let quadkey = Quadkey(containing: position, depth: depth)
        #expect(quadkey.depth == depth && quadkey.contains(deepest))
        #expect(quadkey.box.contains(position))
        #expect(quadkey.box.distance(from: position) == 0)
      }
    }
  }

  @Test func limitsADepth() {
    let position = Coordinate.at(1, longitude: 2)
    #expect(Quadkey(containing: position, depth: .min) == .root)
    #expect(Quadkey(containing: position, depth: .max) == Quadkey(containing: position))
  }

  /// At each depth, the tiles cover the Earth without gaps.
  @Test func hasTheBordersOfItsQuarters() throws {
    #expect(
      Quadkey.root.box == CoordinateBox(south: -90, west: -180, north: 90, east: 180))
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<500 {
      let position = Distribution.uniform.positions(count: 1, using: &generator)[0]
      let quadkey = Quadkey(containing: position, depth: generator.below(16))
      let (box, quarters) = (quadkey.box, quadkey.children.map(\.box))
      #expect(quarters[0].north == box.north && quarters[0].west == box.west)
      #expect(quarters[1].north == box.north && quarters[1].east == box.east)
      #expect(quarters[2].south == box.south && quarters[2].west == box.west)
      #expect(quarters[3].south == box.south && quarters[3].east == box.east)
      #expect(quarters[0].south == quarters[2].north && quarters[1].south == quarters[3].north)
      #expect(quarters[0].east == quarters[1].west && quarters[2].east == quarters[3].west)
      #expect(quarters[0].south == quarters[1].south && quarters[0].east == quarters[2].east)
    }
  }

  /// Computed with 40 digits (mpmath 1.3).
  @Test(arguments: [
    ("", 18_914_534), ("0", 7_976_759), ("00", 1_880_147), ("02", 7_395_947),
    ("00000000", 13_655), ("0222222222222222", 610), ("0000000000000000", 52),
  ])
  func hasAShortestEdge(text: String, metres: Int) throws {
    #expect(try #require(Quadkey(text)).shortestEdge == metres)
  }
}

// Relations of tiles and boxes that only tests need.
extension Quadkey {
  /// The tile of which this tile is a quarter; `nil` for the root.
  var parent: Quadkey? { depth == 0 ? nil : Quadkey(path: path, depth: depth - 1) }

  /// Returns `true` if another tile is this tile or a part of it.
  func contains(_ other: Quadkey) -> Bool {
    depth <= other.depth && Quadkey(path: other.path, depth: depth) == self
  }
}

extension CoordinateBox {
  /// Returns `true` if a position is in the box or on its border.
  func contains(_ position: Coordinate) -> Bool {
    (south...north).contains(position.latitude) && (west...east).contains(position.longitude)
  }
}
