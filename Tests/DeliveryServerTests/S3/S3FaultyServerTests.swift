import ContentModel
import ContentReleases
import HTTPTransport
import SharedGzip
import Synchronization
import System
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// Errors and unusual answers of S3 servers.
@Suite struct S3FaultyServerTests {
  private let file = OutgoingFile(text: "ours")

  @Test(arguments: [500, 502, 503, 504, 429, 409])
  func retriesAfterTransientErrors(status: Int) throws {
    let counter = Counter()
    let server = try ScriptedServer { _ in .answer(status: counter.next() <= 3 ? status : 200) }
    defer { server.stop() }
    let waits = RecordedWaits()
    #expect(try S3Target(server, waits).create("a", as: file))
    #expect(waits.milliseconds == [200, 400, 800] && server.requests.count == 4)
  }

  /// The server received an incomplete body, or received it too late.
  @Test(arguments: ["BadDigest", "IncompleteBody", "RequestTimeout", "XAmzContentSHA256Mismatch"])
  func retriesAfterATruncatedWrite(code: String) throws {
    let counter = Counter()
    let server = try ScriptedServer { _ in
      counter.next() == 1 ? .answer(status: 400, body: xml(code, "")) : .answer(status: 200)
    }
    defer { server.stop() }
    #expect(try S3Target(server).create("a", as: file))
    #expect(server.requests.map(\.body) == [file.bytes, file.bytes])
  }

