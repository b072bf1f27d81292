import ContentClientTesting
import ContentModel
import ContentPurging
import ContentReleases
import SiteFormat
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The sides of a rollout.
private enum Side: CaseIterable {
  case stable, next
}

/// A shop of which some readers get other content, as `contentc` publishes it, and a reader of each
/// side.
private struct TwoSides {
  let scene: ClientScene

  private static let name = "spring"
  private static let sortedUnits = ["reader-1", "reader-2"].sorted {
    Rollout.number(of: $0, in: name) < Rollout.number(of: $1, in: name)
  }
  /// The limits that are above the number of the reader on the next side only.
  private static let limits = (
    first: Rollout.number(of: sortedUnits[0], in: name) + 1,
    second: Rollout.number(of: sortedUnits[1], in: name)
  )

  /// Publishes release 1.
  init(_ stable: [String: String] = [:], locales: String = "en, fr") throws {
    scene = try ClientScene(Self.files(stable, locales: locales))
  }

  private static func files(_ edits: [String: String], locales: String) -> [String: String] {
    let project = """
      app: shop
      sourceLocale: en
      locales: [\(locales)]
      bundles:
        home: {include: screen/home, startup: true}
        catalog: {include: product/*, projection: light}
        product: {include: product/*, split: entry}
      """
    return edits.merging(["content.yaml": project]) { edit, _ in edit }
  }

  /// Begins the rollout of a shop, or replaces its next content.
  func begin(_ next: [String: String], locales: String = "en, fr") throws {
    try scene.place.publish(
      Shop(Self.files(next, locales: locales)),
      as: Rollout(name: Self.name, below: Self.limits.first, release: Rollout.beginning))
  }

  /// Gives the next content to more readers, but not to the one on the stable side.
  func step() throws { try step(to: Self.limits.second) }

  /// Gives the next content to both readers.
  func giveToBoth() throws { try step(to: Rollout.everyone) }

  private func step(to limit: Int) throws {
    let live = try #require(try scene.place.live()?.rollout)
    try scene.place.change(
      .step(Rollout(name: live.name, below: limit, release: live.release)))
  }

  func abort() throws { try scene.place.change(.abort) }

  func purge(_ ids: [String]) throws {
    try scene.place.purge(PurgeOrder(.entries(ids), reason: "A swear word"))
  }

  // MARK: Readers

  private func store(_ side: Side) -> String { "\(scene.scratch.path)/store-\(side)" }

  func client(
    _ side: Side, _ locale: String = "en", baked: String? = nil
  ) throws -> ContentClient {
    var configuration = scene.configuration(locale)
    configuration.storage = .folder(path: store(side))
    configuration.unit = Self.sortedUnits[side == .next ? 0 : 1]
    configuration.baked = baked
    return try ContentClient(configuration)
  }

  /// Returns a client of each side, which has loaded the live release.
  func loadedClients() async throws -> [(side: Side, client: ContentClient)] {
    var clients: [(side: Side, client: ContentClient)] = []
    for side in Side.allCases {
      let client = try client(side)
      #expect(await client.refreshed().isUpdated)
      clients.append((side, client))
    }
    return clients
  }

  /// Returns whether an object of a reader's storage has some words.
  func holds(_ words: String, on side: Side) -> Bool {
    let storage = FolderStorage(store(side))
    return storage.objects().contains { object, _ in
      storage.bytes(of: object).map {
        String(decoding: $0, as: UTF8.self).contains(words)
      } ?? false
    }
  }

  /// Returns the state that a reader's storage has.
  func state(of side: Side) throws -> StoredState? { try FolderStorage(store(side)).state() }

  /// Writes the live release into a folder without the indexes of the next side, and returns the path.
  func bakeWithoutNextSide() throws -> String {
    let folder = try scene.bake()
    let next = try #require(try SiteConfig(try scene.config).nextSide)
    for locale in ["en", "fr"] {
      let index = try #require(next.index(.init(locale: ExactString(locale), device: "any")))
      unlink("\(folder)/\(index.path)")
    }
    return folder
  }
}

