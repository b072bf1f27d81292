import ContentClientTesting
import ContentModel
import ContentTargets
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The checks after pushes.
@Suite(.timeLimit(.minutes(10))) struct PushTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  private func client() async throws -> ContentClient {
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    _ = scene.requests()
    return client
  }

  /// The push is forged, or a cache still has the config before.
  @Test func checksOnceForAReleaseThatIsNotThereYet() async throws {
    let client = try await client()
    let payload = PushPayload(channel: "production", release: 5)
    #expect(await client.check(after: payload, within: 0).isUnchanged)
    #expect(scene.requests() == ["production/config.plist"])
  }

  @Test func checksOnceForPushesThatArriveTogether() async throws {
    let client = try await client()
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    await withTaskGroup(of: RefreshOutcome.self) { group in
      for release in [2, 3, 4, 2] {
        group.addTask {
          await client.receivedPush(PushPayload(channel: "production", release: release))
        }
      }
      for _ in 0..<200 { await Task.yield() }
      while true {
        scene.clock.advance(by: 30)
        for _ in 0..<200 { await Task.yield() }
        if scene.clock.sleepers == 0 { break }
      }
      for await outcome in group { #expect(outcome.failure == nil) }
    }
    #expect(client.title("product/rose") == "New")
    #expect(scene.requests().count { $0 == "production/config.plist" } == 1)
  }

  /// A refresh that began before the push may get the old config.
  @Test func checksAgainAfterARefreshThatBeganBeforeThePush() async throws {
    let client = try await client()
    let memory = scene.memory
    let old = try #require(memory.read("production/config.plist")).bytes
    let (gate, opening) = AsyncStream<Void>.makeStream()
    scene.transport.answer { _ in
      for await _ in gate { break }
      return ContentResponse(status: 200, body: old)
    }
    let task = client.refresh(.connection)
    while scene.transport.requests.isEmpty { await Task.yield() }
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    async let outcome = client.check(
      after: PushPayload(channel: "production", release: 2), within: 0)
    for _ in 0..<200 { await Task.yield() }
    scene.goOnline()
    opening.finish()
    #expect(await task.outcome.isUnchanged)
    #expect(await outcome.isUpdated)
    #expect(client.title("product/rose") == "New")
  }
}
