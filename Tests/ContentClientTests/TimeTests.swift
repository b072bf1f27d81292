import ContentClientTesting
import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists
import TestReaders
import Testing

@testable import ContentClient

/// Content that appears and disappears by the client's clock, and apps that are too old.
@Suite struct TimeTests {
  private static let dates = [
    "datatypes/screen.yaml": """
    open: true
    fields:
      products: {type: list, of: {type: reference, to: product}}
      hero: {type: reference, to: product}
      banners: {type: list, of: {type: object, fields: {id: {type: string}, text: {type: string}}}}
    """,
    "entries/screen/home.yaml": """
    products: [product/rose, product/lily, product/iris]
    hero: product/iris
    banners:
      - {id: always, text: Always}
      - {id: noon, text: Noon, when: {from: 2027-01-15T08:01:00Z, until: 2027-01-15T08:02:00Z}}
    """,
    "entries/product/tulip.yaml":
      "title: Tulip\nwhen: {from: 2027-01-15T08:01:00Z, until: 2027-01-15T08:02:00Z}\n",
  ]

  @Test func entriesAndItemsFollowTheClock() async throws {
    let scene = try ClientScene(Self.dates)
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    _ = scene.requests()
    let held = client.snapshot
    for (seconds, isShown) in [(59.0, false), (1, true), (59, true), (1, false), (600, false)] {
      scene.clock.advance(by: seconds)
      for snapshot in [held, client.snapshot] {
        #expect((snapshot.entry("product/tulip", in: "catalog") != nil) == isShown)
        let banners = snapshot.entry("screen/home")?["banners"]?.items ?? []
        #expect(banners.count == (isShown ? 2 : 1), "\(scene.clock.now.rfc3339)")
      }
    }
    #expect(scene.requests().isEmpty)
  }

  @Test func updatesTellOfTime() async throws {
    let scene = try ClientScene(Self.dates)
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    _ = client.snapshot.entries(in: "catalog")
    _ = scene.requests()
    var updates = client.updates.makeAsyncIterator()
    client.start()
    await scene.waitForSleepers(2)
    scene.clock.advance(by: 60)
    let update = await updates.next()
    #expect(update?.reason == .time)
    #expect(update?.snapshot.entry("product/tulip", in: "catalog")?["title"] == "Tulip")
    #expect(scene.requests().isEmpty)
    client.stop()
  }

  /// The reasons of a client's updates so far.
  private func reasons(of client: ContentClient) -> Locked<[ContentUpdate.Reason]> {
    let (reasons, updates) = (Locked<[ContentUpdate.Reason]>([]), client.updates)
    Task { for await update in updates { reasons.withLock { $0.append(update.reason) } } }
    return reasons
  }

  @Test func updatesTellOfTheEndOfALifetimeWithoutAConnection() async throws {
    let scene = try ClientScene(["content.yaml": Shop.project(catalog: ", ttl: 1h")])
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Rose")
    scene.goOffline()
    let reasons = reasons(of: client)
    client.start()
    await scene.waitForSleepers(2)
    let end = scene.clock.uptime.seconds + 3_599
    _ = await scene.clock.advance(by: 3_599) { scene.clock.uptime.seconds >= end }
    #expect(reasons.current.isEmpty && client.title("product/rose") == "Rose")
    let hasTold = await scene.clock.advance(by: 1) { reasons.current == [.time] }
    #expect(hasTold, "\(reasons.current)")
    #expect(client.title("product/rose") == nil && client.state == .content)
    client.stop()
  }

  /// An app starts the schedule before it reads its first bundle.
  @Test func tellsOfTimeInBundlesThatAreOpenedLater() async throws {
    let scene = try ClientScene(Self.dates)
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let client = try scene.client(storing: true)
    let reasons = reasons(of: client)
    scene.clock.advance(by: 10)
    client.start()
    await scene.waitForSleepers(2)
    #expect(client.title("product/tulip") == nil)
    // The scheduler would wake after 60 seconds, ten seconds too late.
    scene.clock.advance(by: 50)
    #expect(client.title("product/tulip") == "Tulip")
    #expect(await eventually { reasons.current == [.time] })
    client.stop()
  }