/// Readers on both sides of a rollout, in emergencies, in other languages, and after updates of the app.
@Suite(.signedAndUnsigned, .timeLimit(.minutes(10))) struct RolloutReaderTests {
  /// The contents of both sides: each has another form of the rose, and another iris.
  private static let contents = (
    stable: ["entries/product/rose.yaml": "title: Swear word\n"],
    next: [
      "entries/product/rose.yaml": "title: Swear word as well\n",
      "entries/product/iris.yaml": "title: Next iris\n",
    ]
  )
  private static let rose = "product/rose"

  private func expect(
    iris: Value, _ release: Int, _ rollout: String?, in client: ContentClient,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let snapshot = client.snapshot
    #expect(client.title("product/iris") == iris, sourceLocation: sourceLocation)
    #expect(snapshot.release == release, sourceLocation: sourceLocation)
    #expect(snapshot.rollout.hasSameBytes(as: rollout), sourceLocation: sourceLocation)
  }

  /// Expects what a reader of a side sees.
  private func expect(
    _ side: Side, _ release: Int, in client: ContentClient,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (iris, rollout): (Value, String?) =
      side == .next ? ("Next iris", "spring") : ("Iris", nil)
    expect(iris: iris, release, rollout, in: client, sourceLocation: sourceLocation)
  }

  private func begun() throws -> TwoSides {
    let sides = try TwoSides(Self.contents.stable)
    try sides.begin(Self.contents.next)
    return sides
  }

  // MARK: Purges

  /// At first, the objects of the release without the entry cannot be loaded.
  @Test func aPurgeReachesReadersOfBothSides() async throws {
    let sides = try begun()
    let clients = try await sides.loadedClients()
    let held = clients.map(\.client.snapshot)
    #expect(held.allSatisfy { $0.entry(Self.rose) != nil })
    #expect(Side.allCases.allSatisfy { sides.holds("Swear word", on: $0) })
    try sides.purge([Self.rose])
    sides.scene.loseObjects(status: 503)
    for (side, client) in clients {
      #expect(await client.refreshed().failure?.kind == .server(status: 503))
      #expect(client.title(Self.rose) == nil)
      expect(side, 2, in: client)
      #expect(
        client.snapshot.entry("screen/home")?["products"]?.items
          == ["product/lily", "product/iris"])
      let state = await client.refresher.state
      #expect(state.purgeSequence == 1 && state.highestRelease == 3 && state.minimumRelease == 0)
    }
    #expect(held.allSatisfy { $0.entry(Self.rose) == nil && $0.entry("product/iris") != nil })
    sides.scene.goOnline()
    for (side, client) in clients {
      #expect(await client.refreshed().isUpdated)
      #expect(client.title(Self.rose) == nil && !sides.holds("Swear word", on: side))
      expect(side, 3, in: client)
    }
    sides.scene.goOffline()
    for side in Side.allCases { expect(side, 3, in: try sides.client(side)) }
  }

  @Test func aPurgeStaysInForceAfterAChangeOfSides() async throws {
    let sides = try begun()
    let clients = try await sides.loadedClients()
    let beforePurge = try sides.scene.config
    try sides.purge([Self.rose])
    for (side, client) in clients {
      #expect(await client.refreshed().isUpdated)
      expect(side, 3, in: client)
    }
    // An older config lifts the purge on neither side.
    try sides.scene.serve(config: beforePurge)
    for (side, client) in clients {
      #expect(await client.refreshed().failure?.kind == .refused)
      #expect(client.title(Self.rose) == nil)
      expect(side, 3, in: client)
    }
    sides.scene.goOnline()
    try sides.giveToBoth()
    for (_, client) in clients {
      #expect(await client.refreshed().isUpdated)
      #expect(client.title(Self.rose) == nil)
      expect(.next, 4, in: client)
    }
    try sides.abort()
    for (_, client) in clients {
      #expect(await client.refreshed().isUpdated)
      #expect(client.title(Self.rose) == nil)
      expect(.stable, 5, in: client)
      let state = await client.refresher.state
      #expect(state.purgeSequence == 1 && state.highestRelease == 5)
    }
  }

  /// A purge of more entries than config can name withdraws all earlier releases.
  @Test func aMinimumReleaseWithdrawsBothSides() async throws {
    let words = [
      "entries/product.yaml": (0..<80).map { "p\($0): {title: Swear word}\n" }.joined()
    ]
    let sides = try TwoSides(words)
    try sides.begin(words.merging(["entries/product/iris.yaml": "title: Next iris\n"]) { $1 })
    let clients = try await sides.loadedClients()
    let held = clients.map(\.client.snapshot)
    let beforePurge = try sides.scene.config
    try sides.purge((0..<80).map { "product/p\($0)" })
    sides.scene.loseObjects(status: 503)
    for (_, client) in clients {
      #expect(await client.refreshed().failure?.kind == .server(status: 503))
      #expect(client.state == .withdrawn && client.title("product/iris") == nil)
    }
    #expect(held.allSatisfy { $0.entry("product/iris") == nil })
    sides.scene.goOnline()
    for (side, client) in clients {
      #expect(await client.refreshed().isUpdated)
      #expect(client.state == .content && !sides.holds("Swear word", on: side))
      expect(side, 3, in: client)
      let state = await client.refresher.state
      #expect(state.minimumRelease == 3 && state.purgeSequence == 1)
    }
    try sides.scene.serve(config: beforePurge)
    for (side, client) in clients {
      #expect(await client.refreshed().failure?.kind == .refused)
      expect(side, 3, in: client)
    }
    sides.scene.goOnline()
    try sides.giveToBoth()
    for (_, client) in clients {
      #expect(await client.refreshed().isUpdated)
      expect(.next, 4, in: client)
      #expect(await client.refresher.state.minimumRelease == 3)
    }
  }

  /// The content from before the rollout has the purged entry, so it does not return after a crash.
  @Test func aReaderWhoLeavesTheRolloutAfterAPurgeSeesNoPurgedEntry() async throws {
    let sides = try TwoSides(Self.contents.stable)
    let first = try sides.client(.next)
    #expect(await first.refreshed().isUpdated)
    #expect(first.title(Self.rose) == "Swear word")
    await first.endTrial()
    try sides.begin(Self.contents.next)
    #expect(await first.refreshed().isUpdated)
    #expect(first.title(Self.rose) == "Swear word as well")
    let second = try sides.client(.next)
    #expect(second.title(Self.rose) == "Swear word as well")
    #expect(
      try await eventually {
        guard let state = try sides.state(of: .next) else { return false }
        return state.trial?.starts == 2 && state.previous?.release == 1
      })
    try sides.purge([Self.rose])
    sides.scene.loseObjects(status: 503)
    #expect(await second.refreshed().failure?.kind == .server(status: 503))
    #expect(
      try await eventually {
        guard let state = try sides.state(of: .next) else { return false }
        return state.purgeSequence == 1 && state.previous == nil
      })
    let third = try sides.client(.next)
    let log = EventLog(third)
    #expect(third.title(Self.rose) == nil)
    expect(.next, 2, in: third)
    #expect(await log.has { $0 == .avoided(release: 2) })
    sides.scene.goOnline()
    #expect(await third.refreshed().isUpdated)
    #expect(third.title(Self.rose) == nil && !sides.holds("Swear word", on: .next))
    expect(.stable, 3, in: third)
    try sides.giveToBoth()
    #expect(await third.refreshed().isUpdated)
    expect(.stable, 4, in: third)
  }

  // MARK: Maintenance

  /// Each side has its own texts and its own time until the next check.
  @Test func maintenanceReachesReadersOfBothSides() async throws {
    let sides = try TwoSides(["maintenance.yaml": "title: Back soon\nretryAfter: 90\n"])
    try sides.begin([
      "entries/product/iris.yaml": "title: Next iris\n",
      "maintenance.yaml": "title: Coming\nretryAfter: 45\n",
    ])
    let clients = try await sides.loadedClients()
    func switchMaintenance(isActive: Bool) throws {
      try sides.scene.place.switchMaintenance(to: MaintenanceSwitch(isActive: isActive))
    }
    func expectMaintenance(_ side: Side, in client: ContentClient) {
      guard case .maintenance(let notice) = client.state else {
        Issue.record("\(client.state)")
        return
      }
      #expect(notice["title"] == (side == .next ? "Coming" : "Back soon"))
      #expect(client.presenter.newest?.maintenance.retryAfter == (side == .next ? 45 : 90))
    }
    try switchMaintenance(isActive: true)
    for (side, client) in clients {
      #expect(await client.refreshed().isUpdated)
      expectMaintenance(side, in: client)
      expectMaintenance(side, in: try sides.client(side))
    }
    try switchMaintenance(isActive: false)
    for (side, client) in clients {
      #expect(await client.refreshed().isUpdated)
      #expect(client.state == .content)
      expect(side, 4, in: client)
    }
    // An abort during maintenance changes the texts, too.
    try switchMaintenance(isActive: true)
    try sides.abort()
    for (_, client) in clients {
      #expect(await client.refreshed().isUpdated)
      expectMaintenance(.stable, in: client)
    }
    try switchMaintenance(isActive: false)
    for (_, client) in clients {
      #expect(await client.refreshed().isUpdated)
      #expect(client.state == .content)
      expect(.stable, 7, in: client)
    }
  }

  // MARK: Languages

  /// One side has Spanish, and the other German.
  @Test func readersGetTheLanguagesOfTheirSide() async throws {
    let sides = try TwoSides(
      ["entries/product/rose.es.yaml": "title: La rosa\n"], locales: "en, fr, es")
    try sides.begin(
      [
        "entries/product/iris.yaml": "title: Next iris\n",
        "entries/product/rose.de.yaml": "title: Die Rose\n",
      ], locales: "en, fr, de")
    let clients = try await sides.loadedClients()
    let (stable, next) = (clients[0].client, clients[1].client)
    #expect(stable.snapshot.locales.sorted() == ["en", "es", "fr"])
    #expect(next.snapshot.locales.sorted() == ["de", "en", "fr"])
    func expectShown(
      _ locale: String, _ rose: Value, in client: ContentClient,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(
        client.snapshot.locale.hasSameBytes(as: locale), sourceLocation: sourceLocation)
      #expect(client.title(Self.rose) == rose, sourceLocation: sourceLocation)
    }
    #expect(await next.select(ReaderContext(locales: ["es"])).isUpdated)
    expectShown("en", "Rose", in: next)
    #expect(await next.select(ReaderContext(locales: ["de"])).isUpdated)
    expectShown("de", "Die Rose", in: next)
    expect(.next, 2, in: next)
    #expect(await stable.select(ReaderContext(locales: ["de"])).isUpdated)
    expectShown("en", "Rose", in: stable)
    #expect(await stable.select(ReaderContext(locales: ["es"])).isUpdated)
    expectShown("es", "La rosa", in: stable)
    expect(.stable, 2, in: stable)
    for client in [next, stable] { await client.endTrial() }
    // The next side lacks the language of the reader whom a step brings there.
    try sides.giveToBoth()
    for client in [next, stable] { #expect(await client.refreshed().isUpdated) }
    expectShown("de", "Die Rose", in: next)
    expectShown("en", "Rose", in: stable)
    for client in [next, stable] { expect(.next, 3, in: client) }
    try sides.abort()
    for client in [next, stable] { #expect(await client.refreshed().isUpdated) }
    expectShown("en", "Rose", in: next)
    expectShown("es", "La rosa", in: stable)
    for client in [next, stable] { expect(.stable, 4, in: client) }
    sides.scene.goOffline()
    expectShown("en", "Rose", in: try sides.client(.next, "de"))
    expectShown("es", "La rosa", in: try sides.client(.stable, "es"))
  }

  // MARK: Updates of the app

  /// The release that an app ships with, which lacks the objects of the next side, and the release that a
  /// reader of the next side has stored.
  enum Update: CaseIterable {
    /// The app ships with a later release, which has the stored next content.
    case laterNumber
    /// The app ships with a later release, which has other next content.
    case otherContent
    /// The app ships with an earlier release.
    case earlierNumber
  }

  @Test(arguments: Update.allCases)
  func anUpdateShipsWithStableContentOfANumberBetween(update: Update) async throws {
    let sides = try TwoSides()
    let former = update == .otherContent ? "Former iris" : "Next iris"
    try sides.begin(["entries/product/iris.yaml": "title: \(former)\n"])
    let first = try sides.client(.next)
    #expect(await first.refreshed().isUpdated)
    expect(iris: .string(former), 2, "spring", in: first)
    await first.endTrial()
    let baked: String
    switch update {
    case .laterNumber:
      try sides.step()
      baked = try sides.bakeWithoutNextSide()
    case .otherContent:
      try sides.begin(["entries/product/iris.yaml": "title: Next iris\n"])
      baked = try sides.bakeWithoutNextSide()
    case .earlierNumber:
      baked = try sides.bakeWithoutNextSide()
      try sides.step()
      #expect(await first.refreshed().isUpdated)
    }
    sides.scene.goOffline()
    let second = try sides.client(.next, baked: baked)
    expect(update == .otherContent ? .stable : .next, 3, in: second)
    await second.endTrial()
    // The next content replaces the baked one as soon as it is whole.
    sides.scene.goOnline()
    try sides.giveToBoth()
    #expect(await second.refreshed().isUpdated)
    expect(.next, 4, in: second)
    sides.scene.goOffline()
    expect(.next, 4, in: try sides.client(.next, baked: baked))
  }

  /// The reader's side of the release that the app ships with is known, and missing.
  @Test func bakedStableContentIsNotFreshForAReaderOfTheNextSide() async throws {
    let sides = try TwoSides()
    try sides.begin(["entries/product/iris.yaml": "title: Former iris\n"])
    #expect(await (try sides.client(.next)).refreshed().isUpdated)
    try sides.begin(Self.contents.next)
    let baked = try sides.bakeWithoutNextSide()
    sides.scene.goOffline()
    let client = try sides.client(.next, baked: baked)
    func expectStaleContent() {
      expect(.stable, 3, in: client)
      #expect(client.snapshot.freshness == .stale(since: sides.scene.clock.now))
      #expect(client.presenter.newest?.isNext == true)
    }
    expectStaleContent()
    #expect(await client.select(ReaderContext(locales: ["fr"])).isUpdated)
    #expect(client.snapshot.locale.hasSameBytes(as: "fr"))
    expectStaleContent()
  }
}
