import ContentClient
import ContentClientTesting
import ContentModel
import ContentPurging
import ContentReleases
import ContentTargets
import TestReaders
import TestServers
import Testing

@testable import TestDelivery

/// The client that apps use, with real servers and libcurl.
@Suite struct ClientServerTests {
  let scratch: ScratchFolder
  let place: ChannelPlace

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    place = ChannelPlace(FolderTarget(scratch.path("root")))
    try Shop().publish(to: place)
  }

  private func client(of server: WebServer, storing name: String = "store") throws -> ContentClient
  {
    var configuration = ContentConfiguration(
      url: server.server.address, app: "shop", channel: "production")
    configuration.context = ReaderContext(locales: ["fr"])
    configuration.eager = ["catalog"]
    configuration.storage = .folder(path: scratch.path(name))
    return try ContentClient(configuration)
  }

  @Test(.needsServers, arguments: WebServer.Kind.allCases)
  func showsReleasesAndPurges(kind: WebServer.Kind) async throws {
    let server = try WebServer(kind, root: scratch.path("root"))
    let client = try client(of: server)
    #expect(client.state == .empty)
    guard case .updated = await client.refresh(.launch).outcome else {
      Issue.record("no content")
      return
    }
    let held = client.snapshot
    #expect(held.entry("product/rose", in: "catalog")?["title"] == "La rose")
    var events = client.events.makeAsyncIterator()
    guard case .unchanged = await client.refresh(.launch).outcome else {
      Issue.record("config without changes is loaded")
      return
    }
    #expect(await events.next() == .looked(status: 304))
    try await client.prefetch(["product"])
    #expect(held.entry("product/iris", in: "product/iris") != nil)
    try place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    guard case .updated(let update) = await client.refresh(.launch).outcome else {
      Issue.record("no purge")
      return
    }
    #expect(update.snapshot.entry("product/rose") == nil && held.entry("product/rose") == nil)
    #expect(update.snapshot.entry("product/iris") != nil)
  }

  @Test func sendsTheHeadersOfConditionsAndOfRequestsPastCaches() async throws {
    let memory = MemoryTarget()
    try Shop().publish(to: ChannelPlace(memory))
    let tag = #"ETag: "v1""#
    let server = try ScriptedServer { request in
      let isKnown = request.headers.contains(#"If-None-Match: "v1""#)
      if isKnown { return .answer(status: 304, headers: [tag]) }
      guard let file = memory.read(String(request.path.dropFirst())) else {
        return .answer(status: 404)
      }
      return .answer(status: 200, headers: [tag], body: file.bytes)
    }
    defer { server.stop() }
    var configuration = ContentConfiguration(
      url: server.address, app: "shop", channel: "production")
    configuration.eager = ["catalog"]
    let client = try ContentClient(configuration)
    _ = await client.refresh(.launch).outcome
    _ = await client.refresh(.launch).outcome
    var request = ContentRequest(url: "\(server.address)/production/config.plist")
    request.asksOrigin = true
    _ = try await SystemTransport().send(request) { _ in }
    let headers = server.requests.filter { $0.path == "/production/config.plist" }.map { request in
      request.headers.filter { $0.hasPrefix("If-None-Match") || $0.hasPrefix("Cache-Control") }
    }
    #expect(headers == [[], [#"If-None-Match: "v1""#], ["Cache-Control: no-cache"]])
  }

  @Test(.needsServers) func showsStoredContentWithoutAServer() async throws {
    let server = try WebServer(.nginx, root: scratch.path("root"))
    let client = try client(of: server)
    _ = await client.refresh(.launch).outcome
    server.server.stop()
    let again = try self.client(of: server)
    #expect(again.snapshot.entry("product/rose", in: "catalog")?["title"] == "La rose")
    guard case .failed(let error) = await again.refresh(.launch).outcome else {
      Issue.record("a stopped server answers")
      return
    }
    #expect(error.kind == .unreachable)
    #expect(again.state == .content)
  }

  /// Each of several clients of one folder sees what another one loaded.
  @Test(.needsServers) func sharesAFolderBetweenClients() async throws {
    let server = try WebServer(.nginx, root: scratch.path("root"))
    let first = try client(of: server)
    let second = try client(of: server)
    _ = await first.refresh(.launch).outcome
    try await Task.sleep(for: .milliseconds(1100))
    _ = second.snapshot
    for _ in 0..<100 where second.state == .empty { try await Task.sleep(for: .milliseconds(20)) }
    #expect(second.state == .content && second.snapshot.release == 1)
  }

  /// The answer takes more than ten seconds, but its first byte does not.
  @Test func slowNetworksAreNoFailure() async throws {
    let body = String(repeating: "x", count: 25)
    let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n".utf8)
    let slow = try ScriptedServer { _ in
      .trickle(head + Array(body.utf8), milliseconds: 180)
    }
    defer { slow.stop() }
    var request = ContentRequest(url: slow.address + "/x")
    request.maximumBytes = 100
    let answer = try await SystemTransport().send(request) { _ in }
    #expect(answer.body == Array(body.utf8))
  }

  @Test func silentServersTimeOut() async throws {
    let silent = try ScriptedServer { _ in .silence }
    defer { silent.stop() }
    await #expect(throws: TransportFailure.timedOut) {
      try await SystemTransport().send(ContentRequest(url: silent.address + "/x")) { _ in }
    }
  }

  @Test func endsARequestThatIsCancelled() async throws {
    let silent = try ScriptedServer { _ in .silence }
    defer { silent.stop() }
    var configuration = ContentConfiguration(
      url: silent.address, app: "shop", channel: "production")
    configuration.storage = .memory
    let client = try ContentClient(configuration)
    let task = client.refresh(.user)
    try await Task.sleep(for: .milliseconds(100))
    let start = ContinuousClock.now
    task.cancel()
    guard case .failed(let error) = await task.outcome else {
      Issue.record("a silent server answers")
      return
    }
    #expect(error.kind == .cancelled)
    // A silent server would end it after ten seconds.
    #expect(ContinuousClock.now - start < .seconds(9))
  }
}
