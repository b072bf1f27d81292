import ContentClientTesting
import ContentModel
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
