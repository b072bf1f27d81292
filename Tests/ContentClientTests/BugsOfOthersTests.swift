import ContentClientTesting
import ContentModel
import ContentPurging
import SiteFormat
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The failures that users of other clients report most often, one test for each.
@Suite(.timeLimit(.minutes(2))) struct BugsOfOthersTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  /// Returns a client that stores and shows release 1.
  private func client() async throws -> ContentClient {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    return client
  }

  /// A restored backup has the `ETag` but not the content, so the server answers 304 for ever, and
  /// the app stays empty (firebase-ios-sdk #4677, #14459, #15764).
  @Test(arguments: [true, false])
  func noEntityTagSurvivesWithoutItsContent(removesAll: Bool) async throws {
    _ = try await client()
    if removesAll {
      scene.removeStoredObjects()
    } else {
      let (object, _) = try #require(FolderStorage(scene.store).objects().first)
      unlink("\(scene.store)/\(object.path)")
    }
    let restored = try scene.client(storing: true)
    scene.transport.forgetRequests()
    #expect(await restored.refreshed().failure == nil)
    #expect(scene.transport.requests.allSatisfy { $0.entityTag == nil })
    #expect(restored.title("product/rose") == "Rose" && restored.state == .content)
  }

  /// The first screen waits for a database that another process, or a slow disk, keeps busy
  /// (firebase-ios-sdk #15394, #15140).
  @Test func openingAndReadingNeverWait() async throws {
    _ = try await client()
    // The state has a trial, so opening counts a start.
    let lock = open("\(scene.store)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
    defer { close(lock) }
    // A client that waits makes the test fail, but not wait for ever.
    let release = Task {
      try? await Task.sleep(for: .seconds(120))
      flock(lock, LOCK_UN)
    }
    let start = ContinuousClock.now
    let client = try scene.client(storing: true)
    #expect(client.title("product/rose") == "Rose" && client.state == .content)
    #expect(ContinuousClock.now - start < .seconds(10))
    // A refresh waits for the lock; readers do not wait for the refresh.
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    let task = client.refresh(.launch)
    for _ in 0..<100 {
      #expect(client.title("product/rose") == "Rose" && client.snapshot.release == 1)
      await Task.yield()
    }
    release.cancel()
    #expect(await task.outcome.isUpdated)
    await release.value
  }

  /// A device without a network counts failures, and waits for minutes once there is a network
  /// (firebase-ios-sdk #6628).
  @Test(arguments: [RefreshReason.connection, .user, .launch])
  func checksAtOnceAfterBeingOffline(reason: RefreshReason) async throws {
    let client = try await client()
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    scene.goOffline()
    for _ in 0..<20 {
      scene.clock.advance(by: 600)
      #expect(await client.refresh(.schedule).outcome.isUpdated == false)
    }
    scene.goOnline()
    scene.clock.advance(by: 5)
    #expect(await client.refresh(reason).outcome.isUpdated)
    #expect(client.title("product/rose") == "New")
  }

  /// The same for a person who opens the app again: no call of the app is needed.
  @Test func checksAtOnceOnReturnAfterBeingOffline() async throws {
    let client = try await client()
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    scene.goOffline()
    for _ in 0..<20 {
      scene.clock.advance(by: 600)
      _ = await client.refresh(.schedule).outcome
    }
    scene.goOnline()
    client.start()
    _ = await eventually { client.snapshot.release != 1 }
    #expect(client.title("product/rose") == "New")
    client.stop()
  }

  /// The app shows new content only at its next start (safe-ios #1156).
  @Test func newContentIsShownInTheSameStart() async throws {
    _ = try await client()
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    scene.clock.advance(by: 600)
    let again = try scene.client(storing: true)
    var updates = again.updates.makeAsyncIterator()
    again.start()
    let update = await updates.next()
    #expect(update?.reason == .release)
    #expect(update?.snapshot.entry("product/rose", in: "catalog")?["title"] == "New")
    again.stop()
  }

  /// Stored content is deleted, or hidden, because its pointer could not be fetched
  /// (crowdin/mobile-sdk-ios #188).
  @Test(arguments: [200, 301, 403, 404, 410, 429, 500, 503])
  func contentOutlivesAConfigThatCannotBeFetched(status: Int) async throws {
    _ = try await client()
    scene.transport.answer { _ in
      ContentResponse(status: status, body: Array("<html>Log in</html>".utf8))
    }
    for _ in 0..<3 {
      let client = try scene.client(storing: true)
      #expect(await client.refreshed().failure != nil)
      client.markHealthy()
      #expect(client.title("product/rose") == "Rose" && client.state == .content)
      scene.clock.advance(by: 7200)
    }
  }

  /// An app is updated, but content that the earlier one loaded hides what the new one ships
  /// (react-native-ota-hot-update #116, #122).
  @Test func newerBakedContentIsShown() async throws {
    _ = try await client()
    try scene.publish(["entries/product/rose.yaml": "title: Baked\n"])
    var configuration = scene.configuration(storing: true)
    configuration.baked = try scene.bake()
    scene.goOffline()
    let updated = try ContentClient(configuration)
    #expect(updated.title("product/rose") == "Baked" && updated.snapshot.release == 2)
  }

  /// An update that is incomplete, damaged or empty takes the content away (hot-updater #1200,
  /// firebase-ios-sdk #4700).
  @Test(arguments: [404, 500, 200])
  func anUpdateNeverEmptiesTheScreen(statusOfObjects: Int) async throws {
    let client = try await client()
    #expect(client.title("product/rose") == "Rose")
    // The end of the trial.
    await scene.waitForSleepers(1)
    scene.clock.advance(by: 10)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    scene.loseObjects(status: statusOfObjects)
    let task = client.refresh(.launch)
    // A missing object leads to config three times.
    for _ in 0..<3 where statusOfObjects == 404 {
      await scene.waitForSleepers(1)
      scene.clock.advance(by: 30)
    }
    #expect(await task.outcome.failure != nil)
    for client in [client, try scene.client(storing: true)] {
      #expect(client.title("product/rose") == "Rose" && client.state == .content)
      #expect(client.snapshot.entries(in: "catalog").count == 2)
    }
  }

  /// An old token leads to an error, or to the same answer again and again, so that the app starts
  /// over for ever (IceCream #198, SyncKit #92).
  @Test func anExpiredTokenIsAnsweredOnce() async throws {
    let client = try await client()
    let old = client.changes(since: nil).token
    for number in 0..<34 {
      try scene.publish(["entries/product/rose.yaml": "title: Rose \(number)\n"])
      #expect(await client.refreshed().isUpdated)
    }
    let expired = client.changes(since: old)
    #expect(expired.extent == .everything)
    #expect(client.changes(since: expired.token).extent == .entries(.init()))
    #expect(client.changes(since: ChangeToken("17-another storage")).extent == .everything)
    try scene.publish(["entries/product/rose.yaml": "title: Last\n"])
    #expect(await client.refreshed().isUpdated)
    #expect(client.changes(since: expired.token).changedBundles == ["catalog", "product"])
  }

  /// A token is stored before its content, and changes are lost when the process ends between the
  /// two (sample-cloudkit-privatedb-sync #4).
  @Test func aTokenNeverComesBeforeItsContent() async throws {
    for writes in 0..<40 {
      let scene = try ClientScene()
      let first = try scene.client(storing: true)
      #expect(await first.refreshed().isUpdated)
      let token = first.changes(since: nil).token
      try scene.publish(["entries/product/rose.yaml": "title: New\n"])
      let storage = EndingStorage(FolderStorage(scene.store), after: writes)
      let killed = try ContentClient(scene.configuration(storing: true), storage: storage)
      _ = await killed.refreshed()
      let client = try scene.client(storing: true)
      let changes = client.changes(since: token)
      if client.title("product/rose") == "Rose" {
        #expect(changes.token == token && changes.extent == .entries(.init()), "\(writes)")
      } else {
        #expect(changes.token != token && changes.extent != .entries(.init()), "\(writes)")
      }
      if !storage.hasEnded { return }
    }
    Issue.record("no refresh ended by itself")
  }

  /// Clients poll in the background, at intervals of their own (android-client-sdk #111,
  /// fenix #4612).
  @Test func nothingIsPolledInTheBackground() async throws {
    let client = try await client()
    client.start()
    await scene.waitForSleepers(2)
    client.stop()
    _ = await eventually { scene.clock.sleepers <= 1 }
    _ = scene.requests()
    for _ in 0..<24 {
      scene.clock.advance(by: 3600)
      for _ in 0..<20 { await Task.yield() }
    }
    #expect(scene.clock.sleepers == 0 && scene.requests().isEmpty)
    // Neither does a client that was never started.
    let other = try scene.client()
    scene.clock.advance(by: 86_400)
    #expect(other.state == .empty && scene.requests().isEmpty)
  }

  /// The first start sends a request for each item (contentful.swift #338).
  @Test func aFirstStartOfAThousandEntriesTakesThreeRequests() async throws {
    let scene = try ClientScene([
      "entries/product.yaml": (0..<1000).map { "p\($0): {title: Product \($0)}\n" }.joined()
    ])
    var configuration = scene.configuration(storing: true)
    configuration.eager = []
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.entry("screen/home") != nil)
    #expect(scene.requests().count == 3, "config, the index, and the texts for maintenance")
    #expect(try await client.snapshot.entries(loading: "catalog").count >= 1000)
    #expect(scene.requests().count == 1)
    #expect(await client.refreshed().isUnchanged)
    #expect(scene.requests().count == 1)
    #expect(try ContentClient(configuration).state == .content)
    #expect(scene.requests().isEmpty)
  }
}
