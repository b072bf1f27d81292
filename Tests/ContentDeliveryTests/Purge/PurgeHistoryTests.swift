import ContentModel
import HTTPTransport
import PropertyLists
import TestInputs
import TestReaders
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges in channels with a history.
@Suite struct PurgeHistoryTests {
  private let memory = MemoryTarget()
  private let place: ChannelPlace

  init() { place = ChannelPlace(memory) }

  private func plain(_ id: String) -> PurgeOrder {
    PurgeOrder(.entries([id]), reason: "A swear word")
  }

  @Test func omitsReplacedNotesFromTheRecord() throws {
    func notes(_ live: LiveRelease) throws -> Set<Digest> {
      let reader = ReleaseReader(live.content(at: memory))
      return Set(try reader.builds.flatMap { try reader.entryParts(of: $0).values })
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
    #expect(try place.purge(plain("product/iris")).isRecorded)
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
      _ = memory.replace(
        file.key, with: OutgoingFile(bytes: stored.bytes),
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
    let file = OutgoingFile(bytes: bytes)
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
      purge.finish(outcome.known, live: try #require(try place.live()), watch: { _ in })
        .isRecorded)
  }

  private let listKey = "production/retired.plist"

  private func replaceList(_ bytes: [UInt8]) throws {
    let file = OutgoingFile(bytes: bytes)
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
        var draft = Draft(content: earlier.content(at: memory), of: earlier.contentRelease)
        draft.readmitted = ["all"]
        _ = try? place.publisher(run: "run \(step)").publish { _ in draft }
      case 4:
        day += 10
        _ = try Prune(
          memory, keep: 3, grace: .days(1),
          now: Instant(secondsSince1970: 1_800_000_000 + day * 86_400)
        ).run()
      default:
        let order = plain("product/\(ids[Int(random.next() % 3)])")
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
            bytes: list.bytes)
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
