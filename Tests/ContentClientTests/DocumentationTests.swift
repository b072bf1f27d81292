import ContentClient
import ContentClientTesting
import TestInputs
import Testing

/// Compiles the examples of the documentation of `ContentClient` and `ContentClientTesting`, and
/// runs those that end.
@Suite struct DocumentationTests {
  @Test func runsTheExamplesOfReading() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    let (snapshot, name) = (client.snapshot, "rose")
    do {
      let title = client.snapshot.entry("screen/home")?["title"]?.text
      #expect(title == nil)
    }
    do {
      let snapshot = client.snapshot
      for product in snapshot.entries(in: "catalog") { show(product["title"]?.text) }
    }
    do {
      let product = try #require(snapshot.entry("product/rose"))
      let rose = snapshot.entry(product.id, in: "catalog")
      #expect(rose?["title"] == "Rose")
    }
    do {
      let rose = snapshot.entry("product/\(name)")
      #expect(rose?["title"] == "Rose")
    }
    do {
      let red = snapshot.entries(
        in: "catalog", where: { $0["tags"]?.items?.contains("red") == true },
        sort: [.ascending("price")], limit: 20)
      #expect(red.isEmpty)
    }
    do {
      if !snapshot.isStored("product/rose") { showProgress() }
      let rose = try await snapshot.entries(loading: "product/rose").first
      #expect(rose?["price"] == .real(1))
    }
    do {
      let rose = try await snapshot.entry(loading: "product/rose")
      #expect(rose?["price"] == .real(1))
    }
    do {
      let rose = try await snapshot.entry(loading: "product/\(name)", in: "catalog")
      #expect(rose?["title"] == "Rose")
    }
    do {
      let cheapest = snapshot.entries(
        Product.self, in: "catalog", sort: [.ascending("price")], limit: 20)
      #expect(cheapest.isEmpty)
    }
    do {
      let text = snapshot.text("cart.items", in: "strings/app", count: 3, ["shop": "Rose & Co."])
      #expect(text == nil)
    }
    if case .fresh(let end) = client.snapshot.freshness { show(end) }
    if let rose = client.snapshot.entry("product/rose") {
      show(title: rose["title"]?.text, price: rose["price"]?.real)
    }
    let home = try #require(snapshot.entry("screen/home"))
    let hero = home.reference("hero")
    #expect(hero?["title"] == "Iris")
    for product in home.references("products") { show(product) }
    for (field, value) in home.fields { show(field, value) }
  }

  @Test func runsTheExamplesOfEntries() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    let entry = try #require(try await client.snapshot.entries(loading: "product/rose").first)
    let product = entry
    do {
      struct Product: Decodable, Identifiable {
        let id: EntryID
        let title: String
        let price: Double
        let picture: AssetValue?
      }
      let product = try entry.decode(Product.self)
      #expect(product.id == entry.id && product.title == "Rose" && product.price == 1)
      #expect(product.picture == nil)
    }
    let currency = product["price.currency"]
    let label = product["badges.0.label"]
    let version = entry[FieldPath(keys: ["versions", "2.0"])]
    #expect(currency == nil && label == nil && version == nil)
    if let picture = product.asset("picture"), let width = picture.width { layOut(width) }
    do {
      let snapshot = client.snapshot  // Held as long as the file is used.
      if let picture = snapshot.entry("product/rose")?.asset("picture") {
        show(try await snapshot.file(of: picture, scale: 2))
      }
    }
    let newest = EntrySort.descending("added")
    #expect(!newest.isAscending)
  }

  @Test func runsTheExamplesOfRefreshes() async throws {
    let scene = try ClientScene()
    var configuration = scene.configuration()
    configuration.eager = []
    let client = try ContentClient(configuration)
    do {
      let task = client.refresh(.user)
      for await part in task.progress { bar.set(part.fraction) }
      let outcome = await task.outcome
      #expect(outcome.isUpdated)
    }
    var reader = client.reader
    reader.locales = ["fr"]
    await client.select(reader)
    let languages = client.reader.locales
    #expect(languages == ["fr"])
    try await client.prefetch(["product/rose"])
    await client.activate()
    client.markHealthy()
    if case .failed(let error) = await client.refresh(.user).outcome { log(error.reason) }
    client.start()
    client.stop()
    do {
      let outcome = await client.receivedPush(PushPayload(channel: "production", release: 1))
      #expect(outcome.isUnchanged)
    }
  }

  @Test func runsTheExamplesOfChanges() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    var (stored, index) = ("", Index())
    do {
      let changes = client.changes(since: ChangeToken(stored))
      index.apply(changes)
      stored = changes.token.text
    }
    #expect(index.extent == .everything)
    let token = ChangeToken(stored)
    switch client.changes(since: token).extent(in: "catalog") {
    case .everything: reload()
    case .entries(let changed): update(changed.inserted, changed.updated, changed.deleted)
    }
    #expect(client.changes(since: token).extent == .entries(.init()))
    do {
      let changes = client.changes(since: token)
      #expect(changes.changedBundles.isEmpty)
    }
  }

  @Test func runsTheExamplesOfTests() async throws {
    var configuration = ContentConfiguration(
      url: "https://content.example.com", app: "flowershop", channel: "production")
    do {
      let site = TestSite(app: "flowershop", channel: "production")
      site.publish(["catalog": ["product/rose": ["title": "Rose", "price": 39.5]]])
      configuration.clock = ManualClock()
      configuration.transport = site.transport
      let client = try ContentClient(configuration)
      _ = await client.refresh().outcome
      let screen = Screen(client.state, client.snapshot)
      let rose = try #require(EntryID("product/rose"))
      #expect(screen == .products([Product(id: rose, title: "Rose", price: 39.5)]))
    }
    do {
      let clock = ManualClock()
      let site = TestSite(app: "flowershop", channel: "production")
      site.publish(["catalog": ["product/rose": ["title": "Rose", "price": 39.5]]])
      configuration.clock = clock
      configuration.random = SeededRandom(seed: 1)
      configuration.transport = site.transport
      let client = try ContentClient(configuration)
      client.start()
      #expect(await clock.advance(by: 600) { client.snapshot.release == 1 })
      client.stop()
    }
    do {
      let site = TestSite(app: "flowershop", channel: "production")
      let noon = Instant(rfc3339: "2027-01-15T12:00:00Z")!
      site.publish([
        "catalog": ["product/rose": ["title": "Rose", "when": ["until": .date(noon)]]]
      ])
      site.purge(["product/rose"], publishing: ["catalog": [:]])
      site.beginMaintenance(["title": "Back at noon"], until: noon)
      site.minimumApp = AppVersion("2.0")
      site.publish(["catalog": [:]])
      #expect(site.publish(["catalog": [:]]) == 5)
    }
    do {
      let (site, clock) = (TestSite(app: "flowershop", channel: "production"), ManualClock())
      site.publish(["catalog": ["product/rose": ["title": "Rose"]]])
      configuration.clock = clock
      configuration.transport = site.transport
      let client = try ContentClient(configuration)
      client.start()
      #expect(await clock.advance(by: 1) { client.snapshot.release == 1 })
      site.publish(["catalog": ["product/rose": ["title": "Red rose", "price": 45]]])
      #expect(await clock.advance(by: 600) { client.snapshot.release == 2 })
      client.stop()
    }
    do {
      let published = "/absent"
      configuration.transport = ScriptedTransport(folder: published, at: configuration.url)
    }
    do {
      let clock = ManualClock()
      configuration.clock = clock
      clock.advance(by: 600)
      #expect(clock.uptime.seconds >= 600)
    }
    let clock = ManualClock(now: Instant(rfc3339: "2026-12-24T18:00:00Z")!)
    configuration.clock = clock
    clock.advance(by: 600)
    clock.advance(by: 60)
    if let first = clock.wakes.first { clock.advance(by: first) }
    let start = clock.uptime
    clock.set(Instant(rfc3339: "2016-01-01T00:00:00Z")!)
    clock.restart()
    #expect(clock.uptime.boot != start.boot)
    configuration.random = SeededRandom(seed: 7)
    configuration.transport = ScriptedTransport { request in .init(status: 503) }
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("config.plist") ? .init(status: 503) : .init(status: 404)
    }
    configuration.transport = transport
    transport.answer { _ throws(TransportFailure) in throw .unreachable }
    let client = try ContentClient(configuration)
    let outcome = await client.refresh(.user).outcome
    #expect(outcome.failure?.kind == .unreachable)
    var request = ContentRequest(url: "https://content.example.com/production/config.plist")
    request.entityTag = "\"3fa9\""
    #expect(transport.requests.map(\.url) == [request.url])
    let answer = ContentResponse(status: 503, headers: [("Retry-After", "60")])
    #expect(answer.header("retry-after") == "60")
  }

  @Test func runsTheExamplesOfReaders() {
    do {
      var context = ReaderContext(locales: ["fr-CA", "en"])
      context.device = "tablet"
      context.appVersion = AppVersion("2.1")
      #expect(context != ReaderContext())
    }
    do {
      var context = ReaderContext.system
      context.device = "tablet"
      #expect(context.appVersion == nil || context.device == "tablet")
    }
    do {
      let clock = SystemClock()
      let now = clock.now
      #expect(now <= clock.now)
    }
    do {
      let wait = 60 * SystemRandom().fraction()
      #expect((0..<60).contains(wait))
    }
  }

  @Test(arguments: [
    "Sources/ContentClient", "Sources/ContentClientTesting", "Sources/RichText",
    "docs/reference/client.md",
  ])
  func containsEveryExample(place: String) throws {
    let examples = try DocumentedExamples(in: place)
    #expect(
      try examples.missing(from: #filePath, ArticleTests.file, MemberExampleTests.file) == [])
    #expect(examples.count > 1)
  }

  // MARK: Examples without an end

  /// Only compiled: its address is not that of a server.
  private func startsAnApp(supportFolder: String, bundleFolder: String) async throws {
    var configuration = ContentConfiguration(
      url: "https://content.example.com", app: "flowershop", channel: "production")
    configuration.storage = .folder(path: supportFolder + "/content")
    configuration.baked = bundleFolder + "/Content"
    let client = try ContentClient(configuration)
    let updates = client.updates
    client.start()
    show(client.snapshot)
    for await update in updates { show(update.snapshot) }
  }

  private func opensAClient(supportFolder: String) throws -> ContentClient {
    var configuration = ContentConfiguration(
      url: "https://content.example.com", app: "flowershop", channel: "production")
    configuration.context.device = "tablet"
    configuration.storage = .folder(path: supportFolder + "/content")
    configuration.eager = ["catalog"]
    let client = try ContentClient(configuration)
    return client
  }

  private func overrides(_ configuration: inout ContentConfiguration) {
    configuration.transport = SystemTransport()
    configuration.headers = [(name: "Authorization", value: "Bearer \(token)")]
    #if DEBUG
      configuration.override = ContentOverride(channel: "staging")
    #endif
  }

  private func followsScreens(_ client: ContentClient) async {
    let updates = client.updates
    client.start()
    show(Screen(client.state, client.snapshot))
    for await update in updates { show(Screen(update.state, update.snapshot)) }
  }

  private func followsEvents(_ client: ContentClient) async {
    for await event in client.events { log("\(event)") }
    for await event in client.events { log(event.description) }
  }

  private func showsStates(_ client: ContentClient) {
    if case .maintenance(let notice) = client.state { show(notice["title"]?.text) }
    if client.override != nil { showBadge() }
    switch client.state {
    case .content: show(client.snapshot)
    case .maintenance(let notice): show(notice["title"]?.text)
    case .updateRequired: showLinkToStore()
    case .withdrawn: showNothingHere()
    case .expired: showOfflineMark()
    case .empty: showProgress()
    }
  }

  private func checks(_ client: ContentClient) async throws {
    let payload = PushPayload(channel: "production", release: 12, kind: .purge)
    show(await client.receivedPush(payload))
    let kind = PushPayload.Kind(rawValue: "maintenance")
    show(kind)
    do {
      let outcome = await client.receivedPush(PushPayload(channel: "production", release: 12))
      show(outcome)
    }
    do {
      let outcome = await client.refresh(.user).outcome
      show(outcome)
    }
    do {
      await client.refresh(.launch, within: 2)
      show(client.snapshot)
    }
    let task = client.refresh(.user)
    for await part in task.progress {
      let percent = Int(part.fraction * 100)
      show(percent)
    }
    let refresh = client.refresh(.user)
    for await progress in refresh.progress { show(progress.fraction) }
    if case .failed(let error) = await refresh.outcome { log(error.reason) }
    do {
      let rose = try await client.snapshot.entries(loading: "product/rose").first
      show(rose)
    } catch {
      if error.kind == .unreachable { showOfflineMark() }
    }
  }

  private func loads(_ snapshot: ContentSnapshot, _ picture: AssetValue) async throws {
    let path = try await snapshot.file(of: picture, scale: 2)
    show(path)
  }

  private func asks(_ client: ContentClient, since stored: ChangeToken?) {
    let changes = client.changes(since: stored)
    show(changes)
  }

  // MARK: What an app has

  private func show(_ items: Any?...) {}
  private func show(title: String?, price: Double?) {}
  private func log(_ text: String) {}
  private func layOut(_ width: Int) {}
  private func showProgress() {}
  private func showOfflineMark() {}
  private func showLinkToStore() {}
  private func showBadge() {}
  private func showNothingHere() {}
  private func reload() {}
  private func update(_ inserted: [EntryID], _ updated: [EntryID], _ deleted: [EntryID]) {}
  private let bar = Bar()
  private let token = "x"

  private struct Bar { func set(_ part: Double) {} }

  private struct Index {
    var extent: ContentChanges.Extent?
    mutating func apply(_ changes: ContentChanges) { extent = changes.extent }
  }
}

// MARK: The first screen

struct Product: Decodable, Equatable, Identifiable {
  var id: EntryID
  var title: String
  var price: Double
  var picture: AssetValue?
}

enum Screen: Equatable {
  case products([Product])
  case notice(String)
  case progress
}

extension Screen {
  init(_ state: ContentState, _ snapshot: ContentSnapshot) {
    self =
      switch state {
      case .content:
        .products(
          snapshot.entries(Product.self, in: "catalog", sort: [.ascending("price")], limit: 20))
      case .maintenance(let notice): .notice(notice["title"]?.text ?? "Back soon")
      case .updateRequired: .notice("Please update the app")
      case .withdrawn: .notice("There is nothing here now")
      case .expired: .notice("Connect to the internet to see the products")
      case .empty: .progress
      }
  }
}
