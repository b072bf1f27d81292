import ContentClientTesting
import ContentModel
import ContentPurging
import PropertyLists
import SiteFormat
import SystemC
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The content that stays after a purge whose release cannot be loaded.
@Suite(.signedAndUnsigned, .timeLimit(.minutes(10))) struct KeptContentTests {
  static let pictures = [
    "datatypes/product.yaml": """
    fields:
      title: {type: string, required: true, localized: true}
      care: {type: text, localized: true}
      price: {type: number}
      picture: {type: asset}
    projections:
      light: [title, picture]
    """,
    "entries/product/rose.yaml": "title: Swear word\npicture: rose.svg\n",
    "assets/rose.svg": #"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="2"></svg>"#,
  ]

  /// An entry for version 2 of the app, so that each bundle with products has two versions.
  private static let tulip = [
    "entries/product/tulip.yaml": "title: Tulip\nwhen: {app: \">=2.0\"}\n"
  ]

  private func purgeRose(_ scene: ClientScene) throws {
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
  }

  private func holdsSwearWord(_ scene: ClientScene) -> Bool {
    scene.storage.objects().contains { object, _ in
      scene.storage.bytes(of: object).map {
        String(decoding: $0, as: UTF8.self).contains("Swear word")
      } ?? false
    }
  }

  /// Returns a scene with a purge whose objects cannot be loaded, and the configuration of a client
  /// that has stored the release before.
  private func purgedScene(
    _ files: [String: String] = [:], isBaked: Bool = false
  ) async throws -> (scene: ClientScene, configuration: ContentConfiguration) {
    let scene = try ClientScene(files)
    var configuration = scene.configuration(storing: true)
    if isBaked { configuration.baked = try scene.bake() }
    try scene.publish(
      files.merging(["entries/product/rose.yaml": "title: Swear word\n"]) { old, _ in old })
    #expect(await (try ContentClient(configuration)).refreshed().isUpdated)
    try purgeRose(scene)
    scene.loseObjects(status: 503)
    return (scene, configuration)
  }

  private func expectAllButTheRose(_ client: ContentClient) {
    #expect(client.state == .content && client.snapshot.release == 2)
    #expect(client.title("product/rose") == nil && client.title("product/iris") == "Iris")
    let home = client.snapshot.entry("screen/home")
    #expect(
      home?["products"]?.items == ["product/lily", "product/iris"], "an item names the purged entry"
    )
    #expect(home?.reference("hero")?["title"] == "Iris")
  }

  @Test(arguments: [true, false])
  func entriesThatNobodyPurgedStay(isBaked: Bool) async throws {
    let (scene, configuration) = try await purgedScene(isBaked: isBaked)
    // A bundle that was not read before the purge can be read.
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().failure?.kind == .server(status: 503))
    expectAllButTheRose(client)
    #expect(client.snapshot.freshness == .stale(since: scene.clock.now))
    // The purge may be stored later, if a lock is held.
    #expect(try await scene.stores { $0.purgeSequence == 1 })
    scene.goOffline()
    expectAllButTheRose(try ContentClient(configuration))
    #expect(holdsSwearWord(scene))
    scene.goOnline()
    let next = try ContentClient(configuration)
    scene.clock.advance(by: 1)
    #expect(await next.refreshed().isUpdated)
    #expect(next.snapshot.release == 3 && next.title("product/iris") == "Iris")
    #expect(!holdsSwearWord(scene), "the purged bundle is kept until the next one is whole")
  }

  @Test func purgedBundlesStayForAWeek() async throws {
    let (scene, configuration) = try await purgedScene()
    #expect(await (try ContentClient(configuration)).refreshed().failure != nil)
    scene.goOffline()
    scene.clock.advance(by: 7 * 86_400 - 1)
    expectAllButTheRose(try ContentClient(configuration))
    #expect(holdsSwearWord(scene))
  }

  @Test func purgedBundlesGoAfterAWeek() async throws {
    let (scene, configuration) = try await purgedScene()
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().failure != nil)
    // This process must not remove files while the next one opens. It is not read, because a reading
    // begins work that nobody can wait for.
    await client.mending.current?.value
    scene.goOffline()
    scene.clock.advance(by: 7 * 86_400 + 1)
    let late = try ContentClient(configuration)
    #expect(late.state == .empty)
    #expect(await eventually { !holdsSwearWord(scene) })
  }

  /// A wrong time of day must not blank the app.
  @Test func aClockThatIsSetBackEndsNoKeeping() async throws {
    let (scene, configuration) = try await purgedScene()
    #expect(await (try ContentClient(configuration)).refreshed().failure != nil)
    scene.goOffline()
    scene.clock.restart()
    let now = scene.clock.now.secondsSinceReferenceDate
    scene.clock.set(Instant(secondsSinceReferenceDate: now - 86_400 * 400))
    expectAllButTheRose(try ContentClient(configuration))
    #expect(try await scene.stores { $0.unsweptSince?.now == scene.clock.now })
  }

  @Test func picturesOfAPurgeAreRemovedAtOnce() async throws {
    let scene = try ClientScene(Self.pictures)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let picture = try #require(
      client.snapshot.entry("product/rose", in: "catalog")?.asset("picture"))
    let path = try await client.snapshot.file(of: picture)
    #expect(access(path, F_OK) == 0)
    try purgeRose(scene)
    scene.loseObjects(status: 503)
    #expect(await client.refreshed().failure != nil)
    // A removal follows the storage of the purge, which may wait for a lock.
    #expect(await eventually { access(path, F_OK) != 0 })
    await #expect(throws: ContentError.self) { try await client.snapshot.file(of: picture) }
    #expect(client.title("product/iris") == "Iris")
  }

  /// The release of the purge cannot be loaded.
  ///
  /// A purge of everything names no pictures.
  @Test func picturesOfAPurgeOfEverythingAreRemovedAtOnce() async throws {
    let scene = try ClientScene(Self.pictures)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let picture = try #require(
      client.snapshot.entry("product/rose", in: "catalog")?.asset("picture"))
    let path = try await client.snapshot.file(of: picture)
    #expect(access(path, F_OK) == 0)
    try scene.publish([:])
    let purge = try scene.config { $0["purge"] = ["sequence": 1, "minimumRelease": 2] }
    let served = try scene.sealed(purge)
    scene.transport.answer { request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: served) : ContentResponse(status: 503)
    }
    #expect(await client.refreshed().failure != nil)
    #expect(await eventually { access(path, F_OK) != 0 })
  }

  /// The bundle for the new version of the app never arrived, and the purge removes both versions.
  @Test func anUpdatedAppShowsTheContentOfTheOldAppAfterAPurge() async throws {
    let (scene, configuration) = try await purgedScene(Self.tulip)
    #expect(await (try ContentClient(configuration)).refreshed().failure != nil)
    scene.goOffline()
    var updated = configuration
    updated.context.appVersion = AppVersion("2.0")
    expectAllButTheRose(try ContentClient(updated))
  }

  /// Another version of the app loaded the second release, and received the purge.
  @Test func anAppKeepsItsReleaseIfAPurgeRemovedBundlesThatItLacks() async throws {
    let scene = try ClientScene(Self.tulip)
    let configuration = scene.configuration(storing: true)
    var newer = configuration
    newer.context.appVersion = AppVersion("2.0")
    let client = try ContentClient(newer)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/tulip") == "Tulip")
    try scene.publish(
      Self.tulip.merging(["entries/product/rose.yaml": "title: Swear word\n"]) { $1 })
    let other = try ContentClient(configuration)
    #expect(await other.refreshed().isUpdated)
    #expect(other.snapshot.release == 2 && other.title("product/tulip") == nil)
    try purgeRose(scene)
    scene.loseObjects(status: 503)
    #expect(await other.refreshed().failure != nil)
    #expect(await client.refreshed().failure != nil)
    #expect(client.snapshot.release == 1 && client.title("product/tulip") == "Tulip")
    #expect(client.title("product/rose") == nil && client.title("product/iris") == "Iris")
  }

  /// A part of a split bundle with nothing but the purged entry is of no use.
  @Test func aBundleOfPurgedEntriesAloneIsRemovedAtOnce() async throws {
    let scene = try ClientScene(["entries/product/rose.yaml": "title: Swear word\n"])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let snapshot = client.snapshot
    #expect(try await snapshot.entries(loading: "product").count == 2)
    let parts = ["product/rose", "product/iris"].compactMap { name in
      BundleName(name).flatMap { snapshot.content?.object(of: $0)?.object }
    }
    try #require(parts.count == 2)
    try purgeRose(scene)
    scene.loseObjects(status: 503)
    #expect(await client.refreshed().failure != nil)
    let left = scene.storage.objects().map(\.object)
    #expect(!left.contains(parts[0]) && left.contains(parts[1]))
    #expect(try await client.snapshot.entries(loading: "product").count == 1)
    await #expect(throws: ContentError.self) {
      try await client.snapshot.entries(loading: "product/rose")
    }
    #expect(try ContentClient(scene.configuration(storing: true)).title("product/iris") == "Iris")
  }

  /// The app ships with an older release, which is whole.
  @Test func aPurgedPartGivesNoWayToOlderContent() async throws {
    let scene = try ClientScene()
    var configuration = scene.configuration(storing: true)
    configuration.eager = ["product"]
    configuration.baked = try scene.bake()
    try scene.publish(["entries/product/rose.yaml": "title: Swear word\n"])
    let first = try ContentClient(configuration)
    #expect(await first.refreshed().isUpdated)
    try purgeRose(scene)
    scene.loseObjects(status: 503)
    #expect(await first.refreshed().failure != nil)
    let client = try ContentClient(configuration)
    #expect(client.snapshot.release == 2)
    #expect(client.snapshot.entry("product/iris", in: "product")?["title"] == "Iris")
    #expect(client.snapshot.entry("product/rose", in: "product") == nil)
  }

  /// A purge removes a bundle at once that has no other entries.
  @Test func aPurgedBundleGivesNoWayToOlderContent() async throws {
    let scene = try ClientScene()
    var configuration = scene.configuration(storing: true)
    configuration.baked = try scene.bake()
    try scene.publish(["entries/product/rose.yaml": "title: Swear word\n"])
    let first = try ContentClient(configuration)
    #expect(await first.refreshed().isUpdated)
    try scene.place.purge(
      PurgeOrder(
        .entries(["product/rose", "product/iris", "product/lily"]), reason: "A swear word"))
    scene.loseObjects(status: 503)
    #expect(await first.refreshed().failure != nil)
    #expect(try ContentClient(configuration).snapshot.release == 2)
  }

  @Test func aMinimumReleaseHidesEverything() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let config = try scene.config {
      $0["release"] = 2
      $0["indexes"] = ["en": ["any": .data([UInt8](repeating: 7, count: 32))]]
      $0["purge"] = ["sequence": 1, "minimumRelease": 2, "objects": [], "entries": []]
    }
    try scene.serve(config: config)
    _ = await scene.end(client.refresh(.context))
    #expect(client.state == .withdrawn && client.title("product/iris") == nil)
    scene.goOffline()
    #expect(try scene.client(storing: true).title("product/iris") == nil)
  }

  @Test func itemsThatNameAPurgedEntryAreHidden() {
    let value: Value = [
      "products": ["product/rose", "product/iris"],
      "cards": [
        ["link": ["entry": "product/rose"], "text": "Swear word"], ["text": "See product/rose"],
      ],
      "sections": [["title": "All", "products": ["product/rose", "product/iris"]]],
      "hero": "product/rose",
    ]
    let expected: Value = [
      "products": ["product/iris"], "cards": [["text": "See product/rose"]],
      "sections": [["title": "All", "products": ["product/iris"]]], "hero": "product/rose",
    ]
    #expect(value.withoutItems { $0.hasSameBytes(as: "product/rose") } == expected)
  }
}

