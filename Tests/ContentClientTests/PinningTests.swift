import ContentClientTesting
import ContentModel
import ContentTargets
import PropertyLists
import SiteFormat
import TestServers
import TestSigning
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Pinned key documents: at opening, after updates of the app, and between processes.
@Suite struct PinningTests {
  private func reason(_ configuration: ContentConfiguration) -> String? {
    do throws(ContentError) {
      _ = try ContentClient(configuration)
      return nil
    } catch { return error.kind == .configuration ? error.reason : nil }
  }

  @Test func refusesWhatIsNoKeyDocumentOfTheChannel() throws {
    let scene = try SignedScene()
    var configuration = try scene.configuration()
    configuration.trust = .pinned(path: "/nowhere/1.json")
    #expect(reason(configuration)?.contains("cannot be read") == true)
    let path = "\(scene.scene.scratch.path)/text.json"
    try FolderFile.replace(path, with: Array("{}".utf8), isDurable: false)
    configuration.trust = .pinned(path: path)
    #expect(reason(configuration)?.contains("is no key document") == true)
    let text = String(decoding: try scene.publisher.keyDocument().file(), as: UTF8.self)
    let twice = Array("{\"body\":\"{}\",\(text.dropFirst())".utf8)
    try FolderFile.replace(path, with: twice, isDurable: false)
    #expect(reason(configuration)?.contains("is no key document") == true)
    var unsigned = try scene.publisher.keyDocument()
    unsigned.signatures = []
    #expect(
      reason(try scene.configuration(pinning: unsigned))?.contains("0 of 1 valid signatures")
        == true)
    var foreign = scene.publisher
    foreign.document["channels"] = ["qa"]
    let other = try scene.configuration(pinning: foreign.keyDocument())
    #expect(
      reason(other)?.contains("is not for the app 'shop' and its channel 'production'") == true)
  }

  @Test func showsNoUnsignedContentAfterAnUpdateThatPins() async throws {
    let scene = try SignedScene()
    let old = try scene.scene.client(storing: true)
    #expect(await old.refreshed().isUpdated)
    try scene.serve()
    let new = try scene.client(storing: true)
    #expect(new.state == .empty)
    #expect(await new.refreshed().isUpdated)
    #expect(new.snapshot.release == 5)
  }

  @Test func followsRotationsFromAnOldPinnedDocument() async throws {
    var scene = try SignedScene()
    let first = try scene.publisher.keyDocument()
    for version in 2...5 {
      try scene.publisher.rotate(to: version) {
        $0.release = [try TestKey(20 + version)]
        $0.keys = [try TestKey(30 + version)]
      }
    }
    try scene.serve()
    let client = try scene.client(pinning: first, storing: true)
    let log = EventLog(client)
    #expect(await client.refreshed().isUpdated)
    #expect(await log.has { $0 == .trusted(document: 5) })
    // A later version of the app pins a later document, and keeps content and floors.
    let updated = try scene.client(storing: true)
    #expect(updated.snapshot.release == 5)
    #expect(await updated.trust?.release == 5)
    // An older version of the app trusts the later document nevertheless.
    let older = try scene.client(pinning: first, storing: true)
    #expect(await older.trust?.document.version == 5)
  }

  @Test func beginsAnewForAnotherPublisher() async throws {
    let scene = try SignedScene()
    try scene.serve()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    var other = scene.publisher
    other.authority.release = [try TestKey(50)]
    let client = try scene.client(pinning: try other.keyDocument(), storing: true)
    #expect(client.state == .empty)
    #expect(await client.trust?.release == 0)
  }

  @Test func keepsADocumentFromARefusedAnswer() async throws {
    var scene = try SignedScene()
    let first = try scene.publisher.keyDocument()
    try scene.serve()
    let client = try scene.client(pinning: first, storing: true)
    #expect(await client.refreshed().isUpdated)
    try scene.publisher.rotate(to: 2) { $0.release = [try TestKey(4)] }
    let forged = try scene.publisher.envelope(
      release: SignedBody(body: scene.publisher.body(of: .release), signatures: []))
    try scene.serve(forged)
    #expect(await client.refreshed().failure?.kind == .refused)
    #expect(client.snapshot.release == 5)
    let again = try scene.client(pinning: first, storing: true)
    #expect(await again.trust?.document.version == 2)
  }

  // MARK: Purges and objects

  @Test func keepsAPurgeThatAHigherReleaseLacks() async throws {
    var scene = try SignedScene()
    scene.publisher.config["purge"] = [
      "sequence": 3, "minimumRelease": 0, "objects": [], "entries": ["product/rose"],
    ]
    try scene.serve()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let log = EventLog(client)
    try scene.sign(release: 6)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
    #expect(await client.refresher.state.purgeSequence == 3)
    #expect(await log.hasRefusal("takes back a purge"))
  }

  /// Signatures are of config, whose hashes protect all objects.
  @Test(arguments: ["other", "altered", "longer", "shorter"])
  func refusesObjectsThatConfigDoesNotName(change: String) async throws {
    let scene = try SignedScene()
    let bytes = try scene.publisher.envelope()
    scene.scene.transport.answer { [memory = scene.scene.memory] request in
      guard !request.url.hasSuffix("config.plist") else {
        return ContentResponse(status: 200, body: bytes)
      }
      var answer = ClientScene.answer(request, from: memory)
      switch change {
      case "other": answer.body = memory.read("production/config.plist")?.bytes ?? []
      case "altered": answer.body[answer.body.count / 2] ^= 1
      case "longer": answer.body.append(0)
      default: answer.body.removeLast()
      }
      return answer
    }
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().failure != nil)
    #expect(client.state == .empty)
    try scene.serve()
    #expect(await client.refreshed().isUpdated)
  }

  // MARK: Baked content

  @Test func showsBakedContentWhoseStatementsHaveExpired() async throws {
    let scene = try SignedScene()
    let baked = try scene.bake()
    scene.scene.clock.set(TestPublisher.instant(days: 100, after: scene.scene.clock.now))
    var configuration = try scene.configuration(storing: true)
    configuration.baked = baked
    let client = try ContentClient(configuration)
    #expect(client.snapshot.release == 5 && client.title("product/rose") == "Rose")
    #expect(await client.trust?.release == 5)
  }

  /// A restored backup has the state of an earlier time, but the app is the newest one.
  @Test func acceptsNothingBelowTheBakedRelease() async throws {
    var scene = try SignedScene()
    try scene.serve()
    let older = try scene.publisher.envelope()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"], release: 6)
    var configuration = try scene.configuration(storing: true)
    configuration.baked = try scene.bake()
    let client = try ContentClient(configuration)
    #expect(client.title("product/rose") == "New")
    try scene.serve(older)
    #expect(await client.refreshed().failure?.reason.contains("release 5 is older") == true)
    #expect(client.title("product/rose") == "New")
  }

  @Test(arguments: [false, true])
  func aRestoredBackupIsNotBelowItsOwnOrTheBakedFloor(isBaked: Bool) async throws {
    var scene = try SignedScene()
    var configs = [try scene.publisher.envelope()]
    var backup: [UInt8]?
    let path = "\(scene.scene.store)/state.plist"
    for release in 6...7 {
      try scene.publish(["entries/product/rose.yaml": "title: R\(release)\n"], release: release)
      configs.append(try scene.publisher.envelope())
      try scene.serve()
      #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
      backup = backup ?? FolderFile.contents(path, limit: 1 << 20)
    }
    try FolderFile.replace(path, with: try #require(backup), isDurable: false)
    var configuration = try scene.configuration(storing: true)
    if isBaked { configuration.baked = try scene.bake() }
    let client = try ContentClient(configuration)
    let floor = isBaked ? 7 : 6
    #expect(await client.trust?.release == floor)
    for (release, config) in zip(5..., configs) {
      try scene.serve(config)
      let failure = await client.refreshed().failure
      #expect((failure == nil) == (release >= floor), "\(release): \(failure?.reason ?? "")")
      if let failure {
        #expect(failure.reason.contains("release \(release) is older than release \(floor)"))
      }
      #expect(client.snapshot.release == max(release, floor))
    }
  }

  @Test func showsNoBakedContentThatIsNotSigned() async throws {
    let scene = try SignedScene()
    var configuration = try scene.configuration(storing: true)
    configuration.baked = try scene.scene.bake()
    let client = try ContentClient(configuration)
    #expect(client.state == .empty)
    let log = EventLog(client)
    #expect(
      await log.has {
        if case .storage(let error) = $0 {
          error.reason.contains("it is not signed")
        } else {
          false
        }
      })
  }

  /// The key that signed it may be lost or stolen meanwhile: the app's own signature protects it.
  @Test func showsBakedContentByAKeyThatWasRemovedLater() async throws {
    var scene = try SignedScene()
    let (first, baked) = try (scene.publisher.keyDocument(), scene.bake())
    try scene.publisher.rotate(to: 2) { $0.release = [try TestKey(4)] }
    try scene.serve(
      scene.publisher.envelope(
        release: SignedBody(body: scene.publisher.body(of: .release), signatures: [])))
    var configuration = try scene.configuration(pinning: first, storing: true)
    configuration.baked = baked
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().failure != nil)
    let again = try ContentClient(configuration)
    #expect(await again.trust?.document.version == 2)
    #expect(again.snapshot.release == 5)
  }

  // MARK: Processes

  @Test func sharesFloorsAndDocumentsBetweenProcesses() async throws {
    var scene = try SignedScene()
    let first = try scene.publisher.keyDocument()
    let older = try scene.publisher.envelope()
    try scene.serve()
    let clients = try (0..<2).map { _ in try scene.client(pinning: first, storing: true) }
    #expect(await clients[0].refreshed().isUpdated)
    try scene.publisher.rotate(to: 2)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"], release: 6)
    try scene.serve()
    #expect(await clients[1].refreshed().isUpdated)
    try scene.serve(older)
    #expect(await clients[0].refreshed().failure?.reason.contains("release 5 is older") == true)
    #expect(clients[0].title("product/rose") == "New")
    #expect(await clients[0].trust?.document.version == 2)
  }

  @Test func mergesMemories() throws {
    var publisher = try TestPublisher()
    let start = try publisher.memory()
    var (low, high) = (start, start)
    _ = try low.verify(publisher.envelope())
    publisher.number(6)
    _ = try high.verify(publisher.envelope())
    var merged = low
    merged.merge(high)
    #expect(merged == high)
    merged.merge(low)
    #expect(merged == high)
    // The floors of a recovery replace those from before it, in both directions.
    publisher.number(4)
    try publisher.rotate(to: 2, recovery: (release: 4, purge: 0))
    var recovered = start
    _ = try recovered.verify(publisher.envelope())
    merged.merge(recovered)
    #expect(merged == recovered)
    merged.merge(high)
    #expect(merged == recovered)
    // Another publisher changes nothing.
    var other = try TestPublisher()
    other.authority.release = [try TestKey(50)]
    var foreign = try other.memory()
    other.number(9)
    _ = try foreign.verify(other.envelope())
    high.merge(foreign)
    #expect(high.release == 6)
  }
}
