import Foundation
import PropertyLists
import SiteFormat
import Testing

@testable import ContentModel

/// The values of `Page/vectors.json`, which the tests of the page's scripts read, too: the page must
/// read, choose and measure as apps do.
///
/// Programs in Python computed the values, distances with 50 digits (mpmath 1.3).
@Suite struct PageVectorsTests {
  private let vectors: Value

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Page/vectors.json")
    vectors = try PropertyList.decode(Array(Data(contentsOf: file)), as: .json).value
  }

  private func list(_ name: String) throws -> [Value] {
    let items = try #require(vectors[name]?.items)
    try #require(!items.isEmpty, "\(name)")
    return items
  }

  private func numbers(_ value: Value?, count: Int) throws -> [Double] {
    let numbers = (value?.items ?? []).compactMap(\.real)
    try #require(numbers.count == count)
    return numbers
  }

  private func texts(_ value: Value?) throws -> [String] {
    let texts = (value?.items ?? []).compactMap(\.text)
    try #require(!texts.isEmpty)
    return texts
  }

  private func position(_ value: Value?) throws -> Coordinate {
    let degrees = try numbers(value, count: 2)
    return try #require(Coordinate(latitude: degrees[0], longitude: degrees[1]))
  }

  @Test func computesTheHashesOfTheVectors() throws {
    for vector in try list("sha256") {
      let count = vector["count"]?.number ?? 0
      let bytes =
        vector["text"]?.text.map { Array($0.utf8) }
        ?? (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      #expect(Digest(of: bytes).hex == vector["hex"]?.text, "\(vector)")
    }
  }

  @Test func decodesThePropertyLists() throws {
    for vector in try list("propertyLists") {
      let format = try #require(vector["format"]?.text.flatMap(PropertyListFormat.init))
      let bytes = try #require(vector["bytes"]?.text.flatMap { Data(base64Encoded: $0) })
      let value = try PropertyList.decode(Array(bytes), as: format).value
      #expect(value == vector["value"], "\(format)")
    }
  }

  @Test func comparesTheVersions() throws {
    let versions = try texts(vectors["versions"]?["ascending"]).map { try #require(AppVersion($0)) }
    for (i, one) in versions.enumerated() {
      for (j, other) in versions.enumerated() {
        #expect((one < other) == (i < j), "\(one) and \(other)")
        #expect((one == other) == (i == j), "\(one) and \(other)")
      }
    }
    for pair in try #require(vectors["versions"]?["equal"]?.items) {
      let equal = try texts(pair)
      #expect(AppVersion(equal[0]) == AppVersion(equal[1]), "\(equal)")
    }
  }

  @Test func choosesTheVariantForEachReader() throws {
    for condition in try list("conditions") {
      let row = try #require(condition["row"].flatMap { BundleRow($0, ending: "json") })
      for reader in try #require(condition["readers"]?.items) {
        let version = row.version(
          country: reader["country"]?.text, app: reader["app"]?.text.flatMap { AppVersion($0) })
        #expect(version.object.digest == reader["object"]?.digest, "\(reader)")
      }
    }
  }

  /// A malformed rollout counts as none, and its vector has no other side.
  @Test func findsTheNextSidesOfRollouts() throws {
    for vector in try list("rollouts") {
      let config = try #require(vector["config"]?.members)
      #expect(config.rollout?.percent == vector["percent"]?.text, "\(vector)")
      #expect(config.nextSide == vector["next"]?.members, "\(vector)")
    }
  }

  @Test func measuresTheDistances() throws {
    for vector in try list("distances") {
      let metres = try #require(vector["metres"]?.real)
      let distance = try position(vector["from"]).distance(to: position(vector["to"]))
      #expect(abs(distance - metres) <= max(1e-9 * metres, 1e-9), "\(vector)")
    }
  }

  @Test func boundsTheDistancesToBoxes() throws {
    for vector in try list("boxes") {
      let edges = try numbers(vector["box"], count: 4)
      let box = CoordinateBox(south: edges[0], west: edges[1], north: edges[2], east: edges[3])
      let bound = box.distance(from: try position(vector["position"]))
      let metres = try #require(vector["metres"]?.real)
      #expect(bound <= metres + 1e-8 && metres - bound < 2e-6, "\(vector)")
    }
  }

  @Test func findsTheNearestEntries() throws {
    let rows = try #require(vectors["tiles"]?.members).map { key, tile in
      let quadkey = try #require(Quadkey(key))
      let entries = try #require(tile["entries"]?.members).map {
        (id: $0.key, position: try position($0.value))
      }
      return (quadkey: quadkey, count: entries.count, row: entries)
    }
    for vector in try list("searches") {
      let limit = try #require(vector["limit"]?.number)
      var search = NearestSearch<[(id: String, position: Coordinate)], String>(
        rows: rows, origin: try position(vector["origin"]), limit: limit)
      while true {
        let tiles = search.next(atMost: 4)
        if tiles.isEmpty { break }
        for tile in tiles { search.add(tile.row, of: tile) }
      }
      #expect(try search.results.map(\.id) == texts(vector["ids"]), "\(vector)")
      #expect(search.loadedCount == vector["loaded"]?.number, "\(vector)")
    }
  }
}
