import ContentClientTesting
import ContentModel
import TestReaders
import Testing

@testable import ContentClient

/// Updates that listeners get while the app runs.
@Suite(.timeLimit(.minutes(10))) struct UpdateTests {
  /// A lily until 2027-01-15T08:11:00Z, 660 seconds after the start of the clock.
  private static let lily = [
    "entries/product/lily.yaml": """
    title: Lily
    when: {until: "2027-01-15T08:11:00Z"}

    """
  ]

  /// Waits until as many tasks sleep.
  private func waitForSleepers(_ count: Int, _ clock: ManualClock) async {
    _ = await eventually { clock.sleepers >= count }
  }

  @Test func announcesEntriesThatDisappearDuringARefresh() async throws {
    let scene = try ClientScene(Self.lily)
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/lily") == "Lily")
    // The trial's ten seconds have begun, so the next sleeper is the scheduler.
    await waitForSleepers(1, scene.clock)
    // The next check is due, and not answered for a while.
    let (gate, opening) = AsyncStream<Void>.makeStream()
    scene.transport.answer { _ throws(TransportFailure) in
      for await _ in gate { break }
      throw .unreachable
    }
    scene.clock.advance(by: 600)
    scene.transport.forgetRequests()
    var updates = client.updates.makeAsyncIterator()
    client.start()
    while scene.transport.requests.isEmpty { await Task.yield() }
    await waitForSleepers(1, scene.clock)
    scene.clock.advance(by: 61)
    #expect(await updates.next()?.reason == .time)
    #expect(client.title("product/lily") == nil)
    opening.finish()
    client.stop()
  }

  /// The app was in the background at the moment.
  @Test func announcesWhatDisappearedInTheBackground() async throws {
    let scene = try ClientScene(Self.lily)
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/lily") == "Lily")
    var updates = client.updates.makeAsyncIterator()
    scene.clock.advance(by: 661)
    scene.goOffline()
    client.start()
    #expect(await updates.next()?.reason == .time)
    client.stop()
  }

  @Test func announcesEntriesThatACheckLetsAppearAgain() async throws {
    let scene = try ClientScene(["content.yaml": Shop.project(catalog: ", ttl: 1h")])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Rose")
    scene.clock.advance(by: 3600)
    #expect(client.title("product/rose") == nil)
    var updates = client.updates.makeAsyncIterator()
    #expect(await client.refreshed().isUnchanged)
    #expect(await updates.next()?.reason == .time)
    #expect(client.title("product/rose") == "Rose")
  }

  /// A screen still holds a snapshot, which could load bundles.
  @Test func endWithTheirClient() async throws {
    let scene = try ClientScene()
    var client: ContentClient? = try scene.client()
    _ = await client?.refreshed()
    let held = client?.snapshot
    let ended = Locked(0)
    let (updates, events) = (client?.updates, client?.events)
    Task {
      if let updates { for await _ in updates {} }
      ended.withLock { $0 += 1 }
    }
    Task {
      if let events { for await _ in events {} }
      ended.withLock { $0 += 1 }
    }
    client = nil
    #expect(await eventually { ended.current == 2 })
    #expect(try await held?.entries(loading: "product/rose").isEmpty == false)
  }

  /// A list of the split bundle has an item under embargo.
  @Test func checksAtTheChangesOfSplitBundles() async throws {
    let end = try #require(Instant(rfc3339: "2027-01-15T08:02:00Z"))
    let scene = try ClientScene([
      "datatypes/product.yaml": """
      fields:
        title: {type: string, required: true, localized: true}
        care: {type: text, localized: true}
        price: {type: number}
        badges: {type: list, of: {type: object, fields: {id: {type: string}}}}
      projections:
        light: [title]

      """,
      "entries/product/iris.yaml": """
      title: Iris
      badges: [{id: new, when: {from: "2027-01-15T08:02:00Z", embargo: true}}]

      """,
    ])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let release = try #require(client.snapshot.content)
    #expect(release.changes.isEmpty)
    _ = try await client.snapshot.entries(loading: "product/iris")
    #expect(release.changes == [end])
  }

  @Test func startAndStopEndInTheOrderOfTheCalls() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    // The time of use that ends a trial.
    _ = client.snapshot
    await waitForSleepers(1, scene.clock)
    scene.clock.advance(by: 10)
    for _ in 0..<200 {
      client.start()
      client.stop()
    }
    for _ in 0..<2_000 { await Task.yield() }
    #expect(scene.clock.sleepers == 0)
    client.start()
    client.stop()
    client.start()
    await waitForSleepers(1, scene.clock)
    #expect(scene.clock.sleepers == 1)
    client.stop()
  }
}
