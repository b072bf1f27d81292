import HTTPTransport
import SharedGzip
import System
import TestInputs
import TestServers
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Commands at a real bucket behind a proxy that falsifies answers.
@Suite(.needsServers) struct LyingBucketTests {
  private let server: SeaweedServer
  private let numbers = Counter()

  init() throws {
    server = try SeaweedServer()
    try server.makeBucket("flowers")
  }

  /// One test, because the server takes seconds to start.
  @Test func neverReportsFalseSuccess() throws {
    try tryLies()
    try ignoreForeignFiles()
    try handleObjectsInAnotherEncoding()
  }

  /// Runs every command once, or `CONTENTC_DRILL_ROUNDS` times.
  private func tryLies() throws {
    let rounds = Drill.count("CONTENTC_DRILL_ROUNDS", usual: 1, nightly: 20)
    let proxy = try LyingProxy(to: server.bucketPort)
    var random = SeededGenerator(seed: 14)
    let commands = LyingDrill.Command.allCases.filter { !$0.isTriedTwice }
    for (turn, command) in commands.enumerated() {
      let drill = try LyingDrill(command)
      for round in 0..<rounds {
        let lie = LyingProxy.Lie.allCases[(turn + round) % LyingProxy.Lie.allCases.count]
        let first = Int(random.next() % (lie == .droppedWrite ? 12 : 30))
        // A slow answer takes as long as a client allows, so a test has only one.
        let isOne = lie == .slowRead || random.next() % 2 == 0
        let (place, sound) = try fill(drill)
        let lying = try target(proxy.address, place)
        proxy.lie(lie, at: first..<(isOne ? first + 1 : .max))
        try drill.run(
          lying, sound: sound, "\(command), \(lie) from \(first)\(isOne ? " once" : "")")
      }
    }
  }

  /// Files in an encoding that contentc cannot read block neither removals nor a prune.
  private func ignoreForeignFiles() throws {
    for command in [LyingDrill.Command.purge, .prune] {
      let drill = try LyingDrill(command)
      let (_, target) = try fill(drill)
      for key in [
        "wordpress/config.json", "production/purges/7.plist", "production/purges/1.plist",
        "production/purges/1-0123456789abcdef.plist",
        "production/purges/3-0123456789abcdef/begun",
        "production/releases/3-0123456789abcdef.plist",
      ] {
        try put(key, inBrotliAt: target)
      }
      try drill.perform(ChannelPlace(target), run: "beside others")
      #expect(try drill.isDone(ChannelPlace(target)), "\(command)")
      #expect(try target.list(below: "wordpress/").count == 1)
    }
  }

  /// An object in another encoding blocks no purge if only an earlier release names it.
  ///
  /// If the live release names it, the purge fails, changes nothing, and names the object and the
  /// remedy, after which the same purge succeeds.
  private func handleObjectsInAnotherEncoding() throws {
    let drill = try LyingDrill(.purge)
    let earlier = try objectInBrotli(holding: "First", drill)
    try drill.perform(earlier.place, run: "beside an earlier object")
    #expect(try drill.isDone(earlier.place))
    let live = try objectInBrotli(holding: "Second", drill)
    let error = #expect(throws: TargetError.self) {
      try drill.perform(live.place, run: "beside a live object")
    }
    let message = try #require(error?.description)
    #expect(message.contains("'\(live.key)' in an encoding that is not gzip"))
    #expect(
      message.hasSuffix(
        "send the file as it was stored, without 'Content-Encoding: br', then run again"))
    #expect(try live.place.live()?.number == 2)
    try live.place.target.remove(live.key)
    _ = try live.place.target.create(live.key, as: live.stored)
    try drill.perform(live.place, run: "after the remedy")
    #expect(try drill.isDone(live.place))
  }

  /// Creates a place in the bucket where another program has encoded the object that holds a text.
  ///
  /// - Returns: The place, the object's key, and its file as it was stored before.
  private func objectInBrotli(
    holding text: String, _ drill: LyingDrill
  ) throws -> (place: ChannelPlace, key: String, stored: OutgoingFile) {
    let (_, target) = try fill(drill)
    let place = ChannelPlace(target)
    let key = try #require(try place.files(holding: text).first { $0.hasPrefix("objects/") })
    let bytes = try #require(try target.read(key)).bytes
    try put(key, inBrotliAt: target)
    let headers = FileHeaders(contentType: "application/octet-stream", cacheControl: "no-store")
    return (place, key, OutgoingFile(bytes: bytes, headers: headers))
  }

  private func put(_ key: String, inBrotliAt target: S3Target) throws {
    let request = S3Request(
      .put, key: target.place(key), headers: [("Content-Encoding", "br")],
      body: .bytes(Array("not of ours".utf8)))
    #expect(try target.bucket.ask(request).status == 200)
  }

  /// Creates a place in the bucket with the drill's files.
  private func fill(_ drill: LyingDrill) throws -> (place: String, sound: S3Target) {
    let place = "flowers/lies-\(numbers.next())"
    let sound = try target(server.buckets, place)
    _ = try drill.store.list(below: "").mapOverlapped { (listed) throws in
      guard let stored = drill.store.read(listed.key) else { return }
      let headers = FileHeaders(contentType: "application/octet-stream", cacheControl: "no-store")
      // Objects are stored as gzip files, as a publication stores them.
      let compressed =
        listed.key.hasPrefix("objects/") ? try GzipCompressor().compress(stored.bytes) : nil
      _ = try sound.create(
        listed.key, as: OutgoingFile(bytes: stored.bytes, compressed: compressed, headers: headers))
    }
    return (place, sound)
  }

  private func target(_ endpoint: String, _ place: String) throws -> S3Target {
    var limits = HTTPLimits()
    (limits.requestMilliseconds, limits.silentSeconds) = (1_000, 1)
    let system = RequestEnvironment.system
    return try S3Target(
      "s3://\(place)?endpoint=\(endpoint)", keys: (SeaweedServer.key, SeaweedServer.secretKey),
      limits: limits,
      environment: RequestEnvironment(now: system.now, sleep: { _ in }, random: system.random))
  }
}