  @Test func givesUpAfterFiveRetries() throws {
    let server = try ScriptedServer { _ in
      .answer(status: 503, body: xml("SlowDown", "Reduce your request rate."))
    }
    defer { server.stop() }
    let waits = RecordedWaits()
    let target = try S3Target(server, waits)
    let error = #expect(throws: TargetError.self) { try target.create("a", as: file) }
    #expect(
      error?.kind == .failed
        && error?.description.contains("SlowDown: Reduce your request rate.") == true)
    #expect(waits.milliseconds == [200, 400, 800, 1_600, 3_200] && server.requests.count == 6)
    #expect(throws: TargetError.self) { try target.read("a") }
    #expect(server.requests.count == 12)
  }

  /// A purge on a machine whose clock is wrong must not wait until somebody sets it.
  @Test func signsARequestWithTheTimeOfTheServerThatRefusesAnotherOne() throws {
    let server = try ScriptedServer { request in
      let isRight = request.headers.contains { $0.lowercased() == "x-amz-date: 20270115t080000z" }
      return .answer(
        status: isRight ? 200 : 403, headers: ["Date: Fri, 15 Jan 2027 08:00:00 GMT"],
        body: isRight ? [] : xml("RequestTimeTooSkewed", "The difference is too large."))
    }
    defer { server.stop() }
    let target = try S3Target(
      "s3://bucket?endpoint=\(server.address)", keys: ("AKID", "s3cret"),
      environment: RequestEnvironment(
        now: { 1_800_000_000 - 15 * 86_400 }, sleep: { _ in }, random: { 0 }))
    #expect(target.time == nil)
    #expect(try target.create("a", as: file))
    #expect(try target.create("b", as: file))
    #expect(server.requests.count == 3)
    #expect(target.time == Instant(secondsSince1970: 1_800_000_000))
  }

  @Test func signsEachAttemptAgain() throws {
    let server = try ScriptedServer { _ in .answer(status: 503) }
    defer { server.stop() }
    let clock = Counter()
    let target = try S3Target(
      "s3://bucket?endpoint=\(server.address)", keys: ("AKID", "s3cret"),
      environment: RequestEnvironment(now: { Int64(clock.next()) }, sleep: { _ in }, random: { 0 })
    )
    #expect(throws: TargetError.self) { try target.read("a") }
    let signatures = server.requests.compactMap {
      $0.headers.first { $0.hasPrefix("Authorization") }
    }
    #expect(Set(signatures).count == 6)
  }

  /// The server performs the write, and then hangs up or reports an error.
  @Test(
    arguments: ["ours", "theirs"], [ScriptedServer.Reply.bytes([]), .silence, .answer(status: 500)])
  func recognizesItsOwnWriteAfterALostAnswer(stored: String, reply: ScriptedServer.Reply) throws {
    for tag in [nil, "\"1\""] {
      let counter = Counter()
      let server = try ScriptedServer { request in
        if request.method == "GET" {
          return .answer(status: 200, headers: ["ETag: \"2\""], body: Array(stored.utf8))
        }
        return counter.next() == 1 ? reply : .answer(status: 412)
      }
      defer { server.stop() }
      #expect(try S3Target(server).replace("a", with: file, tagged: tag) == (stored == "ours"))
      #expect(server.requests.map(\.method) == ["PUT", "PUT", "GET"])
    }
  }

  /// The same over an open connection, where libcurl resends the request by itself.
  @Test func recognizesItsOwnWriteThatWasSentTwice() throws {
    let counter = Counter()
    let server = try ScriptedServer { request in
      switch (request.method, counter.next()) {
      case ("PUT", 2): .bytes([])
      case ("PUT", _): .answer(status: 412)
      default: .answer(status: 200, headers: ["ETag: \"2\""], body: Array("ours".utf8))
      }
    }
    defer { server.stop() }
    let target = try S3Target(server)
    #expect(try target.read("a") != nil)
    #expect(try target.create("a", as: file))
    #expect(server.requests.map(\.method) == ["GET", "PUT", "PUT", "GET"])
  }

  @Test func acceptsAFirstRefusal() throws {
    let server = try ScriptedServer { _ in .answer(status: 412, body: xml("PreconditionFailed", ""))
    }
    defer { server.stop() }
    let target = try S3Target(server)
    #expect(try !target.create("a", as: file) && !target.replace("a", with: file, tagged: "\"1\""))
    #expect(server.requests.map(\.method) == ["PUT", "PUT"])
    #expect(server.requests[0].headers.contains("If-None-Match: *"))
    #expect(server.requests[1].headers.contains("If-Match: \"1\""))
  }

  @Test func treatsAMissingFileAsChanged() throws {
    let server = try ScriptedServer { _ in .answer(status: 404, body: xml("NoSuchKey", "gone")) }
    defer { server.stop() }
    let target = try S3Target(server)
    #expect(
      try !target.replace("a", with: file, tagged: "\"1\"") && target.read("a") == nil
        && !target.holds("a", as: file))
    try target.remove("a")
    #expect(throws: TargetError.self) { try target.create("a", as: file) }
    #expect(throws: TargetError.self) { try target.list(below: "") }
  }

  @Test(arguments: [("\"1\"", true), ("\"2\"", false)])
  func comparesTheTagAfterAConflict(tag: String, isDone: Bool) throws {
    let counter = Counter()
    let server = try ScriptedServer { request in
      if request.method == "HEAD" { return .answer(status: 200, headers: ["ETag: \(tag)"]) }
      return counter.next() == 1
        ? .answer(status: 409, body: xml("ConditionalRequestConflict", "")) : .answer(status: 200)
    }
    defer { server.stop() }
    #expect(try S3Target(server).replace("a", with: file, tagged: "\"1\"") == isDone)
    #expect(server.requests.map(\.method) == (isDone ? ["PUT", "HEAD", "PUT"] : ["PUT", "HEAD"]))
  }

  @Test func retriesATruncatedRead() throws {
    let counter = Counter()
    let server = try ScriptedServer { _ in
      counter.next() == 1
        ? .bytes(Array("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 4\r\n\r\nou".utf8))
        : .answer(status: 200, headers: ["ETag: W/\"1\""], body: Array("ours".utf8))
    }
    defer { server.stop() }
    let read = try #require(try S3Target(server).read("a"))
    #expect(read.bytes == file.bytes && read.tag == "\"1\"" && server.requests.count == 2)
  }

  @Test(arguments: [
    (403, "SignatureDoesNotMatch", TargetError.Kind.denied, "check the secret access key"),
    (403, "InvalidAccessKeyId", .denied, "check AWS_ACCESS_KEY_ID"),
    (403, "AccessDenied", .denied, "the credentials need s3:GetObject"),
    (403, "RequestTimeTooSkewed", .denied, "set this machine's clock"),
    (400, "ExpiredToken", .denied, "get new credentials"),
    (401, "Unauthorized", .denied, "the credentials need"),
    (404, "NoSuchBucket", .missing, "make the bucket"),
    (400, "AuthorizationHeaderMalformed", .unusable, "add 'region=eu-west-1'"),
    (301, "PermanentRedirect", .unusable, "add 'region=eu-west-1'"),
    (501, "NotImplemented", .failed, "conditional"),
    (507, "XMinioStorageFull", .failed, "is full"),
    (400, "InvalidArgument", .failed, "does not do this"),
  ])
  func suggestsARemedy(status: Int, code: String, kind: TargetError.Kind, rule: String) throws {
    let server = try ScriptedServer { _ in
      .answer(status: status, body: xml(code, "The server &lt;says&gt; so.\nTwice."))
    }
    defer { server.stop() }
    let target = try S3Target(server)
    let errors = [
      #expect(throws: TargetError.self) { try target.create("a", as: file) },
      #expect(throws: TargetError.self) { try target.replace("a", with: file, tagged: "\"1\"") },
      #expect(throws: TargetError.self) { try target.read("a") },
      #expect(throws: TargetError.self) { try target.list(below: "") },
      #expect(throws: TargetError.self) { try target.remove("a") },
    ]
    for error in errors {
      let text = error?.description ?? ""
      #expect(
        error?.kind == kind && text.contains(rule) && text.hasPrefix("s3://bucket/v1 "), "\(text)")
      #expect(text.contains("\(status), \(code): The server <says> so. Twice."), "\(text)")
      #expect(!text.contains("s3cret"))
    }
  }

  /// A redirection without a region is none of Amazon's: the advice must not be a region.
  @Test(arguments: [
    (
      "Location: https://store.example:9000/v1/a?X-Amz-Signature=s3cret",
      "redirects requests to https://store.example:9000: if that is the store, write 'endpoint=https://store.example:9000'"
    ),
    ("Location: /login", "is not the address of an S3 interface: correct 'endpoint='"),
    ("Location: //other", "correct 'endpoint=' or 'region='"),
    ("X-Other: 1", "redirects requests: correct 'endpoint=' or 'region='"),
    ("x-amz-bucket-region: eu-west-1", "is in another region: add 'region=eu-west-1'"),
  ])
  func saysWhereARedirectionLeads(header: String, rule: String) throws {
    for status in [301, 302, 307, 308] {
      let server = try ScriptedServer { _ in .answer(status: status, headers: [header]) }
      defer { server.stop() }
      let error = #expect(throws: TargetError.self) { try S3Target(server).read("a") }
      let text = error?.description ?? ""
      #expect(
        error?.kind == .unusable && text.contains(rule) && !text.contains("s3cret"), "\(text)")
    }
  }

  @Test func namesTheEndpointsPathIfTheBucketIsMissing() throws {
    let server = try ScriptedServer { _ in .answer(status: 404, body: xml("NoSuchBucket", "None")) }
    defer { server.stop() }
    let target = try S3Target(endpoint: "\(server.address)/storage/s3")
    let error = #expect(throws: TargetError.self) { try target.read("a") }
    #expect(error?.description.contains("below the endpoint's path '/storage/s3'") == true)
    #expect(server.requests.map(\.path) == ["/storage/s3/bucket/v1/a"])
  }

  /// A store that decompresses answers, and states the size of the stored bytes.
  @Test func acceptsAStoreThatDecompresses() throws {
    let file = try OutgoingFile(gzipped: String(repeating: "ours ", count: 100))
    let stored = try #require(file.compressed).count
    let server = try ScriptedServer { request in
      request.method == "HEAD"
        ? .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: \(stored)\r\n\r\n".utf8))
        : .answer(status: 200, body: file.bytes)
    }
    defer { server.stop() }
    #expect(try S3Target(server).holds("a", as: file))
  }

  @Test func advisesIdentityForAStoreThatLosesTheEncoding() throws {
    let file = try OutgoingFile(gzipped: String(repeating: "ours ", count: 100))
    guard case .bytes(let stored)? = file.compressed else { return }
    let losing = try ScriptedServer { _ in .answer(status: 200, body: stored) }
    defer { losing.stop() }
    let lost = #expect(throws: DeliveryError.self) {
      try S3Target(losing).requireHeld(file, at: "a", otherwise: "run again")
    }
    #expect(
      lost?.description.contains("keeps 'a' compressed without 'Content-Encoding: gzip'") == true)
    let lying = try ScriptedServer { _ in
      .answer(status: 200, headers: ["Content-Encoding: gzip"], body: file.bytes)
    }
    defer { lying.stop() }
    let lie = #expect(throws: TargetError.self) { try S3Target(lying).read("a") }
    #expect(lie?.description.contains("write 'encoding=identity' in the address") == true)
  }

  @Test(arguments: ["http://127.0.0.1:1", "http://no-such-host.invalid"])
  func reportsAnUnreachableServer(endpoint: String) throws {
    let waits = RecordedWaits()
    let target = try S3Target(
      "s3://bucket?endpoint=\(endpoint)", keys: ("AKID", "s3cret"), environment: waits.environment
    )
    let error = #expect(throws: TargetError.self) { try target.create("a", as: file) }
    #expect(error?.kind == .unreachable && error?.description.contains("check the network") == true)
    #expect(waits.milliseconds.count == 5)
  }

  @Test func reportsAServerThatDoesNotAnswer() throws {
    let server = try ScriptedServer { _ in .bytes([]) }
    defer { server.stop() }
    let error = #expect(throws: TargetError.self) { try S3Target(server).create("a", as: file) }
    #expect(error?.kind == .unreachable && error?.description.contains("does not answer") == true)
    #expect(server.requests.count == 6)
  }

  @Test(arguments: [[200, 200], [412], [200, 412, 200]]) func detectsThatConditionsAreIgnored(
    answers: [Int]
  ) throws {
    let counter = Counter()
    let server = try ScriptedServer { request in
      request.method == "DELETE"
        ? .answer(status: 204) : .answer(status: answers[counter.next() - 1])
    }
    defer { server.stop() }
    let target = try S3Target(server)
    #expect(try !target.honorsConditions())
    #expect(try !target.honorsConditions())
    #expect(server.requests.map(\.method) == answers.map { _ in "PUT" } + ["DELETE"])
    #expect(Set(server.requests.map(\.path)).count == 1)
    #expect(server.requests[0].path.hasPrefix("/bucket/v1/.probe/"))
  }

  /// The server does not know conditional writes, as Backblaze B2.
  @Test func detectsThatConditionsAreNotImplemented() throws {
    let server = try ScriptedServer { _ in
      .answer(status: 501, body: xml("NotImplemented", "A header is not implemented."))
    }
    defer { server.stop() }
    #expect(try !S3Target(server).honorsConditions())
    let error = #expect(throws: TargetError.self) { try S3Target(server).create("a", as: file) }
    #expect(error?.description.contains("--single-writer") == true)
  }

  /// All writers at the same time succeed, although later ones are refused.
  @Test func detectsThatSeveralConcurrentWritersWin() throws {
    let seen = Mutex<[String: Int]>([:])
    let server = try ScriptedServer { request in
      guard request.method == "PUT" else {
        return .answer(status: request.method == "HEAD" ? 200 : 204)
      }
      let count = seen.withLock { seen in
        seen[request.path, default: 0] += 1
        return seen[request.path] ?? 0
      }
      let isFirstKey = seen.withLock { $0.count } == 1
      return .answer(status: isFirstKey && count > 1 ? 412 : 200)
    }
    defer { server.stop() }
    let target = try S3Target(server)
    #expect(try !target.honorsConditions())
    #expect(seen.withLock { $0.values.sorted() } == [3, 4])
    #expect(server.requests.count { $0.method == "DELETE" } == 2)
  }

  @Test(arguments: [
    ("SeaweedFS 30GB 4.16 d4d2e511e", "4.16"), ("SeaweedFS/3.97", "3.97"),
    ("SeaweedFS 30GB 4.17", nil), ("SeaweedFS 4.48", nil), ("SeaweedFS", nil),
    ("nginx/1.22.1", nil),
  ])
  func namesAVersionWhoseConcurrentWritersWin(server name: String, version: String?) throws {
    let writes = Mutex<[String: Int]>([:])
    let server = try ScriptedServer { request in
      guard request.method == "PUT" else {
        return .answer(status: request.method == "HEAD" ? 200 : 204, headers: ["Server: \(name)"])
      }
      let count = writes.withLock { writes in
        writes[request.path, default: 0] += 1
        return writes[request.path] ?? 0
      }
      return .answer(status: count > 1 ? 412 : 200)
    }
    defer { server.stop() }
    let target = try S3Target(server)
    guard let version else { return #expect(try target.honorsConditions()) }
    let error = #expect(throws: TargetError.self) { try target.honorsConditions() }
    let message = error?.description ?? ""
    #expect(message.contains("is at SeaweedFS \(version): before 4.17"), "\(message)")
    #expect(message.contains("--single-writer"), "\(message)")
  }

  @Test(arguments: [
    "", "<html/>", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<ListBucketResult><Contents><Key>v1/a</Key><Size>x</Size></Contents></ListBucketResult>",
    "<ListBucketResult><Contents><Key>other/a</Key><Size>1</Size></Contents></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken></ListBucketResult>",
  ])
  func refusesAnInvalidList(text: String) throws {
    let server = try ScriptedServer { _ in .answer(status: 200, body: Array(text.utf8)) }
    defer { server.stop() }
    let error = #expect(throws: TargetError.self) { try S3Target(server).list(below: "") }
    #expect(error?.kind == .failed && error?.description.contains("cannot be read") == true)
  }

  @Test func refusesABodyWithAWrongEncoding() throws {
    for encoding in ["gzip", "br"] {
      let server = try ScriptedServer { _ in
        .answer(
          status: 200, headers: ["Content-Encoding: \(encoding)"], body: Array("no gzip".utf8))
      }
      defer { server.stop() }
      #expect(throws: TargetError.self) { try S3Target(server).read("a") }
    }
  }

  /// A small gzip file can decode to a thousand times its bytes.
  @Test(arguments: [
    ("qa/config.plist", ReadLimit.config), ("qa/lock", ReadLimit.bytes(of: "qa/lock")),
  ])
  func decodesNoMoreThanTheLimitOfAFile(key: String, limit: Int) throws {
    let longest = try GzipCompressor().compress([UInt8](repeating: 0x20, count: limit))
    let longer = try GzipCompressor().compress([UInt8](repeating: 0x20, count: limit + 1))
    try #require(longer.count < 1 << 14)
    func target(sending body: [UInt8]) throws -> (target: S3Target, server: ScriptedServer) {
      let server = try ScriptedServer { _ in
        .answer(status: 200, headers: ["Content-Encoding: gzip"], body: body)
      }
      return (try S3Target(server), server)
    }
    let allowed = try target(sending: longest)
    defer { allowed.server.stop() }
    #expect(try allowed.target.read(key)?.bytes.count == limit)
    let refused = try target(sending: longer)
    defer { refused.server.stop() }
    let error = #expect(throws: TargetError.self) { try refused.target.read(key) }
    let reason = "'\(key)': the decompressed data is larger than \(limit) bytes"
    #expect(error?.kind == .damaged && error?.description.contains(reason) == true)
  }

  /// With encryption or multipart uploads, the tag is no checksum.
  @Test func comparesBytesIfTheTagIsNoChecksum() throws {
    for (stored, isHeld) in [("ours", true), ("not!", false)] {
      let server = try ScriptedServer { _ in
        .answer(
          status: 200, headers: ["ETag: \"0123456789abcdef0123456789abcdef-2\""],
          body: Array(stored.utf8))
      }
      defer { server.stop() }
      #expect(try S3Target(server).holds("a", as: file) == isHeld)
      #expect(server.requests.map(\.method) == ["HEAD", "GET"])
    }
  }

  @Test func comparesTheTagIfItIsAChecksum() throws {
    let tag = MD5.hash(of: file.bytes).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }
    let server = try ScriptedServer { _ in
      .answer(status: 200, headers: ["ETag: \"\(tag.joined())\""], body: Array("ours".utf8))
    }
    defer { server.stop() }
    #expect(try S3Target(server).holds("a", as: file))
    #expect(try !S3Target(server).holds("a", as: OutgoingFile(text: "longer")))
    #expect(server.requests.map(\.method) == ["HEAD", "HEAD"])
  }

  /// A reader would get compressed bytes without the header that says so.
  @Test func requiresTheContentEncodingOfCompressedFiles() throws {
    let file = try OutgoingFile(gzipped: "ours")
    let stored = try #require(file.compressed).bytes
    let tag = try S3Form(file, isIdentity: false).tag
    for (headers, isHeld) in [(["Content-Encoding: gzip"], true), ([], false)] {
      let server = try ScriptedServer { _ in
        .answer(status: 200, headers: headers + ["ETag: \(tag)"], body: stored)
      }
      defer { server.stop() }
      #expect(try S3Target(server).holds("a", as: file) == isHeld)
    }
  }

  @Test func sendsTheChecksumOfTheBody() throws {
    let server = try ScriptedServer { _ in .answer(status: 200) }
    defer { server.stop() }
    #expect(try S3Target(server).create("a", as: OutgoingFile(text: "Hello, world")))
    // `printf 'Hello, world' | openssl md5 -binary | base64`
    #expect(server.requests[0].headers.contains("Content-MD5: vG5vFrigd+9fvI1Z0LkxuQ=="))
  }
}

