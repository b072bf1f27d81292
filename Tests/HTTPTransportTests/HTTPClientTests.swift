import SystemC
import TestServers
import Testing

@testable import HTTPTransport

@Suite struct HTTPClientTests {
  @Test(arguments: [
    HTTPRequest.Method.get, .head, .put, .post, .delete, .purge, .ban, .purgeKeys,
  ])
  func sendsTheRequestUnchanged(method: HTTPRequest.Method) throws {
    let server = try ScriptedServer { _ in
      .answer(status: 203, headers: ["X-Two:  a b \t"], body: Array("body".utf8))
    }
    defer { server.stop() }
    let hasBody = method != .get && method != .head
    let body = hasBody ? Array(0...255) + Array("\r\n\r\n".utf8) : []
    let request = HTTPRequest(
      method, "\(server.address)/a/../b%20c//?q=%2B&r=", headers: [("X-One", "1"), ("X-None", "")],
      body: body)
    let client = HTTPClient()
    for _ in 0..<3 {
      let answer = try client.send(request)
      #expect(answer.status == 203 && answer.body == (method == .head ? [] : Array("body".utf8)))
      #expect(
        answer.header("x-tWO") == "a b" && answer.header("X-Three") == nil
          && !answer.mayHaveBeenSentTwice)
      #expect(answer.header("Content-Length") == "4")
    }
    #expect(server.requests.count == 3 && server.acceptedConnections == 1)
    for sent in server.requests {
      #expect(
        sent.method == method.rawValue && sent.path == "/a/../b%20c//?q=%2B&r=" && sent.body == body
      )
      let names = sent.headers.map { $0.split(separator: ":")[0].lowercased() }.filter {
        $0 != "content-length"
      }
      #expect(names == ["host", "x-one", "x-none"])
    }
  }

  @Test func forgetsTheLastRequest() throws {
    let server = try ScriptedServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let client = HTTPClient()
    let requests: [(method: HTTPRequest.Method, body: [UInt8])] = [
      (.put, [1]), (.get, []), (.head, []), (.delete, []), (.delete, [2]), (.purge, []),
      (.post, []), (.get, []),
    ]
    for request in requests {
      _ = try client.send(HTTPRequest(request.method, server.address, body: request.body))
    }
    #expect(server.requests.map(\.method) == requests.map(\.method.rawValue))
    #expect(server.requests.map(\.body) == requests.map(\.body))
    // Only PUT and POST state the length of an empty body.
    #expect(
      server.requests.map { $0.headers.contains { $0.lowercased().hasPrefix("content-length:") } }
        == [true, false, false, false, true, false, true, false])
  }

  /// This server never answers 100 Continue, so the client sends the body after a second.
  @Test(arguments: [(1 << 20, false), ((1 << 20) + 1, true)])
  func expectsAnAnswerBeforeALargeBody(count: Int, expects: Bool) throws {
    let server = try ScriptedServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let body = [UInt8](repeating: 7, count: count)
    #expect(try HTTPClient().send(HTTPRequest(.put, server.address, body: body)).status == 200)
    #expect(server.requests.map { $0.body == body } == [true])
    #expect(server.requests[0].headers.contains("Expect: 100-continue") == expects)
  }

  @Test(arguments: [(10, nil, false), (10, 20, true), (20, 10, false), (20, nil, true)])
  func prefersTheLimitOfTheRequestToThatOfTheClient(limit: Int, own: Int?, isAllowed: Bool) throws {
    let server = try ScriptedServer { _ in .answer(status: 200, body: Array("fifteen letters".utf8))
    }
    defer { server.stop() }
    var limits = HTTPLimits()
    limits.answerBytes = limit
    var request = HTTPRequest(.get, server.address)
    request.answerLimit = own
    #expect((try? HTTPClient(limits: limits).send(request).body.count) == (isAllowed ? 15 : nil))
  }

  @Test func followsNoRedirection() throws {
    let server = try ScriptedServer { _ in .answer(status: 307, headers: ["Location: /other"]) }
    defer { server.stop() }
    let answer = try HTTPClient().send(HTTPRequest(.get, server.address))
    #expect(
      answer.status == 307 && answer.header("location") == "/other" && server.requests.count == 1)
  }

  @Test func returnsTheLastHead() throws {
    let text =
      "HTTP/1.1 100 Continue\r\nX-Old: 1\r\n\r\n"
      + "HTTP/1.1 201 Created\r\nX-New: 2\r\nContent-Length: 0\r\n\r\n"
    let server = try ScriptedServer { _ in .bytes(Array(text.utf8)) }
    defer { server.stop() }
    let answer = try HTTPClient().send(HTTPRequest(.put, server.address, body: [1]))
    #expect(answer.status == 201 && answer.headers.map(\.name) == ["X-New", "Content-Length"])
  }

  @Test(arguments: [
    ("no answer", ScriptedServer.Reply.bytes([]), HTTPFailure.Kind.lost),
    ("an incomplete head", .bytes(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .lost),
    (
      "an incomplete body",
      .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nbeginning".utf8)), .lost
    ),
    ("no HTTP", .bytes(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)), .lost),
    ("silence", .silence, .late),
    ("too much", .answer(status: 200, body: [UInt8](repeating: 1, count: 100_001)), .tooLong),
    (
      "a long head",
      .answer(
        status: 200, headers: (0..<90).map { "X-\($0): \(String(repeating: "x", count: 4_000))" }),
      .tooLong
    ),
  ])
  func reportsThatAWriteMayHaveTakenEffect(
    what: String, reply: ScriptedServer.Reply, kind: HTTPFailure.Kind
  ) throws {
    let server = try ScriptedServer { _ in reply }
    defer { server.stop() }
    let failure = #expect(throws: HTTPFailure.self, "\(what)") {
      try HTTPClient(limits: .quick).send(HTTPRequest(.put, server.address, body: [1]))
    }
    #expect(failure?.kind == kind && failure?.mayHaveTakenEffect == true, "\(what)")
  }

  /// The connection is never silent and never done.
  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "",
  ])
  func endsAnAnswerThatArrivesByteByByte(head: String) throws {
    let body = [UInt8](repeating: UInt8(ascii: "x"), count: 600)
    let server = try ScriptedServer { _ in .trickle(Array(head.utf8) + body, milliseconds: 100) }
    defer { server.stop() }
    let start = ContinuousClock.now
    let failure = #expect(throws: HTTPFailure.self) {
      try HTTPClient(limits: .quick).send(HTTPRequest(.get, server.address))
    }
    #expect([.late, .lost].contains(failure?.kind) && ContinuousClock.now - start < .seconds(20))
  }

  /// The time for an answer depends on the bytes that arrive, not on the length that the server
  /// claims.
  @Test func limitsTheTimeOfALargeBodyByItsReceivedBytes() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n"
    let server = try ScriptedServer { _ in
      .trickle(Array(head.utf8) + [UInt8](repeating: 1, count: 4_000), milliseconds: 5)
    }
    defer { server.stop() }
    var limits = HTTPLimits.quick
    limits.answerBytes = 1 << 30
    let start = ContinuousClock.now
    let failure = #expect(throws: HTTPFailure.self) {
      try HTTPClient(limits: limits).send(HTTPRequest(.get, server.address))
    }
    #expect(failure?.kind == .late && ContinuousClock.now - start < .seconds(15))
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "18446744073709551616", "-1", "x",
  ])
  func survivesImpossibleLengths(length: String) throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nRetry-After: \(length)\r\n\r\nabc"
    let server = try ScriptedServer { _ in .bytes(Array(text.utf8)) }
    defer { server.stop() }
    for method in [HTTPRequest.Method.get, .head, .put] {
      _ = try? HTTPClient(limits: .quick).send(HTTPRequest(method, server.address))
    }
    var request = HTTPRequest(.get, server.address)
    request.sink = HTTPSink(count: Int(length) ?? .max) { { _ in true } }
    _ = try? HTTPClient(limits: .quick).send(request)
  }

  @Test(arguments: [
    ("http://127.0.0.1:1/", HTTPFailure.Kind.unconnected),
    ("http://no-such-host.invalid/", .unconnected),
    ("nothing", .unconnected), ("http://[", .unusable),
  ])
  func reportsThatAWriteHasNotTakenEffect(url: String, kind: HTTPFailure.Kind) throws {
    let failure = #expect(throws: HTTPFailure.self) {
      try HTTPClient(limits: .quick).send(HTTPRequest(.put, url, body: [1]))
    }
    #expect(
      failure?.kind == kind && failure?.mayHaveTakenEffect == false, "\(failure?.description ?? "")"
    )
  }

  @Test func doesNotTrustAServerThatSpeaksNoTLS() throws {
    let server = try ScriptedServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let failure = #expect(throws: HTTPFailure.self) {
      try HTTPClient(limits: .quick, certificates: "/dev/null").send(
        HTTPRequest(.put, "https" + server.address.dropFirst(4)))
    }
    #expect(failure?.kind == .untrusted && failure?.mayHaveTakenEffect == false)
  }

  /// libcurl resends a request when an open connection ends.
  ///
  /// The server may have received the first one.
  @Test func reportsThatARequestMayHaveBeenSentTwice() throws {
    let counter = Counter()
    let once = try ScriptedServer { request in
      // The second request finds an open connection that dies.
      counter.next() == 2 ? .bytes([]) : .answer(status: 200)
    }
    defer { once.stop() }
    let client = HTTPClient(limits: .quick)
    #expect(try !client.send(HTTPRequest(.put, once.address, body: [1])).mayHaveBeenSentTwice)
    #expect(try client.send(HTTPRequest(.put, once.address, body: [2])).mayHaveBeenSentTwice)
    #expect(try !client.send(HTTPRequest(.put, once.address, body: [3])).mayHaveBeenSentTwice)
    #expect(once.requests.map(\.body) == [[1], [2], [2], [3]])
  }

  /// The server receives the request, and is gone before the client resends it.
  @Test func reportsThatAWriteMayHaveTakenEffectThoughThereIsNoConnection() throws {
    let counter = Counter()
    let server = try ScriptedServer { _ in counter.next() == 2 ? .death : .answer(status: 200) }
    defer { server.stop() }
    let client = HTTPClient(limits: .quick)
    _ = try client.send(HTTPRequest(.put, server.address, body: [1]))
    let failure = #expect(throws: HTTPFailure.self) {
      try client.send(HTTPRequest(.put, server.address, body: [2]))
    }
    #expect(failure?.mayHaveTakenEffect == true && server.requests.count == 2)
  }

  @Test func endsACancelledRequest() throws {
    let server = try ScriptedServer { _ in .silence }
    defer { server.stop() }
    let client = HTTPClient { !server.requests.isEmpty }
    let start = ContinuousClock.now
    for mayHaveTakenEffect in [true, false] {
      let failure = #expect(throws: HTTPFailure.self) {
        try client.send(HTTPRequest(.put, server.address, body: [1]))
      }
      #expect(failure?.kind == .cancelled && failure?.isPassing == false)
      #expect(failure?.mayHaveTakenEffect == mayHaveTakenEffect)
    }
    #expect(server.requests.count == 1 && ContinuousClock.now - start < .seconds(10))
  }

  /// A child process would keep a connection open after the client has ended it.
  @Test func childProcessesInheritNoConnection() throws {
    let server = try ScriptedServer { _ in .silence }
    defer { server.stop() }
    let (open, inherited) = (Counter(), Counter())
    let client = HTTPClient {
      guard !server.requests.isEmpty else { return false }
      for descriptor in Self.descriptors(of: server.port) {
        open.next()
        if fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 { inherited.next() }
      }
      return true
    }
    #expect(throws: HTTPFailure.self) { try client.send(HTTPRequest(.get, server.address)) }
    // The listener and both ends of the connection.
    #expect(open.value == 3 && inherited.value == 0)
  }

  /// Returns this process's sockets that have a port at either end.
  private static func descriptors(of port: UInt16) -> [Int32] {
    (0..<4_096).filter { descriptor in
      [getsockname, getpeername].contains { name in
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
        }
        return status == 0 && address.sin_port == port.bigEndian
      }
    }
  }

  @Test func answersManyThreadsOverAsManyConnections() throws {
    let server = try ScriptedServer { .answer(status: 200, body: $0.body) }
    defer { server.stop() }
    let client = HTTPClient()
    let wrong = Counter()
    try Threads.runBlocking(16) { thread in
      for number in stride(from: thread, to: 400, by: 16) {
        let body = Array("\(number)".utf8)
        let answer = try? client.send(HTTPRequest(.put, server.address, body: body))
        if answer?.body != body { wrong.next() }
      }
    }
    #expect(wrong.value == 0)
    #expect(server.requests.count == 400 && server.acceptedConnections <= 16)
  }
}

