import ContentClientTesting
import ContentModel
import ContentReleases
import ContentTargets
import Dispatch
import SharedGzip
import SiteFormat
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Tests attacks by a real server on a client that uses the system's transport.
///
/// The numbers are those of the attacks in docs/reference/client.md.
@Suite(.timeLimit(.minutes(5))) struct ClientAttackTests {
  /// The kind of file that an attacker changes.
  enum AttackedFile: String, CaseIterable, Sendable { case config, index, bundle }

  // MARK: 35, a false encoding

  /// A way in which `Content-Encoding` does not match the body.
  enum FalseEncoding: String, CaseIterable, Sendable {
    case otherBytes, plainAsGzip, gzipAsPlain, gzipAsDeflate, gzipAsBrotli, cut, unknown, twice

    func reply(to bytes: [UInt8]) throws -> ScriptedServer.Reply {
      let gzip = try GzipCompressor().compress(bytes)
      func answer(_ encoding: String?, _ body: [UInt8]) -> ScriptedServer.Reply {
        .answer(
          status: 200, headers: encoding.map { ["Content-Encoding: \($0)"] } ?? [], body: body)
      }
      var other = bytes
      other[other.count / 2] ^= 1
      return switch self {
      case .otherBytes: answer("gzip", try GzipCompressor().compress(other))
      case .plainAsGzip: answer("gzip", bytes)
      case .gzipAsPlain: answer(nil, gzip)
      case .gzipAsDeflate: answer("deflate", gzip)
      case .gzipAsBrotli: answer("br", gzip)
      case .cut: answer("gzip", Array(gzip.dropLast(gzip.count / 2)))
      case .unknown: answer("x-attack", bytes)
      case .twice: answer("gzip, gzip", gzip)
      }
    }
  }

  @Test(.signedAndUnsigned, arguments: FalseEncoding.allCases, [AttackedFile.index, .bundle])
  func falseEncodingsAreRefused(encoding: FalseEncoding, file: AttackedFile) async throws {
    // Signing changes only config, so one kind of object suffices in a signed channel.
    if SignedAndUnsigned.isSigned, file == .bundle { return }
    let scene = try await AttackedServer(file)
    let reply = try encoding.reply(to: scene.attacked)
    #expect([.refused, .server(status: 0)].contains(await scene.failure(reply)))
    try await scene.expectUnharmed()
  }

  /// Without this test, a client that refuses every encoding would pass the test above.
  @Test(.signedAndUnsigned, arguments: AttackedFile.allCases)
  func honestEncodingsAreAccepted(file: AttackedFile) async throws {
    let scene = try await AttackedServer(file)
    let body = try GzipCompressor().compress(scene.attacked)
    let twice = try GzipCompressor().compress(body)
    let reply = ScriptedServer.Reply.answer(
      status: 200, headers: ["Content-Encoding: gzip, gzip"], body: twice)
    #expect(await scene.failure(reply) == nil)
    #expect(scene.title == "New")
  }

  // MARK: 45, a body without an end

  /// How HTTP shows where a body ends, for a body that does not end.
  enum Framing: String, CaseIterable, Sendable {
    case chunks, connection, length

    var head: [UInt8] {
      let line =
        switch self {
        case .chunks: "Transfer-Encoding: chunked\r\n"
        case .connection: "Connection: close\r\n"
        case .length: "Content-Length: 9000000000000000000\r\n"
        }
      return Array("HTTP/1.1 200 OK\r\n\(line)\r\n".utf8)
    }

    func framed(_ bytes: [UInt8]) -> [UInt8] {
      guard self == .chunks else { return bytes }
      return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }
  }

  @Test(.signedAndUnsigned, arguments: AttackedFile.allCases, Framing.allCases)
  func endlessBodiesEndAtTheLimit(file: AttackedFile, framing: Framing) async throws {
    let scene = try await AttackedServer(file)
    let part = framing.framed([UInt8](repeating: UInt8(ascii: "x"), count: 16_384))
    #expect(await scene.failure(.endless(part, head: framing.head)) == .refused)
    #expect(await scene.hasRefusal("longer than allowed"))
    // The limit is 4 MB for an index, and less for other files. The system's buffers take the rest.
    #expect(scene.server.streamedBytes < 24 << 20, "\(scene.server.streamedBytes)")
    try await scene.expectUnharmed()
  }

  @Test(.signedAndUnsigned) func anEndlessHeadEndsAtTheLimit() async throws {
    let scene = try await AttackedServer(.config)
    let line = Array("X-Attack: \(String(repeating: "x", count: 8_000))\r\n".utf8)
    let reply = ScriptedServer.Reply.endless(line, head: Array("HTTP/1.1 200 OK\r\n".utf8))
    #expect([.refused, .server(status: 0)].contains(await scene.failure(reply)))
    #expect(scene.server.streamedBytes < 24 << 20, "\(scene.server.streamedBytes)")
    try await scene.expectUnharmed()
  }

  // MARK: 46, a compressed bomb

  private static let bomb = Result {
    let zeros = [UInt8](repeating: 0, count: 64 << 20)
    let once = try GzipCompressor().compress(zeros)
    return [once, try GzipCompressor().compress(once)]
  }

  @Test(.signedAndUnsigned, arguments: AttackedFile.allCases, [0, 1])
  func compressedBombsEndAtTheLimit(file: AttackedFile, layer: Int) async throws {
    let scene = try await AttackedServer(file)
    let reply = ScriptedServer.Reply.answer(
      status: 200, headers: ["Content-Encoding: \(["gzip", "gzip, gzip"][layer])"],
      body: try Self.bomb.get()[layer])
    #expect(await scene.failure(reply) == .refused)
    #expect(await scene.hasRefusal("longer than allowed"))
    try await scene.expectUnharmed()
  }

  /// The transport decodes at most one part beyond the limit.
  @Test func aBombIsNotDecodedInMemory() async throws {
    let body = try Self.bomb.get()[1]
    let server = try ScriptedServer { _ in
      .answer(status: 200, headers: ["Content-Encoding: gzip, gzip"], body: body)
    }
    defer { server.stop() }
    var request = ContentRequest(url: "\(server.address)/x")
    request.maximumBytes = 100_000
    let decoded = Locked(0)
    await #expect(throws: TransportFailure.tooLarge) {
      try await SystemTransport().send(request) { count in decoded.withLock { $0 += count } }
    }
    #expect((1..<200_000).contains(decoded.current), "\(decoded.current)")
  }

  // MARK: 48, one byte a second

  /// The client waits 10 s for the first byte of the body, and then expects 1 kB/s over 20 s.
  @Test func oneByteASecondEndsByTheRateLimit() async throws {
    func slow(_ file: AttackedFile, hasHead: Bool, isSigned: Bool = false) async throws -> Duration
    {
      let scene = try await SignedAndUnsigned.$isSigned.withValue(isSigned) {
        try await AttackedServer(file)
      }
      let bytes = scene.attacked
      let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n".utf8)
      let reply: ScriptedServer.Reply =
        hasHead
        ? .trickle(bytes, milliseconds: 1_000, head: head)
        : .trickle(head + bytes, milliseconds: 1_000)
      #expect(await scene.failure(reply) == .server(status: 0))
      let time = try await scene.trickleTime()
      #expect(scene.server.trickleTimes.count == 1, "the client asks once")
      #expect(await scene.hasFailure("does not answer in time"))
      try await scene.expectUnharmed()
      return time
    }
    async let config = slow(.config, hasHead: true)
    async let index = slow(.index, hasHead: true)
    async let bundle = slow(.bundle, hasHead: true)
    async let signed = slow(.config, hasHead: true, isSigned: true)
    async let signedBundle = slow(.bundle, hasHead: true, isSigned: true)
    async let head = slow(.config, hasHead: false)
    for time in try await [config, index, bundle, signed, signedBundle] {
      #expect(time > .seconds(15) && time < .seconds(45), "\(time)")
    }
    let time = try await head
    #expect(time > .seconds(9) && time < .seconds(20), "\(time)")
  }

  #if os(Linux)
    /// The time in which a request waits for a thread does not count as time of the server.
    @Test func waitingForAThreadDoesNotTimeOut() async throws {
      let server = try ScriptedServer { _ in .answer(status: 200, body: [1]) }
      defer { server.stop() }
      var transport = SystemTransport()
      transport.patience = .seconds(3)
      transport.queue.suspend()
      async let answer = transport.send(ContentRequest(url: "\(server.address)/x")) { _ in }
      try? await Task.sleep(for: .seconds(4))
      transport.queue.resume()
      #expect(try await answer.body == [1])
    }
  #endif

  // MARK: 52, a cut answer

  @Test(.signedAndUnsigned, arguments: AttackedFile.allCases, Framing.allCases)
  func answersThatAreCutChangeNothing(file: AttackedFile, framing: Framing) async throws {
    let scene = try await AttackedServer(file)
    let count = scene.attacked.count
    for cut in [0, 1, count / 2, count - 1] {
      let whole = "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"
      let head = framing == .length ? Array(whole.utf8) : framing.head
      let part = Array(scene.attacked.prefix(cut))
      let body = cut == 0 ? [] : framing.framed(part)
      #expect(await scene.failure(.bytes(head + body)) != nil, "\(cut)")
      scene.clock.advance(by: 600)
    }
    try await scene.expectUnharmed()
  }
}

