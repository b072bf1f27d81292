import ContentClientTesting
import ContentModel
import PropertyLists
import SiteFormat
import TestServers
import TestSigning
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Recoveries from a stolen key: the floors of the new key document replace those of the thief.
@Suite struct RecoveryTests {
  /// An app that shows a thief's release 2^53, which purges everything below it.
  private func robbed(
    purge: Int64 = 99, _ change: (inout ContentConfiguration) -> Void = { _ in }
  ) async throws -> (SignedScene, ContentClient, pinned: SignedBody) {
    var scene = try SignedScene()
    let pinned = try scene.publisher.keyDocument()
    try scene.serve()
    var configuration = try scene.configuration(pinning: pinned, storing: true)
    change(&configuration)
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    var thief = scene
    try thief.scene.publish(["entries/product/rose.yaml": "title: A swear word\n"])
    try thief.sign(release: Int(1) << 53)
    thief.publisher.config["purge"] = [
      "sequence": .integer(purge), "minimumRelease": .integer(1 << 53), "objects": [],
      "entries": ["product/iris"],
    ]
    try thief.serve()
    _ = await client.refreshed()
    _ = await client.activate()
    #expect(client.title("product/rose") == "A swear word")
    try scene.publish(["entries/product/rose.yaml": "title: New\n"], release: 6)
    return (scene, client, pinned)
  }

  private func recover(_ scene: inout SignedScene, purge: Int64 = 0) throws {
    try scene.publisher.rotate(to: 2, recovery: (release: 6, purge: purge)) {
      $0.release = [try TestKey(4)]
      $0.fresh = [try TestKey(4)]
    }
  }

  @Test func showsThePublishersContentAgain() async throws {
    var (scene, client, pinned) = try await robbed()
    try scene.serve()
    #expect(await client.refreshed().failure?.reason.contains("release 6 is older") == true)
    try recover(&scene)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    for client in [client, try scene.client(pinning: pinned, storing: true)] {
      #expect(client.snapshot.release == 6 && client.state == .content)
      #expect(client.title("product/rose") == "New")
      #expect(client.title("product/iris") == "Iris")
    }
  }

  /// A purge of the thief's may have any number, also that of the publisher's last one.
  @Test(arguments: [0, 3, 4] as [Int64]) func liftsAPurgeOfAnyNumber(number: Int64) async throws {
    var (scene, client, pinned) = try await robbed(purge: number)
    try recover(&scene, purge: 3)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    for client in [client, try scene.client(pinning: pinned, storing: true)] {
      #expect(client.state == .content && client.snapshot.release == 6)
      #expect(client.title("product/iris") == "Iris")
    }
  }