  @Test func tellsOfMaintenanceThatIsKnownLater() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    client.start()
    await scene.waitForSleepers(2)
    scene.clock.advance(by: 10)
    var maintenance = MaintenanceSwitch(isActive: true, retryAfter: 300)
    maintenance.from = scene.clock.moment.advanced(by: 30).now
    try scene.place.switchMaintenance(to: maintenance)
    #expect(await client.refresh(.connection).outcome.isUpdated)
    // The scheduler would sleep too long if time passed before it began.
    #expect(await eventually { scene.clock.wakes.contains(30) })
    // The end of the trial is stored, which would tell, too.
    #expect(try await scene.stores { $0.shown?.release == 2 })
    scene.clock.advance(by: 11)
    #expect(try await scene.stores { $0.trial == nil })
    let reasons = reasons(of: client)
    scene.clock.advance(by: 19)
    #expect(client.state != .content)
    #expect(await eventually { !reasons.current.isEmpty })
    client.stop()
  }

  @Test func saysThatAllLifetimesHaveEnded() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated && client.state == .content)
    scene.goOffline()
    // `offline` is seven days.
    scene.clock.advance(by: 7 * 86_400 - 1)
    #expect(client.state == .content && client.title("product/rose") == "Rose")
    scene.clock.advance(by: 1)
    #expect(client.state == .expired && client.title("product/rose") == nil)
    #expect(try scene.client(storing: true).state == .expired)
    scene.goOnline()
    #expect(await client.refreshed().isUnchanged)
    #expect(client.state == .content && client.title("product/rose") == "Rose")
  }

  /// An entry with a longer lifetime than those of the bundles is still shown.
  @Test func hasContentWhileOneLifetimeHasNotEnded() async throws {
    let scene = try ClientScene(["datatypes/screen.yaml": "open: true\nttl: 30d\n"])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    scene.goOffline()
    scene.clock.advance(by: 8 * 86_400)
    #expect(client.state == .content && client.title("product/rose") == nil)
    #expect(client.snapshot.entry("screen/home") != nil)
    scene.clock.advance(by: 22 * 86_400)
    #expect(client.state == .expired && client.snapshot.entry("screen/home") == nil)
  }

  /// The parts of a split bundle are stored, and not open after a cold start.
  @Test func hasContentWhileAStoredPartHasNotEnded() async throws {
    let scene = try ClientScene([
      "datatypes/product.yaml": """
      ttl: 30d
      fields:
        title: {type: string, required: true, localized: true}
        care: {type: text, localized: true}
        price: {type: number}
      projections:
        light: [title]
      """
    ])
    var configuration = scene.configuration(storing: true)
    configuration.eager = []
    let first = try ContentClient(configuration)
    #expect(await first.refreshed().isUpdated)
    #expect(try await first.snapshot.entries(loading: "product").count == 2)
    scene.goOffline()
    scene.clock.advance(by: 8 * 86_400)
    let client = try ContentClient(configuration)
    #expect(client.state == .content && client.snapshot.entry("screen/home") == nil)
    #expect(!client.snapshot.entries(in: "product").isEmpty)
    scene.clock.advance(by: 22 * 86_400)
    #expect(client.state == .expired && client.snapshot.entries(in: "product").isEmpty)
  }

  /// An app that is too old says so even during maintenance; maintenance hides that content was
  /// withdrawn, or never there.
  @Test func theMostUrgentStateCounts() async throws {
    let scene = try ClientScene(["content.yaml": Shop.project(#"minimumApp: "2.0""#)])
    var configuration = scene.configuration(storing: true)
    configuration.context.appVersion = AppVersion("2.0")
    let client = try ContentClient(configuration)
    #expect(client.state == .empty)
    #expect(await client.refreshed().isUpdated && client.state == .content)
    // Nothing of the next release arrives, and it withdraws the stored one.
    var forged = try #require(
      try PropertyList.decode(scene.memory.read("production/config.plist")?.bytes ?? [])
        .value.members)
    forged["release"] = 2
    forged["indexes"] = ["en": ["any": .data([UInt8](repeating: 7, count: 32))]]
    forged["purge"] = ["sequence": 1, "minimumRelease": 2]
    func check() async throws -> ContentState {
      let bytes = try PropertyList.encode(.dictionary(forged), as: .binary)
      scene.transport.answer { request in
        request.url.hasSuffix("config.plist")
          ? ContentResponse(status: 200, body: bytes) : ContentResponse(status: 500)
      }
      _ = await client.refreshed()
      return client.state
    }
    #expect(try await check() == .withdrawn)
    forged["release"] = 3
    forged["maintenance"] = ["active": true]
    guard case .maintenance = try await check() else {
      Issue.record("\(client.state)")
      return
    }
    forged["release"] = 4
    forged["minimumApp"] = "3.0"
    let minimum = try #require(AppVersion("3.0"))
    #expect(try await check() == .updateRequired(minimum: minimum))
  }

  @Test func oldAppsAskForAnUpdate() async throws {
    let scene = try ClientScene(["content.yaml": Shop.project(#"minimumApp: "2.0""#)])
    var configuration = scene.configuration()
    configuration.context.appVersion = AppVersion("1.9")
    let client = try ContentClient(configuration)
    _ = await client.refreshed()
    #expect(AppVersion("2.0").map { client.state == .updateRequired(minimum: $0) } == true)
    configuration.context.appVersion = AppVersion("2.0")
    _ = await client.select(configuration.context)
    #expect(client.state == .content && client.title("product/rose") == "Rose")
  }
}
