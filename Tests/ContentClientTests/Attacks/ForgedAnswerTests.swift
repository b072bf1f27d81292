import ContentClientTesting
import ContentModel
import ContentTargets
import SiteFormat
import SystemC
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Answers with other bytes than those that were published, and missing ones: rows 31, 32, 50, 51,
/// 52 and 55 of the attacks in docs/reference/client.md.
@Suite(.signedAndUnsigned, .timeLimit(.minutes(10))) struct ForgedAnswerTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  /// Expects that a client shows release 1, did not store an object, and shows release 2 as soon as
  /// answers are honest.
  private func expectUnharmed(
    _ client: ContentClient, without object: SiteObject? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(
      client.snapshot.release == 1 && client.state == .content, sourceLocation: sourceLocation)
    #expect(client.title("product/rose") == "Rose", sourceLocation: sourceLocation)
    let again = try scene.client(storing: true)
    #expect(again.title("product/rose") == "Rose", sourceLocation: sourceLocation)
    if let object { #expect(!scene.storage.contains(object, size: nil)) }
    scene.goOnline()
    scene.clock.advance(by: 3_600)
    #expect(await client.refreshed().isUpdated, sourceLocation: sourceLocation)
    #expect(client.title("product/rose") == "New", sourceLocation: sourceLocation)
  }

  // MARK: 31, 32

  /// Serves another object's bytes, and expects that the client refuses them.
  private func expectRefusal(
    of object: SiteObject, with other: SiteObject, by client: ContentClient
  )
    async throws
  {
    let bytes = try #require(scene.memory.read(other.path)).bytes
    let log = EventLog(client)
    scene.serve(object) { _ in ContentResponse(status: 200, body: bytes) }
    #expect(await client.refreshed().failure?.kind == .refused)
    #expect(await log.hasRefusal("object \(object.digest) has other bytes"))
    try await expectUnharmed(client, without: object)
  }

  @Test func oldIndexBytesUnderTheNewNameAreRefused() async throws {
    let old = try scene.neededObjects()[0]
    let client = try await scene.clientOfFirstRelease()
    let new = try scene.neededObjects()[0]
    try #require(old != new)
    try await expectRefusal(of: new, with: old, by: client)
  }

  @Test func aBundleOfAnotherLocaleUnderThisHashIsRefused() async throws {
    let client = try await scene.clientOfFirstRelease()
    let (own, other) = (try scene.neededObjects()[1], try scene.neededObjects("fr")[1])
    try #require(own != other)
    try await expectRefusal(of: own, with: other, by: client)
  }

  // MARK: 50

  /// Each of the index, the catalog and the texts for maintenance is missing once.
  @Test(arguments: [403, 404, 410], [0, 1, 2])
  func aMissingObjectLeadsToConfigAgain(status: Int, number: Int) async throws {
    // A signed channel differs in config: one status suffices for each of its objects.
    if SignedAndUnsigned.isSigned, status != 404 { return }
    let client = try scene.client(storing: true)
    if number < 2 {
      #expect(await client.refreshed().isUpdated)
      try scene.publishAnother()
    }
    let objects = try scene.neededObjects()
    let checks = Locked<[(seconds: Double, asksOrigin: Bool)]>([])
    let (memory, clock) = (scene.memory, scene.clock)
    scene.transport.answer { request in
      if request.url.hasSuffix("config.plist") {
        checks.withLock { $0.append((clock.uptime.seconds, request.asksOrigin)) }
      }
      return request.url.hasSuffix(objects[number].path)
        ? ContentResponse(status: status) : ClientScene.answer(request, from: memory)
    }
    let log = EventLog(client)
    let start = clock.uptime.seconds
    let task = client.refresh(.launch)
    for seconds in [2.0, 8, 30] {
      await scene.waitForSleepers(1)
      // Not earlier.
      clock.advance(by: seconds - 0.5)
      for _ in 0..<20 { await Task.yield() }
      let count = checks.current.count
      clock.advance(by: 0.5)
      while checks.current.count == count { await Task.yield() }
    }
    #expect(await task.outcome.failure?.kind == .missing)
    #expect(checks.current.map { $0.seconds - start } == [0, 2, 10, 40])
    #expect(checks.current.map(\.asksOrigin) == [false, true, true, true])
    #expect(
      await log.has {
        guard case .failed(let error) = $0 else { return false }
        return error.kind == .missing && error.reason.contains("answers \(status)")
      })
    if number < 2 {
      try await expectUnharmed(client, without: objects[number])
    } else {
      // Their digest is the same in all releases, so this is the first refresh.
      #expect(client.state == .empty)
      scene.goOnline()
      #expect(await client.refreshed().isUpdated)
    }
  }

  // MARK: 51

  private static let portal = ContentResponse(
    status: 200, headers: [("Content-Type", "text/html"), ("ETag", "\"portal\"")],
    body: Array("<!DOCTYPE html><html><body>Accept our terms</body></html>".utf8))

  @Test func aCaptivePortalCountsAsNoConnection() async throws {
    let client = try await scene.clientOfFirstRelease()
    let log = EventLog(client)
    scene.transport.answer { _ in Self.portal }
    for _ in 0..<3 {
      #expect(await client.refreshed().failure?.kind == .unreachable)
      #expect(await client.refresher.lacksConnection, "the next network checks again")
      let wait = await client.refresher.standing.retrySeconds
      #expect(wait > 0 && wait <= 8, "it backs off: \(wait) s")
      scene.clock.advance(by: 10)
    }
    #expect(
      await log.has { event in
        guard case .failed(let error) = event else { return false }
        return error.kind == .unreachable && error.reason.contains("captive portal")
      })
    #expect(try scene.storage.state()?.entityTag != "\"portal\"")
    #expect(try scene.storage.state()?.highestRelease == 1)
    try await expectUnharmed(client)
  }

  /// The portal's network begins between config and objects.
  @Test func aCaptivePortalInPlaceOfAnObjectIsRefused() async throws {
    let client = try await scene.clientOfFirstRelease()
    let index = try scene.neededObjects()[0]
    scene.serve(index) { _ in Self.portal }
    #expect(await client.refreshed().failure?.kind == .refused)
    try await expectUnharmed(client, without: index)
  }

  // MARK: 52

  /// Config at any byte: `AttackTests.aConfigCutAtAnyByteChangesNothing`.
  @Test(arguments: [0, 1]) func anObjectCutAtAnyByteIsRefused(number: Int) async throws {
    let client = try await scene.clientOfFirstRelease()
    let object = try scene.neededObjects()[number]
    let bytes = try #require(scene.memory.read(object.path)).bytes
    // Signatures are of config: the bytes of an object are read alike.
    for count in stride(from: 0, to: bytes.count, by: SignedAndUnsigned.isSigned ? 32 : 1) {
      scene.serve(object) { _ in ContentResponse(status: 200, body: Array(bytes[..<count])) }
      let outcome = await client.refreshed()
      #expect(outcome.failure?.kind == .refused, "\(count): \(outcome)")
      scene.clock.advance(by: 600)
    }
    #expect(client.snapshot.release == 1 && !scene.storage.contains(object, size: nil))
    try await expectUnharmed(client, without: object)
  }

  // MARK: 55

  /// Each case has a folder of its own: a client that was read stores its state a moment later.
  @Test(arguments: ["nothing", "cut", "foreign", "zeros"])
  func aDamagedStateCountsAsAbsentAndIsReported(damage: String) async throws {
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let path = "\(scene.store)/state.plist"
    let good = try #require(FolderFile.contents(path, limit: 1 << 20))
    let bad =
      switch damage {
      case "nothing": [UInt8]()
      case "cut": Array(good.dropLast())
      case "foreign": Array("<html>".utf8)
      default: [UInt8](repeating: 0, count: 99)
      }
    try FolderFile.replace(path, with: bad, isDurable: false)
    let client = try scene.client(storing: true)
    let log = EventLog(client)
    #expect(client.state == .empty)
    #expect(
      await log.has {
        guard case .storage(let error) = $0 else { return false }
        return error.kind == .damaged && error.reason.contains("state.plist")
      })
    scene.transport.forgetRequests()
    #expect(await client.refreshed().isUpdated)
    #expect(scene.transport.requests.map(\.entityTag) == [nil], "its objects are whole")
    #expect(client.title("product/rose") == "Rose")
  }

  /// Each object is altered, cut, empty and missing once.
  @Test(arguments: [0, 1, 2]) func aDamagedObjectCountsAsAbsentAndIsReported(number: Int)
    async throws
  {
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let object = try scene.neededObjects()[number]
    let path = "\(scene.store)/\(object.path)"
    let good = try #require(FolderFile.contents(path, limit: 1 << 20))
    var altered = good
    altered[good.count / 2] ^= 1
    for bad in [altered, Array(good.dropLast()), good + [0], [], nil] {
      if let bad { try FolderFile.replace(path, with: bad, isDurable: false) } else { unlink(path) }
      let client = try scene.client(storing: true)
      let log = EventLog(client)
      _ = (client.title("product/rose"), client.state)
      scene.transport.forgetRequests()
      #expect(await client.refreshed().failure == nil)
      #expect(scene.requests().filter { $0 == object.path }.count == 1)
      #expect(client.title("product/rose") == "Rose" && client.state == .content)
      #expect(FolderFile.contents(path, limit: 1 << 20) == good)
      guard bad != nil else { continue }
      #expect(
        await log.has {
          guard case .storage(let error) = $0 else { return false }
          return error.kind == .damaged && error.reason.contains(object.digest.hex)
        })
    }
  }
}
