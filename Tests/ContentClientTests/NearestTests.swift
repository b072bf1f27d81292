import ContentClientTesting
import ContentModel
import SiteFormat
import TestInputs
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The nearest entries of a bundle with `split: place`.
@Suite(.timeLimit(.minutes(5))) struct NearestTests {
  /// Stores around some towns, and their positions by id.
  private static let stores = stores(count: 600)
  private static let files = [
    "content.yaml": Shop.project().replacing(
      "bundles:",
      with: "bundles:\n  stores: {include: store/*, split: place, max: 20, minimumTile: 1km}"),
    "datatypes/store.yaml": "fields: {name: {type: string, localized: true}, at: place}",
    "entries/store.yaml": stores.sorted { $0.key < $1.key }.map { id, place in
      "\(id): {name: '\(id)', at: {latitude: \(place.latitude), longitude: \(place.longitude)}}\n"
    }.joined(),
  ]

  private static func stores(count: Int) -> [String: Coordinate] {
    var random = SeededGenerator(seed: 18)
    let towns = [(52.5, 13.4), (-16.8, 179.9), (78.2, 15.6), (-90.0, 0.0), (40.7, -74.0)]
    var stores: [String: Coordinate] = [:]
    for number in 0..<count {
      let (latitude, longitude) = towns[number % towns.count]
      func near(_ degrees: Double) -> Double {
        Coordinate.rounded(degrees + Double.random(in: -1...1, using: &random), decimals: 6)
      }
      stores["s\(number)"] = Coordinate(
        clampedLatitude: near(latitude), longitude: near(longitude))
    }
    return stores
  }

  private func nearest(to place: Coordinate, count: Int) -> [String] {
    Self.stores.map { (id: $0.key, distance: place.distance(to: $0.value)) }
      .sorted { ($0.distance, "store/\($0.id)") < ($1.distance, "store/\($1.id)") }
      .prefix(count).map { "store/\($0.id)" }
  }

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(clampedLatitude: latitude, longitude: longitude)
  }

  @Test func findsWhatASearchOfAllEntriesFinds() async throws {
    let client = try ClientScene(Self.files).client()
    #expect(await client.refreshed().isUpdated)
    var random = SeededGenerator(seed: 3)
    for turn in 0..<40 {
      let here = place(
        turn % 8 == 0 ? 90 : Double.random(in: -90...90, using: &random),
        Double.random(in: -180...180, using: &random))
      let found = try await client.snapshot.nearest(here, in: "stores", limit: 7)
      #expect(found.map(\.id.text) == nearest(to: here, count: 7))
      #expect(found.map(\.distance) == found.map(\.distance).sorted())
    }
  }

  @Test func loadsFewTilesAndThenTheirNeighbours() async throws {
    let scene = try ClientScene(Self.files)
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    let log = EventLog(client)
    _ = scene.requests()
    let found = try await client.snapshot.nearest(place(52.5, 13.4), in: "stores", limit: 5)
    #expect(found.map(\.id.text) == nearest(to: place(52.5, 13.4), count: 5))
    #expect(await log.has { if case .searched = $0 { true } else { false } })
    var searched: [(tiles: Int, loaded: Int)] = []
    for event in log.events {
      if case .searched(let tiles, let loaded) = event { searched.append((tiles, loaded)) }
    }
    let search = try #require(searched.first)
    #expect(search.tiles == search.loaded && (1...4).contains(search.tiles))
    let loaded = log.events.filter { if case .loaded = $0 { true } else { false } }
    #expect(loaded.count >= search.loaded + 1, "the directory, and the tiles")
    // The neighbours arrive by themselves.
    let all = client.snapshot.content?.parts(ofFamily: "stores")?.tiles.map(\.name) ?? []
    _ = await eventually { all.filter(client.snapshot.isStored).count >= search.tiles + 4 }
    #expect(all.filter(client.snapshot.isStored).count == search.tiles + 4)
    scene.goOffline()
    let again = try await client.snapshot.nearest(place(52.5, 13.4), in: "stores", limit: 5)
    #expect(again.map(\.id) == found.map(\.id))
  }

  @Test func limitsTheDistanceAndTheEntries() async throws {
    let client = try ClientScene(Self.files).client()
    #expect(await client.refreshed().isUpdated)
    let here = place(40.7, -74)
    let near = try await client.snapshot.nearest(here, in: "stores", limit: 600, within: 30_000)
    #expect(near.count == Self.stores.values.filter { here.distance(to: $0) <= 30_000 }.count)
    let even = try await client.snapshot.nearest(here, in: "stores", limit: 3) { entry in
      entry["name"]?.text?.hasSuffix("4") ?? false
    }
    #expect(even.count == 3 && even.allSatisfy { $0.id.text.hasSuffix("4") })
    #expect(try await client.snapshot.nearest(here, in: "stores", limit: 0).isEmpty)
  }

  @Test func readsPlacesOfEntries() async throws {
    let client = try ClientScene(Self.files).client()
    #expect(await client.refreshed().isUpdated)
    let entry = try await client.snapshot.nearest(place(52.5, 13.4), in: "stores").first?.entry
    let store = try #require(entry)
    #expect(store.coordinate("at") == Self.stores[store.id.rest] && store.coordinate("name") == nil)
    #expect(client.snapshot.entry(store.id, in: "stores")?.id == store.id)
  }

  @Test func refusesOtherBundles() async throws {
    let client = try ClientScene(Self.files).client()
    let here = place(0, 0)
    await #expect(throws: ContentError.self) {
      try await client.snapshot.nearest(here, in: "stores")
    }
    #expect(await client.refreshed().isUpdated)
    for bundle in ["catalog", "product", "nothing"] as [BundleName] {
      let error = await #expect(throws: ContentError.self) {
        try await client.snapshot.nearest(here, in: bundle)
      }
      #expect(error?.kind == .missing)
    }
  }

  @Test func failsWithoutAConnection() async throws {
    let scene = try ClientScene(Self.files)
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    scene.goOffline()
    let error = await #expect(throws: ContentError.self) {
      try await client.snapshot.nearest(place(0, 0), in: "stores")
    }
    #expect(error?.kind == .unreachable)
  }
}
