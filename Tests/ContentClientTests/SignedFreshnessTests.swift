import ContentClientTesting
import ContentModel
import SiteFormat
import TestServers
import TestSigning
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Statements that end: nothing new is accepted, and nothing that is shown disappears.
@Suite struct SignedFreshnessTests {
  private static let day = 86_400.0

  /// An app that shows release 5, whose statement ends after 14 days.
  private func opened(storing: Bool = true) async throws -> (SignedScene, ContentClient) {
    let scene = try SignedScene()
    try scene.serve()
    let client = try scene.client(storing: storing)
    #expect(await client.refreshed().isUpdated)
    return (scene, client)
  }

  private func isStale(_ client: ContentClient, since end: Instant) -> Bool {
    client.snapshot.freshness == .stale(since: end)
  }

  @Test func saysUntilWhenContentIsProvedToBeTheNewest() async throws {
    let (scene, client) = try await opened()
    let end = TestPublisher.instant(days: 14, after: scene.scene.clock.now)
    guard case .fresh = client.snapshot.freshness else {
      Issue.record("\(client.snapshot.freshness)")
      return
    }
    scene.scene.clock.advance(by: 15 * Self.day)
    #expect(isStale(client, since: end))
    #expect(client.snapshot.release == 5)
  }

  /// An edge may say 304 for ever, or serve the same bytes.
  ///
  /// Such an answer counts as a check even after the stored config has ended: the answer proves
  /// that there is a connection.
  @Test(arguments: [true, false])
  func countsTheStoredConfigAsACheckAfterItsEnd(isConditional: Bool) async throws {
    let (scene, client) = try await opened()
    let end = TestPublisher.instant(days: 14, after: scene.scene.clock.now)
    if !isConditional {
      let bytes = try scene.publisher.envelope()
      scene.scene.transport.answer { [memory = scene.scene.memory] request in
        request.url.hasSuffix("config.plist")
          ? ContentResponse(status: 200, body: bytes) : ClientScene.answer(request, from: memory)
      }
    }
    scene.scene.clock.advance(by: 20 * Self.day)
    #expect(await client.refreshed().isUnchanged)
    #expect(await client.refresher.state.lastCheck == scene.scene.clock.moment)
    #expect(isStale(client, since: end))
    #expect(client.state == .content)
  }

