import ContentModel
import HTTPTransport
import Synchronization
import System
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// The S3 target at a real server.
@Suite(.needsServers) struct S3SeaweedTests {
  /// One test, because the server takes seconds to start.
  @Test func publishesToARealServer() throws {
    let server = try SeaweedServer()
    try server.makeBucket("flowers")
    try conforms(server)
    try letsOneOfManyWritersWin(server)
    try storesGzipAndDecodesIt(server)
    try listsMoreThanOnePage(server)
    try refusesLargeBodiesBeforeSendingThem(server)
    try storesFilesInPieces(server)
    try reportsAMissingBucket(server)
    try reportsErrors(server)
  }

  private func conforms(_ server: SeaweedServer) throws {
    for (place, options) in [
      ("flowers", ""), ("flowers/app/v1", ""), ("flowers/plain", "&encoding=identity"),
    ] {
      let target = try S3Target(server, place, options: options)
      try TargetConformance(target: target).check()
      #expect(try target.honorsConditions() && target.honorsConditions())
      #expect(try target.list(below: ".probe/").isEmpty)
    }
  }

  private func letsOneOfManyWritersWin(_ server: SeaweedServer) throws {
    let target = try S3Target(server, "flowers/race")
    for round in 0..<5 {
      var tag: String?
      for key in ["created-\(round)", "replaced"] {
        if key == "replaced" { tag = try target.read(key)?.tag }
        let seen = tag
        let wins = Mutex<[Int]>([])
        let failures = Counter()
        try Threads.runBlocking(16) { writer in
          do {
            if try target.replace(key, with: OutgoingFile(text: "\(round) \(writer)"), tagged: seen)
            {
              wins.withLock { $0.append(writer) }
            }
          } catch { failures.next() }
        }
        let winners = wins.withLock { $0 }
        #expect(winners.count == 1 && failures.value == 0, "\(key)")
        #expect(
          try target.read(key)?.bytes == winners.first.map { Array("\(round) \($0)".utf8) },
          "\(key)")
      }
    }
  }

  private func storesGzipAndDecodesIt(_ server: SeaweedServer) throws {
    let text = String(repeating: "tulips and roses ", count: 500)
    let file = try OutgoingFile(gzipped: text)
    let compressed = try #require(file.compressed).bytes
    let target = try S3Target(server, "flowers/gzip")
    #expect(try target.create("a", as: file))
    #expect(try target.read("a")?.bytes == file.bytes)
    #expect(try target.list(below: "").map(\.size) == [compressed.count])
    #expect(try target.holds("a", as: file) && target.holds("a", as: OutgoingFile(text: text)))
    #expect(try !target.holds("a", as: OutgoingFile(gzipped: text + "!")))
    #expect(try !target.holds("a", as: OutgoingFile(text: text + "!")))

    let stored = try #require(try answer(target, "a"))
    #expect(stored.body == compressed && stored.header("Content-Encoding") == "gzip")
    #expect(stored.header("Content-Type") == "text/plain; charset=utf-8")
    #expect(stored.header("Cache-Control") == "public, max-age=60")

    let plain = try S3Target(server, "flowers/gzip", options: "&encoding=identity")
    #expect(try plain.holds("a", as: file) && !plain.create("a", as: file))
    var described = file
    described.headers.cdnCacheControl = "max-age=300"
    #expect(try plain.create("b", as: described))
    let identity = try #require(try answer(plain, "b"))
    #expect(identity.body == file.bytes && identity.header("Content-Encoding") == nil)
    #expect(identity.header("x-amz-meta-cdn-cache-control") == "max-age=300")
    #expect(try target.holds("b", as: file))
  }

  private func listsMoreThanOnePage(_ server: SeaweedServer) throws {
    let target = try S3Target(server, "flowers/many")
    let failures = Counter()
    let keys = (0..<1_030).map { "objects/\($0 % 10)/\($0)" }
    try Threads.runBlocking(16) { lane in
      for index in stride(from: lane, to: keys.count, by: 16) {
        if (try? target.create(keys[index], as: OutgoingFile(text: "x"))) != true {
          failures.next()
        }
      }
    }
    #expect(failures.value == 0)
    let found = try target.list(below: "objects/")
    #expect(found.map(\.key) == keys.sorted() && found.allSatisfy { $0.size == 1 })
    #expect(try target.list(below: "objects/3/").count == 103)
    let age = (found.first?.modified.secondsSinceReferenceDate ?? 0) + 978_307_200
    #expect(abs(age - Double(RequestEnvironment.system.now())) < 600)
  }

  private func refusesLargeBodiesBeforeSendingThem(_ server: SeaweedServer) throws {
    let target = try S3Target(server, "flowers/large")
    let file = OutgoingFile(text: String(repeating: "0123456789abcdef", count: 400_000))
    #expect(try target.create("objects/aa/a", as: file))
    for _ in 0..<5 { #expect(try !target.create("objects/aa/a", as: file)) }
    #expect(
      try target.holds("objects/aa/a", as: file) && target.read("objects/aa/a")?.bytes == file.bytes
    )
  }

  private func storesFilesInPieces(_ server: SeaweedServer) throws {
    let scratch = try ScratchFolder(inMemory: true)
    let target = try S3Target(server, "flowers/streamed")
    for (key, count) in [("objects/aa/a", 300_000), ("objects/bb/b", 3 << 20)] {
      let sample = try SampleFile(String(key.suffix(1)), count: count, in: scratch)
      let file = try sample.outgoing(
        compressed: key == "objects/aa/a" ? try sample.compressed(in: scratch) : nil)
      #expect(
        try target.create(key, as: file) && !target.create(key, as: file)
          && target.holds(key, as: file))
      #expect(try target.read(key)?.bytes == sample.bytes)
      #expect(
        try answer(target, key)?.header("Content-Encoding")
          == (key == "objects/aa/a" ? "gzip" : nil))
    }
    for change in SampleFile.Change.allCases {
      let sample = try SampleFile(count: 3 << 20, in: scratch)
      let file = try sample.outgoing()
      let changing = try S3Target(server, "flowers/streamed") { sample.apply(change) }
      let error = #expect(throws: TargetError.self) { try changing.create("\(change)", as: file) }
      #expect(
        error?.kind == .unreadable
          && error?.description.contains("'\(sample.path)' changed") == true)
    }
    #expect(try target.list(below: "").map(\.key) == ["objects/aa/a", "objects/bb/b"])
  }

  /// For a user who may create buckets, the server creates a missing one.
  ///
  /// It refuses the writes of all other users.
  private func reportsAMissingBucket(_ server: SeaweedServer) throws {
    let target = try S3Target(
      "s3://nobodys-flowers?endpoint=\(server.buckets)",
      keys: (SeaweedServer.publisherKey, SeaweedServer.secretKey))
    for error in [
      #expect(throws: TargetError.self) { try target.read("a") },
      #expect(throws: TargetError.self) { try target.list(below: "") },
    ] {
      #expect(error?.kind == .missing && error?.description.contains("NoSuchBucket") == true)
    }
    #expect(throws: TargetError.self) { try target.create("a", as: OutgoingFile(text: "1")) }
  }

  private func reportsErrors(_ server: SeaweedServer) throws {
    let cases: [(S3Target, TargetError.Kind, String)] = [
      (try S3Target(server, "flowers", secretKey: "wrong"), .denied, "SignatureDoesNotMatch"),
      (
        try S3Target("s3://flowers?endpoint=\(server.buckets)", keys: ("nobody", "wrong")), .denied,
        "InvalidAccessKeyId"
      ),
    ]
    for (target, kind, code) in cases {
      let file = OutgoingFile(text: "1")
      let errors = [
        #expect(throws: TargetError.self) { try target.create("a", as: file) },
        #expect(throws: TargetError.self) { try target.replace("a", with: file, tagged: "\"a\"") },
        #expect(throws: TargetError.self) { try target.read("a") },
        #expect(throws: TargetError.self) { try target.list(below: "") },
        #expect(throws: TargetError.self) { try target.honorsConditions() },
      ]
      for error in errors {
        let text = error?.description ?? ""
        #expect(error?.kind == kind && text.contains(code) && text.contains(target.name), "\(text)")
        #expect(!text.contains("wrong") && !text.contains(SeaweedServer.secretKey))
      }
    }
  }

  /// Returns the answer that any reader gets for a file.
  private func answer(_ target: S3Target, _ key: String) throws -> HTTPAnswer? {
    var request = S3Request(.get, key: target.place(key))
    request.answerLimit = 8 << 20
    return try target.bucket.ask(request)
  }
}
