import ContentClientTesting
import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Forged answers: the attacker controls the network or the bucket.
@Suite struct AttackTests {
  private let scene: ClientScene
  private let config: Members

  init() throws {
    scene = try ClientScene()
    config = try #require(try PropertyList.decode(scene.config).value.members)
  }

  /// Serves a changed config, and the objects of the target.
  private func serve(_ change: (inout Members) -> Void) throws {
    var changed = config
    change(&changed)
    try scene.serve(config: PropertyList.encode(.dictionary(changed), as: .binary))
  }

  private func refusal(_ client: ContentClient) async -> Bool {
    await client.refreshed().failure?.kind == .refused
  }

  @Test(.signedAndUnsigned) func anotherConfigOfTheSameReleaseIsRefused() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try serve { $0["ttl"] = 1 }
    #expect(await refusal(client))
    #expect(client.state == .content)
  }

  /// The config that the app ships with is known, too, whether or not one was loaded.
  @Test(.signedAndUnsigned, arguments: [false, true])
  func anotherConfigOfTheBakedReleaseIsRefused(hasLoaded: Bool) async throws {
    if hasLoaded { #expect(await (try scene.client(storing: true)).refreshed().isUpdated) }
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    var configuration = scene.configuration(storing: true)
    configuration.baked = try scene.bake()
    let client = try ContentClient(configuration)
    #expect(client.snapshot.release == 2)
    try serve {
      $0["release"] = 2
      $0["ttl"] = 1
    }
    #expect(await refusal(client))
    scene.goOnline()
    scene.clock.advance(by: 3_600)
    #expect(await client.refreshed().failure == nil)
    #expect(client.title("product/rose") == "New")
  }

  @Test(.signedAndUnsigned, arguments: ["app", "channel"]) func aForeignConfigIsRefused(
    member: String
  ) async throws {
    let client = try scene.client()
    try serve { $0[member] = "other" }
    #expect(await refusal(client))
    #expect(client.state == .empty)
  }

  @Test(.signedAndUnsigned) func aConfigThatWithdrawsItselfIsRefused() async throws {
    let client = try scene.client()
    try serve { $0["purge"] = ["sequence": 1, "minimumRelease": 9, "objects": [], "entries": []] }
    #expect(await refusal(client))
  }

  @Test func aLowerPurgeLiftsNothing() async throws {
    let client = try scene.client(storing: true)
    try serve { members in
      members["release"] = 5
      members["purge"] = [
        "sequence": 3, "minimumRelease": 4, "objects": [], "entries": ["product/rose"],
      ]
    }
    #expect(await client.refreshed().isUpdated)
    try serve { $0["release"] = 6 }
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.visibility.current.minimumRelease == 4)
  }

  @Test(.signedAndUnsigned) func alteredObjectsAreRefused() async throws {
    let client = try scene.client()
    let memory = scene.memory
    scene.transport.answer { request in
      var answer = ClientScene.answer(request, from: memory)
      if !request.url.hasSuffix("config.plist") { answer.body[answer.body.count / 2] ^= 1 }
      return answer
    }
    #expect(await refusal(client))
    #expect(client.state == .empty)
  }

  @Test(.signedAndUnsigned) func objectsOfAnotherLengthAreRefused() async throws {
    let client = try scene.client()
    let memory = scene.memory
    for change in [1, -1] {
      scene.transport.answer { request in
        var answer = ClientScene.answer(request, from: memory)
        guard !request.url.hasSuffix("config.plist") else { return answer }
        if change > 0 { answer.body.append(0) } else { answer.body.removeLast() }
        return answer
      }
      #expect(await client.refreshed().failure != nil)
      #expect(client.state == .empty)
    }
  }

  @Test(.signedAndUnsigned) func aLanguageOfAnotherObjectIsRefused() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    let memory = scene.memory
    let other = try #require(memory.read("production/config.plist")).bytes
    scene.transport.answer { request in
      request.url.contains("/objects/")
        ? ContentResponse(status: 200, body: other) : ClientScene.answer(request, from: memory)
    }
    #expect(await client.refreshed().failure != nil)
    #expect(client.title("product/rose") == "Rose")
  }

  @Test(
    .signedAndUnsigned,
    arguments: [
      "http://shop.example/x", "https://evil.example/x", "//evil.example/x", "",
      "https://shop.example.evil/x", "/production/config.plist",
    ])
  func redirectionsElsewhereAreRefused(place: String) async throws {
    let client = try scene.client()
    scene.transport.answer { _ in
      ContentResponse(status: 302, headers: [("Location", place)])
    }
    #expect(await client.refreshed().failure != nil)
    #expect(scene.transport.requests.count <= 4)
    #expect(scene.transport.requests.allSatisfy { $0.url.hasPrefix("https://shop.example/") })
  }

  /// A site may move within its server; a circle ends.
  @Test(.signedAndUnsigned, arguments: [1, 3, 4]) func redirectionsWithinTheSiteAreFollowed(
    count: Int
  ) async throws {
    let client = try scene.client()
    let rest = Locked(count)
    scene.transport.answer { [memory = scene.memory] request in
      let leads = rest.withLock { rest in
        defer { rest -= 1 }
        return rest > 0
      }
      return leads
        ? ContentResponse(status: 302, headers: [("Location", request.url)])
        : ClientScene.answer(request, from: memory)
    }
    #expect(await client.refreshed().isUpdated == (count <= 3))
  }

  /// A config that is cut off at any byte is no config, or is refused.
  ///
  /// Signed ones: `FormAttackTests.refusesAConfigThatIsCutAtAnyByte`.
  @Test func aConfigCutAtAnyByteChangesNothing() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    let bytes = try #require(scene.memory.read("production/config.plist")).bytes
    for count in 0..<bytes.count {
      scene.transport.answer { _ in ContentResponse(status: 200, body: Array(bytes[..<count])) }
      #expect(await client.refreshed().failure != nil, "\(count)")
    }
    #expect(client.title("product/rose") == "Rose" && client.snapshot.release == 1)
  }

  /// Any value of config is replaced by an extreme one; nothing traps.
  @Test func extremeValuesTrapNothing() async throws {
    let extremes: [Value] = [
      .integer(.max), .integer(.min), -1, 0, .real(.nan), .real(.infinity), "", [], [:],
      .data([]), .date(Instant(secondsSinceReferenceDate: 1e300)),
    ]
    let paths = Self.paths(in: .dictionary(config))
    #expect(paths.count > 20)
    for path in paths {
      for extreme in extremes {
        let client = try scene.client()
        let value = Self.replacing(path[...], in: .dictionary(config), by: extreme)
        try serve { $0 = value.members ?? $0 }
        let task = client.refresh(.launch)
        // A missing object would be requested again after a while.
        for _ in 0..<2000 where scene.clock.sleepers == 0 {
          if client.state != .empty { break }
          await Task.yield()
        }
        task.cancel()
        _ = await task.outcome
        _ = (client.state, client.snapshot.entries(in: "catalog").map(\.fields))
      }
    }
  }

  private static func paths(in value: Value) -> [[String]] {
    guard case .dictionary(let members) = value else { return [[]] }
    return members.flatMap { key, value in [[key]] + paths(in: value).map { [key] + $0 } }
  }

  private static func replacing(
    _ path: ArraySlice<String>, in value: Value, by new: Value
  ) -> Value {
    guard let key = path.first else { return new }
    guard case .dictionary(var members) = value else { return value }
    members[key] = members[key].map { replacing(path.dropFirst(), in: $0, by: new) }
    return .dictionary(members)
  }

  @Test(.signedAndUnsigned) func missingObjectsLeadToConfigAgain() async throws {
    let client = try scene.client(storing: true)
    scene.loseObjects(status: 410)
    let task = client.refresh(.launch)
    for seconds in [2.0, 8, 30] {
      while scene.clock.sleepers == 0 { await Task.yield() }
      scene.clock.advance(by: seconds)
    }
    let outcome = await task.outcome
    #expect(outcome.failure?.kind == .missing)
    let checks = scene.transport.requests.filter { $0.url.hasSuffix("config.plist") }
    #expect(checks.map(\.asksOrigin) == [false, true, true, true])
  }
}
