import ContentClientTesting
import ContentModel
import ContentPurging
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The moments at which a loaded release is shown.
@Suite struct ActivationTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  private func client(_ activation: ContentConfiguration.Activation) throws -> ContentClient {
    var configuration = scene.configuration(storing: true)
    configuration.activation = activation
    return try ContentClient(configuration)
  }

  /// Returns a client that shows release 1 and has loaded release 2.
  private func waiting(_ activation: ContentConfiguration.Activation) async throws -> ContentClient
  {
    let client = try client(activation)
    #expect(await client.refreshed().isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    #expect(await client.refreshed().isUnchanged)
    #expect(client.title("product/rose") == "Rose")
    return client
  }

  @Test func showsAReleaseAtTheNextLaunch() async throws {
    _ = try await waiting(.nextLaunch)
    scene.goOffline()
    #expect(try client(.nextLaunch).title("product/rose") == "New")
  }

  @Test func showsAReleaseWhenTheAppAsks() async throws {
    let first = try await waiting(.manual)
    _ = scene.requests()
    #expect(try client(.manual).title("product/rose") == "Rose")
    #expect(await first.activate().isUpdated)
    #expect(first.title("product/rose") == "New")
    #expect(try client(.manual).title("product/rose") == "New")
    #expect(await first.activate().isUnchanged)
    #expect(scene.requests().isEmpty)
  }

  @Test(arguments: [ContentConfiguration.Activation.nextLaunch, .manual])
  func isStaleWhileALoadedReleaseWaits(activation: ContentConfiguration.Activation) async throws {
    let client = try await waiting(activation)
    let held = client.snapshot
    #expect(held.freshness == .stale(since: scene.clock.now))
    #expect(await client.activate().isUpdated)
    #expect(held.freshness == .stale(since: scene.clock.now))
    guard case .fresh = client.snapshot.freshness else {
      Issue.record("\(client.snapshot.freshness)")
      return
    }
  }

  /// A launch is an occasion to ask: the release is loaded already.
  @Test func activatesAfterALaunch() async throws {
    _ = try await waiting(.manual)
    scene.goOffline()
    let client = try client(.manual)
    #expect(await client.activate().isUpdated)
    #expect(client.title("product/rose") == "New")
  }

  @Test(arguments: [ContentConfiguration.Activation.nextLaunch, .manual])
  func aPurgeNeverWaits(activation: ContentConfiguration.Activation) async throws {
    let client = try await waiting(activation)
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == nil && client.title("product/iris") == "Iris")
  }
}
