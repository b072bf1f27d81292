import ContentClientTesting
import ContentModel
import ContentTargets
import SiteFormat
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Refreshes that end before they are complete, as in a background task whose time is over.
@Suite(.timeLimit(.minutes(5))) struct BackgroundRefreshTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  /// Answers config and some objects; the other requests wait until they are cancelled.
  private func answer(objects allowed: Int) {
    let (memory, left) = (scene.memory, Locked(allowed))
    scene.transport.answer { request throws(TransportFailure) in
      let isAllowed =
        request.url.hasSuffix("config.plist")
        || left.withLock { left in
          left -= 1
          return left >= 0
        }
      if !isAllowed {
        try? await Task.sleep(for: .seconds(3_600))
        throw .cancelled
      }
      return ClientScene.answer(request, from: memory)
    }
  }

  /// The index, then the catalog and the texts for maintenance arrive, or some of them.
  @Test(arguments: [0, 1, 2], [false, true])
  func aCancelledRefreshContinuesWhereItStopped(arrived: Int, isNewProcess: Bool) async throws {
    let all = try scene.neededObjects().map(\.path)
    let client = try scene.client(storing: true)
    answer(objects: arrived)
    let task = client.refresh(.schedule)
    // Config, the index, and after it the two others at once.
    let requests = arrived == 0 ? 2 : 4
    while scene.transport.requests.count < requests { await Task.yield() }
    task.cancel()
    #expect(await task.outcome.failure?.kind == .cancelled)
    #expect(client.state == .empty)
    let stored = Set(scene.storage.objects().map(\.object.path))
    #expect(stored.count == arrived && stored.isSubset(of: all))
    // It is no failure, and nothing waits because of it.
    #expect(await client.refresher.standing.retrySeconds == 0)
    #expect(await !client.refresher.lacksConnection)

    scene.goOnline()
    _ = scene.requests()
    let next = isNewProcess ? try scene.client(storing: true) : client
    let outcome = await next.refresh(.schedule).outcome
    #expect(outcome.failure == nil)
    // A new process shows the release from its start, whole if the eager bundle arrived before.
    #expect(outcome.isUpdated == (!isNewProcess || arrived < 2))
    #expect(next.title("product/rose") == "Rose")
    let missing = Set(all).subtracting(stored)
    #expect(Set(scene.requests()) == missing.union(["production/config.plist"]))
  }

  /// Progress begins with the bytes that are missing.
  @Test func progressOfAContinuedRefreshCountsTheRest() async throws {
    let client = try scene.client(storing: true)
    answer(objects: 1)
    let task = client.refresh(.schedule)
    while scene.transport.requests.count < 4 { await Task.yield() }
    task.cancel()
    _ = await task.outcome
    let (gate, opening) = AsyncStream<Void>.makeStream()
    scene.transport.answer { [memory = scene.memory] request in
      for await _ in gate { break }
      return ClientScene.answer(request, from: memory)
    }
    let next = client.refresh(.schedule)
    let parts = next.progress
    opening.finish()
    var last = RefreshTask.Progress()
    for await part in parts { last = part }
    #expect(await next.outcome.isUpdated)
    let catalog = try scene.neededObjects()[1]
    let size = try #require(scene.memory.read(catalog.path)).bytes.count
    #expect(last.totalBytes == size && last.receivedBytes == size && last.fraction == 1)
  }

  /// The cancellation is that of the refresh, not of the client.
  @Test func anAppThatReturnsChecksAgain() async throws {
    let client = try scene.client(storing: true)
    answer(objects: 0)
    let task = client.refresh(.schedule)
    while scene.transport.requests.count < 2 { await Task.yield() }
    task.cancel()
    // The cancelled refresh may still be on its way.
    scene.goOnline()
    let other = client.refresh(.launch)
    #expect(await task.outcome.failure?.kind == .cancelled)
    #expect(await other.outcome.isUpdated)
  }
}
