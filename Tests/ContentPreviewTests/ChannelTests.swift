import ContentModel
import Synchronization
import TestServers
import Testing

@testable import ContentPreview

/// The live content of channels.
@Suite struct ChannelTests {
  @Test(arguments: [
    ("/channels/qa/qa/config.plist", 200), ("/channels/qa\(LivePreview.objectPath)", 200),
    ("/channels/qa/qa/config.json", 404), ("/channels/qa/other/config.plist", 404),
    ("/channels/qa", 404),
    ("/channels", 404), ("/channels/qa/qa/releases/1.plist", 404),
    ("/channels/qa/qa/config.plist/x", 404),
    ("/channels/qa/objects/4e/\(String(repeating: "4e", count: 32)).plist", 404),
    ("/channels/qa\(LivePreview.objectPath).gz", 404),
    ("/channels/production/production/config.plist", 404),
    ("/channels/none/none/config.plist", 404), ("/channels/empty/empty/config.plist", 404),
    ("/channels/ill/ill/config.plist", 503), ("/channels/ill\(LivePreview.objectPath)", 503),
    ("/channels/%2e%2e/qa/config.plist", 400), ("/api/changes", 400),
    ("/api/changes?channel=none", 404),
    ("/api/changes?channel=ill", 503), ("/api/changes?channel=qa&x=1", 400),
    ("/api/changes?channel=qa&rollout=stable", 400),
    ("/api/changes?channel=empty", 200),
  ])
  func servesOnlyFilesOfTheRelease(path: String, status: Int) async throws {
    let live = try await LivePreview(channels: FakeChannel.all)
    let response = try await live.get(path)
    #expect(response.status == status)
    if status >= 400 { #expect(response.body.hasPrefix(#"{"error":""#)) }
    await live.preview.stop()
  }

  @Test func servesAReleaseLikeAWebServer() async throws {
    let live = try await LivePreview(channels: FakeChannel.all)
    let config = try await live.get("/channels/qa/qa/config.plist")
    #expect(config.body == FakeChannel.config)
    #expect(config["cache-control"] == "no-cache")
    let object = try await live.get("/channels/qa\(LivePreview.objectPath)", ["Range: bytes=0-4"])
    #expect(object.status == 206 && object.body == "live ")
    #expect(object["cache-control"] == "public, max-age=31536000, immutable")
    let tag = try #require(object["etag"])
    let again = try await live.get(
      "/channels/qa\(LivePreview.objectPath)", ["If-None-Match: \(tag)"])
    #expect(again.status == 304)
    await live.preview.stop()
  }

  @Test func reportsChangesAndFailures() async throws {
    let live = try await LivePreview(channels: FakeChannel.all)
    var lines = live.lines.makeAsyncIterator()
    _ = await lines.next()
    let changes = try await live.get("/api/changes?channel=qa")
    #expect(
      changes.body
        == #"{"channel":"qa","entries":["live object"],"generation":1,"ok":true,"release":7}"#
        + "\n")
    let ill = try await live.get("/api/changes?channel=ill")
    #expect(ill.body == #"{"error":"s3://shop cannot be reached"}"# + "\n")
    let state = try await live.get("/api/state")
    #expect(state.body.contains(#""comparing":["qa","empty","ill"]"#))
    await live.preview.stop()
  }

