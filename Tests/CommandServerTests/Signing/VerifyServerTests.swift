import ContentReleases
import HTTPTransport
import SharedGzip
import TestServers
import Testing

@testable import ContentcCommands
@testable import TestCommands

/// The attacks of docs/reference/trust.md that a server makes, against `contentc verify URL`.
///
/// The status is 1 if an app would refuse the answer, and 69 if there is none.
@Suite(.waiting, .timeLimit(.minutes(5))) struct VerifyServerTests {
  private typealias Reply = ScriptedServer.Reply

  private let site: AttackedSite

  init() throws { site = try AttackedSite() }

  /// Expects an exit status and words of the message after each reply.
  private func expect(
    _ status: Int32, _ words: String, after replies: [Reply], at path: String = AttackedSite.config,
    _ flags: String..., location: SourceLocation = #_sourceLocation
  ) throws {
    for (number, reply) in replies.enumerated() {
      site.reply(reply, at: path)
      let outcome = try flags.isEmpty ? site.verify() : site.verify("--objects")
      let comment: Comment = "reply \(number): \(outcome.output)\(outcome.errors)"
      #expect(outcome.status == status, comment, sourceLocation: location)
      #expect(outcome.errors.contains(words), comment, sourceLocation: location)
    }
    site.reply(nil, at: path)
  }

  @Test func acceptsAnHonestSite() throws {
    let outcome = try site.verify("--objects")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("release 2") && outcome.output.contains("objects checked"))
  }

  private static func head(_ line: String) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\n\(line)\r\n\r\n".utf8)
  }

  // MARK: 45, 46, 48

  @Test func endsEndlessBodies() throws {
    let (body, chunk) = ([UInt8](repeating: 120, count: 16_384), Array("4000\r\n".utf8))
    try expect(
      1, "has more than 65536 bytes",
      after: [
        .endless(body, head: Self.head("Connection: close")),
        .endless(body, head: Self.head("Content-Length: 9000000000000000000")),
        .endless(
          chunk + body + Array("\r\n".utf8), head: Self.head("Transfer-Encoding: chunked")),
        .answer(status: 200, body: site.bytes() + body + body + body + body),
      ])
    // The limit is 64 kB; the system's buffers have the rest.
    #expect(site.server.streamedBytes < 24 << 20, "\(site.server.streamedBytes)")
  }

  /// The request asks for no encoding, so none is decoded.
  @Test func decodesNoBomb() throws {
    let bomb = try GzipCompressor().compress([UInt8](repeating: 0, count: 16 << 20))
    let twice = try GzipCompressor().compress(bomb)
    let own = try GzipCompressor().compress(site.bytes())
    let bodies = [("gzip, gzip", twice), ("gzip", twice), ("gzip", own), ("br", own)]
    try expect(
      1, "in an encoding that was not asked for",
      after: bodies.map { .answer(status: 200, headers: ["Content-Encoding: \($0)"], body: $1) })
    try expect(1, "cannot be read", after: [.answer(status: 200, body: twice)])
  }

  /// The command has a limit of 30 s.
  @Test func endsSlowAnswersAtItsTimeLimit() throws {
    let bytes = try site.bytes()
    let head = Self.head("Content-Length: \(bytes.count)")
    let send = OpenChannel.send(requestSeconds: 1)
    let request = SiteRequest("\(site.server.address)/\(AttackedSite.config)", limit: 65_536)
    for reply in [
      Reply.trickle(bytes, milliseconds: 200, head: head), .trickle(head, milliseconds: 200),
      .silence,
    ] {
      site.reply(reply)
      let start = ContinuousClock.now
      let error = #expect(throws: BakeError.self) { try request.file(by: send) }
      #expect(error?.kind == .unreachable, "\(error as Any)")
      #expect(ContinuousClock.now - start < .seconds(10))
    }
  }

  // MARK: 49

  @Test func followsRedirectionsWithinTheSiteOnly() throws {
    let places = [
      "http://127.0.0.1:1/\(AttackedSite.config)", "https://127.0.0.1/x", "//evil.example/x", "x",
      "",
      site.server.address, "\(site.server.address).evil.example/x",
    ]
    try expect(
      1, "which no app follows",
      after: places.map { .answer(status: 302, headers: ["Location: \($0)"]) })
    let count = site.server.requests.count
    try expect(
      1, "redirects more than 3 times",
      after: [.answer(status: 307, headers: ["Location: /\(AttackedSite.config)"])])
    #expect(site.server.requests.count == count + 4)
    site.reply(.answer(status: 200, body: try site.bytes()), at: "moved")
    try expect(
      0, "",
      after: ["/moved", "\(site.server.address)/moved"].map {
        .answer(status: 301, headers: ["Location: \($0)"])
      })
  }

  @Test(arguments: [
    ("https://shop.example/a", 2), ("/a", 2), ("http://shop.example/a", 1),
    ("https://shop.example:8443/a", 1),
  ])
  func leavesNoEncryptedConnection(location: String, requests: Int) throws {
    let counter = Counter()
    let file = try? SiteRequest("https://shop.example/config.plist", limit: 9).file { _ in
      counter.next() == 1
        ? HTTPAnswer(status: 302, headers: [("Location", location)])
        : HTTPAnswer(status: 200, body: [7])
    }
    #expect(counter.value == requests && (file == [7]) == (requests == 2))
  }

  // MARK: 51, 52

  @Test func refusesACaptivePortal() throws {
    let page = Array("<!DOCTYPE html><html><body>Accept our terms</body></html>".utf8)
    try expect(
      1, "the signed config cannot be read",
      after: [
        .answer(status: 200, headers: ["Content-Type: text/html"], body: page),
        .answer(status: 200, body: []),
      ])
  }

  @Test func refusesAnswersThatAreCut() throws {
    let bytes = try site.bytes()
    let head = Self.head("Content-Length: \(bytes.count)")
    let cuts = [0, 1, bytes.count / 2, bytes.count - 1]
    let chunked = Self.head("Transfer-Encoding: chunked")
    try expect(
      1, "is cut off",
      after: cuts.map { .bytes(head + bytes.prefix($0)) } + [
        .bytes(Array(head.dropLast(5))), .bytes(chunked), .bytes(chunked + Array("20\r\nx".utf8)),
      ])
    // Without a length, only the config itself shows that it is cut.
    try expect(
      1, "the signed config cannot be read",
      after: cuts.map { .bytes(Self.head("Connection: close") + bytes.prefix($0)) })
  }

  // MARK: No answer

  @Test func endsWith69WithoutAnAnswer() throws {
    try expect(69, "there is no file at", after: [404, 410].map { .answer(status: $0) })
    for status in [204, 304, 403, 500, 503] {
      try expect(69, "answers with status \(status)", after: [.answer(status: status)])
    }
    try expect(
      69, "cannot be requested", after: [.bytes([]), .bytes(Array("SSH-2.0-x\r\n".utf8))])
    site.server.stop()
    let outcome = try site.verify()
    #expect(outcome.status == 69 && outcome.errors.contains("cannot be requested"))
  }

  // MARK: Objects: 31, 32, 35, 47, 50

  /// The bytes that are not an object's, and their place.
  private func forgeries() throws -> [(path: String, bytes: [UInt8])] {
    let (index, catalog) = try (site.bytes(site.index), site.bytes(site.catalog))
    return [
      (site.index, site.oldIndex), (site.catalog, site.frenchCatalog),
      (site.index, index + [0]), (site.index, index.dropLast()),
      (site.catalog, catalog + [0]), (site.catalog, catalog.dropLast()), (site.catalog, []),
    ]
  }

  @Test func refusesOtherObjectsInAFolder() throws {
    try site.write(to: "site")
    #expect(try site.verify("--objects", in: "site").status == 0)
    for (path, bytes) in try forgeries() {
      try site.sandbox.write("site/\(path)", bytes: bytes)
      let outcome = try site.verify("--objects", in: "site")
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("'\(path)' at site is not what its name says"), "\(outcome)")
      try site.sandbox.write("site/\(path)", bytes: site.bytes(path))
    }
    for path in [site.index, site.catalog] {
      try site.sandbox.shell("rm site/\(path)")
      let outcome = try site.verify("--objects", in: "site")
      #expect(outcome.status == 1 && outcome.errors.contains("site has no '\(path)'"), "\(outcome)")
      try site.sandbox.write("site/\(path)", bytes: site.bytes(path))
    }
  }

  @Test func refusesOtherObjectsOfAServer() throws {
    for (path, bytes) in try forgeries() {
      try expect(
        1, "'\(path)' at \(site.server.address) is not what its name says",
        after: [.answer(status: 200, body: bytes)], at: path, "--objects")
    }
    for path in [site.index, site.catalog] {
      let url = "\(site.server.address)/\(path)"
      try expect(
        1, "has no '\(path)'", after: [404, 410].map { .answer(status: $0) }, at: path, "--objects")
      let other = try GzipCompressor().compress(site.oldIndex)
      try expect(
        1, "\(url) answers in an encoding that was not asked for",
        after: [other, site.bytes(path)].map {
          .answer(status: 200, headers: ["Content-Encoding: gzip"], body: $0)
        }, at: path, "--objects")
      let cut = try Self.head("Content-Length: 999") + site.bytes(path).prefix(9)
      try expect(1, "\(url) is cut off", after: [.bytes(cut)], at: path, "--objects")
      for status in [403, 503] {
        try expect(
          69, "\(url) answers with status \(status)", after: [.answer(status: status)], at: path,
          "--objects")
      }
    }
  }
}
