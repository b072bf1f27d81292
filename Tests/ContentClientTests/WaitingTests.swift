import ContentClientTesting
import ContentModel
import SiteFormat
import SystemC
import Testing

@testable import ContentClient

/// Reading beside a refresh that does not get on.
@Suite(.timeLimit(.minutes(2))) struct WaitingTests {
  private func expectToRead(
    _ client: ContentClient, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(client.title("product/rose") == "Rose", sourceLocation: sourceLocation)
    #expect(client.snapshot.entries(in: "catalog").count == 2, sourceLocation: sourceLocation)
    #expect(client.state == .content, sourceLocation: sourceLocation)
    #expect(client.changes(since: client.token).bundles?.isEmpty == true)
  }

  @Test func readsWhileTheServerIsSilent() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    _ = scene.requests()
    scene.transport.answer { _ throws(TransportFailure) -> ContentResponse in
      try? await Task.sleep(for: .seconds(3_600))
      throw .cancelled
    }
    let task = client.refresh(.launch)
    while scene.transport.requests.isEmpty { await Task.yield() }
    expectToRead(client)
    task.cancel()
    #expect(await task.outcome.failure?.kind == .cancelled)
  }

  /// The first reading of a release on trial is counted, the second one in a second looks for other
  /// processes, and both read no more than the content.
  @Test func readsBeforeTheDiskWasWrittenTo() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let isSlow = Locked(true)
    let storage = StallingStorage(FolderStorage(scene.store)) {
      // A client that waits makes the test fail, but not wait for ever.
      for _ in 0..<3_000 where isSlow.current { usleep(1_000) }
    }
    let start = ContinuousClock.now
    let client = try ContentClient(scene.configuration(storing: true), storage: storage)
    #expect(client.title("product/rose") == "Rose")
    for _ in 0..<3 {
      scene.clock.advance(by: 2)
      #expect(client.title("product/rose") == "Rose" && client.state == .content)
    }
    #expect(ContinuousClock.now - start < .seconds(2))
    isSlow.withLock { $0 = false }
    #expect(try await scene.stores { $0.trial?.starts == 1 })
    // The journal is read once.
    _ = client.changes(since: client.token)
    isSlow.withLock { $0 = true }
    let later = ContinuousClock.now
    #expect(client.changes(since: client.token).bundles?.isEmpty == true)
    #expect(ContinuousClock.now - later < .seconds(1))
    isSlow.withLock { $0 = false }
  }

  @Test func readsWhileTheDiskIsSlow() async throws {
    let scene = try ClientScene()
    let (isSlow, isWaiting) = (Locked(false), Locked(false))
    let storage = EndingStorage(FolderStorage(scene.store)) {
      while isSlow.current {
        isWaiting.withLock { $0 = true }
        usleep(1_000)
      }
    }
    let client = try ContentClient(scene.configuration(storing: true), storage: storage)
    #expect(await client.refreshed().isUpdated)
    expectToRead(client)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    isSlow.withLock { $0 = true }
    let task = client.refresh(.launch)
    while !isWaiting.current { await Task.yield() }
    expectToRead(client)
    isSlow.withLock { $0 = false }
    #expect(await task.outcome.isUpdated)
    #expect(client.title("product/rose") == "New")
  }
}

/// A storage that waits before it writes, and before it reads anything but content.
final class StallingStorage: ContentStorage {
  private let storage: FolderStorage
  private let wait: @Sendable () -> Void
  /// `true` after the opening, which reads the state.
  private let isOpen = Locked(false)
  private let noted = Locked<[SiteObject]>([])

  init(_ storage: FolderStorage, wait: @escaping @Sendable () -> Void) {
    (self.storage, self.wait) = (storage, wait)
  }

  func state() throws(ContentError) -> StoredState? {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = true }
      return isOpen
    }
    if wasOpen { wait() }
    return try storage.state()
  }

  func exclusively<Result>(
    waits: Bool, _ work: () throws(ContentError) -> Result
  ) throws(ContentError) -> Result? {
    wait()
    return try storage.exclusively(waits: waits, work)
  }

  func store(_ state: StoredState, isDurable: Bool) throws(ContentError) {
    wait()
    try storage.store(state, isDurable: isDurable)
  }

  func store(_ journal: Journal, isDurable: Bool) throws(ContentError) {
    wait()
    try storage.store(journal, isDurable: isDurable)
  }

  func journal() -> Journal {
    wait()
    return storage.journal()
  }

  func bytes(of object: SiteObject) -> [UInt8]? { storage.bytes(of: object) }
  func contains(_ object: SiteObject, size: Int?) -> Bool { storage.contains(object, size: size) }
  func holds(_ object: SiteObject, size: Int?) -> Bool { storage.holds(object, size: size) }
  func takeDamagedObjects() -> [SiteObject] { storage.takeDamagedObjects() }

  func store(_ bytes: [UInt8], of object: SiteObject) throws(ContentError) {
    wait()
    try storage.store(bytes, of: object)
  }

  func remove(_ object: SiteObject) { storage.remove(object) }
  func objects() -> [(object: SiteObject, size: Int)] { storage.objects() }
  func path(of object: SiteObject) -> String? { storage.path(of: object) }
  func removeAbandonedFiles() { storage.removeAbandonedFiles() }

  /// The noted uses of objects.
  var uses: [SiteObject] { noted.current }

  func forgetUses() { noted.withLock { $0 = [] } }

  func noteUse(of object: SiteObject) {
    noted.withLock { $0.append(object) }
    storage.noteUse(of: object)
  }

  var stamp: Int {
    wait()
    return storage.stamp
  }
}
