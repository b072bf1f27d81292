import ContentClientTesting
import ContentModel
import ContentReleases
import Testing

@testable import ContentClient

/// The moments at which a client checks by itself.
@Suite(.timeLimit(.minutes(10))) struct ScheduleTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  /// A client with content, whose random numbers are all the same.
  private func client(fraction: Double = 0.5) async throws -> (ContentClient, Scheduler) {
    var configuration = scene.configuration()
    configuration.random = ConstantRandom(fraction: fraction)
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    return (client, scheduler(of: client, configuration))
  }

  private func scheduler(
    of client: ContentClient, _ configuration: ContentConfiguration? = nil
  ) -> Scheduler {
    Scheduler(
      client.refresher, presenter: client.presenter,
      configuration: configuration ?? scene.configuration()
    ) { client.refresh($0) }
  }

  private func expect(
    _ next: Scheduler.Next, after seconds: Double, _ kind: Scheduler.Next.Kind = .check(.schedule),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(abs(next.seconds - seconds) < 0.001, "\(next)", sourceLocation: sourceLocation)
    #expect(next.kind == kind, sourceLocation: sourceLocation)
  }

  @Test func checksAtOnceWithoutContent() async throws {
    expect(await scheduler(of: try scene.client()).next(), after: 0, .check(.launch))
  }

  @Test func checksOnReturnIfConfigIsOlderThanItsLifetime() async throws {
    let (client, _) = try await client()
    scene.clock.advance(by: 500)
    let wait = await scheduler(of: client).next().seconds
    #expect(wait > 0 && wait <= 100)
    scene.clock.advance(by: 101)
    expect(await scheduler(of: client).next(), after: 0, .check(.launch))
  }

  @Test(arguments: [0, 0.5, 0.999]) func checksAgainWithinTheLifetime(fraction: Double) async throws
  {
    let (_, scheduler) = try await client(fraction: fraction)
    expect(await scheduler.next(), after: 600 * (0.85 + 0.15 * fraction))
    scene.clock.advance(by: 100)
    expect(await scheduler.next(), after: 600 * (0.85 + 0.15 * fraction) - 100)
  }

  /// Whoever wrote it, a client that does not ask for years gets no correction.
  @Test(
    arguments: [(315_360_000, 604_800), (.max, 604_800), (604_800, 604_800), (0, 1)]
      as [(Int64, Double)])
  func checksAtLeastOnceAWeek(ttl: Int64, seconds: Double) async throws {
    try scene.serve(config: try scene.config { $0["ttl"] = .integer(ttl) })
    let (client, scheduler) = try await client()
    expect(await scheduler.next(), after: seconds * 0.925)
    scene.clock.advance(by: seconds + 1)
    guard case .stale = client.snapshot.freshness else {
      Issue.record("fresh after a week")
      return
    }
  }

  /// Otherwise, the clients that one push reaches would check together ever after.
  @Test func otherChecksDoNotMoveTheNextRegularOne() async throws {
    let (client, scheduler) = try await client()
    expect(await scheduler.next(), after: 555)
    scene.clock.advance(by: 300)
    #expect(await client.refresh(.push).outcome.isUnchanged)
    expect(await scheduler.next(), after: 255)
    scene.clock.advance(by: 255)
    expect(await scheduler.next(), after: 0)
    #expect(await client.refresh(.schedule).outcome.isUnchanged)
    expect(await scheduler.next(), after: 555)
  }

  /// Otherwise, the clients that check together after an outage would do so ever after.
  @Test func keepsItsTimesAfterAnOutage() async throws {
    let (client, scheduler) = try await client()
    expect(await scheduler.next(), after: 555)
    scene.goOffline()
    scene.clock.advance(by: 555)
    #expect(await client.refresh(.schedule).outcome.failure != nil)
    scene.clock.advance(by: 1_445)
    scene.goOnline()
    #expect(await client.refresh(.connection).outcome.isUnchanged)
    expect(await scheduler.next(), after: 4 * 555 - 2_000)
    scene.clock.advance(by: 220)
    #expect(await client.refresh(.schedule).outcome.isUnchanged)
    expect(await scheduler.next(), after: 555)
  }

  @Test(arguments: [0, 0.5]) func checksWithinAMinuteAfterChanges(fraction: Double) async throws {
    try scene.publish([
      "entries/product/tulip.yaml":
        "title: Tulip\nwhen: {from: 2027-01-15T08:02:00Z, embargo: true}\n"
    ])
    let (client, scheduler) = try await client(fraction: fraction)
    expect(await scheduler.next(), after: 120 + 60 * fraction)
    scene.clock.advance(by: 150 + 60 * fraction)
    expect(await scheduler.next(), after: 0)
    // Config still says so: the moment has passed.
    #expect(await client.refresh(.schedule).outcome.isUnchanged)
    #expect(await scheduler.next().seconds > 300)
  }

  @Test func checksMoreOftenInMaintenance() async throws {
    try scene.place.switchMaintenance(to: MaintenanceSwitch(isActive: true, retryAfter: 60))
    let (client, scheduler) = try await client(fraction: 0.5)
    #expect(client.state != .content)
    expect(await scheduler.next(), after: 66)
    try scene.place.switchMaintenance(to: MaintenanceSwitch(isActive: true, retryAfter: 86_400))
    #expect(await client.refreshed().isUpdated)
    expect(await scheduler.next(), after: 555)
  }

  @Test func waitsAsLongAsAServerAsks() async throws {
    let (client, scheduler) = try await client()
    scene.transport.answer { _ in
      ContentResponse(status: 503, headers: [("Retry-After", "3000")])
    }
    #expect(await client.refresh(.schedule).outcome.failure != nil)
    expect(await scheduler.next(), after: 3000)
    expect(await self.scheduler(of: client).next(), after: 3000)
  }

  /// The pause has spread the checks of all clients already.
  ///
  /// The kept time is 255 s after the check, and a new one would be 555 s after it.
  @Test func checksBetweenTheKeptAndANewTimeAfterRetryAfter() async throws {
    let (client, scheduler) = try await client()
    expect(await scheduler.next(), after: 555)
    scene.clock.advance(by: 555)
    scene.transport.answer { _ in ContentResponse(status: 503, headers: [("Retry-After", "300")]) }
    #expect(await client.refresh(.schedule).outcome.failure != nil)
    expect(await scheduler.next(), after: 300)
    scene.clock.advance(by: 300)
    scene.goOnline()
    #expect(await client.refresh(.schedule).outcome.isUnchanged)
    expect(await scheduler.next(), after: (255 + 555) / 2)
  }

  @Test(arguments: [(isStarted: true, delay: 1.5), (isStarted: false, delay: 15)])
  func waitsForARandomTimeAfterAPush(isStarted: Bool, delay: Double) async throws {
    let (client, _) = try await client()
    if isStarted {
      client.start()
      await scene.waitForSleepers(2)
    }
    _ = scene.requests()
    let sleepers = scene.clock.sleepers
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    async let outcome = client.receivedPush(PushPayload(channel: "production", release: 2))
    await scene.waitForSleepers(sleepers + 1)
    scene.clock.advance(by: delay - 0.01)
    for _ in 0..<100 { await Task.yield() }
    #expect(scene.transport.requests.isEmpty)
    scene.clock.advance(by: 0.02)
    #expect(await outcome.isUpdated)
    #expect(client.title("product/rose") == "New")
  }

  /// Otherwise, a reader who chose a language would wait for the next regular check.
  @Test func retriesALanguageThatCouldNotBeLoaded() async throws {
    let (client, scheduler) = try await client()
    scene.loseObjects(status: 500)
    #expect(await client.select(ReaderContext(locales: ["fr"])).failure != nil)
    let next = await scheduler.next()
    #expect(next.seconds <= 2 && next.kind != .time, "\(next)")
    scene.goOnline()
    scene.clock.advance(by: 2)
    #expect(await client.refresh(.schedule).outcome.isUpdated)
    #expect(client.title("product/rose") == "La rose")
    #expect(await scheduler.next().seconds > 300)
  }

  @Test func knownPushesCauseNoRequest() async throws {
    let (client, _) = try await client()
    _ = scene.requests()
    for payload in [
      PushPayload(channel: "production", release: 1), PushPayload(channel: "qa", release: 9),
    ] {
      #expect(await client.receivedPush(payload).isUnchanged)
    }
    #expect(scene.requests().isEmpty)
  }

  @Test func aPersonChecksAtMostEveryFiveSeconds() async throws {
    let (client, _) = try await client()
    guard case .postponed(let seconds) = await client.refresh(.user).outcome else {
      Issue.record("not postponed")
      return
    }
    #expect(seconds == 5)
    scene.clock.advance(by: 5)
    #expect(await client.refresh(.user).outcome.isUnchanged)
  }

  /// The scheduler itself, with its waits of at most a minute.
  @Test func checksByItselfInTheForeground() async throws {
    let client = try scene.client()
    var updates = client.updates.makeAsyncIterator()
    client.start()
    #expect(await updates.next()?.snapshot.release == 1)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    _ = scene.requests()
    for _ in 0..<10 {
      await scene.waitForSleepers(1)
      scene.clock.advance(by: 60)
    }
    while client.snapshot.release == 1, await updates.next() != nil {}
    #expect(client.title("product/rose") == "New")
    #expect(scene.requests().first == "production/config.plist")
    client.stop()
  }
}

/// Random numbers that are all the same.
struct ConstantRandom: ContentRandom {
  let constant: Double

  init(fraction: Double) { constant = fraction }

  func fraction() -> Double { constant }
}
