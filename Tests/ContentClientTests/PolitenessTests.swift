import ContentClientTesting
import ContentModel
import ContentTargets
import PropertyLists
import SiteFormat
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Requests that a client does not send, or not now.
@Suite(.timeLimit(.minutes(10))) struct PolitenessTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  /// Answers config, and objects by a function.
  private func serveObjects(_ answer: @escaping @Sendable (ContentResponse) -> ContentResponse) {
    scene.transport.answer { [memory = scene.memory] request in
      let found = ClientScene.answer(request, from: memory)
      return request.url.hasSuffix("config.plist") ? found : answer(found)
    }
  }

  /// Otherwise, a clock that was set back by less than an hour would make the wait as long.
  @Test func retryAfterEndsWithAStartOfTheSystem() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    scene.transport.answer { _ in ContentResponse(status: 503, headers: [("Retry-After", "300")]) }
    #expect(await client.refreshed().failure != nil)
    #expect(await client.refresher.standing.askedSeconds == 300)
    scene.clock.restart()
    scene.clock.set(scene.clock.moment.advanced(by: -3_000).now)
    #expect(await client.refresher.standing.askedSeconds == 0)
  }

  @Test(.signedAndUnsigned) func retryAfterOfAnObjectIsObeyed() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let busy = ContentResponse(status: 503, headers: [("Retry-After", "120")])
    serveObjects { _ in busy }
    await #expect(throws: ContentError.self) { try await client.prefetch(["product"]) }
    scene.goOnline()
    scene.transport.forgetRequests()
    await #expect(throws: ContentError.self) { try await client.prefetch(["product"]) }
    guard case .postponed(let seconds) = await client.refresh(.user).outcome else {
      Issue.record("not postponed")
      return
    }
    #expect(seconds > 100 && scene.transport.requests.isEmpty)
    scene.clock.advance(by: 121)
    try await client.prefetch(["product"])
  }

  /// A server that is busy may answer 404 for an object, and ask to wait.
  @Test func aMissingObjectIsNotRequestedBeforeItsTime() async throws {
    let client = try scene.client(storing: true)
    serveObjects { _ in ContentResponse(status: 404, headers: [("Retry-After", "120")]) }
    let task = client.refresh(.launch)
    let hasEnded = Locked(false)
    Task {
      _ = await task.outcome
      hasEnded.withLock { $0 = true }
    }
    #expect(await eventually { hasEnded.current })
    #expect(scene.requests().count { $0 == "production/config.plist" } == 1)
    guard case .postponed = await client.refresh(.user).outcome else {
      Issue.record("not postponed")
      return
    }
    scene.clock.advance(by: 200)
  }

  /// A purge may have removed the objects; config past all caches shows this.
  @Test(arguments: [true, false])
  func aMissingObjectEndsTheRequestsForOthers(isRefresh: Bool) async throws {
    let products = (10..<50).map { ("entries/product/p\($0).yaml", "title: P\($0)\n") }
    let scene = try ClientScene(Dictionary(uniqueKeysWithValues: products))
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    // This reads no snapshot, which would begin the ten seconds of a trial.
    let list = try #require(first.presenter.release?.index.lists["product"])
    scene.transport.answer { [memory = scene.memory] request in
      request.url.hasSuffix("config.plist") || request.url.hasSuffix(list.path)
        ? ClientScene.answer(request, from: memory) : ContentResponse(status: 404)
    }
    _ = scene.requests()
    if isRefresh {
      var configuration = scene.configuration(storing: true)
      configuration.eager = ["catalog", "product"]
      let client = try ContentClient(configuration)
      let task = client.refresh(.context)
      #expect(await eventually { scene.clock.sleepers > 0 })
      let sent = scene.requests()
      #expect(sent.count == 6, "config, the list, and four parts: \(sent)")
      task.cancel()
      #expect(await task.outcome.failure?.kind == .cancelled)
      #expect(client.state == .content)
    } else {
      await #expect(throws: ContentError.self) { try await first.prefetch(["product"]) }
      let sent = scene.requests()
      #expect(sent.count == 5, "the list and four parts: \(sent)")
    }
  }

  /// Otherwise, each start of an app would ask again.
  @Test(arguments: [401, 403, 404, 200])
  func aRefusalLastsBeyondTheProcess(status: Int) async throws {
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let forged = Array(
      #"{"app": "other", "channel": "production", "format": 1, "release": 2}"#.utf8)
    scene.transport.answer { _ in ContentResponse(status: status, body: forged) }
    let first = try scene.client(storing: true)
    #expect(await first.refresh(.user).outcome.failure != nil)
    _ = scene.requests()
    scene.clock.advance(by: 10)
    for client in [first, try scene.client(storing: true)] {
      for reason in [RefreshReason.launch, .connection, .push, .schedule] {
        guard case .postponed(let seconds) = await client.refresh(reason).outcome else {
          Issue.record("\(reason) is not postponed")
          continue
        }
        #expect(seconds > 500 && seconds <= 600)
      }
      let scheduler = Scheduler(
        client.refresher, presenter: client.presenter, configuration: scene.configuration()
      ) { client.refresh($0) }
      #expect(await scheduler.next().seconds > 500)
    }
    #expect(scene.requests().isEmpty)
    // A person may ask.
    #expect(await first.refresh(.user).outcome.failure != nil)
    scene.goOnline()
    scene.clock.advance(by: 600)
    #expect(await first.refresh(.launch).outcome.failure == nil)
  }

  @Test func failuresAreCountedBeyondTheProcess() async throws {
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    scene.transport.answer { _ in ContentResponse(status: 503) }
    for _ in 0..<8 { #expect(await first.refreshed().failure != nil) }
    let wait = await first.refresher.standing.retrySeconds
    #expect(wait > 0)
    // The last failure may be stored a moment after its refresh has ended.
    #expect(
      try await eventually {
        await (try scene.client(storing: true)).refresher.standing.retrySeconds == wait
      })
    let second = try scene.client(storing: true)
    #expect(await second.refresher.standing.retrySeconds == wait)
    scene.clock.advance(by: 1)
    // After a check that succeeds, neither this process nor the next one waits.
    scene.goOnline()
    #expect(await second.refreshed().failure == nil)
    #expect(await second.refresher.standing.retrySeconds == 0)
    #expect(await (try scene.client(storing: true)).refresher.standing.retrySeconds == 0)
  }

  /// firebase-ios-sdk #6628: a first failure while offline throttles for minutes.
  @Test func noConnectionIsNoFailure() async throws {
    let client = try scene.client(storing: true)
    scene.goOffline()
    for _ in 0..<10 {
      #expect(await client.refresh(.schedule).outcome.failure?.kind == .unreachable)
      #expect(await client.refresher.standing.retrySeconds <= 90)
      scene.clock.advance(by: 90)
    }
    #expect(await client.refresher.lacksConnection)
    scene.goOnline()
    #expect(await client.refresh(.schedule).outcome.isUpdated)
  }

  /// The scheduler does what the system's monitor of the network asks for.
  @Test func aNewNetworkChecksAgain() async throws {
    let client = try scene.client(storing: true)
    let scheduler = Scheduler(
      client.refresher, presenter: client.presenter, configuration: scene.configuration()
    ) { client.refresh($0) }
    scene.goOffline()
    #expect(await client.refreshed().failure?.kind == .unreachable)
    scene.goOnline()
    await scheduler.noteNewNetwork()
    #expect(await client.refreshed().failure == nil)
    #expect(client.state == .content)
    scene.transport.forgetRequests()
    await scheduler.noteNewNetwork()
    #expect(scene.transport.requests.isEmpty)
  }

  @Test func onlyWhatNobodyWaitsForRespectsLowDataMode() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    #expect(scene.transport.requests.allSatisfy { $0.allowsConstrained })
    scene.transport.forgetRequests()
    _ = try await client.snapshot.entries(loading: "product/rose")
    #expect(scene.transport.requests.count == 2)
    #expect(scene.transport.requests.allSatisfy { $0.allowsConstrained })
    scene.transport.forgetRequests()
    try await client.prefetch(["product"])
    #expect(!scene.transport.requests.isEmpty)
    #expect(scene.transport.requests.allSatisfy { !$0.allowsConstrained })
  }

  /// A screen waits for its pictures.
  @Test(arguments: [true, false])
  func aVisiblePictureIsLoadedInLowDataMode(isVisible: Bool) async throws {
    let scene = try ClientScene(StorageTests.pictures)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let rose = try await client.snapshot.entries(loading: "product/rose").first
    let picture = try #require(rose?.asset("picture"))
    scene.transport.forgetRequests()
    if isVisible {
      _ = try await client.snapshot.file(of: picture)
    } else {
      _ = try await client.snapshot.file(of: picture, isVisible: false)
    }
    #expect(scene.transport.requests.map(\.allowsConstrained) == [isVisible])
  }

  @Test func progressCountsNoErrors() async throws {
    let client = try scene.client()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let index = Locked([true])
    scene.transport.answer { [memory = scene.memory] request in
      let found = ClientScene.answer(request, from: memory)
      if request.url.hasSuffix("config.plist") {
        for await _ in gate { break }
        return found
      }
      // The index arrives; for the others, an error with a long page does.
      if index.withLock({ $0.popLast() }) != nil { return found }
      return ContentResponse(status: 500, body: found.body)
    }
    let task = client.refresh(.launch)
    let parts = task.progress
    opening.finish()
    #expect(await task.outcome.failure != nil)
    var last = RefreshTask.Progress()
    for await part in parts { last = part }
    #expect(last.receivedBytes == 0 && last.totalBytes > 0, "\(last)")
    // Also a listener who comes late reaches the end.
    for await _ in task.progress {}
  }

  // MARK: Forged numbers

  /// Serves the index of the channel after a change.
  private func serveIndex(
    eager: [BundleName] = ["catalog"], _ change: (inout Members) -> Void
  ) throws -> ContentClient {
    try scene.serveIndex(change)
    var configuration = scene.configuration()
    configuration.eager = eager
    return try ContentClient(configuration)
  }

  @Test func refusesObjectsThatFillTheDisk() async throws {
    let client = try serveIndex(eager: ["catalog", "other"]) { index in
      func row(_ byte: UInt8) -> Value {
        ["object": .data(Digest(of: [byte]).bytes), "size": 200_000_000, "count": 1]
      }
      (index["bundles"], index["startup"]) = (["catalog": row(1), "other": row(2)], [:])
    }
    let outcome = await client.refreshed()
    #expect(outcome.failure?.kind == .refused, "\(outcome)")
    #expect(scene.transport.requests.count == 2)
  }

  @Test func listsEachEntryOnce() async throws {
    let client = try serveIndex { index in
      guard var startup = index["startup"]?.members, var home = startup["home"]?.members else {
        return
      }
      home["order"] = ["screen/home", "screen/home"]
      startup["home"] = .dictionary(home)
      index["startup"] = .dictionary(startup)
    }
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.entries(in: "home").count == 1)
  }
}
