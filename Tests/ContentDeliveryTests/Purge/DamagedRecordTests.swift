import ContentModel
import ContentTargets
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// Purges in a channel where the record of a release is damaged.
@Suite struct DamagedRecordTests {
  private static let bad = ["entries/product/rose.yaml": "title: Swear word\n"]
  private let memory = MemoryTarget()
  private let place: ChannelPlace
  private let purge: Purge
  private let rose: PurgeOrder
  private let lily = PurgeOrder(.entries(["product/lily"]), reason: "Another word")

  /// Publishes a release with a bad rose.
  init() throws {
    place = ChannelPlace(memory)
    purge = Purge(withoutCachesAt: place, environment: SimulatedClock().environment)
    var rose = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    rose.commandWords = ["product/rose"]
    self.rose = rose
    try Shop(Self.bad).publish(to: place)
  }

  /// Overwrites the record of a release, and returns its file as it was.
  private func damageRecord(of number: Int) throws -> (key: String, bytes: [UInt8]) {
    let key = try #require(memory.list(below: "production/releases/\(number)-").first).key
    let bytes = try #require(memory.read(key)).bytes
    memory.overwrite(key, with: Array("junk".utf8))
    return (key, bytes)
  }

  private var list: PurgeList {
    get throws { try PurgeList(place, live: place.live()) }
  }

