import ContentClientTesting
import ContentModel
import SiteFormat
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The full outcome of refused answers: rows 17, 34, 47, 49 and 56 of the attacks in docs/reference/client.md.
@Suite(.timeLimit(.minutes(10))) struct RefusedAnswerTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  /// Returns a client that shows release 1; release 2 is published.
  private func client() async throws -> ContentClient {
    let client = try await scene.clientOfFirstRelease()
    _ = scene.requests()
    return client
  }

  /// Expects that the next answer is refused for a reason, with the floor `highest`, and that
  /// release 1 stays.
  private func expectRefused(
    _ client: ContentClient, reason: String, highest: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let log = EventLog(client)
    let failure = await client.refreshed().failure
    #expect(failure?.kind == .refused, "\(failure?.reason ?? "")", sourceLocation: sourceLocation)
    #expect(failure?.reason.contains(reason) == true, sourceLocation: sourceLocation)
    #expect(await log.hasRefusal(reason), sourceLocation: sourceLocation)
    #expect(client.snapshot.release == 1, sourceLocation: sourceLocation)
    #expect(client.title("product/rose") == "Rose", sourceLocation: sourceLocation)
    #expect(
      await client.refresher.state.highestRelease == highest, sourceLocation: sourceLocation)
    let stored = try #require(try scene.storage.state())
    #expect(
      stored.highestRelease == highest && stored.shown?.release == 1,
      sourceLocation: sourceLocation)
    // Another check would have the same answer: the next regular one is soon enough.
    let standing = await client.refresher.standing
    #expect(standing.refusedSeconds > 0.85 * 600, sourceLocation: sourceLocation)
    #expect(await !client.refresher.lacksConnection, sourceLocation: sourceLocation)
  }

  /// Expects that honest answers are accepted again.
  private func expectRecovery(of client: ContentClient) async throws {
    scene.goOnline()
    scene.clock.advance(by: 3_600)
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.release == 2 && client.title("product/rose") == "New")
  }

  // MARK: 17, 34, 56

  @Test func anotherConfigOfTheSameRelease() async throws {
    let client = try await client()
    try scene.serve(
      config: try scene.config {
        $0["release"] = 1
        $0["ttl"] = 1
      })
    try await expectRefused(client, reason: "release 1 has two configs")
    try await expectRecovery(of: client)
  }

  @Test(arguments: ["app", "channel"]) func aForeignConfig(member: String) async throws {
    let client = try await client()
    try scene.serve(config: try scene.config { $0[member] = "other" })
    try await expectRefused(client, reason: "the config is of another app or channel")
    try await expectRecovery(of: client)
  }

  private static let numbers: [(Int64, String)] = [
    (.max, "is out of range"), ((1 << 53) + 1, "is out of range"), (-1, "is out of range"),
    (1 << 53, "is too far above 1"), (1_000_002, "is too far above 1"),
  ]

  @Test(arguments: numbers)
  func aReleaseOutOfReach(release: Int64, reason: String) async throws {
    let client = try await client()
    try scene.serve(config: try scene.config { $0["release"] = .integer(release) })
    try await expectRefused(client, reason: "release \(release) \(reason)")
    try await expectRecovery(of: client)
  }

  @Test(arguments: [1_000_001, 1 << 53, .max] as [Int64])
  func aPurgeOutOfReach(sequence: Int64) async throws {
    let client = try await client()
    try scene.serve(
      config: try scene.config {
        $0["release"] = 2
        $0["purge"] = ["sequence": .integer(sequence), "entries": ["product/rose"]]
      })
    try await expectRefused(
      client, reason: "purge \(min(sequence, 1 << 53)) is too far above 0")
    #expect(client.title("product/rose") == "Rose")
    try await expectRecovery(of: client)
  }

  // MARK: 47

  @Test(arguments: [true, false]) func anObjectOfAnotherLength(isLonger: Bool) async throws {
    let client = try await client()
    // The size of an index is only limited; a bundle has one.
    for (object, hasSize) in zip(try scene.neededObjects(), [false, true]) {
      scene.serve(object) { answer in
        var changed = answer
        if isLonger { changed.body.append(0) } else { changed.body.removeLast() }
        return changed
      }
      let reason =
        hasSize && isLonger ? "longer than allowed" : "object \(object.digest) has other bytes"
      try await expectRefused(client, reason: reason, highest: 2)
      #expect(!scene.storage.contains(object, size: nil))
    }
    try await expectRecovery(of: client)
  }

  // MARK: 49

  private static let places = [
    "http://shop.example/x", "https://evil.example/x", "//evil.example/x", "",
    "https://shop.example.evil/x", "https://shop.example/x/loop",
  ]

  @Test(arguments: places) func aRedirectedConfig(place: String) async throws {
    let client = try await client()
    scene.transport.answer { _ in
      ContentResponse(status: 302, headers: [("Location", place)])
    }
    try await expectRefused(client, reason: "a redirection leads elsewhere")
    expectRequestsOfTheSite()
    try await expectRecovery(of: client)
  }

  @Test(arguments: places) func aRedirectedObject(place: String) async throws {
    let client = try await client()
    let index = try #require(try scene.neededObjects().first)
    scene.transport.answer { [memory = scene.memory] request in
      request.url.hasSuffix("config.plist")
        ? ClientScene.answer(request, from: memory)
        : ContentResponse(status: 307, headers: [("Location", place)])
    }
    try await expectRefused(
      client, reason: "object \(index.digest) is redirected elsewhere", highest: 2)
    expectRequestsOfTheSite()
    try await expectRecovery(of: client)
  }

  @Test func aRedirectionWithoutAPlace() async throws {
    let client = try await client()
    scene.transport.answer { _ in ContentResponse(status: 301) }
    try await expectRefused(client, reason: "a redirection leads elsewhere")
  }

  /// Expects at most three redirections, all within the site.
  private func expectRequestsOfTheSite() {
    let urls = scene.transport.requests.map(\.url)
    #expect(urls.count <= 5 && urls.allSatisfy { $0.hasPrefix("https://shop.example/") })
  }
}
