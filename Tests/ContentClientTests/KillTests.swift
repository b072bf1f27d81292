import ContentClientTesting
import ContentModel
import ContentPurging
import PropertyLists
import SiteFormat
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Refreshes that end at any write, as if the process was killed.
@Suite(.signedAndUnsigned) struct KillTests {
  private static let changes = [
    "entries/product/rose.yaml": "title: New\n", "entries/product/iris.yaml": "title: New\n",
  ]

  /// Returns a scene with a second release, and a client that shows the first one and whose writes
  /// fail after some.
  private static func scene(
    endingAfter writes: Int
  ) async throws -> (ClientScene, EndingStorage, ContentClient) {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    try scene.publish(changes)
    let storage = EndingStorage(FolderStorage("\(scene.scratch.path)/store"), after: writes)
    return (
      scene, storage, try ContentClient(scene.configuration(storing: true), storage: storage)
    )
  }

  @Test func showsTheOldOrTheNewReleaseAfterAKillAtAnyWrite() async throws {
    var ends: Set<String> = []
    for writes in 0..<40 {
      let (scene, dying, killed) = try await Self.scene(endingAfter: writes)
      _ = await killed.refreshed()
      scene.goOffline()
      let client = try scene.client(storing: true)
      let titles = ["product/rose", "product/iris"].map { client.title($0)?.text ?? "-" }
      #expect([["Rose", "Iris"], ["New", "New"]].contains(titles), "\(writes): \(titles)")
      ends.insert(titles[0])
      scene.goOnline()
      _ = await client.refreshed()
      #expect(client.title("product/rose") == "New", "\(writes)")
      if !dying.hasEnded { break }
    }
    #expect(ends == ["Rose", "New"])
  }

  /// Another process refreshes between any two writes of this one.
  @Test func mergesWithAnotherProcessAtAnyWrite() async throws {
    for writes in 0..<40 {
      let (scene, dying, killed) = try await Self.scene(endingAfter: writes)
      let other = try scene.client(storing: true)
      _ = await killed.refreshed()
      try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
      _ = await other.refreshed()
      _ = await killed.refreshed()
      scene.goOffline()
      let client = try scene.client(storing: true)
      #expect(client.title("product/rose") == nil && client.title("product/iris") == "New")
      if !dying.hasEnded { break }
    }
  }
}

/// A storage whose writes fail after a number of them, as if the process was killed or the disk was
/// full.
final class EndingStorage: ContentStorage {
  private let storage: any ContentStorage
  private let left: Locked<Int>
  private let beforeWrite: @Sendable () -> Void

  init(
    _ storage: any ContentStorage, after writes: Int = .max,
    beforeWrite: @escaping @Sendable () -> Void = {}
  ) {
    (self.storage, left, self.beforeWrite) = (storage, Locked(writes), beforeWrite)
  }

  var hasEnded: Bool { left.current < 0 }

  private func countWrite() throws(ContentError) {
    beforeWrite()
    let mayWrite = left.withLock { left in
      left -= 1
      return left >= 0
    }
    if !mayWrite { throw ContentError(.storage, because: "the disk is full") }
  }

  func state() throws(ContentError) -> StoredState? { try storage.state() }

  func exclusively<Result>(
    waits: Bool, _ work: () throws(ContentError) -> Result
  ) throws(ContentError) -> Result? {
    try storage.exclusively(waits: waits, work)
  }

  func store(_ state: StoredState, isDurable: Bool) throws(ContentError) {
    try countWrite()
    try storage.store(state, isDurable: isDurable)
  }

  func store(_ journal: Journal, isDurable: Bool) throws(ContentError) {
    try countWrite()
    try storage.store(journal, isDurable: isDurable)
  }

  var unit: String? { storage.unit }

  func unit(drawnBy random: any ContentRandom) -> String? {
    (try? countWrite()) == nil ? nil : storage.unit(drawnBy: random)
  }

  func journal() -> Journal { storage.journal() }
  func bytes(of object: SiteObject) -> [UInt8]? { storage.bytes(of: object) }
  func contains(_ object: SiteObject, size: Int?) -> Bool { storage.contains(object, size: size) }
  func holds(_ object: SiteObject, size: Int?) -> Bool { storage.holds(object, size: size) }

  func takeDamagedObjects() -> [SiteObject] { storage.takeDamagedObjects() }

  func store(_ bytes: [UInt8], of object: SiteObject) throws(ContentError) {
    try countWrite()
    try storage.store(bytes, of: object)
  }

  func remove(_ object: SiteObject) { if (try? countWrite()) != nil { storage.remove(object) } }
  func objects() -> [(object: SiteObject, size: Int)] { storage.objects() }
  func path(of object: SiteObject) -> String? { storage.path(of: object) }
  func removeAbandonedFiles() { storage.removeAbandonedFiles() }
  var stamp: Int { storage.stamp }
}