  @Test func acceptsNothingNewAfterTheEnd() async throws {
    var (scene, client) = try await opened()
    scene.scene.clock.advance(by: 20 * Self.day)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"], release: 6)
    try scene.serve()
    let log = EventLog(client)
    #expect(await client.refreshed().failure?.kind == .refused)
    #expect(await log.hasRefusal("the statement 'fresh' has ended at"))
    // The lifetimes have ended, too, since no check counted.
    #expect(client.snapshot.release == 5 && client.state == .expired)
    // Signed again, it is accepted.
    scene.publisher.fresh["issued"] = scene.publisher.time(days: 20)
    scene.publisher.fresh["expires"] = scene.publisher.time(days: 34)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "New")
  }

  @Test func verifiesConfigAtTheTimeAtWhichTheCheckBegan() async throws {
    var (scene, client) = try await opened()
    scene.scene.clock.advance(by: 14 * Self.day - 10)
    try scene.sign(release: 6)
    let bytes = try scene.publisher.envelope()
    scene.scene.transport.answer { [scene = scene.scene] request in
      guard request.url.hasSuffix("config.plist") else {
        return ClientScene.answer(request, from: scene.memory)
      }
      scene.clock.advance(by: 20)
      return ContentResponse(status: 200, body: bytes)
    }
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.release == 6)
  }

  // MARK: Clocks

  @Test func acceptsNoExpiredStatementAfterTheClockWasSetBack() async throws {
    var (scene, client) = try await opened()
    let start = scene.scene.clock.now
    // A statement of day 12 is accepted on that day; it remains in memory.
    scene.scene.clock.advance(by: 12 * Self.day)
    scene.publisher.fresh["issued"] = scene.publisher.time(days: 12)
    scene.publisher.fresh["expires"] = scene.publisher.time(days: 26)
    try scene.serve()
    #expect(await client.refreshed().isUnchanged)
    scene.scene.clock.set(start)
    // A stolen copy of release 6 was valid up to day 11.
    try scene.sign(release: 6)
    scene.publisher.fresh["issued"] = scene.publisher.time(days: 1)
    scene.publisher.fresh["expires"] = scene.publisher.time(days: 11)
    try scene.serve()
    #expect(await client.refreshed().failure?.reason.contains("has ended") == true)
  }

  @Test func healsAfterAClockThatWasTenYearsAhead() async throws {
    var (scene, client) = try await opened()
    let start = scene.scene.clock.now
    scene.scene.clock.set(TestPublisher.instant(days: 3_650, after: start))
    try scene.publish(["entries/product/rose.yaml": "title: New\n"], release: 6)
    try scene.serve()
    #expect(await client.refreshed().failure?.kind == .refused)
    guard case .stale = client.snapshot.freshness else {
      Issue.record("\(client.snapshot.freshness)")
      return
    }
    #expect(client.title("product/rose") == "Rose")
    let again = try scene.client(storing: true)
    #expect(again.title("product/rose") == "Rose")
    scene.scene.clock.set(start)
    #expect(await again.refreshed().isUpdated)
    #expect(again.title("product/rose") == "New")
  }

  @Test func learnsNoTimeFromTheFuture() async throws {
    var (scene, client) = try await opened()
    try scene.sign(release: 6)
    scene.publisher.fresh["issued"] = scene.publisher.time(days: 300)
    scene.publisher.fresh["expires"] = scene.publisher.time(days: 400)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    // The next honest statement is accepted.
    try scene.sign(release: 7)
    scene.publisher.fresh["issued"] = scene.publisher.time(days: 0)
    scene.publisher.fresh["expires"] = scene.publisher.time(days: 14)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.release == 7)
  }

  // MARK: 304 without end

  @Test func asksThePublisherForLaterStatementsEverySixHours() async throws {
    var (scene, client) = try await opened()
    let start = scene.scene.clock.now
    // The server has later statements, but an edge says 304 to each condition.
    scene.publisher.fresh["issued"] = scene.publisher.time(days: 11)
    scene.publisher.fresh["expires"] = scene.publisher.time(days: 25)
    let later = try scene.publisher.envelope()
    let isBlocked = Locked(true)
    scene.scene.transport.answer { [memory = scene.scene.memory] request in
      guard request.url.hasSuffix("config.plist") else {
        return ClientScene.answer(request, from: memory)
      }
      if request.entityTag != nil { return ContentResponse(status: 304) }
      return isBlocked.current
        ? ContentResponse(status: 503)
        : ContentResponse(status: 200, headers: [("ETag", "\"later\"")], body: later)
    }
    func requests() -> [Bool] {
      defer { scene.scene.transport.forgetRequests() }
      return scene.scene.transport.requests.map { $0.entityTag == nil && $0.asksOrigin }
    }
    _ = requests()
    scene.scene.clock.advance(by: 10 * Self.day)
    #expect(await client.refreshed().isUnchanged)
    #expect(requests() == [false])
    scene.scene.clock.advance(by: 0.6 * Self.day)
    // Of the 14 days, less than a quarter is left. A failure is no reason for a second attempt.
    #expect(await client.refreshed().isUnchanged)
    #expect(requests() == [false, true])
    scene.scene.clock.advance(by: 3_600)
    #expect(await client.refreshed().isUnchanged)
    #expect(requests() == [false])
    scene.scene.clock.advance(by: 6 * 3_600)
    isBlocked.withLock { $0 = false }
    #expect(await client.refreshed().isUnchanged)
    #expect(requests() == [false, true])
    #expect(
      await client.trust?.fresh?.expires == TestPublisher.instant(days: 25, after: start))
    scene.scene.clock.advance(by: 7 * 3_600)
    #expect(await client.refreshed().isUnchanged)
    #expect(requests() == [false])
  }

  /// A later config that hides its own release is refused, and raises no floor.
  @Test func aLaterConfigThatHidesItselfRaisesNoFloor() async throws {
    var (scene, client) = try await opened()
    scene.publisher.number(6)
    scene.publisher.config["purge"] = ["sequence": 1, "minimumRelease": 7]
    scene.publisher.fresh["issued"] = scene.publisher.time(days: 11)
    scene.publisher.fresh["expires"] = scene.publisher.time(days: 25)
    let later = try scene.publisher.envelope()
    scene.scene.transport.answer { request in
      request.entityTag == nil
        ? ContentResponse(status: 200, body: later) : ContentResponse(status: 304)
    }
    scene.scene.clock.advance(by: 11 * Self.day)
    let log = EventLog(client)
    #expect(await client.refreshed().isUnchanged)
    #expect(await log.hasRefusal("withdraws its own release 6"))
    #expect(await client.trust?.release == 5 && client.snapshot.release == 5)
  }

  @Test func degradesAtTheEndIfAnEdgeServesOneAnswer300Times() async throws {
    let (scene, client) = try await opened()
    let end = TestPublisher.instant(days: 14, after: scene.scene.clock.now)
    for _ in 0..<300 {
      scene.scene.clock.advance(by: 0.1 * Self.day)
      #expect(await client.refreshed().failure == nil)
    }
    #expect(client.snapshot.release == 5 && isStale(client, since: end))
    #expect(client.title("product/rose") == "Rose")
  }
}
