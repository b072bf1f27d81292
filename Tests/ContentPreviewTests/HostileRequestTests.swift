import ContentModel
import TestServers
import Testing

@testable import ContentPreview

/// Malicious requests: nothing outside `out/` is read, and the server still works.
@Suite struct HostileRequestTests {
  @Test(arguments: [
    "/../secret", "/preview/../../secret", "/preview/..%2f..%2fsecret",
    "/preview/%2e%2e/%2e%2e/secret",
    "/preview/%2E%2E%2F%2e%2e%2fsecret", "/preview/..%5c..%5csecret", "/preview/..\\..\\secret",
    "/preview/%252e%252e/%252e%252e/secret", "/preview/%252e%252e%252fsecret",
    "/preview/config.plist%00",
    "/preview/%00/../config.plist", "/preview/%c0%ae%c0%ae/%c0%ae%c0%ae/secret",
    "/preview/%c0%af../secret",
    "/preview/%e0%80%ae./secret", "/preview/.../secret", "/preview/....//secret", "//secret",
    "///etc/passwd",
    "/preview//../secret", "/objects/3f/../../build.plist", "/build.plist", "/.hidden/file",
    "/preview/.",
    "/preview/", "/preview", "/objects/3f/", "/at/2030-01-01T00:00:00Z/../../secret",
    "/at/2030-01-01T00:00:00Z/%2e%2e/secret", "/at/../secret", "/etc/passwd", "/%2fetc%2fpasswd",
    "/~root/",
    "/preview/config.plist/", "/preview/config.plist/x", "/preview/config.plist;x", "/preview/link",
    "/preview/linked/secret", "/preview/fifo", "/preview/deep/link", "http://localhost/../secret",
    "http://localhost/%2e%2e/secret", "file:///etc/passwd", "preview/config.plist", "*",
    "\\..\\secret",
    "/preview/config.plist\t", "/préview", "/" + String(repeating: "a", count: 300),
    "/" + String(repeating: "a/", count: 3_000),
    "/preview/" + String(repeating: "../", count: 2_000) + "secret",
  ])
  func readsNothingOutside(path: String) async throws {
    let live = try await LivePreview()
    live.folder.link("../../secret", as: "out/preview/link")
    live.folder.link("../..", as: "out/preview/linked")
    live.folder.makeFolder("out/preview/deep")
    live.folder.link(live.folder.path("secret"), as: "out/preview/deep/link")
    try Program.run("/usr/bin/mkfifo", [live.folder.path("out/preview/fifo")])
    let response = try await live.get(path)
    #expect((400..<500).contains(response.status))
    #expect(!response.body.contains("secret"))
    #expect(try await live.get("/preview/config.plist").status == 200)
    await live.preview.stop()
  }

  @Test func servesAFolderThatIsALink() throws {
    let folder = try ScratchFolder()
    folder.makeFolder("real")
    try folder.write("real/file", "inside")
    folder.link("real", as: "out")
    #expect(ServedFolder(path: folder.path("out")).open(["file"])?.bytes == Array("inside".utf8))
  }

