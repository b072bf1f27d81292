import ContentClientTesting
import ContentModel
import Testing

@testable import ContentClient

@Suite("A site whose releases a test writes") struct TestSiteTests {
  private let site = TestSite(app: "shop", channel: "production")
  private let clock = ManualClock()

  private func client() throws -> ContentClient {
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.context = ReaderContext(locales: ["en"])
    configuration.clock = clock
    configuration.random = SeededRandom(seed: 1)
    configuration.transport = site.transport
    return try ContentClient(configuration)
  }

  /// Waits until the user may ask again, and refreshes.
  private func refresh(_ client: ContentClient) async -> RefreshOutcome {
    clock.advance(by: 6)
    return await client.refresh().outcome
  }

  @Test func publishesReleases() async throws {
    let client = try client()
    #expect(await refresh(client).failure?.kind == .server(status: 404))
    clock.advance(by: 600)
    #expect(site.publish(["catalog": ["product/rose": ["title": "Rose"]]]) == 1)
    #expect(await refresh(client).isUpdated)
    #expect(site.transport.requests.count == 3)
    #expect(client.title("product/rose")?.text == "Rose")
    #expect(client.snapshot.locales == ["en"])
    #expect(await refresh(client).isUnchanged)
    site.publish(["catalog": ["product/lily": ["title": "Lily"]]])
    #expect(await refresh(client).isUpdated)
    #expect(client.snapshot.entries(in: "catalog").map(\.id.text) == ["product/lily"])
  }

  @Test func purgesAndMaintains() async throws {
    site.publish([
      "catalog": ["product/rose": ["title": "Rude"], "product/lily": ["title": "Lily"]]
    ])
    let client = try client()
    #expect(await refresh(client).isUpdated)
    let held = client.snapshot
    site.purge(["product/rose"], publishing: ["catalog": ["product/lily": ["title": "Lily"]]])
    #expect(await refresh(client).isUpdated)
    #expect(held.entry("product/rose") == nil)
    site.beginMaintenance(["title": "Back soon"])
    _ = await refresh(client)
    guard case .maintenance(let notice) = client.state else {
      Issue.record("\(client.state)")
      return
    }
    #expect(notice["title"]?.text == "Back soon")
    site.endMaintenance()
    clock.advance(by: 120)
    _ = await refresh(client)
    #expect(client.state == .content)
  }

  @Test func givesEntriesAndItemsTheirDates() async throws {
    let soon = Instant(secondsSince1970: 1_800_000_000 + 60)
    site.publish([
      "catalog": [
        "product/lily": ["title": "Lily", "when": ["until": .date(soon)]],
        "product/rose": [
          "title": "Rose", "when": ["from": .date(soon)],
          "tags": [["name": "new", "when": ["until": .date(soon)]], ["name": "red"]],
        ],
      ]
    ])
    let client = try client()
    #expect(await client.refresh(.launch).outcome.isUpdated)
    client.start()
    #expect(client.snapshot.entries(in: "catalog").map(\.id.text) == ["product/lily"])
    #expect(client.title("product/lily")?.text == "Lily")
    var updates = client.updates.makeAsyncIterator()
    #expect(await clock.advance(by: 60) { client.title("product/lily") == nil })
    let update = try #require(await updates.next())
    #expect(update.reason == .time && update.changes.extent == .everything)
    let rose = try #require(client.snapshot.entry("product/rose"))
    #expect(rose.fields.map(\.key) == ["tags", "title"] && rose["tags"]?.items?.count == 1)
    client.stop()
  }

  @Test func waitsForScheduledRefreshes() async throws {
    site.publish(["catalog": ["product/rose": ["title": "Rose"]]])
    let client = try client()
    client.start()
    #expect(await clock.advance(by: 0) { client.snapshot.release == 1 })
    site.publish(["catalog": ["product/rose": ["title": "Red rose"]]])
    let start = clock.uptime.seconds
    #expect(await clock.advance(by: 600) { client.snapshot.release == 2 })
    #expect((500...600).contains(clock.uptime.seconds - start))
    site.isReachable = false
    // Without an end by its caller, it would wait for five seconds.
    let watch = ContinuousClock.now
    let isThere = Task { await clock.advance(by: 30) { client.snapshot.release == 3 } }
    isThere.cancel()
    #expect(await !isThere.value)
    #expect(ContinuousClock.now - watch < .seconds(4))
    client.stop()
  }

  @Test func loadsBundlesThatAreNotForTheStartOnDemand() async throws {
    site.publish(["catalog": ["product/rose": ["title": "Rose"]]], startup: false)
    let client = try client()
    #expect(await refresh(client).isUpdated)
    #expect(client.snapshot.entries(in: "catalog").isEmpty && !client.snapshot.isStored("catalog"))
    let entries = try await client.snapshot.entries(loading: "catalog")
    #expect(entries.map(\.id.text) == ["product/rose"])
  }

  @Test func asksForAnUpdateOfTheApp() async throws {
    site.minimumApp = AppVersion("2.0")
    site.publish(["catalog": [:]])
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.context = ReaderContext(appVersion: AppVersion("1.9"))
    configuration.transport = site.transport
    let client = try ContentClient(configuration)
    _ = await client.refresh(.launch).outcome
    #expect(client.state == .updateRequired(minimum: try #require(AppVersion("2.0"))))
  }

  @Test func servesAPublishedFolder() async throws {
    let scene = try ClientScene()
    let folder = try scene.published()
    var configuration = scene.configuration()
    let transport = ScriptedTransport(folder: folder, at: configuration.url)
    configuration.transport = transport
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose")?.text == "Rose")
    #expect(await client.refreshed().isUnchanged, "the tag of config is known")
    var request = ContentRequest(url: "https://shop.example/production/config.plist")
    request.maximumBytes = 10
    await #expect(throws: TransportFailure.tooLarge) { try await transport.send(request) { _ in } }
    for url in [
      "https://shop.example/production/../production/config.plist", "https://shop.example/",
      "https://shop.example//production/config.plist", "https://shop.example/absent",
      "https://other.example/production/config.plist", "https://shop.example/production",
    ] {
      let answer = try await transport.send(ContentRequest(url: url)) { _ in }
      #expect(answer.status == 404, "\(url)")
    }
  }

  @Test func keepsContentOffline() async throws {
    site.publish(["catalog": ["product/rose": ["title": "Rose"]]])
    let client = try client()
    #expect(await refresh(client).isUpdated)
    site.isReachable = false
    #expect(await refresh(client).failure?.kind == .unreachable)
    #expect(client.title("product/rose")?.text == "Rose")
  }
}
