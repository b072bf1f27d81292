import ContentClientTesting
import ContentModel
import SystemC
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Entries whose bundle the app does not name, found by an index of ids.
@Suite(.timeLimit(.minutes(10))) struct EntryIndexTests {
  private static let bundles = (0..<12).map { "  b\($0): {include: product/p\($0)*}" }
  private static let files = [
    "content.yaml": Shop.project(bundles.joined(separator: "\n")),
    "entries/product.yaml": (0..<120).map { "p\($0): {title: Product \($0)}\n" }.joined(),
  ]
  private static let names = (0..<12).compactMap { BundleName("b\($0)") }

  /// Returns a client that has stored all bundles but one, which is loaded on demand.
  private func client(_ scene: ClientScene, storing: Bool = true) throws -> ContentClient {
    var configuration = scene.configuration(storing: storing)
    configuration.eager = ["catalog"] + Self.names.dropLast()
    return try ContentClient(configuration)
  }

  private func openBundles(_ client: ContentClient) -> [String] {
    (client.snapshot.content?.openBundles.map(\.name.text) ?? []).sorted()
  }

  @Test func opensOneBundleForOneEntry() async throws {
    let scene = try ClientScene(Self.files)
    #expect(await (try client(scene)).refreshed().isUpdated)
    let client = try client(scene)
    #expect(openBundles(client).isEmpty)
    #expect(client.snapshot.entry("product/p57")?["title"] == "Product 57")
    #expect(openBundles(client) == ["b5"], "the bundle with the most fields")
    #expect(client.snapshot.entry("product/none") == nil && openBundles(client) == ["b5"])
  }

  /// Each entry is found where a search of all bundles finds it.
  @Test func findsWhatASearchOfAllBundlesFinds() async throws {
    let scene = try ClientScene(Self.files)
    #expect(await (try client(scene)).refreshed().isUpdated)
    let (indexed, searching) = (try client(scene), try client(scene))
    let searched = try #require(searching.snapshot.content)
    searched.entryIndexes.withLock { $0.isMissing = true }
    let ids = (0..<120).compactMap { EntryID("product/p\($0)") }
    for id in ids + ["product/rose", "screen/home", "product/none"].compactMap({ EntryID($0) }) {
      let (entry, other) = (indexed.snapshot.entry(id), searched.entry(id) { _ in true })
      #expect(entry?.bundle == other?.bundle.name, "\(id)")
      #expect(entry?.fields.isEmpty == false || other == nil, "\(id)")
    }
  }

  @Test(arguments: [true, false]) func findsEntriesOfBundlesThatArriveLater(
    storing: Bool
  ) async throws {
    let scene = try ClientScene(Self.files)
    let client = try client(scene, storing: storing)
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.entry("product/p117")?.bundle == "b1")
    _ = try await client.snapshot.entries(loading: "product/p117")
    #expect(client.snapshot.entry("product/p117")?.bundle == "product/p117")
    // `b11` has as many fields as `b1`, which is first by name.
    _ = try await client.snapshot.entries(loading: "b11")
    #expect(client.snapshot.entry("product/p118")?.bundle == "b1")
    guard storing else { return }
    // The next process knows what arrived after the index was stored.
    for file in FolderFile.names(in: "\(scene.store)/entries") {
      #expect(!file.isEmpty)
    }
    let next = try self.client(scene)
    scene.goOffline()
    #expect(next.snapshot.content?.makeIndex() != nil || next.snapshot.isStored("b11"))
    #expect(next.snapshot.entry("product/p118")?.bundle == "b1")
  }

  /// A bundle of another program's reader arrives without a check of this one.
  @Test func findsABundleThatNoIndexHas() async throws {
    let scene = try ClientScene(Self.files)
    var configuration = scene.configuration(storing: true)
    #expect(await (try ContentClient(configuration)).refreshed().isUpdated)
    configuration.program = "widget"
    let (app, widget) = (try scene.client(storing: true), try ContentClient(configuration))
    #expect(app.snapshot.entry("product/p57")?["price"] == nil)
    #expect(try await widget.snapshot.entries(loading: "b5").isEmpty == false)
    #expect(await widget.refreshed().isUnchanged)
    _ = await app.refreshed()
    #expect(app.snapshot.entry("product/p57")?.bundle == "b5")
  }

  @Test(arguments: [0, 40, 4_000]) func aDamagedIndexLosesNothing(_ place: Int) async throws {
    let scene = try ClientScene(Self.files)
    #expect(await (try client(scene)).refreshed().isUpdated)
    let folder = "\(scene.store)/entries"
    let name = try #require(FolderFile.names(in: folder).first)
    var bytes = try #require(FolderFile.contents("\(folder)/\(name)", limit: 1 << 20))
    bytes[min(place, bytes.count - 1)] ^= 1
    try FolderFile.replace("\(folder)/\(name)", with: bytes, isDurable: false)
    let client = try client(scene)
    for number in 0..<120 {
      #expect(client.snapshot.entry("product/p\(number)") != nil, "\(number)")
    }
    // The client makes it again.
    #expect(
      await eventually {
        FolderFile.contents("\(folder)/\(name)", limit: 1 << 20).map { EntryIndex($0) } != nil
      })
  }

  @Test func removesTheIndexesOfEarlierReleases() async throws {
    let scene = try ClientScene(Self.files)
    let client = try client(scene)
    #expect(await client.refreshed().isUpdated)
    for number in 0..<4 {
      try scene.publish(
        Self.files.merging(["entries/product/rose.yaml": "title: Rose \(number)\n"]) { $1 })
      #expect(await client.refreshed().isUpdated)
    }
    #expect(FolderFile.names(in: "\(scene.store)/entries").count <= 2)
  }
}

/// The state of content whose lifetimes have ended.
@Suite(.timeLimit(.minutes(10))) struct EndedLifetimeTests {
  private static let files = [
    "content.yaml": Shop.project(catalog: ", ttl: 1h").replacing(
      "startup: true", with: "startup: true, ttl: 2h")
  ]

  @Test func contentIsEmptyWhenAllLifetimesHaveEnded() async throws {
    let scene = try ClientScene(Self.files)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    scene.goOffline()
    scene.clock.advance(by: 3_600)
    #expect(client.title("product/rose") == nil)
    #expect(client.state == .content && client.snapshot.entry("screen/home") != nil)
    scene.clock.advance(by: 3_600)
    #expect(client.state == .expired && client.snapshot.entry("screen/home") == nil)
    // So it is in the next process, which has opened no bundle.
    let next = try scene.client(storing: true)
    #expect(next.state == .expired && next.snapshot.release == 1)
    scene.goOnline()
    #expect(await next.refreshed().failure == nil)
    #expect(next.state == .content && next.title("product/rose") == "Rose")
  }

  @Test func updatesTellThatTheLastLifetimeEnded() async throws {
    let scene = try ClientScene(Self.files)
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    scene.goOffline()
    let client = try scene.client(storing: true)
    var updates = client.updates.makeAsyncIterator()
    client.start()
    await scene.waitForSleepers(2)
    #expect(await scene.clock.advance(by: 7_300) { client.state == .expired })
    var states: [ContentState] = []
    while let update = await updates.next() {
      states.append(update.state)
      if update.state == .expired { break }
    }
    #expect(states.last == .expired)
    client.stop()
  }
}
