import ContentClientTesting
import ContentModel
import SiteFormat
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The bundles and files that a screen asks for, if the site lacks them: row 50 of the attacks in
/// docs/reference/client.md.
@Suite(.timeLimit(.minutes(5))) struct OnDemandTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene(StorageTests.pictures) }

  enum Part: CaseIterable, Sendable { case list, part, prefetchedPart, asset }

  private func load(_ part: Part, _ client: ContentClient) async throws {
    switch part {
    case .list, .part: _ = try await client.snapshot.entries(loading: "product/rose")
    case .prefetchedPart: try await client.prefetch(["product/rose"])
    case .asset:
      let rose = try await client.snapshot.entries(loading: "product/rose").first
      _ = try await client.snapshot.file(of: try #require(rose?.asset("picture")))
    }
  }

  /// Serves config, and answers 404 for what a part needs; returns the checks.
  private func lose(_ part: Part) -> Locked<[(seconds: Double, asksOrigin: Bool)]> {
    let checks = Locked<[(seconds: Double, asksOrigin: Bool)]>([])
    let served = Locked(0)
    scene.transport.answer { [memory = scene.memory, clock = scene.clock] request in
      if request.url.hasSuffix("config.plist") {
        checks.withLock { $0.append((clock.uptime.seconds, request.asksOrigin)) }
        return ClientScene.answer(request, from: memory)
      }
      let number = served.withLock { number in
        defer { number += 1 }
        return number
      }
      // First the list of parts, then the part; the asset alone is no property list.
      let isLost =
        switch part {
        case .list: true
        case .part, .prefetchedPart: number > 0
        case .asset: request.url.hasSuffix(".svg")
        }
      return isLost
        ? ContentResponse(status: 404) : ClientScene.answer(request, from: memory)
    }
    return checks
  }

  @Test(arguments: Part.allCases)
  func aMissingObjectLeadsToConfigAgain(part: Part) async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    // The first reading proves its release in ten seconds.
    _ = client.snapshot
    await scene.waitForSleepers(1)
    scene.clock.advance(by: 10)
    let checks = lose(part)
    let start = scene.clock.uptime.seconds
    do {
      try await load(part, client)
      Issue.record("nothing is missing")
    } catch let error as ContentError {
      #expect(error.kind == .missing)
    }
    for (place, seconds) in [2.0, 8, 30].enumerated() {
      await scene.waitForSleepers(1)
      scene.clock.advance(by: seconds)
      #expect(await eventually { checks.current.count > place && client.refreshing == nil })
    }
    #expect(checks.current.map { $0.seconds - start } == [2, 10, 40])
    #expect(checks.current.map(\.asksOrigin) == [true, true, true])
    // The site lacks it for good: a screen that asks again causes no further checks.
    await #expect(throws: ContentError.self) { try await load(part, client) }
    for _ in 0..<100 { await Task.yield() }
    #expect(scene.clock.sleepers == 0 && checks.current.count == 3)
    #expect(client.state == .content)
  }

  @Test func showsTheReleaseWhoseObjectsAreThere() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let checks = lose(.list)
    await #expect(throws: ContentError.self) { try await load(.part, client) }
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    scene.goOnline()
    await scene.waitForSleepers(1)
    scene.clock.advance(by: 2)
    #expect(await eventually { client.snapshot.release == 2 })
    #expect(try await client.snapshot.entries(loading: "product/rose").first?["title"] == "New")
    #expect(checks.current.isEmpty)
  }

  @Test func snapshotsWithoutAClientRefuseToLoad() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let shown = client.snapshot
    let left = ContentSnapshot(hold: shown.hold, visibility: shown.visibility, loader: nil)
    await #expect(throws: ContentError.self) { try await left.entries(loading: "product") }
    await #expect(throws: ContentError.self) {
      try await left.entry(loading: "product/rose", in: "product")
    }
  }

  /// A typing error in an app is no reason to ask a server.
  @Test func anUnknownNameLeadsToNoCheck() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    await #expect(throws: ContentError.self) { try await client.prefetch(["catalogue"]) }
    for _ in 0..<100 { await Task.yield() }
    #expect(scene.clock.sleepers == 0)
  }

  @Test func requestsAtMostFourObjectsAtATime() async throws {
    try scene.publish([
      "entries/product.yaml": (0..<12).map { "p\($0): {title: Product \($0)}\n" }.joined()
    ])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let open = Locked((now: 0, most: 0))
    scene.transport.answer { [memory = scene.memory] request in
      open.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      for _ in 0..<50 { await Task.yield() }
      open.withLock { $0.now -= 1 }
      return ClientScene.answer(request, from: memory)
    }
    try await client.prefetch(["product"])
    #expect(open.current.most == 4)
  }

  /// The other three places serve the other objects meanwhile.
  @Test func aSlowObjectHoldsUpNoOthers() async throws {
    try scene.publish([
      "entries/product.yaml": (0..<12).map { "p\($0): {title: Product \($0)}\n" }.joined()
    ])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    // Without the list of its parts, no part is known.
    _ = try await client.snapshot.entries(loading: "product/p0")
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let requests = Locked((begun: 0, ended: 0))
    scene.transport.answer { [memory = scene.memory] request in
      let number = requests.withLock {
        $0.begun += 1
        return $0.begun
      }
      if number == 1 { for await _ in gate { break } }
      requests.withLock { $0.ended += 1 }
      return ClientScene.answer(request, from: memory)
    }
    let loading = Task { try await client.prefetch(["product"]) }
    // The new products, rose and iris, and lily, whose time has not come.
    _ = await eventually { requests.current.ended >= 13 }
    #expect(requests.current.begun == 14 && requests.current.ended == 13)
    // What arrived can be read while the slow one is on its way.
    func count() -> Int { client.snapshot.entries(in: "product").count }
    _ = await eventually { count() >= 13 }
    #expect(count() == 13)
    opening.yield()
    try await loading.value
    #expect(count() == 14)
  }

  /// After a failure, the requests on their way end, and their objects are kept; no others begin.
  @Test func aFailureEndsTheRequests() async throws {
    try scene.publish([
      "entries/product.yaml": (0..<12).map { "p\($0): {title: Product \($0)}\n" }.joined()
    ])
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    _ = try await client.snapshot.entries(loading: "product/p0")
    let (count, hasFailed) = (Locked(0), Locked(false))
    scene.transport.answer { [memory = scene.memory] request in
      let number = count.withLock {
        $0 += 1
        return $0
      }
      if number == 2 {
        hasFailed.withLock { $0 = true }
        return ContentResponse(status: 500)
      }
      while !hasFailed.current { await Task.yield() }
      try? await Task.sleep(for: .milliseconds(50))
      return ClientScene.answer(request, from: memory)
    }
    await #expect(throws: ContentError.self) { try await client.prefetch(["product"]) }
    #expect(count.current == 4)
    let first = scene.requests()
    scene.goOnline()
    try await client.prefetch(["product"])
    // Only the object that failed is requested again.
    let again = scene.requests().filter { first.contains($0) }
    #expect(again.count == 1)
  }
}

/// Choices of a reader that overlap.
@Suite(.timeLimit(.minutes(5))) struct SelectionTests {
  /// The later choice counts, also if its content is stored and a refresh for the earlier one is on
  /// its way.
  @Test(arguments: [true, false])
  func ofTwoChoicesTheLaterOneCounts(isStored: Bool) async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let (gate, opening) = AsyncStream<Void>.makeStream()
    scene.transport.answer { [memory = scene.memory] request in
      for await _ in gate { break }
      return ClientScene.answer(request, from: memory)
    }
    let later = ReaderContext(locales: [isStored ? "en" : "de"])
    let first = Task { await client.select(ReaderContext(locales: ["fr"])) }
    while scene.transport.requests.last?.url.contains("/objects/") != true { await Task.yield() }
    let second = Task { await client.select(later) }
    while client.reader != later { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    opening.finish()
    _ = await (first.value, second.value)
    #expect(client.reader == later)
    #expect(client.title("product/rose") == "Rose")
    #expect(client.snapshot.locale == (isStored ? "en" : "de"))
  }
}
