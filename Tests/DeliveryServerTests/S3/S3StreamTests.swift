import ContentModel
import Synchronization
import System
import TestServers
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Large files that are sent to a bucket.
@Suite struct S3StreamTests {
  let scratch: ScratchFolder
  let sample: SampleFile

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    sample = try SampleFile(in: scratch)
  }

  @Test func sendsTheFileWithItsHashes() throws {
    let counter = Counter()
    let server = try ScriptedServer { _ in .answer(status: counter.next() == 1 ? 503 : 200) }
    defer { server.stop() }
    #expect(try S3Target(server).create("a", as: try sample.outgoing()))
    let md5 = MD5.hash(of: sample.bytes).base64
    #expect(server.requests.count == 2)
    for request in server.requests {
      #expect(request.body == sample.bytes)
      #expect(request.headers.contains("x-amz-content-sha256: \(Digest(of: sample.bytes).hex)"))
      #expect(request.headers.contains("Content-MD5: \(md5)"))
    }
  }

  @Test func sendsTheCompressedFileUnderItsOwnHash() throws {
    let server = try ScriptedServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let compressed = try sample.compressed(in: scratch)
    #expect(try S3Target(server).create("a", as: try sample.outgoing(compressed: compressed)))
    let request = try #require(server.requests.first)
    #expect(
      try request.body == compressed.bytes && request.headers.contains("Content-Encoding: gzip"))
    #expect(request.headers.contains("x-amz-content-sha256: \(compressed.digest.hex)"))
  }

  @Test func sendsTheWholeFileAgainAfterALostConnection() throws {
    let bodies = Mutex<[[UInt8]]>([])
    let server = try HeadServer { socket, head in
      if bodies.withLock({ $0.isEmpty }) {
        bodies.withLock { $0.append(head.rest + socket.receive()) }
        return
      }
      let body = head.body(socket)
      bodies.withLock { $0.append(body) }
      socket.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    defer { server.stop() }
    #expect(try S3Target(endpoint: server.address).create("a", as: try sample.outgoing()))
    let sent = bodies.withLock { $0 }
    #expect(sent.count == 2 && sent[0].count < sample.bytes.count && sent[1] == sample.bytes)
  }

  /// The server must never take a partial body for the whole file.
  @Test(arguments: SampleFile.Change.allCases) func doesNotSendAFileThatChanges(
    change: SampleFile.Change
  ) throws {
    let server = try ScriptedServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let file = try sample.outgoing()
    let tries = Counter()
    let now: @Sendable () -> Int64 = { [sample] in
      tries.next()
      sample.apply(change)
      return 0
    }
    let target = try S3Target(
      "s3://bucket?endpoint=\(server.address)", keys: ("AKID", "s3cret"),
      environment: RequestEnvironment(now: now, sleep: { _ in }, random: { 0 }))
    let error = #expect(throws: TargetError.self) { try target.create("a", as: file) }
    #expect(
      error?.kind == .unreadable && error?.description.contains("'\(sample.path)' changed") == true)
    #expect(server.requests.isEmpty && tries.value == 1)
  }

  /// With encryption under customer keys, the tag is no checksum.
  @Test(arguments: [true, false]) func comparesBytesIfTheTagIsNoChecksum(isGzip: Bool) throws {
    let file = try sample.outgoing(compressed: isGzip ? try sample.compressed(in: scratch) : nil)
    let right = try (isGzip ? file.compressed : file.body)?.bytes ?? []
    var wrong = right
    // Without compression, the changed byte is one of the text itself.
    wrong[right.count / 2] ^= 1
    for (stored, isHeld) in [(right, true), (wrong, false), (right.dropLast(), false)] {
      let gets = Counter()
      let server = try ScriptedServer { request in
        if request.method == "GET", gets.next() == 1 {
          return .answer(status: 503, body: Array("busy".utf8))
        }
        let encoding = isGzip ? ["Content-Encoding: gzip"] : []
        return .answer(status: 200, headers: ["ETag: \"0123-2\""] + encoding, body: Array(stored))
      }
      defer { server.stop() }
      #expect(try S3Target(server).holds("a", as: file) == isHeld)
    }
  }

  @Test func acceptsAFirstRefusal() throws {
    let server = try ScriptedServer { _ in .answer(status: 412) }
    defer { server.stop() }
    #expect(try !S3Target(server).create("a", as: try sample.outgoing()))
  }

  @Test func recognizesItsOwnWriteAfterALostAnswer() throws {
    for isOurs in [true, false] {
      let counter = Counter()
      let stored = isOurs ? sample.bytes : [1]
      let server = try ScriptedServer { request in
        if request.method != "PUT" {
          return .answer(status: 200, headers: ["ETag: \"2\""], body: stored)
        }
        return counter.next() == 1 ? .bytes([]) : .answer(status: 412)
      }
      defer { server.stop() }
      #expect(try S3Target(server).create("a", as: try sample.outgoing()) == isOurs)
    }
  }

  @Test func refusesTooLargeFilesBeforeSendingAny() throws {
    // An empty bucket.
    let list = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"
    let server = try ScriptedServer { request in
      if request.path.contains("list-type=2") {
        return .answer(status: 200, body: Array(list.utf8))
      }
      return .answer(status: request.method == "GET" ? 404 : 200)
    }
    defer { server.stop() }
    let bucket = ChannelPlace(target: try S3Target(server), channel: "production", app: "shop")
    var content = try Shelf(["rose": "Rose"]).content()
    let film = ReleaseObject(digest: Digest(of: [1]), fileExtension: "mp4", size: 5 << 30 + 1)
    content.objects.append(film)
    let error = #expect(throws: DeliveryError.self) {
      try bucket.publisher().publish { _ in Draft(content: content) }
    }
    #expect(error?.kind == .refused)
    #expect(
      error?.description.contains("'\(film.key)' is too large: it has 5368709121 bytes") == true)
    #expect(server.requests.allSatisfy { $0.method == "GET" })
  }
}
