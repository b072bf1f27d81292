import ContentClientTesting
import ContentModel
import ContentPurging
import SiteFormat
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Older answers that are served again: rows 20, 22, 26 and 29 of the attacks in docs/reference/client.md.
@Suite(.timeLimit(.minutes(10))) struct RollbackAttackTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  /// Publishes releases 1 to 3, and returns their configs.
  private func configs() throws -> [[UInt8]] {
    var configs = [try scene.config]
    for title in ["Second", "Third"] {
      try scene.publish(["entries/product/rose.yaml": "title: \(title)\n"])
      configs.append(try scene.config)
    }
    return configs
  }

  /// Serves an older config, and expects that a client refuses it and still shows release 3.
  private func expectRefusal(
    of config: [UInt8], by client: ContentClient,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let log = EventLog(client)
    try scene.serve(config: config)
    scene.clock.advance(by: 600)
    let outcome = await client.refreshed()
    #expect(outcome.failure?.kind == .refused, "\(outcome)", sourceLocation: sourceLocation)
    #expect(client.snapshot.release == 3, sourceLocation: sourceLocation)
    #expect(client.title("product/rose") == "Third", sourceLocation: sourceLocation)
    #expect(await log.hasRefusal("is older than 3"), sourceLocation: sourceLocation)
    #expect(await client.refresher.state.highestRelease == 3, sourceLocation: sourceLocation)
    #expect(try scene.storage.state()?.highestRelease == 3, sourceLocation: sourceLocation)
  }

  // MARK: 20

  @Test func aLowerPurgeInAHigherReleaseLiftsNothing() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let held = client.snapshot
    let unpurged = try SiteConfig(try scene.config).purge
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    try scene.serve(
      config: try scene.config {
        $0["release"] = 3
        $0["purge"] = [
          "sequence": 5, "minimumRelease": 1, "objects": [], "entries": ["product/iris"],
        ]
      })
    #expect(await client.refreshed().isUpdated)
    let before = await client.refresher.state
    #expect(before.purgeSequence == 5 && before.minimumRelease == 1 && before.hidden.count == 1)
    let log = EventLog(client)
    try scene.serve(
      config: try scene.config {
        $0["release"] = 4
        $0["purge"] = [
          "sequence": .integer(Int64(unpurged.sequence)), "minimumRelease": 0, "objects": [],
          "entries": [],
        ]
      })
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.release == 4, "the content counts")
    #expect(await log.hasRefusal("takes back a purge"))
    for state in [await client.refresher.state, try #require(try scene.storage.state())] {
      #expect(state.purgeSequence == 5 && state.minimumRelease == 1)
      #expect(state.hidden == before.hidden && state.removed == before.removed)
    }
    #expect(held.entry("product/iris") == nil)
    let again = try scene.client(storing: true)
    #expect(again.snapshot.release == 4)
    #expect(again.snapshot.visibility.current.minimumRelease == 1)
  }

  /// One forged number must not keep honest purges from acting before their objects arrive.
  @Test func aPurgeBelowAForgedOneActsAtOnce() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try scene.serve(
      config: try scene.config {
        $0["release"] = 2
        $0["purge"] = ["sequence": 999_999]
      })
    #expect(await client.refreshed().isUpdated)
    let (held, log) = (client.snapshot, EventLog(client))
    for (number, id) in [(1, "product/rose"), (2, "product/iris")] {
      let config = try scene.config {
        $0["release"] = .integer(Int64(number + 2))
        $0["indexes"] = ["en": ["any": .data([UInt8](repeating: 7, count: 32))]]
        $0["purge"] = ["sequence": .integer(Int64(number)), "entries": [.string(id)]]
      }
      scene.transport.answer { request in
        request.url.hasSuffix("config.plist")
          ? ContentResponse(status: 200, body: config) : ContentResponse(status: 503)
      }
      for _ in 0..<3 {
        #expect(await client.refreshed().failure?.kind == .server(status: 503))
        #expect(held.entry(id, in: "catalog") == nil)
      }
    }
    let state = await client.refresher.state
    #expect(state.purgeSequence == 999_999 && state.hidden.count == 2)
    let purges = log.events.filter { if case .purged = $0 { true } else { false } }
    #expect(purges == [.purged(sequence: 1), .purged(sequence: 2)], "each once")
    #expect(try scene.client(storing: true).snapshot.entry("product/rose") == nil)
  }

  // MARK: 22

  @Test func aRollbackIsRefusedAfterARestart() async throws {
    let configs = try configs()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    for config in configs.dropLast() {
      scene.clock.restart()
      try await expectRefusal(of: config, by: try scene.client(storing: true))
    }
  }

  /// The new app has baked content: older content lowers no floor, newer content raises it.
  @Test(arguments: [1, 3]) func aRollbackIsRefusedAfterAnUpdateOfTheApp(baked: Int) async throws {
    var folder = baked == 1 ? try scene.bake() : ""
    let configs = try configs()
    if baked == 3 { folder = try scene.bake() }
    // The app before the update stored release 3, or release 1 of an earlier day.
    try scene.serve(config: baked == 1 ? configs[2] : configs[0])
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    var configuration = scene.configuration(storing: true)
    configuration.context.appVersion = AppVersion("2.0")
    configuration.baked = folder
    let client = try ContentClient(configuration)
    #expect(client.title("product/rose") == "Third", "the newest of both")
    for config in configs.dropLast() { try await expectRefusal(of: config, by: client) }
  }

  @Test func aRollbackIsRefusedByTheOtherProcess() async throws {
    let configs = try configs()
    try scene.serve(config: configs[0])
    let other = try scene.client(storing: true)
    #expect(await other.refreshed().isUpdated)
    #expect(other.snapshot.release == 1)
    scene.goOnline()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    // This process has not checked since release 1.
    try await expectRefusal(of: configs[1], by: other)
  }

  /// A process whose check began before another one showed a newer release.
  @Test func aRollbackDuringTheCheckOfTheOtherProcessShowsNothingOlder() async throws {
    let configs = try configs()
    try scene.serve(config: configs[0])
    let (first, other) = (try scene.client(storing: true), try scene.client(storing: true))
    #expect(await first.refreshed().isUpdated)
    let memory = scene.memory
    let isFirst = Locked([true])
    var configuration = scene.configuration(storing: true)
    configuration.transport = ScriptedTransport { request in
      guard request.url.hasSuffix("config.plist") else {
        return ClientScene.answer(request, from: memory)
      }
      if isFirst.withLock({ $0.popLast() }) != nil { _ = await other.refreshed() }
      return ContentResponse(status: 200, body: configs[1])
    }
    scene.goOnline()
    let late = try ContentClient(configuration)
    _ = await late.refreshed()
    #expect(other.snapshot.release == 3 && late.snapshot.release == 3)
    #expect(late.title("product/rose") == "Third")
    #expect(try scene.storage.state()?.highestRelease == 3)
    #expect(try scene.storage.state()?.shown?.release == 3)
  }

  // MARK: 26

  @Test(arguments: [false, true])
  func aClockTenYearsAheadDeletesNothingAndHeals(restarts: Bool) async throws {
    let scene = try ClientScene([
      "content.yaml": Shop.project(catalog: ", ttl: 1h"),
      "entries/product/iris.yaml":
        "title: Iris\nwhen: {from: 2027-01-15T00:00:00Z, until: 2028-01-15T00:00:00Z}\n",
    ])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/iris") == "Iris")
    let objects = Set(scene.storage.objects().map(\.object))
    let now = scene.clock.now
    scene.goOffline()
    scene.clock.set(Instant(rfc3339: "2037-01-15T08:00:00Z")!)
    if restarts { scene.clock.restart() }
    let ahead = restarts ? try scene.client(storing: true) : client
    // It degrades: the dates and, after a start of the system, the lifetimes have passed.
    #expect(ahead.state == (restarts ? .expired : .content) && ahead.snapshot.release == 1)
    #expect(ahead.title("product/iris") == nil)
    #expect((ahead.title("product/rose") == nil) == restarts)
    #expect(await ahead.refreshed().failure?.kind == .unreachable)
    // The edge serves the same release, and a new one: nothing is deleted, nothing is refused.
    scene.goOnline()
    scene.clock.advance(by: 100)
    #expect(await ahead.refreshed().failure == nil)
    #expect(ahead.title("product/rose") == "Rose", "a check renews the lifetimes")
    #expect(Set(scene.storage.objects().map(\.object)) == objects)
    // It heals as soon as the clock is right.
    scene.clock.set(now)
    if restarts { scene.clock.restart() }
    let healed = restarts ? try scene.client(storing: true) : ahead
    #expect(healed.title("product/rose") == "Rose" && healed.title("product/iris") == "Iris")
    try scene.publish(["content.yaml": Shop.project(catalog: ", ttl: 1h")])
    let scheduler = Scheduler(
      healed.refresher, presenter: healed.presenter,
      configuration: scene.configuration(storing: true)
    ) { healed.refresh($0) }
    #expect(await scheduler.next().seconds <= 600, "the next check is not ten years away")
    scene.clock.advance(by: 600)
    #expect(await healed.refreshed().isUpdated)
    #expect(healed.snapshot.release == 2)
  }

  // MARK: 29

  /// Checks every nine and a half minutes reach 300 just before 48 hours.
  @Test func anEdgeThatServesOneStaleAnswer300TimesLowersNothing() async throws {
    var configs = try configs()
    // With this lifetime, a client may check every nine and a half minutes after a refusal.
    configs[2] = try scene.config { $0["ttl"] = 300 }
    try scene.serve(config: configs[2])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let end = scene.clock.moment.advanced(by: 300).now
    for round in 0..<2 {
      try scene.serve(config: configs[round])
      for count in 0..<300 {
        #expect(await client.refreshed().failure?.kind == .refused, "\(count)")
        scene.clock.advance(by: 570)
      }
      #expect(client.snapshot.release == 3 && client.title("product/rose") == "Third")
      #expect(try scene.storage.state()?.highestRelease == 3)
      if round == 0 {
        #expect(client.snapshot.freshness == .stale(since: end), "it degrades")
        // One honest answer, and the patience begins again.
        try scene.serve(config: configs[2])
        #expect(await client.refreshed().failure == nil)
      }
    }
    // A new start shows the same, and an honest answer wins at once.
    #expect(try scene.client(storing: true).title("product/rose") == "Third")
    scene.goOnline()
    try scene.publish(["entries/product/rose.yaml": "title: Fourth\n"])
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Fourth")
  }
}
