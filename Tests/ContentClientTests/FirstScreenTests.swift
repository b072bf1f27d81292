import ContentClientTesting
import ContentModel
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// What a first screen needs: a refresh with a limit, an entry by its id, and headers.
@Suite(.timeLimit(.minutes(5))) struct FirstScreenTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  // MARK: refresh(within:)

  @Test func waitsForARefreshThatIsFast() async throws {
    let client = try scene.client()
    let outcome = await client.refresh(within: 2)
    #expect(outcome?.isUpdated == true && client.title("product/rose") == "Rose")
  }

  @Test func showsWhatThereIsWhileARefreshIsSlow() async throws {
    let client = try scene.client()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    scene.transport.answer { [memory = scene.memory] request in
      for await _ in gate { break }
      return ClientScene.answer(request, from: memory)
    }
    let waiting = Task { await client.refresh(.launch, within: 2) }
    await scene.waitForSleepers(1)
    scene.clock.advance(by: 2)
    #expect(await waiting.value == nil)
    #expect(client.state == .empty)
    // The refresh goes on, and others join it.
    let joined = client.refresh(.user)
    for _ in 0..<10 { opening.yield() }
    opening.finish()
    #expect(await joined.outcome.isUpdated)
    #expect(client.title("product/rose") == "Rose")
  }

  @Test(arguments: [0, -1, -Double.infinity, .nan])
  func waitsForNothingWithoutTime(seconds: Double) async throws {
    let client = try scene.client()
    scene.transport.answer { _ in
      try? await Task.sleep(for: .seconds(60))
      return ContentResponse(status: 503)
    }
    #expect(await client.refresh(within: seconds) == nil)
    client.refreshing?.cancel()
  }

  @Test func aCancelledCallerWaitsNoLonger() async throws {
    let client = try scene.client()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    scene.transport.answer { [memory = scene.memory] request in
      for await _ in gate { break }
      return ClientScene.answer(request, from: memory)
    }
    let waiting = Task { await client.refresh(within: 600) }
    await scene.waitForSleepers(1)
    waiting.cancel()
    #expect(await waiting.value == nil)
    let refresh = try #require(client.refreshing)
    opening.finish()
    #expect(await refresh.outcome.isUpdated)
  }

  // MARK: entry(loading:)

  @Test func loadsThePartWithAnEntry() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let snapshot = client.snapshot
    // Stored bundles are read at once.
    _ = scene.requests()
    #expect(try await snapshot.entry(loading: "screen/home") != nil)
    #expect(try await snapshot.entry(loading: "product/rose", in: "catalog")?["title"] == "Rose")
    #expect(scene.requests().isEmpty)
    // The list of the parts, and one part.
    let rose = try await snapshot.entry(loading: "product/rose", in: "product")
    #expect(rose?["care"] == "Water it." && rose?.bundle == "product/rose")
    #expect(scene.requests().count == 2)
    #expect(snapshot.entry("product/iris", in: "product") == nil)
    #expect(try await snapshot.entry(loading: "product/none", in: "product") == nil)
    #expect(scene.requests().isEmpty)
    #expect(try await snapshot.entry(loading: "no id") == nil)
  }

  @Test func findsAnEntryThatIsNotStored() async throws {
    var configuration = scene.configuration()
    configuration.eager = []
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.entry("product/rose") == nil)
    let rose = try await client.snapshot.entry(loading: "product/rose")
    #expect(rose?["care"] == "Water it.")
    #expect(try await client.snapshot.entry(loading: "product/none") == nil)
  }

  /// Another split bundle has a part of the same name, whose loading may fail.
  @Test func loadsNoFurtherPartOnceTheEntryIsFound() async throws {
    let scene = try ClientScene([
      "content.yaml": Shop.project("  service: {include: service/*, split: entry}"),
      "datatypes/service.yaml": "fields:\n  title: {type: string}\n",
      "entries/service/rose.yaml": "title: Pruning\n",
    ])
    var configuration = scene.configuration()
    configuration.eager = []
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    _ = scene.requests()
    let rose = try await client.snapshot.entry(loading: "product/rose")
    #expect(rose?["care"] == "Water it.")
    #expect(scene.requests().count == 2, "the list of the products, and the part")
    #expect(try await client.snapshot.entry(loading: "service/rose")?["title"] == "Pruning")
  }

  @Test func loadsNothingOfAnUnknownBundle() async throws {
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    await #expect(throws: ContentError.self) {
      try await client.snapshot.entry(loading: "product/rose", in: "catalogue")
    }
    let empty = try scene.client("fr")
    await #expect(throws: ContentError.self) {
      try await empty.snapshot.entry(loading: "product/rose")
    }
  }

  // MARK: Headers

  @Test func sendsTheHeadersOfTheApp() async throws {
    var configuration = scene.configuration()
    configuration.headers = [("Authorization", "Bearer a b"), ("X-Build", "7"), ("X-Build", "8")]
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    _ = try await client.snapshot.entries(loading: "product/rose")
    #expect(scene.transport.requests.count > 3)
    for request in scene.transport.requests {
      #expect(
        request.headers.map { "\($0.name): \($0.value)" }
          == ["Authorization: Bearer a b", "X-Build: 7", "X-Build: 8"])
    }
  }

  @Test(arguments: [
    ("", "a", "is no name of a header"), ("A B", "a", "is no name of a header"),
    ("A:", "a", "is no name of a header"), ("Ä", "a", "is no name of a header"),
    ("X\r\nY", "a", "is no name of a header"), ("host", "a", "sets the header"),
    ("If-None-Match", "a", "sets the header"), ("Range", "bytes=0-1", "sets the header"),
    ("X", "a\r\nHost: b", "control character"), ("X", "secret\u{0}", "control character"),
    ("X", "é", "not ASCII"), ("X", " a", "control character"), ("X", "a\t", "control character"),
  ])
  func refusesHeadersThatBreakRequests(name: String, value: String, reason: String) throws {
    var configuration = scene.configuration()
    configuration.headers = [(name, value)]
    let error = try #require(throws: ContentError.self) { try ContentClient(configuration) }
    #expect(error.kind == .configuration && error.reason.contains(reason))
    #expect(!error.reason.contains("secret"))
  }
}
