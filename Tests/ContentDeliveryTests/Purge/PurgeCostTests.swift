import ContentModel
import ContentSource
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

  /// The numbers of requests to a target, and of bytes of files that it sent.
  private struct Cost: Hashable {
    var reads = 0
    /// The reads of the files of purges.
    var notes = 0
    var lists = 0
    /// The lists of all purges of the channel.
    var purgeLists = 0
    var writes = 0
    /// The comparisons with files that were written.
    var checks = 0
    var bytes = 0
  }

  /// A target that counts requests and bytes.
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
        counts.notes += key.contains("/purges/") ? 1 : 0
        counts.bytes += stored?.bytes.count ?? 0
      }
      return stored
    }
    func create(_ key: String, as file: OutgoingFile) -> Bool {
      counts.withLock { $0.writes += 1 }
      return target.create(key, as: file)
    }
    func replace(_ key: String, with file: OutgoingFile, tagged: String?) -> Bool {
      counts.withLock { $0.writes += 1 }
      return target.replace(key, with: file, tagged: tagged)
    }
    func holds(_ key: String, as file: OutgoingFile) -> Bool {
      counts.withLock { $0.checks += 1 }
      return target.holds(key, as: file)
    }
    func remove(_ key: String) {
      counts.withLock { $0.writes += 1 }
      target.remove(key)
    }
    func list(below prefix: String) -> [ListedFile] {
      if prefix == "production/purges/" { Issue.record("sizes and times of purges are listed") }
      counts.withLock { $0.lists += 1 }
      return target.list(below: prefix)
    }
    func names(below prefix: String) -> [String] {
      counts.withLock { counts in
        counts.lists += 1
        counts.purgeLists += prefix == "production/purges/" ? 1 : 0
      }
      return target.list(below: prefix).map(\.key)
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

  /// The numbers of both purges have equally many digits and bytes.
  @Test func the500thPurgeCostsWhatOneAfterASinglePurgeDoes() throws {
    var (late, early) = (try cost(after: 1...499), try cost(after: 299...299))
    // A property list's size depends a little on the hashes in it.
    #expect(abs(late.bytes - early.bytes) < 100, "\(late), \(early)")
    late.bytes = early.bytes
    #expect(late == early && late.purgeLists == 1 && late.notes == 0, "\(late), \(early)")
    // The first purge of a channel has another config, with shorter numbers.
    var first = try cost(after: nil)
    first.bytes = late.bytes
    #expect(first == late)
  }

  /// Returns the cost of a purge after finished ones with some numbers.
  private func cost(after numbers: ClosedRange<Int>?) throws -> Cost {
    let memory = MemoryTarget()
    let place = ChannelPlace(memory)
    try Shop().publish(to: place)
    if let numbers { for number in numbers { try finish(number, at: place) } }
    let counting = CountingTarget(memory)
    let outcome = try ChannelPlace(counting).purge(plain("product/rose"))
    #expect(outcome.isRecorded, "\(outcome.failures)")
    #expect(outcome.begun.number == (numbers?.upperBound ?? 0) + 1)
    return counting.take()
  }

  /// Writes the notes of a finished purge, and the config that names it.
  private func finish(_ number: Int, at place: ChannelPlace) throws {
    let live = try #require(try place.live())
    var begun = Begun(number, because: "A swear word", by: nil, after: live, at: place)
    (begun.release, begun.record) = (live.number, live.record.digest)
    #expect(try place.take(number))
    var listed = try place.write(begun).listed
    try place.put(.live, LiveNote(config: nil).file, of: &listed)
    _ = try place.noteCopies([], of: &listed)
    let (copies, layer) = (listed.notes.copies, CacheLayer(.nginx))
    let cache = CacheNote(cache: layer.name, issued: begun.issued, copies: copies)
    try place.put(.cache(layer, after: copies), cache.file, of: &listed)
    let done = DoneNote(
      issued: begun.issued, copies: copies, caches: [layer.name.rawValue], without: [], bound: [],
      urls: [], keys: [], kept: [])
    try place.put(.done(naming: copies), done.file, of: &listed)
    var config = live.members
    var block = try #require(live.purge?.members)
    block["sequence"] = .integer(Int64(number))
    block["list"] = .data(Digest(of: try begun.file.body.bytes).bytes)
    config["purge"] = .dictionary(block)
    let bytes = try PropertyListBytes.binary(.dictionary(config))
    #expect(
      try place.target.replace(
        place.configKey(.binary), with: OutgoingFile(bytes: bytes), tagged: live.tag))
  }

  @Test func listsPurgesOnceBeforeTheSwap() throws {
    try Shop().publish(to: place)
    for id in ["product/iris", "product/lily"] { try place.purge(plain(id)) }
    let counting = CountingTarget(memory)
    let swaps = Mutex<[Cost]>([])
    let target = ScriptedTarget(counting) { write, work throws(TargetError) in
      if write.key == "production/config.plist" {
        let cost = counting.take()
        swaps.withLock { $0.append(cost) }
      }
      return try work()
    }
    let outcome = try ChannelPlace(target).purge(plain("product/rose"))
    #expect(outcome.isRecorded, "\(outcome.failures)")
    let before = swaps.withLock { $0 }
    #expect(before.map(\.purgeLists) == [1] && before.map(\.notes) == [0])
    // Afterwards, it lists its own folder only.
    #expect(counting.take().purgeLists == 0)
  }

  /// Reading earlier notes would take time while readers see the content.
  @Test func readsNoEarlierNotesBeforeTheSwap() throws {
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
      #expect(plan != nil && counting.take().notes == 0, "\(order.subject)")
    }
  }

  @Test func readsEachEarlierPurgeOnce() throws {
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
    #expect(try list.planUnlessRepeated(order, by: planner) != nil && counting.take().notes == 3)
    // After a lost swap, nothing is read again.
    let next = try PurgeList(place, live: live, after: list)
    let again = PurgePlanner(place, live: live, list: next)
    #expect(try next.planUnlessRepeated(order, by: again) != nil && counting.take().notes == 0)
  }

  /// A purge lost many swaps and was killed: each has left a record and a folder with `begun`.
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
    let counting = CountingTarget(memory)
    let now = try #require(try place.live())
    let list = try PurgeList(ChannelPlace(counting), live: now)
    #expect(list.purges.count == losses + 1 && list.unfinished.isEmpty && list.isEmpty)
    #expect(try list.nextNumber() == 2)
    #expect(counting.take() == Cost(lists: 1, purgeLists: 1))
  }

  /// Many releases follow a purge that a cache out of service leaves unfinished.
  ///
  /// Its command may have ended before it noted that readers got the purge.
  @Test(arguments: [true, false])
  func readsNoReleasesSinceAnUnfinishedPurge(isNoted: Bool) throws {
    try Shop().publish(to: place)
    let live = try #require(try place.live())
    let begun = try Purge(withoutCachesAt: place).begin(
      plain("product/rose"), after: live, through: place.publisher(run: "purge"))
    let note = PurgeName.note(.live, in: begun.listed.folder).key(in: "production")
    #expect(memory.read(note) != nil)
    if !isNoted { memory.remove(note) }
    for _ in 0..<20 { try place.republish() }
    let counting = CountingTarget(memory)
    let list = try PurgeList(ChannelPlace(counting), live: try place.live())
    #expect(list.unfinished.map(\.begun.number) == [1])
    let cost = counting.take()
    #expect(cost.reads == 1 && cost.notes == 1 && cost.lists == 1, "\(cost)")
  }

  /// Foreign files have the names of pending manifests.
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
    let cost = counting.take()
    #expect(cost.reads == 2 && cost.notes == 2 && cost.lists == 1, "\(cost)")
    #expect(list.unfinished.isEmpty && list.warnings.count == 2, "\(list.warnings)")
    // The purge of the rose has retired that release.
    let outcome = try place.purge(plain("product/lily"))
    #expect(outcome.isRecorded, "\(outcome.failures)")
  }

  /// The notes of a finished purge were copied into a folder with another name.
  @Test func readsNothingForACopiedNote() throws {
    try Shop().publish(to: place)
    let purge = try place.purge(plain("product/rose"))
    for _ in 0..<40 { try place.republish() }
    let folder = PurgeFolder(number: 1, digits: "0123456789abcdef")
    let key = PurgeName.note(.begun, in: folder).key(in: "production")
    #expect(memory.create(key, as: try purge.begun.file))
    let counting = CountingTarget(memory)
    let now = try #require(try place.live())
    let list = try PurgeList(ChannelPlace(counting), live: now)
    #expect(list.purges.count == 2 && list.unfinished.isEmpty)
    #expect(counting.take() == Cost(lists: 1, purgeLists: 1))
  }

  /// Each attempt leaves a record and a folder with `begun`, which the next ones need not read.
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
    #expect(begun?.begun.number == 1 && swaps.next() == losses + 2)
    let seen = costs.withLock { $0 }
    #expect(seen[losses - 1] <= seen[1], "\(seen)")
    #expect(try place.shown("product/rose") == [:])
  }
}
