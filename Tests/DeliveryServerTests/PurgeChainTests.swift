import ContentCaches
import ContentClient
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import HTTPTransport
import Synchronization
import System
import TestReaders
import TestServers
import Testing

/// A purge through origin, Varnish and nginx with the configurations from `contentc server`, under
/// concurrent reads.
@Suite(.needsServers) struct PurgeChainTests {
  private let scratch: ScratchFolder
  private let place: ChannelPlace
  private static let bad = Shop([
    "entries/product/rose.yaml": "title: Swear word\ncare: Swear word\n"
  ])

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    place = ChannelPlace(target: FolderTarget(scratch.path), channel: "qa", app: "shop")
    try Self.bad.publish(to: place)
  }

  @Test func leavesNoStaleReads() throws {
    let chain = try DeliveryChain(root: scratch.path)
    let bad = try fill(chain)
    let outcome = try purge(chain)
    #expect(outcome.failures == [] && outcome.isRecorded)
    #expect(
      outcome.caches.map(\.cache)
        == Array(repeating: ["varnish", "nginx"], count: 4).flatMap(\.self))
    try expectNothingStale(chain, outcome)
    #expect(bad.isSubset(of: outcome.objects.map(\.key)))
    // Each cache confirmed the purge.
    let notes = try place.target.names(below: "qa/purges/").compactMap { key in
      key.split(separator: "/").last.map {
        $0.split(separator: "-").dropLast().joined(separator: "-")
      }
    }
    #expect(notes.contains("cache-varnish") && notes.contains("cache-nginx"), "\(notes)")
  }

  @Test func leavesNoStaleReadsUnderLoad() async throws {
    let chain = try DeliveryChain(root: scratch.path)
    let bad = try fill(chain)
    let isDone = Atomic(false)
    let torn = Mutex<[String]>([])
    let purged = Mutex<Purge.Outcome?>(nil)
    let refreshes = Counter()
    try await Threads.run(5) { [place] thread in
      if thread == 0 {
        defer { isDone.store(true, ordering: .relaxed) }
        let outcome = try self.purge(chain)
        #expect(outcome.failures == [])
        purged.withLock { $0 = outcome }
        return
      }
      func newReader() throws -> ClientReader {
        var configuration = ContentConfiguration(
          url: chain.edge.address, app: place.app, channel: place.channel)
        configuration.context = ReaderContext(locales: [thread == 1 ? "fr" : "en"])
        configuration.eager = ["catalog", "product"]
        return try ClientReader(configuration)
      }
      let reader = try newReader()
      while !isDone.load(ordering: .relaxed) {
        _ = await reader.refresh()
        // A reader without content gets a whole release, the old one or the new one.
        if try await !newReader().refresh() { torn.withLock { $0.append("\(thread)") } }
        refreshes.next()
        let encoding = thread % 2 == 0 ? "identity" : "gzip"
        for key in bad.prefix(4) { _ = try chain.get("/\(key)", ["Accept-Encoding": encoding]) }
      }
      #expect(await reader.refresh())
      #expect(reader.screen["product/rose"] == nil && reader.screen["product/iris"] != nil)
    }
    #expect(torn.withLock { $0 } == [])
    // Each reader refreshes at least once.
    #expect(refreshes.value >= 4)
    try expectNothingStale(chain, try #require(purged.withLock { $0 }))
  }

  @Test func purgesAgainAfterALateAnswer() async throws {
    let origin = try DeliveryServer(.nginx, root: scratch.path)
    let isSlow = Atomic(false)
    let delayed = Counter()
    // Answers like the origin, one second late.
    let slow = try ScriptedServer { request in
      let encoding = request.headers.first { $0.lowercased().hasPrefix("accept-encoding:") }
      let headers = encoding.map { ["Accept-Encoding": String($0.dropFirst(16))] } ?? [:]
      guard let answer = try? Response(request.method, request.path, headers, on: origin.port)
      else { return .death }
      if isSlow.load(ordering: .relaxed) {
        delayed.next()
        RequestEnvironment.system.sleep(1_000)
      }
      return .answer(status: answer.status, headers: answer.lines, body: answer.body)
    }
    defer { slow.stop() }
    let shield = try DeliveryServer(.varnish, upstream: slow.port)
    let edge = try DeliveryServer(.nginx, upstream: shield.port)
    let chain = DeliveryChain(origin: origin, shield: shield, edge: edge)
    let purged = Mutex<Purge.Outcome?>(nil)
    let bad = try badObjects()
    let key = try #require(bad.min())
    // A reader fetches the old config just before the purge, and the origin answers slowly.
    isSlow.store(true, ordering: .relaxed)
    let delayedObjects = Counter()
    try await Threads.run(3) { [place] thread in
      if thread == 2 {
        // This thread fetches a bad object past the caches until it is removed. An answer is then
        // in flight, and the caches store it.
        while try place.target.read(key) != nil {
          _ = try Response("PURGE", "/\(key)", [:], on: shield.port)
          _ = try Response(to: "/_purge/\(key)", ["Accept-Encoding": "gzip"], on: edge.port)
          if try chain.get("/\(key)", ["Accept-Encoding": "gzip"]).status == 200 {
            delayedObjects.next()
          }
        }
        return
      }
      if thread == 0 {
        RequestEnvironment.system.sleep(300)
        let outcome = try self.purge(chain)
        #expect(outcome.failures == [])
        purged.withLock { $0 = outcome }
      } else {
        _ = try chain.get("/qa/config.plist")
      }
    }
    #expect(delayed.value > 0 && delayedObjects.value > 0)
    isSlow.store(false, ordering: .relaxed)
    try expectNothingStale(chain, try #require(purged.withLock { $0 }))
  }

  /// Fetches every file in every encoding, so that all caches have it.
  ///
  /// Returns the objects that a purge of the rose removes.
  private func fill(_ chain: DeliveryChain) throws -> Set<String> {
    let content = try #require(try place.live()).content(at: place.target)
    let bad = try badObjects()
    for round in 0..<2 {
      for key in content.objects.map(\.key) + ["qa/config.plist"] {
        for encoding in ["identity", "gzip", "br", "gzip, br"] {
          let answer = try chain.get("/\(key)", ["Accept-Encoding": encoding])
          #expect(answer.status == 200)
          if round == 1 { #expect(answer["X-Cache"] == "HIT", "\(key) \(encoding)") }
        }
      }
    }
    return bad
  }

  /// Returns the objects that contain the bad text.
  private func badObjects() throws -> Set<String> {
    let content = try #require(try place.live()).content(at: place.target)
    let reader = ReleaseReader(content)
    let bad = try content.objects.filter { object in
      let text = String(decoding: try reader.bytes(of: object.digest), as: UTF8.self)
      return text.contains("Swear word")
    }.map(\.key)
    #expect(bad.count > 3)
    return Set(bad)
  }

  private func purge(_ chain: DeliveryChain) throws -> Purge.Outcome {
    let client = HTTPClient()
    let send: CachePurge.Send = { request throws(HTTPFailure) in try client.send(request) }
    let layers = [
      CacheLayer(.varnish, settings: ["nodes": [chain.shield.address]]),
      CacheLayer(.nginx, settings: ["nodes": [chain.edge.address]]),
    ]
    let caches = CachePurge(
      try layers.map { try CDNSettings($0, environment: { _ in nil }).cdn() }, send: send,
      environment: .system)
    var purge = Purge(
      place, caches: caches,
      site: PublicSite(chain.edge.address, send: send, environment: .system),
      times: Purge.Times(originTimeout: 2, app: 60, origin: 0, offline: 600), environment: .system)
    purge.layers = layers
    let live = try #require(try place.live())
    let order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    let list = try PurgeList(place, live: live)
    let plan = try PurgePlanner(place, live: live, list: list).plan(order)
    let begun = try purge.begin(
      order, as: plan, in: list, after: live,
      through: Self.bad.publisher(of: place, run: "purge"), watch: { _ in }
    ) { _, _ in nil }
    return purge.finish(
      try #require(begun), live: try #require(try place.live()), watch: { _ in })
  }

  /// Reads config and the removed objects a thousand times, in every encoding.
  private func expectNothingStale(_ chain: DeliveryChain, _ outcome: Purge.Outcome) throws {
    let removed = outcome.objects.map(\.key)
    #expect(removed.count > 3)
    var stale: [String] = []
    for number in 0..<1_000 {
      let encoding = ["identity", "gzip", "br", "gzip, br"][number % 4]
      if number % 5 == 0 {
        let config = try chain.get("/qa/config.plist", ["Accept-Encoding": encoding])
        if config.body != (try place.target.read("qa/config.plist")?.bytes) {
          stale.append("config")
        }
      } else {
        let key = removed[number / 5 % removed.count]
        let answer = try chain.get("/\(key)", ["Accept-Encoding": encoding])
        if answer.status == 200 { stale.append("\(key) \(encoding)") }
      }
    }
    #expect(stale == [])
  }
}
