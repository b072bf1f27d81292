import ContentModel
import Hashing
import Synchronization
import TestReaders
import TestServers
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The requests of purges after many others.
@Suite struct PurgeCostTests {
  private let memory = MemoryTarget()
  private let place: ChannelPlace

  init() { place = ChannelPlace(memory) }

  private func plain(_ id: String) -> PurgeOrder {
    PurgeOrder(.entries([id]), reason: "A swear word")
  }

  /// The numbers of requests to a target, and of bytes that it sent.
  private struct Cost {
    var reads = 0
    /// The reads of purge manifests.
    var manifests = 0
    var lists = 0
    var bytes = 0
  }

  /// A target that counts reads, lists and bytes.
  private final class CountingTarget: Target {
    private let target: MemoryTarget
    private let counts = Mutex(Cost())

    init(_ target: MemoryTarget) { self.target = target }

    /// Returns the counts since the last call.
    func take() -> Cost {
      counts.withLock { counts in
        defer { counts = Cost() }
        return counts
      }
    }

    var name: String { target.name }
    func honorsConditions() -> Bool { true }
    var hasLock: Bool { false }
    func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }
    func read(_ key: String) -> StoredFile? {
      let stored = target.read(key)
      counts.withLock { counts in
        counts.reads += 1
        counts.manifests += key.contains("/purges/") ? 1 : 0
        counts.bytes += stored?.bytes.count ?? 0
      }
      return stored
    }
    func create(_ key: String, as file: OutgoingFile) -> Bool { target.create(key, as: file) }
    func replace(_ key: String, with file: OutgoingFile, tagged: String?) -> Bool {
      target.replace(key, with: file, tagged: tagged)
    }
    func holds(_ key: String, as file: OutgoingFile) -> Bool { target.holds(key, as: file) }
    func remove(_ key: String) { target.remove(key) }
    func list(below prefix: String) -> [ListedFile] {
      counts.withLock { $0.lists += 1 }
      return target.list(below: prefix)
    }
  }

  @Test func readsNoMoreAfterManyPurges() throws {
    let count = 40
    let notes = (0..<count).map { "n\($0): {title: Note \($0)}\n" }.joined()
    let counting = CountingTarget(memory)
    let place = ChannelPlace(counting)
    try Shop(["entries/product/iris.yaml": "title: Iris\n", "entries/product.yaml": notes]).publish(
      to: place)
    var costs: [Cost] = []
    for number in 0..<count {
      _ = counting.take()
      let outcome = try place.purge(plain("product/n\(number)"))
      #expect(outcome.isRecorded, "\(outcome.failures)")
      costs.append(counting.take())
    }
    let (early, late) = (costs[1], costs[count - 1])
    #expect(late.reads <= early.reads && late.lists == early.lists, "\(early), \(late)")
    // The list has eight bytes for each release.
    #expect(late.bytes <= early.bytes + count * 8, "\(early), \(late)")
    #expect(try place.broken() == [])
  }

  /// Reading earlier manifests would take time while readers see the content.
  @Test func readsNoEarlierManifestsBeforeTheSwap() throws {
    let shop = PurgePlanTests.picture
    for number in 0..<3 {
      try Shop(shop.merging(["entries/product/lily.yaml": "title: Lily \(number)\n"]) { $1 })
        .publish(to: place, unpurged: ["all"])
      try place.purge(
        PurgePlanTests.order(["product/lily"], commandWords: ["product/lily \(number)"]))
    }
    try Shop(shop.merging(["entries/product/lily.yaml": "title: Lilly\n"]) { $1 }).publish(
      to: place)
    let live = try #require(try place.live())
    var orders = [
      PurgePlanTests.order(["product/rose"], fields: ["title"]),
      PurgePlanTests.order(["product/rose"], .replacement([("title", "Red rose")])),
      PurgeOrder(.release(live.number), reason: "By mistake"),
      PurgeOrder(.asset(Digest(of: Array("a rose".utf8))), reason: "Not ours"),
    ]
    var french = plain("product/lily")
    french.locales = ["fr"]
    orders += [french, plain("product/rose")]
    for (number, order) in orders.enumerated() {
      var order = order
      order.commandWords = ["order \(number)"]
      let counting = CountingTarget(memory)
      let place = ChannelPlace(counting)
      let plan = try PurgeList(place, live: live).planUnlessRepeated(
        order, by: PurgePlanner(place, live: live))
      #expect(plan != nil && counting.take().manifests == 0, "\(order.subject)")
    }
  }

  @Test func readsEachEarlierManifestOnce() throws {
    let notes = (0..<3).map { "n\($0): {title: Note \($0)}\n" }.joined()
    try Shop(["entries/product.yaml": notes]).publish(to: place)
    for number in 0..<3 { try place.purge(plain("product/n\(number)")) }
    for title in ["Lily", "Swear word"] {
      try Shop([
        "entries/product/lily.yaml": "title: \(title)\n",
        "entries/product/lily.fr.yaml": "title: \(title) en français\n",
      ]).publish(to: place)
    }
    let live = try #require(try place.live())
    let counting = CountingTarget(memory)
    let place = ChannelPlace(counting)
    let order = PurgePlanTests.order(
      ["product/lily"], .restoration, commandWords: ["product/lily", "--restore"])
    let list = try PurgeList(place, live: live)
    let planner = PurgePlanner(place, live: live, list: list)
    #expect(
      try list.planUnlessRepeated(order, by: planner) != nil && counting.take().manifests == 3)
    // After a lost swap, nothing is read again.
    let next = try PurgeList(place, live: live, after: list)
    let again = PurgePlanner(place, live: live, list: next)
    #expect(try next.planUnlessRepeated(order, by: again) != nil && counting.take().manifests == 0)
  }

  /// A purge lost many swaps and was killed: each has left a record and a pending manifest.
  @Test func asksLittleAboutLostAttemptsOfOthers() throws {
    try Shop().publish(to: place)
    let (swaps, losses) = (Counter(), 20)
    let target = ScriptedTarget(memory) { [memory] write, work throws(TargetError) in
      guard write.key == "production/config.plist" else { return try work() }
      if swaps.next() > losses { throw TargetError(.failed, "killed") }
      do { try ChannelPlace(memory).republish() } catch { throw TargetError(.failed, "\(error)") }
      return try work()
    }
    let busy = ChannelPlace(target)
    let purge = Purge(withoutCachesAt: busy, environment: SimulatedClock().environment)
    let live = try #require(try busy.live())
    #expect(throws: TargetError.self) {
      _ = try purge.begin(plain("product/rose"), after: live, through: busy.publisher(run: "purge"))
    }
    let pending = memory.list(below: "production/purges/").count
    let counting = CountingTarget(memory)
    let now = try #require(try place.live())
    let list = try PurgeList(ChannelPlace(counting), live: now)
    #expect(try list.nextSequence(after: now) == 1 && list.interrupted.isEmpty)
    let cost = counting.take()
    #expect(pending > losses && cost.lists <= 3 && cost.reads <= 3 * pending + 5, "\(cost)")
  }

  /// Many releases follow a purge that a cache out of service leaves unfinished.
  @Test func readsManyReleasesSinceAnUnfinishedPurgeAtOnce() throws {
    try Shop().publish(to: place)
    let live = try #require(try place.live())
    _ = try Purge(withoutCachesAt: place).begin(
      plain("product/rose"), after: live, through: place.publisher(run: "purge"))
    for _ in 0..<20 { try place.republish() }
    let gauge = ReadGauge(memory)
    let list = try PurgeList(ChannelPlace(gauge), live: try place.live())
    #expect(list.unfinished.count == 1 && gauge.most > 8)
  }

  /// A foreign file has the name of an unfinished purge.
  @Test func readsNoHistoryForAForeignFile() throws {
    try Shop().publish(to: place)
    for _ in 0..<40 { try place.republish() }
    let junk = OutgoingFile(bytes: Array("junk".utf8))
    let live = try #require(try place.live())
    try place.purge(plain("product/rose"))
    #expect(memory.create("production/purges/1-0123456789abcdef.plist", as: junk))
    let record = live.record.digest.hex.prefix(16)
    #expect(memory.create("production/purges/1-\(record).plist", as: junk))
    // A record of the history is damaged.
    let damaged = memory.list(below: "production/releases/20-").map(\.key)
    #expect(damaged.count == 1)
    for key in damaged {
      #expect(memory.replace(key, with: junk, tagged: memory.read(key)?.tag))
    }
    let counting = CountingTarget(memory)
    let now = try #require(try place.live())
    let list = try PurgeList(ChannelPlace(counting), live: now)
    #expect(counting.take().reads < 12 && list.warnings.count == 1, "\(list.warnings)")
    #expect(list.leftovers == ["production/purges/1-0123456789abcdef.plist"])
    // The purge of the rose has retired that release.
    let outcome = try place.purge(plain("product/lily"))
    #expect(outcome.isRecorded, "\(outcome.failures)")
  }

  /// A finished manifest was copied under the name of an unfinished purge.
  @Test func readsNoHistoryForACopiedManifest() throws {
    try Shop().publish(to: place)
    let manifest = try place.purge(plain("product/rose")).manifest
    for _ in 0..<40 { try place.republish() }
    #expect(memory.create("production/purges/1-0123456789abcdef.plist", as: try manifest.file))
    let counting = CountingTarget(memory)
    let now = try #require(try place.live())
    let list = try PurgeList(ChannelPlace(counting), live: now)
    let cost = counting.take()
    #expect(cost.reads < 12 && list.interrupted.isEmpty, "\(cost)")
  }

  /// Each attempt leaves a record and a pending manifest, which the next ones need not read.
  @Test func needsNoMoreRequestsAfterManyLostSwaps() throws {
    try Shop().publish(to: place)
    let counting = CountingTarget(memory)
    let (swaps, losses) = (Counter(), 12)
    let costs = Mutex<[Int]>([])
    let target = ScriptedTarget(counting) { [memory] write, work throws(TargetError) in
      guard write.key == "production/config.plist", swaps.next() <= losses else {
        return try work()
      }
      let cost = counting.take()
      costs.withLock { $0.append(cost.reads + cost.lists) }
      do { try ChannelPlace(memory).republish() } catch { throw TargetError(.failed, "\(error)") }
      return try work()
    }
    let busy = ChannelPlace(target)
    let purge = Purge(withoutCachesAt: busy, environment: SimulatedClock().environment)
    let live = try #require(try busy.live())
    let order = PurgePlanTests.order(["product/rose"], commandWords: ["product/rose"])
    let begun = try purge.beginIfNeeded(
      order, in: try PurgeList(busy, live: live), after: live,
      through: busy.publisher(run: "purge"))
    #expect(begun != nil && swaps.next() == losses + 2)
    let seen = costs.withLock { $0 }
    #expect(seen[losses - 1] <= seen[1], "\(seen)")
    #expect(try place.shown("product/rose") == [:])
  }
}
