import ContentClientTesting
import ContentModel
import ContentPurging
import ContentTargets
import PropertyLists
import SiteFormat
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Purges that reach screens and the disk in spite of slow disks, kills and lower releases.
@Suite(.timeLimit(.minutes(10))) struct PurgeReachTests {
  private static let swear = ["entries/product/rose.yaml": "title: Swear word\n"]

  /// The process that received the purge of everything has ended.
  @Test func aPurgeOfEverythingStaysInForceAfterALowerRelease() async throws {
    let scene = try ClientScene()
    let old = try #require(scene.memory.read("production/config.plist")).bytes
    try scene.publish(["entries/product/rose.yaml": "title: Swear word\n"])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: Third\n"])
    let purge = try scene.config { $0["purge"] = ["sequence": 1, "minimumRelease": 3] }
    func answer(_ config: [UInt8]) {
      scene.transport.answer { request in
        request.url.hasSuffix("config.plist")
          ? ContentResponse(status: 200, body: config) : ContentResponse(status: 503)
      }
    }
    answer(purge)
    _ = await client.refreshed()
    #expect(client.title("product/rose") == nil)
    answer(old)
    for _ in 0..<50 {
      _ = await client.refreshed()
      scene.clock.advance(by: 3600)
    }
    #expect(await client.refresher.state.generation == 1)
    #expect(try scene.client(storing: true).title("product/rose") == nil)
  }

  private func purgeRose(_ scene: ClientScene) throws {
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
  }

  /// Another process has the lock, and is suspended.
  @Test func hidesEntriesBeforeTheStateIsStored() async throws {
    let scene = try ClientScene(Self.swear)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let held = client.snapshot
    #expect(held.entry("product/rose") != nil)
    try purgeRose(scene)
    scene.loseObjects(status: 500)
    let lock = open("\(scene.store)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
    let task = client.refresh(.launch)
    #expect(await eventually { held.entry("product/rose") == nil })
    close(lock)
    #expect(await task.outcome.failure != nil)
  }

  private func holdsSwearWord(_ scene: ClientScene) -> Bool {
    scene.storage.objects().contains { object, _ in
      let path = "\(scene.store)/\(object.path)"
      return FolderFile.contents(path, limit: 1 << 20).map {
        String(decoding: $0, as: UTF8.self).contains("Swear word")
      } ?? false
    }
  }

  /// The process is killed at a write between the purge and the release that follows it.
  ///
  /// With `checks`, the next process checks config.
  @Test(arguments: [true, false]) func finishesThePurgeOfAKilledProcess(checks: Bool) async throws {
    for writes in 0..<60 {
      let scene = try ClientScene(Self.swear)
      #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
      #expect(holdsSwearWord(scene))
      try purgeRose(scene)
      let storage = EndingStorage(FolderStorage(scene.store), after: writes)
      let killed = try ContentClient(scene.configuration(storing: true), storage: storage)
      _ = await killed.refreshed()
      let knowsPurge = try scene.storage.state()?.purgeSequence == 1
      let showsNext = try scene.storage.state()?.shown?.release == 2
      let client = try scene.client(storing: true)
      if knowsPurge { #expect(client.title("product/rose") == nil, "\(writes)") }
      if checks { _ = await client.refreshed() }
      if checks || showsNext {
        #expect(await eventually { !holdsSwearWord(scene) }, "\(writes)")
      }
      #expect(client.title("product/iris") == "Iris", "\(writes)")
      withExtendedLifetime(client) {}
      if !storage.hasEnded { return }
    }
    Issue.record("no refresh ended by itself")
  }

  /// Releases and purges were restored from a backup: the numbers begin again.
  @Test func staysInForceForHeldSnapshotsAfterALowerRelease() async throws {
    let scene = try ClientScene()
    let old = try #require(scene.memory.read("production/config.plist")).bytes
    try scene.publish(Self.swear)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let held = client.snapshot
    #expect(held.release == 2 && held.entry("product/rose") != nil)
    try purgeRose(scene)
    #expect(await client.refreshed().isUpdated)
    #expect(held.entry("product/rose") == nil)
    let memory = scene.memory
    scene.transport.answer { request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: old) : ClientScene.answer(request, from: memory)
    }
    for _ in 0..<49 {
      _ = await client.refreshed()
      scene.clock.advance(by: 3600)
    }
    #expect(client.snapshot.release == 1 && client.title("product/rose") == "Rose")
    #expect(held.entry("product/rose") == nil && held.entry("product/iris") != nil)
    // A purge of the new count reaches the snapshots of before it, too.
    var forged = try #require(try PropertyList.decode(old).value.members)
    forged["release"] = 2
    forged["purge"] = ["sequence": 1, "entries": ["product/iris"]]
    let purge = try PropertyList.encode(.dictionary(forged), as: .binary)
    try scene.serve(config: purge)
    _ = await client.refreshed()
    #expect(held.entry("product/iris") == nil && held.entry("product/rose") == nil)
  }

  /// The purge withdraws a held release with a higher number.
  ///
  /// A minimum that the backup restores does not.
  @Test(arguments: [0, 2] as [Int64])
  func aPurgeOfEverythingAfterALowerReleaseReachesHeldSnapshots(restored minimum: Int64)
    async throws
  {
    let scene = try ClientScene()
    func config(release: Int64? = nil, purge: Int64, minimum: Int64) throws -> [UInt8] {
      try scene.config {
        if let release { $0["release"] = .integer(release) }
        $0["purge"] = ["sequence": .integer(purge), "minimumRelease": .integer(minimum)]
      }
    }
    try scene.publish(["entries/product/rose.yaml": "title: Second\n"])
    let restored = try config(purge: 1, minimum: minimum)
    let later = try config(release: 3, purge: 2, minimum: 3)
    try scene.publish(["entries/product/rose.yaml": "title: Third\n"])
    try scene.serve(config: try config(purge: 1, minimum: minimum))
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let held = client.snapshot
    try scene.serve(config: restored)
    for _ in 0..<50 {
      _ = await client.refreshed()
      scene.clock.advance(by: 3600)
    }
    #expect(client.title("product/rose") == "Second" && client.snapshot.release == 2)
    #expect(held.release == 3 && held.entry("product/iris") != nil)
    try scene.serve(config: later)
    _ = await client.refreshed()
    #expect(held.entry("product/iris") == nil)
    #expect(client.title("product/rose") == "Second" && client.snapshot.release == 3)
  }

  /// The connection ends before the release of the purge arrives, and the process ends, too.
  @Test func aPurgeOfEverythingAfterALowerReleaseRemovesEarlierPictures() async throws {
    let scene = try ClientScene()
    let old: [UInt8] = try scene.config
    try scene.publish(KeptContentTests.pictures)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let picture = try #require(
      client.snapshot.entry("product/rose", in: "catalog")?.asset("picture"))
    let path = try await client.snapshot.file(of: picture)
    func answer(_ config: [UInt8]) {
      scene.transport.answer { request throws(TransportFailure) -> ContentResponse in
        guard request.url.hasSuffix("config.plist") else { throw .unreachable }
        return ContentResponse(status: 200, body: config)
      }
    }
    answer(old)
    for _ in 0..<50 {
      _ = await client.refreshed()
      scene.clock.advance(by: 3600)
    }
    #expect(await client.refresher.state.generation == 1)
    #expect(client.snapshot.release == 2 && access(path, F_OK) == 0)
    var purge = try #require(try PropertyList.decode(old).value.members)
    purge["release"] = 2
    purge["purge"] = ["sequence": 1, "minimumRelease": 2]
    answer(try PropertyList.encode(.dictionary(purge), as: .binary))
    #expect(await client.refreshed().failure?.kind == .unreachable)
    #expect(client.state == .withdrawn)
    scene.goOffline()
    let next = try scene.client(storing: true)
    #expect(await eventually { access(path, F_OK) != 0 })
    withExtendedLifetime(next) {}
  }

  /// A purged bundle was kept for the entries that nobody purged, and a lower release counts before
  /// the release without it arrived.
  @Test func aLowerReleaseRemovesThePurgedBundlesThatWereKept() async throws {
    let scene = try ClientScene()
    let old = try #require(scene.memory.read("production/config.plist")).bytes
    try scene.publish(Self.swear)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try purgeRose(scene)
    scene.loseObjects(status: 503)
    #expect(await client.refreshed().failure != nil)
    #expect(holdsSwearWord(scene), "a bundle is kept")
    scene.transport.answer { request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: old) : ContentResponse(status: 503)
    }
    for _ in 0..<50 {
      _ = await client.refreshed()
      scene.clock.advance(by: 3600)
    }
    #expect(await client.refresher.state.generation == 1)
    #expect(!holdsSwearWord(scene))
    #expect(try scene.client(storing: true).title("product/rose") == nil)
  }

  @Test func emptiesHeldEntries() async throws {
    let scene = try ClientScene(Self.swear)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let rose = try #require(client.snapshot.entry("product/rose", in: "catalog"))
    let iris = try #require(client.snapshot.entry("product/iris", in: "catalog"))
    #expect(rose["title"] == "Swear word")
    try purgeRose(scene)
    scene.loseObjects(status: 500)
    #expect(await client.refreshed().failure != nil)
    #expect(rose["title"] == nil && rose.fields.isEmpty && rose.reference("title") == nil)
    struct Product: Decodable { var title: String }
    #expect(throws: (any Error).self) { try rose.decode(Product.self) }
    #expect(iris["title"] == "Iris")
  }
}
