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

  @Test func keepsContentOffline() async throws {
    site.publish(["catalog": ["product/rose": ["title": "Rose"]]])
    let client = try client()
    #expect(await refresh(client).isUpdated)
    site.isReachable = false
    #expect(await refresh(client).failure?.kind == .unreachable)
    #expect(client.title("product/rose")?.text == "Rose")
  }
}