  @Test(arguments: [ContentConfiguration.Activation.nextLaunch, .manual])
  func waitsForNoActivation(activation: ContentConfiguration.Activation) async throws {
    var (scene, client, _) = try await robbed { $0.activation = activation }
    try recover(&scene)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "New")
  }

  /// The recovery is known, but no object of its release.
  private func withoutObjects(_ scene: SignedScene) throws {
    let bytes = try scene.publisher.envelope()
    scene.scene.transport.answer { request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: bytes) : ContentResponse(status: 500)
    }
  }

  @Test func aThiefsContentGivesWayAfterAChangeOfTheReader() async throws {
    var (scene, client, pinned) = try await robbed()
    try recover(&scene)
    try withoutObjects(scene)
    #expect(await client.refreshed().failure != nil)
    guard case .stale = client.snapshot.freshness else {
      Issue.record("\(client.snapshot.freshness)")
      return
    }
    var reader = client.reader
    reader.country = "CA"
    _ = await client.select(reader)
    try scene.serve()
    #expect(await client.refreshed().failure == nil)
    for client in [client, try scene.client(pinning: pinned, storing: true)] {
      #expect(client.title("product/rose") == "New")
    }
  }

  @Test func aClientStartedBeforeTheObjectsArriveChecksAtOnce() async throws {
    var (scene, client, pinned) = try await robbed()
    try recover(&scene)
    try withoutObjects(scene)
    #expect(await client.refreshed().failure != nil)
    let again = try scene.client(pinning: pinned, storing: true)
    #expect(await !again.refresher.isWhole)
    #expect(again.presenter.newest?.release == 6)
    try scene.serve()
    #expect(await again.refreshed().isUpdated)
    #expect(again.title("product/rose") == "New")
  }

  /// Two starts that end on trial show the content before, but never a thief's.
  @Test func fallsBackToNoContentOfAThief() async throws {
    var (scene, client, pinned) = try await robbed()
    try recover(&scene)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    #expect(await client.refresher.state.previous == nil)
    for _ in 0..<3 {
      let next = try scene.client(pinning: pinned, storing: true)
      #expect(next.title("product/rose") == "New")
      _ = try await scene.scene.stores { ($0.trial?.starts ?? 0) > 0 }
    }
  }

  /// The other process stores the recovery while this one's request is on its way.
  @Test func refusesAThiefsReleaseThatARecoveryOvertook() async throws {
    var (scene, client, pinned) = try await robbed()
    var thief = scene
    thief.publisher.number(Int(1) << 53)
    let stolen = try scene.publisher.envelope()
    _ = thief
    try recover(&scene)
    let honest = try scene.publisher.envelope()
    let isFirst = Locked(true)
    let other = try scene.client(pinning: pinned, storing: true)
    let rest = scene
    scene.scene.transport.answer { [memory = scene.scene.memory] request in
      guard request.url.hasSuffix("config.plist") else {
        return ClientScene.answer(request, from: memory)
      }
      let wasFirst = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if wasFirst {
        // The other process checks meanwhile, and gets the recovery.
        _ = await other.refreshed()
        return ContentResponse(status: 200, body: stolen)
      }
      return ContentResponse(status: 200, body: honest)
    }
    _ = await client.refreshed()
    _ = rest
    #expect(await client.refresher.state.generation == 2)
    #expect(await client.refreshed().failure == nil)
    #expect(client.title("product/rose") == "New" && client.state == .content)
  }

  @Test func showsThePublishersContentInTheOtherProcess() async throws {
    var (scene, client, pinned) = try await robbed()
    let other = try scene.client(pinning: pinned, storing: true)
    #expect(other.title("product/rose") == "A swear word")
    try recover(&scene)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    #expect(await other.refreshed().failure == nil)
    #expect(other.title("product/rose") == "New" && other.title("product/iris") == "Iris")
  }

  @Test func recoversByAnUpdateOfTheApp() async throws {
    var (scene, _, _) = try await robbed()
    try recover(&scene)
    var configuration = try scene.configuration(storing: true)
    configuration.baked = try scene.bake()
    let client = try ContentClient(configuration)
    // Content of this generation is shown in place of the thief's, before any check.
    #expect(client.title("product/rose") == "New" && client.title("product/iris") == "Iris")
    try scene.serve()
    #expect(await client.refreshed().failure == nil)
    #expect(client.snapshot.release == 6)
  }

  /// A purge with the number of the recovery may be one that this app has not seen.
  @Test func appliesThePurgeOfTheRecovery() async throws {
    var (scene, client, pinned) = try await robbed()
    try recover(&scene, purge: 3)
    scene.publisher.config["purge"] = [
      "sequence": 3, "minimumRelease": 0, "objects": [], "entries": ["product/rose"],
    ]
    try scene.serve()
    // The content of release 6 cannot be loaded: the purge acts nevertheless.
    let bytes = try scene.publisher.envelope()
    scene.scene.transport.answer { request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: bytes) : ContentResponse(status: 500)
    }
    #expect(await client.refreshed().failure != nil)
    #expect(client.title("product/rose") == nil)
    let again = try scene.client(pinning: pinned, storing: true)
    #expect(again.title("product/rose") == nil)
  }

  @Test func aRoutineRotationLowersNoFloor() async throws {
    var (scene, client, _) = try await robbed()
    try scene.publisher.rotate(to: 2)
    try scene.serve()
    #expect(await client.refreshed().failure?.reason.contains("release 6 is older") == true)
    #expect(await client.trust?.document.version == 2)
    #expect(await client.trust?.release == Int(1) << 53)
  }

  /// A kill at any write leaves the thief's release or the publisher's, and never old documents with
  /// new floors.
  @Test func aKillAtAnyWriteLeavesTheOldOrTheNew() async throws {
    for writes in 0..<40 {
      var (scene, _, pinned) = try await robbed()
      try recover(&scene)
      try scene.serve()
      let configuration = try scene.configuration(pinning: pinned, storing: true)
      let dying = EndingStorage(FolderStorage(scene.scene.store), after: writes)
      let killed = try ContentClient(configuration, storage: dying)
      _ = await killed.refreshed()
      scene.scene.goOffline()
      let client = try ContentClient(configuration)
      let trust = try #require(await client.trust)
      let isRecovered = trust.document.version == 2
      #expect(isRecovered || trust.release == Int(1) << 53, "\(writes)")
      #expect(await client.refresher.state.generation == (isRecovered ? 2 : 0), "\(writes)")
      try scene.serve()
      _ = await client.refreshed()
      #expect(client.title("product/rose") == "New" && client.state == .content, "\(writes)")
      if !dying.hasEnded { break }
    }
  }

  /// 2^63 - 1 is more than any client counts to: nothing is shown, and the recovery works.
  @Test func recoversFromTheHighestNumber() async throws {
    var scene = try SignedScene()
    try scene.serve()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    var thief = scene
    thief.publisher.number(Int.max)
    try thief.serve()
    #expect(await client.refreshed().failure != nil)
    #expect(client.snapshot.release == 5)
    try scene.sign(release: 6)
    try recover(&scene)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.release == 6)
  }
}
