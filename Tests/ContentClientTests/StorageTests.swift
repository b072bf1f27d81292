import ContentClientTesting
import ContentModel
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient

@Suite struct StorageTests {
  /// firebase-ios-sdk #4677 and others: an ETag survives a restored backup, its content does not.
  @Test func sendsNoEntityTagWithoutItsContent() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    for name in FolderFile.names(in: "\(scene.scratch.path)/store/objects") {
      for file in FolderFile.names(in: "\(scene.scratch.path)/store/objects/\(name)") {
        unlink("\(scene.scratch.path)/store/objects/\(name)/\(file)")
      }
    }
    let client = try scene.client(storing: true)
    #expect(client.state == .empty)
    scene.transport.forgetRequests()
    #expect(await client.refreshed().isUpdated)
    #expect(scene.transport.requests.allSatisfy { $0.entityTag == nil })
    #expect(client.title("product/rose") == "Rose")
  }

  @Test func showsStoredContentOffline() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    scene.goOffline()
    _ = scene.requests()
    let client = try scene.client(storing: true)
    #expect(client.state == .content && client.title("product/rose") == "Rose")
    #expect(scene.requests().isEmpty)
    #expect(await client.refreshed().failure?.kind == .unreachable)
    #expect(client.title("product/rose") == "Rose")
  }

  @Test func startsAnewForAnotherChannel() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    var configuration = scene.configuration(storing: true)
    configuration.channel = "qa"
    #expect(try ContentClient(configuration).state == .empty)
  }

  /// Every byte of the state is damaged once; nothing traps, and a refresh repairs it.
  @Test func damagedStateCountsAsAbsent() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let path = "\(scene.scratch.path)/store/state.plist"
    let good = try #require(FolderFile.contents(path, limit: 1 << 20))
    for place in stride(from: 0, to: good.count, by: 7) {
      var bad = good
      bad[place] ^= 0xFF
      try FolderFile.replace(path, with: bad, isDurable: false)
      let client = try scene.client(storing: true)
      #expect([.content, .empty, .withdrawn].contains(client.state))
    }
    try FolderFile.replace(path, with: Array(good.prefix(good.count / 2)), isDurable: false)
    let client = try scene.client(storing: true)
    #expect(client.state == .empty)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Rose")
  }

  @Test func damagedObjectsAreLoadedAgain() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let store = FolderStorage("\(scene.scratch.path)/store")
    for (object, _) in store.objects() {
      let path = try #require(store.path(of: object))
      var bytes = try #require(FolderFile.contents(path, limit: 1 << 20))
      bytes[bytes.count / 2] ^= 1
      try FolderFile.replace(path, with: bytes, isDurable: false)
    }
    let client = try scene.client(storing: true)
    #expect(client.title("product/rose") == nil)
    _ = await client.refreshed()
    #expect(client.title("product/rose") == "Rose")
  }

  @Test func evictsWhatIsNotNeededAboveTheLimit() async throws {
    let scene = try ClientScene()
    var configuration = scene.configuration(storing: true)
    configuration.limits.storage = 1
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    try await client.prefetch(["product"])
    let store = FolderStorage("\(scene.scratch.path)/store")
    // The index, the catalog and the texts for maintenance stay.
    #expect(store.objects().count == 3, "\(store.objects().map(\.object.path))")
    #expect(client.title("product/rose") == "Rose")
  }
}
