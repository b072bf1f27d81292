import ContentModel
import ContentSource
import Diagnostics
import Testing

@testable import ContentCompiler

/// Bundles with `split: place`; `docs/reference/content.md` and `docs/reference/output.md`.
@Suite struct TileTests {
  private static let corners = [
    "item/a": "{name: A, at: {latitude: 50, longitude: -100}}",
    "item/b": "{name: B, at: {latitude: 50, longitude: 100}}",
    "item/c": "{name: C, at: {latitude: -50, longitude: -100}}",
    "item/d": "{name: D, at: {latitude: -50, longitude: 100}}",
  ]

  private func shop(
    _ files: [String: String] = corners, fields: String = "{name: string, at: {type: place}}",
    bundle: String = "max: 1", format: String = "binary", at instant: Instant = Shop.noon
  ) throws -> Shop {
    try Shop(
      files, fields: fields,
      with: ["bundles": "{near: {include: item/*, split: place, \(bundle)}}", "format": format],
      at: instant)
  }

  /// The tiles of a context with the ids of their entries, such as `01: item/a item/b`.
  private func tiles(of shop: Shop, _ context: String = "en") throws -> [String] {
    let row = try #require(
      try Reader(context).index(of: shop)["bundles"]?["near"], "\(shop.findings)")
    let tiles = try #require(try shop.object(row["tiles"])["tiles"])
    return try tiles.keys.map { key in
      let bundle = try shop.object(tiles[key]?["object"])
      #expect(bundle["bundle"] == .string("near/t\(key)"))
      #expect(tiles[key]?["count"]?.number == bundle["order"]?.items.count)
      return "\(key): \(bundle["order"]?.items.compactMap(\.text).joined(separator: " ") ?? "")"
    }
  }

  @Test func countAsOneBundle() throws { #expect(try shop().build?.counts.bundles == 1) }

  @Test func dividesTheMapUntilTilesAreSmallEnough() throws {
    #expect(try tiles(of: shop()) == ["0: item/a", "1: item/b", "2: item/c", "3: item/d"])
    #expect(try tiles(of: shop(bundle: "max: 4")) == [": item/a item/b item/c item/d"])
    #expect(try tiles(of: shop(bundle: "max: 1, minimumTile: 40000km")).count == 1)
  }

  /// No division separates equal places.
  @Test func warnsAboutALargeTile() throws {
    let items = (0..<8_000).map {
      "place-\($0): {name: \"\($0) \(String(repeating: "x", count: 100))\", at: {latitude: 50, longitude: 8}}\n"
    }
    let shop = try shop(["entries/item.yaml": items.joined()])
    #expect(shop.isBuilt && shop.findings == ["warning large-tile"])
    let message = try #require(shop.diagnostics.first?.message)
    #expect(message.hasPrefix("the tile 'near/t12") && message.contains("has 1 MB"), "\(message)")
  }

  @Test func listsTilesWithTheirBoxes() throws {
    let shop = try shop()
    let row = try #require(try Reader("fr/ipad").index(of: shop)["bundles"]?["near"])
    #expect(row.keys == ["count", "tiles"] && row["count"]?.number == 4)
    let directory = try shop.object(row["tiles"])
    #expect(directory.keys == ["format", "place", "tiles"] && directory["place"]?.text == "at")
    let tile = directory["tiles"]?["0"]
    #expect(tile?.keys == ["box", "count", "object", "size", "ttl"])
    #expect(tile?["box"]?.items.compactMap(\.real) == [0, -180, 90, 0])
    #expect(directory["tiles"]?["3"]?["box"]?.items.compactMap(\.real) == [-90, 0, 0, 180])
  }

  @Test func sharesTilesThatReadersGetAlike() throws {
    let shop = try shop(
      Self.corners.merging(["item/a.fr": "name: Â"]) { $1 },
      fields: "{name: {type: string, localized: true}, at: place}")
    let bundles = try shop.objects.values.map { try shop.object(.data($0.digest.bytes)) }
      .filter { $0["bundle"] != nil }
    #expect(bundles.count == 5, "four tiles, one of them in French")
  }

  @Test(arguments: ["binary", "json", "xml", "openstep"])
  func writesPlacesInEveryFormat(format: String) throws {
    let shop = try shop(
      ["item/a": "at: {latitude: 48.85661234, longitude: -2.3522}"], format: format)
    let row = try #require(try Reader("en").index(of: shop)["bundles"]?["near"])
    let tile = try shop.object(row["tiles"])["tiles"]?[""]
    let place = try shop.object(tile?["object"])["entries"]?["item/a"]?["content"]?["at"]
    #expect(place?["latitude"]?.real == 48.856612 && place?["longitude"]?.real == -2.3522)
  }

  @Test func omitsTilesWithoutEntriesForAReader() throws {
    let shop = try shop(
      Self.corners.merging([
        "item/b": "{when: {locale: fr}, at: {latitude: 50, longitude: 100}}"
      ]) { $1 })
    #expect(try tiles(of: shop, "fr").count == 4)
    #expect(try tiles(of: shop) == ["0: item/a", "2: item/c", "3: item/d"])
  }

  @Test func keepsATileForReadersInOneCountry() throws {
    let shop = try shop([
      "item/a": "{when: {country: FR}, at: {latitude: 50, longitude: -100}}"
    ])
    let row = try #require(try Reader("en").index(of: shop)["bundles"]?["near"])
    let tile = try shop.object(row["tiles"])["tiles"]?[""]
    #expect(tile?["count"]?.number == 0 && tile?["variants"]?.items.first?["count"]?.number == 1)
  }

  @Test func tellsNothingOfEntriesUnderEmbargo() throws {
    let secret = """
      {when: {from: 2030-01-01T00:00:00Z, embargo: true}, at: {latitude: 51, longitude: -101}}
      """
    let shop = try shop(Self.corners.merging(["item/e": secret]) { $1 })
    #expect(try tiles(of: shop) == tiles(of: self.shop()))
    let end = Value.date(Instant(secondsSince1970: 1_893_456_000))
    #expect(try Reader("en").index(of: shop)["bundles"]?["near"]?["changes"] == end)
    #expect(try shop.config["changes"] == end)
    let later = try self.shop(
      Self.corners.merging(["item/e": secret]) { $1 },
      at: Instant(secondsSince1970: 1_893_456_000))
    #expect(try tiles(of: later).contains { $0.hasSuffix("item/e") })
  }

  @Test func aMovedEntryChangesTwoTiles() throws {
    let moved = Self.corners.merging(["item/e": "at: {latitude: 10, longitude: 10}"]) { $1 }
    let back = Self.corners.merging(["item/e": "at: {latitude: -10, longitude: 10}"]) { $1 }
    let (one, other) = (try shop(moved, bundle: "max: 2"), try shop(back, bundle: "max: 2"))
    let bundles = try [one, other].map { shop in
      Set(
        try shop.objects.values.filter {
          try shop.object(.data($0.digest.bytes))["bundle"] != nil
        }.map(\.digest))
    }
    #expect(bundles[0].subtracting(bundles[1]).count == 2)
  }

  @Test(arguments: [
    ("{name: string}", "max: 1", "error place-field 2:11"),
    ("{at: place, to: place}", "max: 1", "error place-field 2:11"),
    ("{at: place, to: place}", "place: on", "error unknown-field 2:56"),
    ("{at: place, name: string}", "place: name", "error wrong-type 2:56"),
    ("{at: place}", "max: 0", "error wrong-type 2:54"),
    ("{at: place}", "minimumTile: 10 miles", "error wrong-type 2:62"),
    ("{at: place}", "startup: true", "error split-startup 2:58"),
  ])
  func reportsMistakesOfTheBundle(fields: String, bundle: String, finding: String) throws {
    let files =
      fields.contains("at") ? ["item/a": "at: {latitude: 1, longitude: 2}"] : ["item/a": "name: A"]
    #expect(try shop(files, fields: fields, bundle: bundle).findings == [finding])
  }

  @Test func acceptsTheNamedOneOfTwoPlaces() throws {
    let shop = try shop(
      ["item/a": "{at: {latitude: 1, longitude: 2}, to: {latitude: 3, longitude: 4}}"],
      fields: "{at: place, to: place}", bundle: "place: to")
    #expect(shop.isBuilt)
  }

  @Test func reportsKeysOfOtherBundles() throws {
    let shop = try Shop(
      ["item/a": "name: A"], with: ["bundles": "{all: {include: item/*, max: 5}}"])
    #expect(shop.findings == ["error unused-key 2:34"])
    #expect(shop.diagnostics[0].message.contains("'split: place'"))
  }

  @Test func reportsAProjectionWithoutThePlace() throws {
    let shop = try Shop(
      [
        "item/a": "at: {latitude: 1, longitude: 2}",
        "datatypes/item.yaml": "fields: {at: place, name: string}\nprojections: {light: [name]}",
      ],
      with: ["bundles": "{near: {include: item/*, split: place, projection: light}}"])
    #expect(shop.findings == ["error place-field 2:61"])
  }

  @Test(arguments: [
    ["item/a": "name: A"],
    [
      "item/a": "at: {latitude: 1, longitude: 2}", "item/a@ipad": "at: {latitude: 3, longitude: 2}",
    ],
    ["item/a": "at: {latitude: 1, longitude: 2}", "item/a@ipad": "at: null"],
  ])
  func reportsEntriesWithoutOnePlace(files: [String: String]) throws {
    let shop = try shop(files)
    #expect(shop.findings == ["error unplaced-entry 1:1"])
  }

  @Test(arguments: [
    ("{latitude: 91, longitude: 0}", "error out-of-range 1:16"),
    ("{latitude: 0, longitude: -180.5}", "error out-of-range 1:30"),
    ("{latitude: 1}", "error missing-field 1:5"), ("[1, 2]", "error wrong-type 1:5"),
    ("here", "error wrong-type 1:5"), ("{lat: 1, longitude: 2}", "error unknown-field 1:6"),
  ])
  func reportsABadPlaceOnce(place: String, finding: String) throws {
    #expect(try shop(["item/a": "at: \(place)"]).findings.first == finding)
  }
}