private func xml(_ code: String, _ message: String) -> [UInt8] {
  let text =
    "<Error><Code>\(code)</Code><Message>\(message)</Message><Region>eu-west-1</Region></Error>"
  return Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(text)".utf8)
}

/// Answers that make further requests unnecessary.
@Suite struct S3ProofTests {
  /// The answer contains the hash of the sent bytes.
  ///
  /// A later check still asks the server.
  @Test func acceptsTheTagOfAWriteAsProof() throws {
    let file = OutgoingFile(text: "ours")
    let tag = try S3Form(file, isIdentity: false).tag
    let server = try ScriptedServer { request in
      .answer(status: request.method == "HEAD" ? 404 : 200, headers: ["ETag: \(tag)"])
    }
    defer { server.stop() }
    let target = try S3Target(server)
    #expect(try target.create("a", as: file) && target.holds("a", as: file))
    #expect(server.requests.map(\.method) == ["PUT"])
    #expect(try !target.holds("a", as: file))
    #expect(try target.create("b", as: file) && !target.holds("b", as: OutgoingFile(text: "other")))
    #expect(server.requests.map(\.method) == ["PUT", "HEAD", "PUT", "HEAD"])
  }

  @Test func checksAFileIfTheTagOfAWriteProvesNothing() throws {
    let file = OutgoingFile(text: "ours")
    for headers in [[], ["ETag: \"00000000000000000000000000000000\""]] {
      let server = try ScriptedServer { request in
        .answer(status: request.method == "HEAD" ? 404 : 200, headers: headers)
      }
      defer { server.stop() }
      let target = try S3Target(server)
      #expect(try target.create("a", as: file) && !target.holds("a", as: file))
    }
  }

  /// Only a separate request can show that the server keeps the encoding.
  @Test func checksTheEncodingOfCompressedFilesOnce() throws {
    let file = try OutgoingFile(gzipped: String(repeating: "tulips and roses ", count: 50))
    let form = try S3Form(file, isIdentity: false)
    let server = try ScriptedServer { _ in
      .answer(
        status: 200, headers: ["ETag: \(form.tag)", "Content-Encoding: gzip"],
        body: [UInt8](repeating: 0, count: form.body.count))
    }
    defer { server.stop() }
    let target = try S3Target(server)
    for key in ["a", "b", "c"] {
      #expect(try target.create(key, as: file) && target.holds(key, as: file))
    }
    #expect(server.requests.map(\.method) == ["PUT", "HEAD", "PUT", "PUT"])
    #expect(target.traffic?.requests == 4)
    #expect(try #require(target.traffic).sentBytes > 3 * form.body.count)
  }
}