  /// Begins a purge, and stops after the note that it is live, or before it.
  private func begin(_ order: PurgeOrder, isNoted: Bool = true) throws -> KnownPurge {
    let begun = try purge.begin(
      order, after: try #require(try place.live()), through: place.publisher(run: "purge"))
    if !isNoted { memory.remove(begun.key(of: .live)) }
    return begun
  }

  /// Begins the purge of the rose, which is killed before its swap, and returns the key of its work.
  private func beginKilledPurge() throws -> String {
    let killed = ChannelPlace(
      ScriptedTarget(memory) { write, work throws(TargetError) in
        if write.key == "production/config.plist" { throw TargetError(.failed, "killed") }
        return try work()
      })
    #expect(throws: TargetError.self) {
      _ = try Purge(withoutCachesAt: killed).begin(
        rose, after: try #require(try place.live()), through: killed.publisher(run: "killed"))
    }
    let keys = memory.list(below: "production/purges/").map(\.key)
    #expect(keys.count == 2 && keys.last == "production/purges/1.plist")
    return try #require(keys.first { $0.hasSuffix("/begun") })
  }

  /// Runs `contentc purge` with or without a new order.
  private func beginAndFinishAll(beginning order: PurgeOrder? = nil) throws -> PurgeSession {
    purge.beginAndFinishAll(
      in: try list, live: try #require(try place.live()), commandWords: [], watch: { _ in }
    ) { _, _ in
      try order.map { try begin($0) }
    }
  }

  // MARK: Earlier releases

  /// Only that release shows the word in this bundle.
  @Test(arguments: [false, true]) func staysUnfinishedUntilEachReleaseIsSearched(
    isPutBack: Bool
  ) throws {
    try Shop(Self.bad.merging(["entries/product/lily.yaml": "title: Lilly\n"]) { $1 }).publish(
      to: place)
    let damaged = try damageRecord(of: 1)
    // The list of retired releases must not hide the damage from the next run.
    for outcome in try [place.purge(rose)] + beginAndFinishAll().outcomes {
      #expect(!outcome.isRecorded && outcome.failures.count == 1, "\(outcome.failures)")
      #expect(outcome.failures.first?.contains("'\(damaged.key)'") == true)
    }
    #expect(try place.files(holding: "Swear word") != [])
    if isPutBack {
      memory.overwrite(damaged.key, with: damaged.bytes)
    } else {
      memory.remove(damaged.key)
    }
    let outcomes = try beginAndFinishAll().outcomes
    #expect(outcomes.map(\.isRecorded) == [true], "\(outcomes)")
    #expect(try place.files(holding: "Swear word").isEmpty == isPutBack)
  }

  /// It may be foreign, or the record of a release that never was live.
  @Test func warnsOfAnUnreadableFileThatNoReleaseNames() throws {
    let key = "production/releases/1-0123456789abcdef.plist"
    memory.overwrite(key, with: Array("junk".utf8))
    let outcome = try place.purge(rose)
    #expect(outcome.isRecorded && outcome.warnings.count == 1, "\(outcome)")
    #expect(outcome.warnings.first?.contains("'\(key)'") == true)
  }

  // MARK: Releases since an earlier purge

  /// A purge was killed before its swap, and releases followed; its number stays taken.
  @Test(arguments: [false, true]) func goesLiveAtOnceAfterAKilledPurge(isDecodable: Bool) throws {
    for _ in 0..<2 { try place.republish() }
    let killed = try beginKilledPurge()
    for _ in 0..<4 { try place.republish() }
    let key = try damageRecord(of: 5).key
    var target = ScriptedTarget(memory) { _, work throws(TargetError) in try work() }
    if !isDecodable { target.readError = { $0 == key ? TargetError(.damaged, "brotli") : nil } }
    let place = ChannelPlace(target)
    try Shop(Self.bad.merging(["entries/product/iris.yaml": "title: Irises\n"]) { $1 }).publish(
      to: place)
    let outcome = try place.purge(lily)
    #expect(try place.shown("product/lily") == [:] && place.shown("product/rose") != [:])
    #expect(outcome.begun.number == 2 && outcome.failures.count == 1, "\(outcome)")
    #expect(outcome.failures.first?.contains("'\(key)'") == true)
    #expect(try list.unfinished.map(\.begun.number) == [2] && memory.read(killed) != nil)
  }

  /// The purge may have been killed before the note that it is live; then config names it.
  ///
  /// The records of the releases since then do not matter.
  @Test(arguments: [(false, 4), (true, 4), (false, 3), (true, 3)])
  func worksOnAnEarlierPurge(isNoted: Bool, damaged: Int) throws {
    let earlier = try begin(rose, isNoted: isNoted)
    for _ in 0..<4 { try place.republish() }
    let key = try damageRecord(of: damaged).key
    #expect(try list.unfinished.map(\.begun.record) == [earlier.begun.record])
    #expect(try list.warnings.isEmpty)
    let session = try beginAndFinishAll(beginning: lily)
    #expect(session.outcomes.map(\.begun.number) == [1, 2] && session.error == nil)
    for outcome in session.outcomes {
      #expect(!outcome.isRecorded && outcome.failures.count == 1, "\(outcome.failures)")
      #expect(outcome.failures.first?.contains("'\(key)'") == true)
    }
    #expect(try place.shown("product/lily") == [:] && place.files(holding: "Swear word") == [])
    memory.remove(key)
    #expect(try beginAndFinishAll().outcomes.map(\.isRecorded) == [true, true])
    #expect(try list.unfinished.isEmpty && list.missed.isEmpty)
    #expect(try place.restoredConfig() == nil)
  }

  /// Nothing else lists the remaining work.
  @Test(arguments: [true, false]) func warnsOfDamagedWorkAndKeepsIt(isNoted: Bool) throws {
    let key = try begin(rose, isNoted: isNoted).key(of: .begun)
    for _ in 0..<3 { try place.republish() }
    memory.overwrite(key, with: Array("junk".utf8))
    let record = try damageRecord(of: 4).key
    for _ in 0..<2 {
      let session = try beginAndFinishAll()
      #expect(session.error == nil && session.outcomes.isEmpty && memory.read(key) != nil)
      let warning = "'\(key)' at memory is missing or damaged"
      #expect(try list.warnings.contains { $0.contains(warning) })
      memory.remove(record)
    }
  }

  /// At a busy bucket, each lost swap leaves the work of a purge that never was live.
  @Test(arguments: [false, true], [3, 4]) func doesNotFinishALostAttempt(
    isGone: Bool, release: Int
  ) throws {
    let killed = try beginKilledPurge()
    let begun = try begin(rose)
    for _ in 0..<3 { try place.republish() }
    let record = try damageRecord(of: release).key
    if isGone { memory.remove(record) }
    #expect(try list.unfinished.map(\.begun.record) == [begun.begun.record])
    #expect(try list.purges.map(\.state) == [.void, .unfinished])
    let session = try beginAndFinishAll()
    #expect(session.outcomes.map(\.isRecorded) == [isGone], "\(session)")
    #expect(try list.purges.map(\.state) == [.void, isGone ? .finished : .unfinished])
    // No command removes a note.
    #expect(memory.read(killed) != nil && memory.read("production/purges/1.plist") != nil)
    #expect(try place.restoredConfig() == nil)
  }
}
