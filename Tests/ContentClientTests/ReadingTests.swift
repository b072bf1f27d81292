import ContentClientTesting
import ContentModel
import TestReaders
import Testing

@testable import ContentClient

@Suite struct ReadingTests {
  @Test func isEmptyBeforeTheFirstCheck() throws {
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(client.state == .empty && client.snapshot.release == 0)
    #expect(client.snapshot.entries(in: "catalog").isEmpty)
    #expect(scene.requests().isEmpty)
  }

  @Test func showsTheFirstRelease() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    let outcome = await client.refreshed()
    #expect(outcome.isUpdated, "\(outcome)")
    #expect(client.state == .content && client.snapshot.release == 1)
    #expect(client.title("product/rose") == "Rose")
    #expect(client.snapshot.entry("screen/home")?["products.0"] == "product/rose")
    #expect(client.snapshot.entry("screen/home")?.reference("hero")?["title"] == "Iris")
    #expect(client.snapshot.locale == "en")
    // Config, the index with the startup bundle, the texts for maintenance, and the bundle that the
    // app asked for.
    #expect(scene.requests().count == 4)
  }

  @Test func choosesTheLanguage() async throws {
    let scene = try ClientScene()
    let client = try scene.client("fr-FR")
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "La rose")
    #expect(await client.select(ReaderContext(locales: ["de"])).isUpdated)
    #expect(client.title("product/rose") == "Rose")
  }

  @Test func asksOnceIfNothingIsNew() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    _ = scene.requests()
    #expect(await client.refreshed().isUnchanged)
    #expect(scene.transport.requests.map(\.entityTag).compactMap(\.self).count == 1)
    #expect(scene.requests() == ["production/config.plist"])
  }

  @Test func sortsFiltersAndDecodes() async throws {
    struct Product: Decodable, Equatable { var title: String }
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    let snapshot = client.snapshot
    let titles = snapshot.entries(
      Product.self, in: "catalog", where: { $0["title"] != "Iris" }, sort: [.descending("title")],
      limit: 1)
    #expect(titles == [Product(title: "Rose")])
    struct Wrong: Decodable { var title: Int }
    #expect(snapshot.entries(Wrong.self, in: "catalog").isEmpty)
  }

  @Test func decodesResultsOnly() async throws {
    struct Counted: Decodable {
      static let decodings = Locked(0)

      init(from decoder: any Decoder) { Self.decodings.withLock { $0 += 1 } }
    }
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.entries(in: "catalog").count == 2)
    let first = client.snapshot.entries(Counted.self, in: "catalog", limit: 1)
    #expect(first.count == 1 && Counted.decodings.current == 1)
    let chosen = client.snapshot.entries(
      Counted.self, in: "catalog", where: { $0["title"] == "Iris" }, sort: [.ascending("title")])
    #expect(chosen.count == 1 && Counted.decodings.current == 2)
  }

  @Test func sortsByTheNextOrderWhereValuesAreEqual() async throws {
    let site = TestSite(app: "shop", channel: "production")
    site.publish([
      "catalog": [
        "product/a": ["size": 2, "price": 5], "product/b": ["size": 1, "price": 5.5],
        "product/c": ["size": 2, "price": 7], "product/d": ["size": 1, "price": 5.5],
        "product/e": ["price": 1], "product/f": ["size": 2],
      ]
    ])
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.transport = site.transport
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    func sorted(_ orders: EntrySort...) -> [String] {
      client.snapshot.entries(in: "catalog", sort: orders).map(\.id.rest)
    }
    #expect(sorted(.ascending("size"), .descending("price")) == ["b", "d", "c", "a", "f", "e"])
    #expect(sorted(.descending("size")) == ["a", "c", "f", "b", "d", "e"], "equal ones stay")
  }

  /// Canonical equivalence would take the texts of `a` and `c` for equal, and sort `b` before them.
  @Test func sortsTextsByTheirBytes() async throws {
    let site = TestSite(app: "shop", channel: "production")
    site.publish([
      "catalog": [
        "product/a": ["title": "\u{E9}"], "product/b": ["title": "f"],
        "product/c": ["title": "e\u{301}"],
      ]
    ])
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.transport = site.transport
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    let entries = client.snapshot.entries(in: "catalog", sort: [.ascending("title")])
    #expect(entries.map(\.id.rest) == ["c", "b", "a"])
  }

  @Test func loadsPartsOfSplitBundlesOnDemand() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let snapshot = client.snapshot
    #expect(snapshot.entry("product/rose", in: "product/rose") == nil)
    let loaded = try await snapshot.entries(loading: "product/rose")
    #expect(loaded.first?["care"] == "Water it.")
    #expect(snapshot.entry("product/rose")?["care"] == "Water it.", "split bundles come first")
    await #expect(throws: ContentError.self) {
      try await snapshot.entries(loading: "product/none")
    }
  }

  @Test func readsSplitBundlesAsOne() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let snapshot = client.snapshot
    #expect(snapshot.bundles.contains("product") && !snapshot.isStored("product"))
    let loaded = try await snapshot.entries(loading: "product")
    #expect(loaded.map(\.id.text) == ["product/iris", "product/rose"])
    #expect(loaded.last?["care"] == "Water it.")
    #expect(snapshot.isStored("product") && snapshot.entries(in: "product").count == 2)
    #expect(snapshot.entry("product/rose", in: "product")?["care"] == "Water it.")
    _ = scene.requests()
    #expect(try await snapshot.entries(loading: "product").count == 2)
    #expect(scene.requests().isEmpty)
  }

  /// Otherwise, an app would get fields or not, by the names of bundles.
  @Test func prefersTheBundleWithTheMostFields() async throws {
    let scene = try ClientScene([
      "content.yaml": Shop.project("  everything: {include: product/*, startup: true}")
    ])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.entry("product/rose")?["care"] == "Water it.")
    #expect(client.snapshot.entry("product/rose")?.bundle == "everything")
    #expect(client.snapshot.entry("screen/home")?.reference("hero")?["price"] == 3.0)
    // Of bundles with the same fields, the first one by name; loaded parts come before all.
    #expect(client.snapshot.entry("screen/home")?.bundle == "home")
    _ = try await client.snapshot.entries(loading: "product/rose")
    #expect(client.snapshot.entry("product/rose")?.bundle == "product/rose")
  }

  @Test func keepsASnapshotWhileOthersArrive() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let held = client.snapshot
    for number in 0..<4 {
      try scene.publish(["entries/product/rose.yaml": "title: Rose \(number)\n"])
      #expect(await client.refreshed().isUpdated)
    }
    #expect(client.title("product/rose") == "Rose 3")
    #expect(held.entry("product/rose", in: "catalog")?["title"] == "Rose")
    #expect(held.release == 1)
    #expect(try await held.entries(loading: "product/rose").isEmpty == false)
  }
}

