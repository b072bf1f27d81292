import ContentClientTesting
import ContentPurging
import ContentTargets
import SystemC
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The content that an app ships with, beside what it loaded.
@Suite struct BakedContentTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  private func client(baked: String) throws -> ContentClient {
    var configuration = scene.configuration(storing: true)
    configuration.baked = baked
    return try ContentClient(configuration)
  }

  @Test func showsBakedContentWithoutARequest() throws {
    let baked = try scene.bake()
    scene.goOffline()
    let client = try client(baked: baked)
    #expect(client.state == .content && client.snapshot.release == 1)
    #expect(client.title("product/rose") == "Rose")
    #expect(client.snapshot.entry("screen/home")?.reference("hero")?["title"] == "Iris")
    #expect(scene.requests().isEmpty)
  }

  /// Config is requested without a condition; what is baked is not requested again.
  @Test func asksOnceIfBakedContentIsTheNewest() async throws {
    let client = try client(baked: try scene.bake())
    _ = await client.refreshed()
    #expect(client.title("product/rose") == "Rose")
    #expect(scene.requests() == ["production/config.plist"])
  }

  @Test func showsLoadedContentThatIsNewer() async throws {
    let baked = try scene.bake()
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    #expect(await (try client(baked: baked)).refreshed().isUpdated)
    scene.goOffline()
    #expect(try client(baked: baked).title("product/rose") == "New")
  }

  @Test func bakedContentBelowThePurgeFloorIsNotShown() async throws {
    let baked = try scene.bake()
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    // More entries than config can name: everything below this release is withdrawn.
    try scene.publish([
      "entries/product.yaml": (0..<80).map { "p\($0): {title: Swear word}\n" }.joined()
    ])
    try scene.place.purge(
      PurgeOrder(.entries((0..<80).map { "product/p\($0)" }), reason: "Swear words"))
    let client = try client(baked: baked)
    #expect(client.title("product/rose") == "Rose")
    #expect(await client.refreshed().isUpdated)
    scene.removeStoredObjects()
    scene.goOffline()
    let again = try self.client(baked: baked)
    #expect(again.snapshot.release == 0 && again.title("product/rose") == nil)
    #expect(again.state != .content)
  }

  /// The received release is complete in both languages, and older than the one in the app.
  @Test func anotherLanguageIsThatOfTheBakedRelease() async throws {
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    #expect(await first.select(ReaderContext(locales: ["fr"])).isUpdated)
    #expect(await first.select(ReaderContext(locales: ["en"])).isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    let baked = try scene.bake()
    scene.goOffline()
    let client = try client(baked: baked)
    #expect(client.snapshot.release == 2)
    #expect(await client.select(ReaderContext(locales: ["fr"])).isUpdated)
    #expect(client.snapshot.release == 2 && client.snapshot.locale == "fr")
  }

  /// An update of the app brings a purge of everything that the stored config does not know.
  @Test func aBakedPurgeRemovesStoredObjects() async throws {
    try scene.publish([
      "entries/product.yaml": (0..<80).map { "p\($0): {title: Swear word}\n" }.joined()
    ])
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    func wordsAreStored() -> Bool {
      scene.storage.objects().compactMap { scene.storage.bytes(of: $0.object) }
        .contains { String(decoding: $0, as: UTF8.self).contains("Swear word") }
    }
    #expect(wordsAreStored())
    try scene.place.purge(
      PurgeOrder(.entries((0..<80).map { "product/p\($0)" }), reason: "Swear words"))
    let baked = try scene.bake()
    scene.goOffline()
    let client = try client(baked: baked)
    #expect(client.title("product/rose") == "Rose")
    await client.refresher.mendStorage()
    #expect(!wordsAreStored())
  }

  /// The channel was restored from a backup: the app ships with a release of the time before.
  @Test func bakedContentOfBeforeALowerReleaseIsNotShown() async throws {
    let old = try #require(scene.memory.read("production/config.plist")).bytes
    try scene.publish(["entries/product/rose.yaml": "title: Baked\n"])
    let baked = try scene.bake()
    let memory = scene.memory
    scene.transport.answer { request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: old) : ClientScene.answer(request, from: memory)
    }
    let first = try client(baked: baked)
    #expect(first.title("product/rose") == "Baked")
    for _ in 0..<50 {
      _ = await first.refreshed()
      scene.clock.advance(by: 3600)
    }
    #expect(first.title("product/rose") == "Rose" && first.snapshot.release == 1)
    let again = try client(baked: baked)
    #expect(again.title("product/rose") == "Rose" && again.snapshot.release == 1)
    #expect(await again.refreshed().isUnchanged)
  }

  @Test func purgedEntriesOfBakedContentAreHidden() async throws {
    let baked = try scene.bake()
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    #expect(await (try client(baked: baked)).refreshed().isUpdated)
    scene.removeStoredObjects()
    scene.goOffline()
    let again = try client(baked: baked)
    #expect(again.title("product/rose") == nil && again.title("product/iris") == "Iris")
  }

  @Test func damagedBakedContentCountsAsAbsent() async throws {
    let baked = try scene.bake()
    for path in FolderFile.names(in: "\(baked)/objects").flatMap({ part in
      FolderFile.names(in: "\(baked)/objects/\(part)").map { "\(baked)/objects/\(part)/\($0)" }
    }) {
      var bytes = try #require(FolderFile.contents(path, limit: 1 << 20))
      bytes[bytes.count / 2] ^= 1
      try FolderFile.replace(path, with: bytes, isDurable: false)
    }
    let client = try client(baked: baked)
    #expect(client.title("product/rose") == nil)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Rose")
  }
}