  @Test(arguments: [
    ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
    (
      "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 20_000))\r\n\r\n",
      431
    ),
    (
      "GET / HTTP/1.1\r\nHost: localhost\r\n\(String(repeating: "X: a\r\n", count: 20_000))\r\n",
      431
    ),
    ("GET / HTTP/1.1\r\nHost: localhost\r\n\(String(repeating: "X: a\r\n", count: 150))\r\n", 400),
    (String(repeating: "A", count: 100_000), 414),
    (String(repeating: "\r\n", count: 20_000) + "X", 400),
    (
      "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400
    ),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n", 421),
    ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 421), ("GET /\r\n\r\n", 400),
    ("\u{0}\u{1}\u{2}\r\n\r\n", 400), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : localhost\r\nConnection: close\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n Host: localhost\r\nConnection: close\r\n\r\n", 400),
    ("POST /api/state HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc", 405),
  ])
  func refusesInvalidAndTooLongRequests(text: String, status: Int) async throws {
    let live = try await LivePreview(limits: Self.limits(idle: 2))
    #expect(try await live.send(text).status == status)
    #expect(try await live.get("/preview/config.plist").status == 200)
    await live.preview.stop()
  }

  @Test func stopsReadingATooLongRequest() async throws {
    let live = try await LivePreview(limits: Self.limits(idle: 2))
    let port = UInt16(live.preview.port)
    // While it sends, a client may miss the response, but the connection must be closed.
    let isDone = try await LivePreview.blocking {
      let socket = try Socket.connected(to: port)
      defer { socket.close() }
      socket.send(Array(repeating: UInt8(ascii: "A"), count: 2_000_000))
      return socket.isClosed(afterMilliseconds: 10_000)
    }
    #expect(isDone)
    #expect(try await live.get("/preview/config.plist").status == 200)
    await live.preview.stop()
  }

  @Test(arguments: [
    "", "GET / HTTP/1.1\r\nHost: loc",
    "GET /preview/config.plist HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ])
  func closesIdleConnections(text: String) async throws {
    let time = try await Self.withClient(limits: Self.limits(idle: 1)) { socket in
      ContinuousClock().measure {
        socket.send(Array(text.utf8))
        _ = socket.receiveAll()
      }
    }
    #expect(time > .milliseconds(500))
    #expect(time < .seconds(10))
  }

  @Test func closesConnectionsWithASlowHead() async throws {
    let sent = try await Self.withClient(limits: Self.limits(idle: 1)) { socket in
      var sent = 0
      socket.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\nX: ".utf8))
      while sent < 200, !socket.isClosed(afterMilliseconds: 50) {
        socket.send([UInt8(ascii: "a")])
        sent += 1
      }
      return sent
    }
    #expect(sent < 100)
  }

  /// Connects a client to a new server and returns the result of its work.
  private static func withClient<Result: Sendable>(
    limits: ServerLimits, work: @escaping @Sendable (Socket) -> Result
  ) async throws -> Result {
    let live = try await LivePreview(limits: limits)
    let port = UInt16(live.preview.port)
    let result = try await LivePreview.blocking {
      let socket = try Socket.connected(to: port)
      defer { socket.close() }
      return work(socket)
    }
    await live.preview.stop()
    return result
  }

  private static func limits(idle seconds: Int) -> ServerLimits {
    var limits = ServerLimits()
    limits.idleSeconds = seconds
    return limits
  }

  @Test func closesConnectionsOfClientsThatDoNotRead() async throws {
    var limits = ServerLimits()
    limits.stalledSeconds = 1
    let live = try await LivePreview(limits: limits)
    let name = String(repeating: "3f", count: 31) + "41"
    try live.folder.write("out/objects/3f/\(name).txt", String(repeating: "x", count: 30_000_000))
    let port = UInt16(live.preview.port)
    let received = try await LivePreview.blocking {
      let socket = try Socket.connected(to: port)
      defer { socket.close() }
      socket.send(Array("GET /objects/3f/\(name).txt HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      // More than twice the server's limit.
      _ = socket.isClosed(afterMilliseconds: 3_500, onlyClose: true)
      return socket.receiveAll().count
    }
    #expect(received < 30_000_000)
    #expect(try await live.get("/preview/config.plist").status == 200)
    await live.preview.stop()
  }

  @Test func respondsWhileAThousandConnectionsAreIdle() async throws {
    let live = try await LivePreview()
    let port = UInt16(live.preview.port)
    let sockets = try await LivePreview.blocking {
      try (0..<1_000).map { _ in try Socket.connected(to: port) }
    }
    defer { for socket in sockets { socket.close() } }
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try await live.get("/preview/config.plist").status == 200)
    // Idle connections end after thirty seconds. On a busy machine, the system repeats an attempt to
    // connect after 1, 3 and 7 seconds.
    #expect(clock.now - start < .seconds(25))
    for socket in sockets { socket.send(Array("GET / HTTP/1.1\r\n".utf8)) }
    #expect(try await live.get(LivePreview.objectPath).status == 200)
    await live.preview.stop()
  }

  @Test(arguments: [
    "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example",
    "127.0.0.2", "0.0.0.0",
    "[::2]", "::1", "localhost:", "localhost:x", "localhost:999999", "localhost/", "user@localhost",
    "localhost, evil",
    "[::1", "127.1", "2130706433", "localhost.",
  ])
  func refusesOtherHosts(host: String) async throws {
    let live = try await LivePreview()
    for path in ["/", "/api/state", "/preview/config.plist"] {
      let response = try await live.send(
        "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
      #expect(response.status == 421)
      #expect(!response.body.contains("generation"))
    }
    let absolute =
      "GET http://localhost/api/state HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    #expect(try await live.send(absolute).status == 421)
    await live.preview.stop()
  }

  @Test(arguments: [
    "10.0.2.2:4820", "localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:4820", "[::1]",
    "[::1]:4820",
  ])
  func acceptsItsOwnHosts(host: String) async throws {
    let live = try await LivePreview()
    let response = try await live.get(
      "/api/state", host: host, fields: ["Cookie: \(HostPolicy.cookiePair)"])
    #expect(response.status == 200)
    await live.preview.stop()
  }

  @Test func acceptsTheMachinesNamesOnlyOnTheNetwork() async throws {
    let live = try await LivePreview(endpoint: Self.onNetwork)
    for (host, status) in [
      ("desk.local:4820", 200), ("DESK.local", 200), ("127.0.0.1", 200), ("evil.example", 421),
    ] {
      let response = try await live.send(
        "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
      #expect(response.status == status)
    }
    await live.preview.stop()
  }

  @Test func listensOnlyOnTheLoopbackInterface() async throws {
    let live = try await LivePreview()
    #if os(Linux)
      // Little-endian hex: 127.0.0.1, and the port.
      let port = String(live.preview.port, radix: 16, uppercase: true)
      let sockets = try String(decoding: ScratchFolder.read("/proc/net/tcp"), as: UTF8.self)
      let own = sockets.split(separator: "\n").filter {
        $0.contains(":\(String(repeating: "0", count: 4 - port.count))\(port) 00000000:0000 0A")
      }
      #expect(own.count == 1 && own[0].contains(" 0100007F:"), "\(own)")
    #endif
    let policy = HostPolicy(names: [], admitsLocalAddress: true)
    #expect(policy.admits(host: "192.168.1.5:4820", localAddress: "192.168.1.5"))
    #expect(!policy.admits(host: "192.168.1.6", localAddress: "192.168.1.5"))
    #expect(!HostPolicy().admits(host: "192.168.1.5", localAddress: "192.168.1.5"))
    await live.preview.stop()
  }

  @Test(arguments: [
    ["Origin: http://evil.example"], ["Origin: null"], ["Sec-Fetch-Site: cross-site"],
    ["Sec-Fetch-Site: same-site"],
    ["Origin: http://localhost:1"], ["Origin: https://localhost"],
  ])
  func refusesPagesOfOtherSites(fields: [String]) async throws {
    let live = try await LivePreview()
    for path in [
      "/api/state", "/api/events", "/api/explain?entry=product/rose",
      "/at/2030-01-01T00:00:00Z/preview/config.plist",
    ] {
      let lines = ["GET \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + fields
      let response = try await live.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
      #expect(response.status == 403)
      #expect(response["access-control-allow-origin"] == nil)
    }
    await live.preview.stop()
  }

  @Test(arguments: [
    ["Origin: http://localhost"], ["Sec-Fetch-Site: same-origin"], ["Sec-Fetch-Site: none"],
  ])
  func acceptsItsOwnPage(fields: [String]) async throws {
    let live = try await LivePreview()
    let lines = ["GET /api/state HTTP/1.1", "Host: localhost", "Connection: close"] + fields
    #expect(try await live.send(lines.joined(separator: "\r\n") + "\r\n\r\n").status == 200)
    await live.preview.stop()
  }

  @Test(arguments: [
    "/api/state", "/api/events", "/api/coverage", "/at/2030-01-01T00:00:00Z/preview/config.plist",
    "/channels/qa/qa/config.plist",
  ])
  func requiresACookieForNetworkNames(path: String) async throws {
    let live = try await LivePreview(endpoint: Self.onNetwork)
    for cookie in [
      "", "contentc-preview=2", "xcontentc-preview=1", "contentc-preview=1x", "contentc-preview",
    ] {
      #expect(
        try await live.get(path, host: "desk.local", fields: ["Cookie: \(cookie)"]).status == 403)
    }
    #expect(try await live.get(path, host: "10.0.2.2", fields: []).status == 403)
    #expect(
      try await live.get(
        path, host: "desk.local", fields: ["User-Agent: app", "Referer: http://desk.local/"]
      )
      .status == 403)
    await live.preview.stop()
  }

  @Test func setsTheCookieWithThePage() async throws {
    let live = try await LivePreview(endpoint: Self.onNetwork)
    let cookie = try #require(try await live.get("/", host: "desk.local", fields: [])["set-cookie"])
    #expect(cookie == "contentc-preview=1; Path=/; SameSite=Strict; HttpOnly")
    for fields in [
      ["Cookie: contentc-preview=1"], ["Cookie: a=b; contentc-preview=1"],
      ["Sec-Fetch-Site: same-origin"],
    ] {
      #expect(try await live.get("/api/state", host: "desk.local:80", fields: fields).status == 200)
    }
    let elsewhere = ["Cookie: contentc-preview=1", "Sec-Fetch-Site: same-site"]
    #expect(try await live.get("/api/state", host: "desk.local", fields: elsewhere).status == 403)
    // Apps request files without a cookie, and browsers on this machine need none.
    for path in ["/preview/config.plist", LivePreview.objectPath] {
      #expect(try await live.get(path, host: "desk.local", fields: []).status == 200)
    }
    #expect(try await live.get("/")["set-cookie"] == nil)
    #expect(try await live.get("/api/state").status == 200)
    await live.preview.stop()
  }

  private static var onNetwork: Preview.Endpoint {
    var endpoint = Preview.Endpoint()
    (endpoint.isOnNetwork, endpoint.names) = (true, ["desk.local"])
    return endpoint
  }

  @Test func runsNoScriptsOutsideThePage() async throws {
    let live = try await LivePreview()
    let page = try await live.get("/")
    let policy = try #require(page["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
    #expect(!policy.contains("unsafe"))
    #expect(page["cache-control"] == "no-store")
    let file = try await live.get("/objects/3f/\(LivePreview.object).png")
    #expect(file["content-security-policy"]?.hasSuffix("sandbox") == true)
    for response in [page, file, try await live.get("/api/state"), try await live.get("/none")] {
      #expect(response["x-content-type-options"] == "nosniff")
      #expect(response["cross-origin-resource-policy"] == "same-origin")
    }
    await live.preview.stop()
  }
}