  @Test func comparesWithTheChosenSideOfARollout() async throws {
    let live = try await LivePreview(channels: [FakeChannel.inSteps])
    var lines = live.lines.makeAsyncIterator()
    _ = await lines.next()
    let facts = #""of":6,"release":7,"rollout":{"name":"r7"}"#
    for (query, side) in [("", "stable"), ("&rollout=next", "next"), ("", "stable")] {
      let changes = try await live.get("/api/changes?channel=steps\(query)")
      #expect(
        changes.body
          == #"{"channel":"steps","entries":["for \#(side)"],"generation":1,\#(facts),"side":"\#(side)"}"#
          + "\n")
    }
    await live.preview.stop()
  }

  /// Without a rollout, all readers get the same content.
  @Test func comparesWithTheOnlySideWithoutARollout() async throws {
    let live = try await LivePreview(channels: FakeChannel.all)
    var lines = live.lines.makeAsyncIterator()
    _ = await lines.next()
    let changes = try await live.get("/api/changes?channel=qa")
    #expect(try await live.get("/api/changes?channel=qa&rollout=next").body == changes.body)
    #expect(!changes.body.contains(#""side""#))
    await live.preview.stop()
  }

  @Test(arguments: ["/channels/qa/qa/config.plist", "/api/changes?channel=qa"])
  func refusesRequestsFromAnotherOrigin(path: String) async throws {
    let live = try await LivePreview(channels: FakeChannel.all)
    let response = try await live.get(path, ["Origin: http://evil.example"])
    #expect(response.status == 403)
    await live.preview.stop()
  }

  @Test func queriesTheTargetAtMostOnceASecond() throws {
    let (fake, clock) = (CountedChannel(), SteppedClock())
    let channel = LiveChannel(fake.source, time: { clock.now })
    for _ in 0..<5 { _ = try channel.content() }
    #expect(fake.liveReads == 1)
    clock.advance(.milliseconds(1_000))
    let content = try channel.content()
    #expect(fake.liveReads == 2)
    for _ in 0..<3 { #expect(try channel.object("objects/a", of: content) == [1, 2]) }
    #expect(fake.objectReads == ["objects/a"])
    #expect(try channel.object("objects/none", of: content) == nil)
    #expect(fake.objectReads == ["objects/a"])
  }

  @Test func failsAtOnceAfterARecentFailure() throws {
    let (fake, clock) = (CountedChannel(), SteppedClock())
    let channel = LiveChannel(fake.source, time: { clock.now })
    let content = try channel.content()
    for _ in 0..<3 {
      #expect(throws: UnreadableChannel("ill")) { try channel.object("objects/ill", of: content) }
      #expect(throws: UnreadableChannel("ill")) { try channel.object("objects/a", of: content) }
      #expect(throws: UnreadableChannel("ill")) { try channel.content() }
    }
    #expect(fake.objectReads == ["objects/ill"])
    clock.advance(.seconds(1))
    #expect(try channel.object("objects/a", of: content) == [1, 2])
    #expect(try channel.content().objects == content.objects)
  }

  @Test func dropsTheOldestObjectsAboveTheLimit() {
    let cache = ByteCache(limit: 40)
    for name in ["a", "b", "c", "d", "a"] {
      cache.insert(Array(repeating: 0, count: 10), for: name)
    }
    cache.insert(Array(repeating: 0, count: 11), for: "large")
    #expect(["a", "b", "c", "d"].allSatisfy { cache[$0] != nil } && cache["large"] == nil)
    cache.insert([1], for: "e")
    #expect(cache["a"] == nil && cache["b"] != nil && cache["e"] == [1])
  }
}

/// Channels with fixed content.
private enum FakeChannel {
  static let config = "{ app = shop; release = 7; }"

  static var all: [ChannelSource] {
    [
      ChannelSource(name: "qa") { () throws(UnreadableChannel) in live },
      ChannelSource(name: "empty") { () throws(UnreadableChannel) in nothing },
      ChannelSource(name: "ill") { () throws(UnreadableChannel) in
        throw UnreadableChannel("s3://shop cannot be reached")
      },
    ]
  }

  /// A channel with a rollout.
  static var inSteps: ChannelSource {
    let config = LiveContent.Config(
      release: 7, bytes: Array(config.utf8), fileExtension: "plist",
      facts: ["of": 6, "rollout": ["name": "r7"]])
    return ChannelSource(name: "steps") { () throws(UnreadableChannel) in
      LiveContent(config: config, objects: []) { _ throws(UnreadableChannel) in
        throw UnreadableChannel("nothing is there")
      } changes: { side, _ throws(UnreadableChannel) in
        ["entries": [.string("for \(side.rawValue)")]]
      }
    }
  }

  private static var live: LiveContent {
    LiveContent(
      config: LiveContent.Config(release: 7, bytes: Array(config.utf8), fileExtension: "plist"),
      objects: [ExactString(String(LivePreview.objectPath.dropFirst()))]
    ) { _ throws(UnreadableChannel) in
      Array("live object".utf8)
    } changes: { _, read throws(UnreadableChannel) in
      let bytes = try read(String(LivePreview.objectPath.dropFirst()))
      return ["entries": [.string(String(decoding: bytes, as: UTF8.self))], "ok": true]
    }
  }

  private static var nothing: LiveContent {
    LiveContent(config: nil, objects: []) { _ throws(UnreadableChannel) in
      throw UnreadableChannel("nothing is there")
    } changes: { _, _ throws(UnreadableChannel) in
      ["entries": []]
    }
  }
}

/// A channel that counts its requests.
private final class CountedChannel: Sendable {
  private let counts = Mutex((liveReads: 0, objectReads: [String]()))

  var liveReads: Int { counts.withLock { $0.liveReads } }
  var objectReads: [String] { counts.withLock { $0.objectReads } }

  var source: ChannelSource {
    ChannelSource(name: "qa") { [self] () throws(UnreadableChannel) in
      counts.withLock { $0.liveReads += 1 }
      return LiveContent(config: nil, objects: Set(names: ["objects/a", "objects/ill"])) {
        [self] path throws(UnreadableChannel) in
        counts.withLock { $0.objectReads.append(path) }
        if path == "objects/ill" { throw UnreadableChannel("ill") }
        return [1, 2]
      } changes: { _, _ throws(UnreadableChannel) in
        [:]
      }
    }
  }
}

/// A clock that a test advances.
private final class SteppedClock: Sendable {
  private let time = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { time.withLock { $0 } }

  func advance(_ duration: Duration) { time.withLock { $0 += duration } }
}