/// Releases of which some objects did not arrive.
@Suite(.signedAndUnsigned, .timeLimit(.minutes(10))) struct HalfLoadedTests {
  private func loseCatalog(_ scene: ClientScene) throws {
    let catalog = try scene.neededObjects()[1]
    scene.serve(catalog) { _ in ContentResponse(status: 503) }
  }

  @Test func aFirstReleaseThatIsNotWholeIsNotShownAfterARestart() async throws {
    let scene = try ClientScene()
    try loseCatalog(scene)
    #expect(await (try scene.client(storing: true)).refreshed().failure != nil)
    let client = try scene.client(storing: true)
    #expect(client.state == .empty && client.snapshot.release == 0)
    #expect(client.snapshot.freshness == .stale(since: nil))
    scene.goOnline()
    #expect(await client.refreshed().isUpdated)
    #expect(client.state == .content && client.title("product/rose") == "Rose")
  }

  @Test func norIsOneWhoseBundleFoundNoRoomOnTheDisk() async throws {
    for writes in 0..<30 {
      let scene = try ClientScene()
      let storage = EndingStorage(scene.storage, after: writes)
      let full = try ContentClient(scene.configuration(storing: true), storage: storage)
      _ = await full.refreshed()
      let client = try scene.client(storing: true)
      #expect(
        (client.state == .content) == (client.title("product/rose") == "Rose"), "\(writes)")
      if !storage.hasEnded { return }
    }
    Issue.record("no refresh ended by itself")
  }

  @Test func aReleaseOnTrialDoesNotGiveWayToAHalfLoadedOne() async throws {
    let scene = try ClientScene()
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    _ = first.title("product/rose")
    #expect(try await scene.stores { $0.trial?.starts == 1 })
    let second = try scene.client(storing: true)
    #expect(second.title("product/rose") == "Rose")
    #expect(try await scene.stores { $0.trial?.starts == 2 })
    try scene.publishAnother()
    try loseCatalog(scene)
    #expect(await second.refreshed().failure != nil)
    let third = try scene.client(storing: true)
    #expect(third.snapshot.release == 1 && third.title("product/rose") == "Rose")
  }

  /// An update of the app wants another bundle at once.
  @Test func aBundleThatANewerAppWantsHidesNoOthers() async throws {
    let settings = ["content.yaml": Shop.project("  extra: {include: product/*}")]
    let scene = try ClientScene(settings)
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    scene.goOffline()
    var configuration = scene.configuration(storing: true)
    configuration.eager = ["catalog", "extra"]
    let client = try ContentClient(configuration)
    #expect(client.state == .content && client.title("product/rose") == "Rose")
    #expect(client.snapshot.freshness == .stale(since: scene.clock.now), "a bundle is missing")
    scene.goOnline()
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.isStored("extra"))
    guard case .fresh = client.snapshot.freshness else {
      Issue.record("\(client.snapshot.freshness)")
      return
    }
  }
}