extension ReadingTests {
  @Test func isFreedWithItsSnapshots() async throws {
    let scene = try ClientScene()
    weak var client: ContentClient?
    weak var release: Release?
    do {
      let kept = try scene.client()
      client = kept
      #expect(await kept.refreshed().isUpdated)
      release = kept.snapshot.content
      #expect(release != nil)
    }
    _ = await eventually { client == nil && release == nil }
    #expect(client == nil && release == nil)
  }

  /// A refresh for the earlier language ends after the language was changed.
  @Test func aLateRefreshShowsTheNewLanguage() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    try scene.publish(["entries/product/iris.yaml": "title: New\n"])
    let memory = scene.memory
    let (gate, opening) = AsyncStream<Void>.makeStream()
    scene.transport.answer { request in
      if request.url.hasSuffix("config.plist") { for await _ in gate { break } }
      return ClientScene.answer(request, from: memory)
    }
    let task = client.refresh(.launch)
    while scene.transport.requests.last?.url.hasSuffix("config.plist") != true {
      await Task.yield()
    }
    async let selected = client.select(ReaderContext(locales: ["fr"]))
    while client.reader.locales != ["fr"] { await Task.yield() }
    opening.finish()
    _ = await (task.outcome, selected)
    #expect(client.title("product/rose") == "La rose" && client.title("product/iris") == "New")
  }

  /// The newest config is known, but its objects did not arrive in the first language.
  @Test func selectsFromTheNewestConfig() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let held = client.snapshot
    #expect(await client.select(ReaderContext(locales: ["fr"])).isUpdated)
    #expect(client.title("product/rose") == "La rose")
    try scene.publish(["entries/product/rose.fr.yaml": "title: La rose nouvelle\n"])
    #expect(await client.refreshed().isUpdated)
    try scene.publish(["entries/product/rose.fr.yaml": "title: La plus nouvelle\n"])
    scene.loseObjects(status: 500)
    #expect(await client.refreshed().failure != nil)
    // A held snapshot keeps the English content, which is the same in all releases.
    #expect(await client.select(ReaderContext(locales: ["en"])).isUpdated)
    #expect(client.snapshot.release == 3 && held.release == 1)
  }

  @Test func isNotFreshBeforeANewerReleaseIsLoaded() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    guard case .fresh = client.snapshot.freshness else {
      Issue.record("\(client.snapshot.freshness)")
      return
    }
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    scene.loseObjects(status: 500)
    #expect(await client.refreshed().failure != nil)
    let again = try scene.client(storing: true)
    for freshness in [client.snapshot.freshness, again.snapshot.freshness] {
      #expect(freshness == .stale(since: scene.clock.now))
    }
  }
}