@Suite struct HTTPSTests {
  @Test func trustsTheGivenCertificates() throws {
    let folder = try ScratchFolder()
    let names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    try Program.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout",
        folder.path("key"), "-out",
      ]
        + [folder.path("certificate")] + names)
    let port = try Socket.freePorts(1)[0]
    let files = ["-cert", folder.path("certificate"), "-key", folder.path("key")]
    let server = try Program(
      "/usr/bin/openssl", ["s_server", "-accept", "127.0.0.1:\(port)", "-www", "-quiet"] + files)
    defer { server.stop() }
    try Socket.waitForListener(on: port, seconds: 10)
    let request = HTTPRequest(.get, "https://127.0.0.1:\(port)/")
    let answer = try HTTPClient(certificates: folder.path("certificate")).send(request)
    #expect(answer.status == 200 && !answer.body.isEmpty)
    let failure = #expect(throws: HTTPFailure.self) { try HTTPClient().send(request) }
    #expect(failure?.kind == .untrusted && failure?.mayHaveTakenEffect == false)
  }

  /// Child processes inherit blocked signals.
  @Test func restoresTheBlockedSignals() throws {
    let wasBlocked = isBrokenPipeBlocked
    var wasBlockedInside = false
    withoutBrokenPipes {
      wasBlockedInside = isBrokenPipeBlocked
      // An unblocked signal would end the process.
      pthread_kill(pthread_self(), SIGPIPE)
    }
    #expect(wasBlockedInside && isBrokenPipeBlocked == wasBlocked)
  }

  private var isBrokenPipeBlocked: Bool {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return sigismember(&mask, SIGPIPE) == 1
  }
}

extension HTTPLimits {
  /// Short limits for tests.
  static var quick: HTTPLimits {
    var limits = HTTPLimits()
    limits.connectMilliseconds = 500
    (limits.requestMilliseconds, limits.silentSeconds) = (700, 1)
    limits.answerBytes = 100_000
    return limits
  }
}

/// The log of a run does not need the bytes of replies.
extension ScriptedServer.Reply: CustomTestStringConvertible {
  /// The kind of the reply and its length.
  public var testDescription: String {
    switch self {
    case .answer(let status, let headers, let body):
      "\(status), \(headers.count) headers, \(body.count) bytes"
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .silence: "silence"
    case .trickle(let bytes, _, _): "\(bytes.count) bytes, one by one"
    case .endless(let bytes, _): "\(bytes.count) bytes, again and again"
    case .death: "death"
    }
  }
}
