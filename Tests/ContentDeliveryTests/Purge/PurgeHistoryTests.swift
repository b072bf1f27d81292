import ContentModel
import HTTPTransport
import Hashing
import PropertyLists
import Synchronization
import TestInputs
import TestReaders
import TestServers
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges after many others, and in channels with a history.
@Suite struct PurgeHistoryTests {
  private let memory = MemoryTarget()
  private let place: ChannelPlace

  init() { place = ChannelPlace(memory) }

  private func plain(_ id: String) -> PurgeOrder {
    PurgeOrder(.entries([id]), reason: "A swear word")
  }

  // MARK: Costs

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
      try place.purge(PurgePlanTests.order(["product/lily"], asked: ["product/lily \(number)"]))
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
      order.asked = ["order \(number)"]
      let counting = CountingTarget(memory)
      let place = ChannelPlace(counting)
      let plan = try PurgeLedger(place, live: live).plan(
        order, by: PurgePlanner(place, live: live))
      #expect(plan != nil && counting.take().manifests == 0, "\(order.subject)")
    }
  }

  @Test func readsEachEarlierManifestOnce() throws {
    let notes = (0..<3).map { "n\($0): {title: Note \($0)}\n" }.joined()
    for title in ["Lily", "Swear word"] {
      try Shop([
        "entries/product.yaml": notes, "entries/product/lily.yaml": "title: \(title)\n",
        "entries/product/lily.fr.yaml": "title: \(title) en français\n",
      ]).publish(to: place)
    }
    for number in 0..<3 { try place.purge(plain("product/n\(number)")) }
    let live = try #require(try place.live())
    let counting = CountingTarget(memory)
    let place = ChannelPlace(counting)
    let order = PurgePlanTests.order(
      ["product/lily"], .restoration, asked: ["product/lily", "--restore"])
    let ledger = try PurgeLedger(place, live: live)
    let planner = try PurgePlanner(place, live: live, ledger: ledger)
    #expect(try ledger.plan(order, by: planner) != nil && counting.take().manifests == 3)
    // After a lost swap, nothing is read again.
    let next = try PurgeLedger(place, live: live, after: ledger)
    let again = try PurgePlanner(place, live: live, ledger: next)
    #expect(try next.plan(order, by: again) != nil && counting.take().manifests == 0)
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
    let ledger = try PurgeLedger(ChannelPlace(counting), live: now)
    #expect(try ledger.nextSequence(after: now) == 1 && ledger.interrupted.isEmpty)
    let cost = counting.take()
    #expect(pending > losses && cost.lists <= 3 && cost.reads <= 3 * pending + 5, "\(cost)")
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
    let order = PurgePlanTests.order(["product/rose"], asked: ["product/rose"])
    let begun = try purge.beginIfNeeded(
      order, in: try PurgeLedger(busy, live: live), after: live,
      through: busy.publisher(run: "purge"))
    #expect(begun != nil && swaps.next() == losses + 2)
    let seen = costs.withLock { $0 }
    #expect(seen[losses - 1] <= seen[1], "\(seen)")
    #expect(try place.shown("product/rose") == [:])
  }

  @Test func omitsReplacedNotesFromTheRecord() throws {
    func notes(_ live: LiveRelease) throws -> Set<Digest> {
      Set(try ReleaseReader(live.content(at: memory)).entryParts().values)
    }
    try Shop().publish(to: place)
    let before = try notes(#require(try place.live()))
    try place.purge(plain("product/rose"))
    let live = try #require(try place.live())
    let replaced = try before.subtracting(notes(live))
    #expect(!replaced.isEmpty && replaced.isDisjoint(with: live.record.objects.map(\.digest)))
    #expect(try place.broken() == [])
  }

  // MARK: Retired releases

  private func releases() throws -> RetiredReleases { try RetiredReleases(place) }

  /// Publishes a release with a bad rose and the usual iris, and one with a bad iris, which a purge
  /// then removes.
  private func publishOlderRose() throws {
    let bad = ["entries/product/rose.yaml": "title: Swear word\n"]
    try Shop(bad).publish(to: place)
    try Shop(bad.merging(["entries/product/iris.yaml": "title: Bad\n"]) { $1 }).publish(to: place)
    var order = plain("product/iris")
    order.leavesReferences = true
    #expect(try place.purge(order).isRecorded)
  }

  @Test func findsCopiesInReleasesPartlyStillShown() throws {
    try publishOlderRose()
    #expect(try releases().retired.count == 1 && releases().searched.count == 2)
    try place.purge(plain("product/rose"))
    #expect(try place.files(holding: "Swear word") == [])
    #expect(try releases().retired.count == 2)
  }

  enum Damage: CaseIterable { case junk, missingRelease, missingNotes, newer }

  @Test(arguments: Damage.allCases) func ignoresAnInvalidList(damage: Damage) throws {
    try publishOlderRose()
    let records = try place.history()
    let all = Set(records.map { RetiredReleases.mark(of: $0.digest) })
    let first = try #require(records.last)
    switch damage {
    case .junk: try replaceList(Array("junk".utf8))
    case .newer:
      try replaceList(
        PropertyListBytes.binary(["format": 2, "retired": Self.data(all), "searched": .data([])]))
    case .missingRelease:
      try releases().write(retired: all, searched: [1], live: releases().live, at: place)
    case .missingNotes:
      // The list claims that the first release shows the same as this one, whose notes are missing.
      let searched = RetiredReleases.mark(of: records[1].digest)
      try releases().write(
        retired: [RetiredReleases.mark(of: first.digest)], searched: [searched],
        live: releases().live, at: place)
      let build = try #require(records[1].members["build"]?.digest)
      memory.remove(ReleaseObject(digest: build, fileExtension: "plist", size: 0).key)
    }
    try place.purge(plain("product/rose"))
    #expect(try place.files(holding: "Swear word") == [])
    if damage == .newer {
      #expect(try PropertyList.decode(#require(memory.read(listKey)).bytes).value["format"] == 2)
    }
  }

  @Test func discardsTheListAfterAConfigRestore() throws {
    try publishOlderRose()
    let backup = memory.copy()
    try place.purge(plain("product/rose"))
    #expect(try place.files(holding: "Swear word") == [] && releases().retired.count == 2)
    // A backup overwrites the target's files and leaves later files in place.
    for file in backup.list(below: "") where file.key != listKey && !file.key.contains("/purges/") {
      guard let stored = backup.read(file.key) else { continue }
      let headers = FileHeaders(contentType: "x", cacheControl: "y")
      _ = memory.replace(
        file.key, with: OutgoingFile(bytes: stored.bytes, headers: headers),
        tagged: memory.read(file.key)?.tag)
    }
    #expect(try place.files(holding: "Swear word") != [])
    try place.purge(plain("product/rose"))
    #expect(try place.files(holding: "Swear word") == [])
  }

  @Test func discardsTheListBeforePurgedContentReturns() throws {
    try publishOlderRose()
    #expect(try !releases().retired.isEmpty)
    _ = try? Shop(["entries/product/iris.yaml": "title: Bad\n"]).publish(
      to: ChannelPlace(LosingTarget(target: memory)), unpurged: ["all"])
    #expect(memory.read(listKey) == nil)
  }

  /// Returns the objects of earlier releases that contain a text.
  private func older(_ text: String) throws -> [String] {
    let live = try #require(try place.live())
    let shown = Set(live.record.objects.map(\.key))
    return try place.files(holding: text).filter { !shown.contains($0) }
  }

  private func overwrite(_ key: String, _ bytes: [UInt8]) {
    let file = OutgoingFile(bytes: bytes, headers: FileHeaders(contentType: "x", cacheControl: "y"))
    #expect(memory.replace(key, with: file, tagged: memory.read(key)?.tag))
  }

  @Test(arguments: [[UInt8](), Array("junk".utf8)]) func removesUnreadableCopies(
    bytes: [UInt8]
  ) throws {
    try publishOlderRose()
    let copies = try older("Swear word")
    #expect(!copies.isEmpty)
    for key in copies { overwrite(key, bytes) }
    #expect(try place.purge(plain("product/rose")).isRecorded)
    #expect(copies.allSatisfy { memory.read($0) == nil })
  }

  @Test func removesKnownCopiesDespiteUnreadableNotes() throws {
    try publishOlderRose()
    let first = try #require(try place.history().last)
    let build = try #require(first.members["build"]?.digest)
    overwrite(ReleaseObject(digest: build, fileExtension: "plist", size: 0).key, [])
    let live = try place.files(holding: "Swear word").filter {
      try !older("Swear word").contains($0)
    }
    let outcome = try place.purge(plain("product/rose"))
    #expect(
      !outcome.isRecorded
        && outcome.failures.contains { $0.contains("not all older releases are searched") })
    #expect(!live.isEmpty && live.allSatisfy { memory.read($0) == nil })
    // The same purge succeeds after the damaged file is removed, as the message advises.
    memory.remove(ReleaseObject(digest: build, fileExtension: "plist", size: 0).key)
    let environment = SimulatedClock().environment
    let nobody: CachePurge.Send = { _ throws(HTTPFailure) in
      throw HTTPFailure(.unconnected, mayHaveTakenEffect: false, reason: "nobody")
    }
    let purge = Purge(
      place, caches: CachePurge([], send: nobody, environment: environment), site: nil,
      times: Purge.Times(originTimeout: 1, app: 600, origin: 0, offline: 3_600),
      environment: environment)
    #expect(
      purge.finish(outcome.manifest, live: try #require(try place.live()), watch: { _ in })
        .isRecorded)
  }

  private let listKey = "production/retired.plist"

  private func replaceList(_ bytes: [UInt8]) throws {
    let file = OutgoingFile(bytes: bytes, headers: FileHeaders(contentType: "x", cacheControl: "y"))
    #expect(memory.replace(listKey, with: file, tagged: memory.read(listKey)?.tag))
  }

  private static func data(_ marks: Set<UInt64>) -> Value {
    .data(marks.flatMap { mark in withUnsafeBytes(of: mark.bigEndian) { Array($0) } })
  }

  /// Random publications, purges, rollbacks, lost races and prunes.
  ///
  /// The list must never hide a copy.
  @Test(arguments: [UInt64(1), 2, 3]) func findsTheSameCopiesWithAndWithoutTheList(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let ids = ["rose", "lily", "iris"]
    var (day, lists) = (Int64(0), 0)
    try Shop().publish(to: place)
    for step in 0..<20 {
      let live = try #require(try place.live())
      switch random.next() % 8 {
      case 0, 1, 2:
        let files = ids.map { ("entries/product/\($0).yaml", "title: T\(random.next() % 3)\n") }
        let shop = Shop(Dictionary(uniqueKeysWithValues: files))
        let isLost = random.next() % 4 == 0
        let target: any Target = isLost ? LosingTarget(target: memory) : memory
        let publish = { unpurged in
          try shop.publish(to: ChannelPlace(target), run: "run \(step)", unpurged: unpurged)
        }
        var outcome = Result { try publish([]) }
        if case .failure(let error as DeliveryError) = outcome, error.kind == .refused {
          outcome = Result { try publish(["all"]) }
        }
        if !isLost { _ = try outcome.get() }
      case 3:
        let number = 1 + Int(random.next() % UInt64(live.number))
        guard let earlier = try? place.rollbackTarget(number) else { continue }
        var draft = Draft(content: earlier.content(at: memory), of: earlier.of)
        draft.unpurged = ["all"]
        _ = try? place.publisher(run: "run \(step)").publish { _ in draft }
      case 4:
        day += 10
        _ = try Prune(
          memory, keep: 3, grace: .days(1),
          now: Instant(secondsSince1970: 1_800_000_000 + day * 86_400)
        ).run()
      default:
        var order = plain("product/\(ids[Int(random.next() % 3)])")
        order.leavesReferences = true
        if (try? place.purge(order)) == nil { continue }
      }
      try expectSameCopies(step)
      if try !releases().retired.isEmpty { lists += 1 }
    }
    #expect(lists > 2)
  }

  private func expectSameCopies(_ step: Int) throws {
    var contents: Set<PurgedContent> = []
    for file in memory.list(below: "objects/") {
      guard let stored = memory.read(file.key),
        let value = try? PropertyList.decode(stored.bytes).value
      else {
        continue
      }
      for (id, entry) in value["entries"]?.members ?? Members() {
        guard let hash = PurgedContent.hash(of: entry, at: nil) else { continue }
        contents.insert(PurgedContent(entry: id, field: nil, hashes: [hash]))
      }
    }
    let list = memory.read(listKey)
    for content in contents {
      let found = try OlderCopies(place, of: [content], besides: []).objects
      memory.remove(listKey)
      #expect(
        try OlderCopies(place, of: [content], besides: []).objects == found,
        "step \(step), \(content)")
      if let list {
        _ = memory.create(
          listKey,
          as: OutgoingFile(
            bytes: list.bytes, headers: FileHeaders(contentType: "x", cacheControl: "y"))
        )
      }
    }
  }

  /// A target where another publisher wins every swap of config.
  private struct LosingTarget: Target {
    let target: MemoryTarget

    var name: String { target.name }
    func honorsConditions() -> Bool { true }
    var hasLock: Bool { true }
    func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
      try target.exclusively(work)
    }
    func read(_ key: String) -> StoredFile? { target.read(key) }
    func create(_ key: String, as file: OutgoingFile) -> Bool { target.create(key, as: file) }
    func replace(_ key: String, with file: OutgoingFile, tagged: String?) -> Bool { false }
    func holds(_ key: String, as file: OutgoingFile) -> Bool { target.holds(key, as: file) }
    func remove(_ key: String) { target.remove(key) }
    func list(below prefix: String) -> [ListedFile] { target.list(below: prefix) }
  }
}
