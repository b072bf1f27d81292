import ContentClientTesting
import ContentModel
import ContentPurging
import ContentReleases
import ContentTargets
import PropertyLists
import SiteFormat
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

@Suite struct RefreshTests {
  @Test func reportsWhatChanged() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let token = client.changes(since: nil).token
    #expect(client.changes(since: nil).extent == .everything)
    #expect(client.changes(since: token).extent == .entries(.init()))
    try scene.publish([
      "entries/product/rose.yaml": "title: Red rose\n",
      "entries/product/tulip.yaml": "title: Tulip\n",
    ])
    #expect(await client.refreshed().isUpdated)
    var changed = ContentChanges.EntryChanges()
    changed.inserted = ["product/tulip"].compactMap { EntryID($0) }
    changed.updated = ["product/rose"].compactMap { EntryID($0) }
    #expect(client.changes(since: token).extent(in: "catalog") == .entries(changed))
    #expect(client.changes(since: token).extent(in: "home") == .entries(.init()))
    // The same after a new start, by the token as an app stores it.
    let again = try scene.client(storing: true)
    #expect(
      again.changes(since: ChangeToken(token.text)).extent(in: "catalog") == .entries(changed))
    for number in 0..<40 {
      try scene.publish(["entries/product/rose.yaml": "title: Rose \(number)\n"])
      #expect(await again.refreshed().isUpdated)
    }
    #expect(again.changes(since: token).extent == .everything, "the journal does not reach back")
  }

  @Test func joinsTheChangesOfASplitBundle() async throws {
    let scene = try ClientScene()
    var configuration = scene.configuration()
    configuration.eager = ["product"]
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    let token = client.token
    try scene.publish([
      "entries/product/rose.yaml": "title: Red rose\n",
      "entries/product/tulip.yaml": "title: Tulip\n",
    ])
    #expect(await client.refreshed().isUpdated)
    let changes = client.changes(since: token)
    var changed = ContentChanges.EntryChanges()
    changed.updated = ["product/rose"].compactMap { EntryID($0) }
    #expect(changes.extent(in: "product/rose") == .entries(changed))
    changed.inserted = ["product/tulip"].compactMap { EntryID($0) }
    #expect(changes.extent(in: "product") == .entries(changed))
    #expect(changes.extent(in: "product/iris") == .entries(.init()))
  }

  /// Without their list, no part is known to be unchanged.
  @Test func allPartsMayHaveChangedWithoutTheirList() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    let token = client.token
    try scene.publish(["entries/product/rose.yaml": "title: Red rose\n"])
    #expect(await client.refreshed().isUpdated)
    let changes = client.changes(since: token)
    #expect(changes.changedBundles == ["catalog", "product"])
    #expect(changes.extent(in: "product") == .everything)
    #expect(changes.extent(in: "product/rose") == .everything)
  }

  @Test func anEntryThatMovedToAnotherPartIsUpdated() throws {
    let here = ["store/a"].compactMap { EntryID($0) }
    var (left, arrived, moved) = (
      ContentChanges.EntryChanges(), ContentChanges.EntryChanges(), ContentChanges.EntryChanges()
    )
    (left.deleted, arrived.inserted, moved.updated) = (here, here, here)
    let token = ChangeToken(storage: "a", number: 1)
    var changes = ContentChanges(
      token: token,
      bundles: ["stores/01": .entries(left), "stores/02": .entries(arrived), "other": .everything])
    #expect(changes.extent(in: "stores") == .entries(moved))
    #expect(changes.extent(in: "stores/01") == .entries(left))
    #expect(changes.extent(in: "other") == .everything)
    changes = ContentChanges(token: token, bundles: ["stores/01": .everything])
    #expect(changes.extent(in: "stores") == .everything)
    #expect(changes.extent(in: "store") == .entries(.init()))
  }

  @Test func failuresKeepWhatIsShown() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    for answer in [
      ContentResponse(status: 500), ContentResponse(status: 200, body: Array("<html>".utf8)),
      ContentResponse(status: 404), ContentResponse(status: 302, headers: [("Location", "//x/")]),
    ] {
      scene.transport.answer { _ in answer }
      #expect(await client.refreshed().failure != nil)
      #expect(client.title("product/rose") == "Rose")
    }
    scene.goOnline()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "New")
  }

  @Test func resumesAnInterruptedRefresh() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    let memory = scene.memory
    let allowed = Locked(2)
    scene.transport.answer { request throws(TransportFailure) in
      let isAllowed = allowed.withLock { count in
        count -= 1
        return count >= 0
      }
      guard isAllowed else { throw .interrupted }
      return ClientScene.answer(request, from: memory)
    }
    #expect(await client.refreshed().failure != nil)
    #expect(client.state == .empty)
    scene.goOnline()
    _ = scene.requests()
    #expect(await client.refreshed().isUpdated)
    // Config, since its objects were incomplete, the catalog and the texts for maintenance; the
    // index had arrived.
    #expect(scene.requests().count == 3)
  }

  /// One of the products is missing for a while, or for good.
  @Test(.timeLimit(.minutes(10)), arguments: [1, 4])
  func bundlesOfAllAttemptsAreAnnounced(failures: Int) async throws {
    let scene = try ClientScene()
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    try await first.prefetch(["product"])
    // This reads no snapshot, which would begin the ten seconds of a trial.
    let content = try #require(first.presenter.release)
    let catalog = try #require(content.object(of: "catalog")).object
    let rose = try #require(content.object(of: "product/rose")).object
    for object in [catalog, rose] { scene.storage.remove(object) }
    var configuration = scene.configuration(storing: true)
    configuration.eager = ["catalog", "product"]
    let second = try ContentClient(configuration)
    let updates = UpdateLog(second)
    let left = Locked(failures)
    scene.transport.answer { [memory = scene.memory] request in
      let isLost =
        request.url.hasSuffix(rose.path)
        && left.withLock { left in
          left -= 1
          return left >= 0
        }
      return isLost ? ContentResponse(status: 404) : ClientScene.answer(request, from: memory)
    }
    let task = second.refresh(.context)
    for (attempt, seconds) in [2.0, 8, 30].prefix(failures).enumerated() {
      #expect(await eventually { left.current == failures - attempt - 1 })
      await scene.waitForSleepers(1)
      scene.clock.advance(by: seconds)
    }
    let outcome = await task.outcome
    if failures == 1 {
      #expect(outcome.isUpdated)
      #expect(await updates.names([["catalog", "product"]]))
    } else {
      #expect(outcome.failure?.kind == .missing)
      #expect(await updates.names([["catalog"]]))
    }
  }

  @Test func anUnreadableBundleIsNotAnnouncedAfterAFailure() async throws {
    let scene = try ClientScene()
    let bytes = try PropertyList.encode(["format": 1], as: .binary)
    let damaged = SiteObject(Digest(of: bytes), ending: "plist")
    let lost = SiteObject(Digest(of: [1]), ending: "plist")
    try scene.serveIndex(
      with: [
        damaged.path: ContentResponse(status: 200, body: bytes),
        lost.path: ContentResponse(status: 503),
      ]
    ) { index in
      guard var rows = index["bundles"]?.members else { return }
      rows["damaged"] = [
        "object": .data(damaged.digest.bytes), "size": .integer(Int64(bytes.count)), "count": 1,
      ]
      rows["lost"] = ["object": .data(lost.digest.bytes), "size": 1, "count": 1]
      index["bundles"] = .dictionary(rows)
    }
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    scene.storage.remove(try #require(first.presenter.release?.object(of: "catalog")).object)
    var configuration = scene.configuration(storing: true)
    configuration.eager = ["catalog", "damaged", "lost"]
    let second = try ContentClient(configuration)
    let (updates, events) = (UpdateLog(second), EventLog(second))
    #expect(await second.refreshed().failure?.kind == .server(status: 503))
    #expect(await updates.names([["catalog"]]))
    #expect(
      await events.has {
        guard case .storage(let error) = $0 else { return false }
        return error.reason == "bundle 'damaged' cannot be read"
      })
    #expect(!scene.storage.contains(damaged, size: nil))
  }

  /// A refresh can end before its caller asks for the progress, as one that is postponed does.
  @Test(.timeLimit(.minutes(10))) func progressOfAnEndedRefreshEnds() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    let task = client.refresh(.launch)
    _ = await task.outcome
    for await _ in task.progress {}
  }

  @Test func purgesReachHeldSnapshots() async throws {
    let scene = try ClientScene(["entries/product/rose.yaml": "title: Swear word\n"])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let held = client.snapshot
    #expect(held.entry("product/rose") != nil)
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    // Config arrives, but no object does.
    scene.loseObjects(status: 503)
    #expect(await client.refreshed().failure != nil)
    #expect(held.entry("product/rose") == nil && client.snapshot.entry("product/rose") == nil)
    #expect(client.snapshot.entry("product/iris") != nil || client.state == .withdrawn)
    // After a new start, too.
    #expect(try scene.client(storing: true).snapshot.entry("product/rose") == nil)
    scene.goOnline()
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.entry("product/iris") != nil)
    let store = FolderStorage("\(scene.scratch.path)/store")
    for (object, _) in store.objects() {
      let bytes = try #require(store.bytes(of: object))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("Swear word"))
    }
  }

  @Test func olderReleasesAreRefusedForTwoDays() async throws {
    let scene = try ClientScene()
    let old = try #require(scene.memory.read("production/config.plist")).bytes
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let memory = scene.memory
    scene.transport.answer { request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: old) : ClientScene.answer(request, from: memory)
    }
    for _ in 0..<47 {
      #expect(await client.refreshed().failure?.kind == .refused)
      scene.clock.advance(by: 3600)
    }
    #expect(client.title("product/rose") == "New")
    scene.clock.advance(by: 7200)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Rose")
    let again = try scene.client(storing: true)
    #expect(again.title("product/rose") == "Rose", "\(again.snapshot.release) \(again.state)")
  }

  @Test(.signedAndUnsigned) func retryAfterIsObeyed() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    scene.transport.answer { _ in
      ContentResponse(status: 503, headers: [("Retry-After", "315360000")])
    }
    #expect(await client.refresh(.user).outcome.failure != nil)
    scene.goOnline()
    _ = scene.requests()
    // Also by the next process.
    for client in [client, try scene.client(storing: true)] {
      guard case .postponed(let seconds) = await client.refresh(.user).outcome else {
        Issue.record("not postponed")
        continue
      }
      #expect(seconds <= 3600 && seconds > 3500)
    }
    #expect(scene.requests().isEmpty)
    scene.clock.advance(by: 3600)
    #expect(await client.refresh(.user).outcome.isUpdated)
  }

  @Test func releasesThatEndTheAppTwiceAreAvoided() async throws {
    let scene = try ClientScene()
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    first.markHealthy()
    try scene.publish(["entries/product/rose.yaml": "title: Crash\n"])
    #expect(await first.refreshed().isUpdated)
    #expect(first.title("product/rose") == "Crash")
    #expect(try await scene.stores { $0.trial?.starts == 1 })
    let second = try scene.client(storing: true)
    #expect(second.title("product/rose") == "Crash")
    #expect(try await scene.stores { $0.trial?.starts == 2 })
    let third = try scene.client(storing: true)
    #expect(third.title("product/rose") == "Rose")
    #expect(await third.refreshed().isUnchanged)
    #expect(third.title("product/rose") == "Rose")
    try scene.publish(["entries/product/rose.yaml": "title: Mended\n"])
    #expect(await third.refreshed().isUpdated)
    #expect(third.title("product/rose") == "Mended")
  }
}