/// A server that attacks with one file of release 2, and a client that shows release 1.
private struct AttackedServer {
  private static let shop = [
    "entries/product/rose.yaml": "title: New\n", "entries/product/iris.yaml": "title: New\n",
  ]

  let server: ScriptedServer
  let clock = ManualClock()
  /// The bytes of the file that the server replaces.
  let attacked: [UInt8]
  private let client: ContentClient
  private let scratch: ScratchFolder
  private let path: String
  /// The reply to a request for the file; `nil` for an honest reply.
  private let reply: Locked<ScriptedServer.Reply?>
  private let log: Locked<[ContentEvent]>

  init(_ file: ClientAttackTests.AttackedFile) async throws {
    let keys = SignedAndUnsigned.isSigned ? try SignedPlace() : nil
    let (target, attackedKey) = (keys?.memory ?? MemoryTarget(), Locked<String?>(nil))
    let channel = keys?.place() ?? ChannelPlace(target)
    try Shop().publish(to: channel)
    let reply = Locked<ScriptedServer.Reply?>(nil)
    self.reply = reply
    server = try ScriptedServer { request in
      let key = String(request.path.dropFirst())
      if let reply = reply.current, key == attackedKey.current { return reply }
      guard let stored = target.read(key) else { return .answer(status: 404) }
      return .answer(status: 200, body: stored.bytes)
    }
    scratch = try ScratchFolder(inMemory: true)
    var configuration = ContentConfiguration(
      url: server.address, app: "shop", channel: "production")
    configuration.context = ReaderContext(locales: ["en"])
    if let keys { configuration.trust = .pinned(path: try keys.pin(in: scratch)) }
    configuration.eager = ["catalog"]
    configuration.storage = .folder(path: scratch.path("store"))
    configuration.clock = clock
    client = try ContentClient(configuration)
    guard case .updated = await client.refresh(.launch).outcome else {
      throw Problem("an honest server is not believed")
    }
    try Shop(Self.shop).publish(to: channel)
    let bytes = try #require(target.read("production/config.plist")).bytes
    let config = try SiteConfig(Envelope.config(in: bytes))
    let index = try #require(config.index(ServedContext(locale: "en", device: "any")))
    let rows = try SiteIndex(#require(target.read(index.path)).bytes, ending: "plist").rows
    let catalog = try #require(rows["catalog"]).version(for: configuration.context)
    path =
      switch file {
      case .config: "production/config.plist"
      case .index: index.path
      case .bundle: catalog.object.path
      }
    attacked = try #require(target.read(path)).bytes
    attackedKey.withLock { [path] in $0 = path }
    let (log, events) = (Locked<[ContentEvent]>([]), client.events)
    self.log = log
    Task { for await event in events { log.withLock { $0.append(event) } } }
  }

  var title: String? { client.snapshot.entry("product/rose", in: "catalog")?["title"]?.text }

  /// Refreshes the client while the server attacks.
  ///
  /// Returns the kind of the failure; `nil` if the refresh succeeds.
  func failure(_ attack: ScriptedServer.Reply) async -> ContentError.Kind? {
    reply.withLock { $0 = attack }
    guard case .failed(let error) = await client.refresh(.launch).outcome else { return nil }
    return error.kind
  }

  /// Returns how long the client received a trickled reply, as measured by the server.
  ///
  /// The client's outcome can come later, after a wait for a thread that other tests occupy.
  func trickleTime() async throws -> Duration {
    for _ in 0..<500 {
      if let time = server.trickleTimes.first { return time }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Problem("the client did not hang up")
  }

  func hasRefusal(_ words: String) async -> Bool {
    await has { if case .refused(let error) = $0 { error.reason.contains(words) } else { false } }
  }

  func hasFailure(_ words: String) async -> Bool {
    await has { if case .failed(let error) = $0 { error.reason.contains(words) } else { false } }
  }

  private func has(_ condition: (ContentEvent) -> Bool) async -> Bool {
    for _ in 0..<500 {
      if log.current.contains(where: condition) { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  /// Expects that the client shows release 1 and stored nothing of the attack.
  ///
  /// Then makes the server honest, and expects that the client shows release 2.
  func expectUnharmed(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    #expect(client.snapshot.release == 1 && title == "Rose", sourceLocation: sourceLocation)
    #expect(!scratch.holds("store/\(path)"), sourceLocation: sourceLocation)
    reply.withLock { $0 = nil }
    clock.advance(by: 3_600)
    let outcome = await client.refresh(.launch).outcome
    guard case .updated = outcome else {
      Issue.record("an honest server is not believed: \(outcome)", sourceLocation: sourceLocation)
      return
    }
    #expect(title == "New", sourceLocation: sourceLocation)
    server.stop()
  }
}
