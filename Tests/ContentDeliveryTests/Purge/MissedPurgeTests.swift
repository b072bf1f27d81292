import ContentModel
import ContentTargets
import PropertyLists
import TestReaders
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// A purge that was interrupted after it was live, and a config that was then restored from before.
@Suite struct MissedPurgeTests {
  private static let swear = ["entries/product/tulip.yaml": "title: Swear word\n"]
  private static let corrected = ["entries/product/tulip.yaml": "title: Tulip\n"]
  private static let config = "production/config.plist"
  private let memory = MemoryTarget()
  private let place: ChannelPlace
  private let purge: Purge
  private let backup: [UInt8]
  private let tulip: PurgeOrder
  private let rose = PurgeOrder(.entries(["product/rose"]), reason: "Another word")

  init() throws {
    place = ChannelPlace(memory)
    try Shop(Self.swear).publish(to: place)
    backup = try #require(memory.read(Self.config)).bytes
    purge = Purge(withoutCachesAt: place, environment: SimulatedClock().environment)
    var tulip = PurgeOrder(.entries(["product/tulip"]), reason: "A swear word")
    tulip.commandWords = ["product/tulip"]
    self.tulip = tulip
  }

  /// Begins a purge, and stops after the note that it is live.
  private func begin(_ order: PurgeOrder, run: String = "purge") throws -> KnownPurge {
    try purge.begin(
      order, after: try #require(try place.live()), through: place.publisher(run: run))
  }

  /// Begins a purge, and stops before the note that it is live.
  private func beginWithoutNote(_ order: PurgeOrder) throws -> KnownPurge {
    var manifest = try begin(order)
    manifest.wasLive = false
    let key = manifest.pendingKey(place.channel)
    #expect(
      memory.replace(key, with: try manifest.file, tagged: try #require(memory.read(key)).tag))
    return manifest
  }

  private func restoreConfig(_ config: [UInt8]? = nil) {
    let file = OutgoingFile(
      bytes: config ?? backup)
    #expect(memory.replace(Self.config, with: file, tagged: memory.read(Self.config)?.tag))
  }

  private var list: PurgeList {
    get throws { try PurgeList(place, live: place.live()) }
  }

  private func needsNewPurge(_ order: PurgeOrder) throws -> Bool {
    let live = try #require(try place.live())
    return try list.planUnlessRepeated(order, by: PurgePlanner(place, live: live)) != nil
  }

  /// Runs `contentc purge` with or without a new order.
  private func beginAndFinishAll(beginning order: PurgeOrder? = nil) throws -> PurgeSession {
    let live = try #require(try place.live())
    return purge.beginAndFinishAll(
      in: try list, live: live, commandWords: order?.commandWords ?? [], watch: { _ in }
    ) { _, _ in
      try order.map { try begin($0, run: "next") }
    }
  }

  @Test func isReportedAndKeepsItsNumber() throws {
    _ = try begin(tulip)
    #expect(try list.unfinished.map(\.sequence) == [1] && place.restoredConfig() == nil)
    restoreConfig()
    let list = try list
    #expect(try place.restoredConfig()?.sentence.contains("older than purge 1 (release 2)") == true)
    #expect(list.unfinished.isEmpty && list.missedUnfinished.map(\.sequence) == [1])
    #expect(list.leftovers == [] && list.interrupted.map(\.sequence) == [1])
    #expect(try needsNewPurge(tulip))
    #expect(try begin(rose).sequence == 2)
  }

  @Test func isFinishedAfterTheStateHasEnded() throws {
    _ = try begin(tulip)
    restoreConfig()
    #expect(try beginAndFinishAll().outcomes.isEmpty)
    try place.publishAboveAll(Shop(Self.corrected))
    #expect(try list.unfinished.map(\.sequence) == [1] && list.missedUnfinished.isEmpty)
    #expect(try place.files(holding: "Swear word") != [])
    let late = try beginAndFinishAll()
    #expect(late.outcomes.map(\.isRecorded) == [true], "\(late)")
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
    #expect(try list.interrupted.isEmpty && place.restoredConfig() == nil)
    #expect(throws: DeliveryError.self) { try Shop(Self.swear).publish(to: place) }
  }

  /// Its number is below that of a purge since, which config follows.
  @Test func isStillMissedAfterAnotherPurge() throws {
    _ = try begin(tulip)
    restoreConfig()
    let session = try beginAndFinishAll(beginning: rose)
    #expect(session.outcomes.map(\.isRecorded) == [true], "\(session)")
    #expect(try list.missedUnfinished.map(\.sequence) == [1])
    #expect(try place.restoredConfig()?.value["missedPurges"] == [1])
  }

  /// The objects that the publication shows stay; a warning names them.
  @Test func isFinishedAfterAPublicationThatShowsItsContent() throws {
    _ = try begin(tulip)
    restoreConfig()
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    let shop = Shop(Self.swear.merging(lily) { $1 })
    #expect(throws: DeliveryError.self) { try place.publishAboveAll(shop) }
    try place.publishAboveAll(shop, unpurged: ["product/tulip"])
    let session = try beginAndFinishAll()
    #expect(session.outcomes.map(\.isRecorded) == [true] && !session.outcomes[0].kept.isEmpty)
    #expect(try place.broken() == [])
  }

  /// The same words do not resume a purge whose content readers see again.
  @Test func isBegunAgainInTheSameWords() throws {
    _ = try begin(tulip)
    restoreConfig()
    let session = try beginAndFinishAll(beginning: tulip)
    #expect(session.outcomes.map(\.isRecorded) == [true], "\(session)")
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
    #expect(try place.restoredConfig()?.value["missedPurges"] == [1])
  }

  @Test func refusesItsContentAfterACorrection() throws {
    _ = try begin(tulip)
    restoreConfig()
    try place.publishAboveAll(Shop(Self.corrected))
    let error = #expect(throws: DeliveryError.self) { try Shop(Self.swear).publish(to: place) }
    #expect(error?.description.contains("--unpurge product/tulip") == true)
  }

  /// A purge that was killed before it was live leaves no work, and its content is not refused.
  @Test func isForgottenIfItNeverWasLive() throws {
    let count = try writesUntilLive()
    let faulty = ChannelPlace(FaultyTarget(memory, .killedBefore, at: count - 1))
    #expect(throws: TargetError.self) {
      try Purge(withoutCachesAt: faulty).begin(
        tulip, after: #require(try place.live()), through: faulty.publisher(run: "purge"))
    }
    #expect(memory.list(below: "production/purges/").count == 1)
    #expect(try list.interrupted.isEmpty && place.restoredConfig() == nil)
    #expect(try beginAndFinishAll(beginning: rose).outcomes.map(\.isRecorded) == [true])
    #expect(try list.interrupted.isEmpty && list.leftovers == [])
    #expect(try place.shown("product/tulip")["en"] == "Swear word")
  }

  /// Caches may take long, and config may be restored meanwhile.
  @Test func isNotedRightAfterTheSwap() throws {
    let key = try begin(tulip).pendingKey(place.channel)
    let noted = try PurgeManifest(bytes: try #require(memory.read(key)).bytes, at: key)
    #expect(noted.wasLive)
    restoreConfig()
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    let bad = Shop(Self.swear.merging(lily) { $1 })
    #expect(throws: DeliveryError.self) { try bad.publish(to: place) }
  }

  /// The purge was killed between its swap and the note, or before its swap.
  @Test func isIgnoredWithoutTheNote() throws {
    _ = try beginWithoutNote(tulip)
    restoreConfig()
    #expect(try place.restoredConfig() == nil && list.interrupted.isEmpty)
    // It may never have been live, so it stops no publication.
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    try Shop(Self.swear.merging(lily) { $1 }).publish(to: place)
  }

  /// Returns the number of writes of a purge until its release is live.
  private func writesUntilLive() throws -> Int {
    let counting = FaultyTarget(MemoryTarget(), .refused, at: .max)
    let place = ChannelPlace(counting)
    try Shop(Self.swear).publish(to: place)
    let before = counting.writes
    var writes = 0
    _ = try Purge(withoutCachesAt: place).begin(
      tulip, after: try #require(try place.live()), through: place.publisher(run: "purge"),
      watch: { _ in writes = counting.writes - before })
    return writes
  }

  /// The purge was killed before it noted that it was live; a publication since proves it.
  @Test(arguments: [false, true]) func isKnownByAPublicationSince(isConfigGone: Bool) throws {
    _ = try beginWithoutNote(tulip)
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    try Shop(Self.corrected.merging(lily) { $1 }).publish(to: place)
    let bad = Shop(Self.swear.merging(lily) { $1 })
    if isConfigGone { memory.remove(Self.config) } else { restoreConfig() }
    #expect(try list.missedUnfinished.map(\.sequence) == [1])
    #expect(throws: DeliveryError.self) { try place.publishAboveAll(bad) }
    try place.publishAboveAll(Shop(Self.corrected))
    for record in memory.list(below: "production/releases/") where !record.key.contains("/4-") {
      memory.remove(record.key)
    }
    #expect(try place.restoredConfig() == nil && list.unfinished.map(\.sequence) == [1])
    #expect(throws: DeliveryError.self) { try bad.publish(to: place) }
  }

  // MARK: After finished purges

  @Test func twoPurgesOfOneReleaseGetAManifestEach() throws {
    let first = try place.purge(tulip).manifest
    var second = first
    second.issued = Instant(
      secondsSinceReferenceDate: first.issued.secondsSinceReferenceDate + 1)
    second.reason = "Another word"
    let live = try #require(try place.live())
    let outcome = purge.finish(second, live: live, watch: { _ in })
    #expect(outcome.isRecorded && outcome.begun.number == 2, "\(outcome.failures)")
    // The manifest of the first purge is recognized.
    let again = purge.finish(first, live: live, watch: { _ in })
    #expect(again.isRecorded && again.manifest.sequence == 1, "\(again.failures)")
    #expect(try list.readFinished().map(\.reason) == ["A swear word", "Another word"])
  }

  @Test func foreignFilesAreNoPurges() throws {
    for name in ["7", "8-0123456789abcdef"] {
      #expect(
        memory.create(
          "production/purges/\(name).plist",
          as: OutgoingFile(bytes: Array("junk".utf8))))
    }
    #expect(try place.restoredConfig() == nil && list.interrupted.isEmpty)
    #expect(try begin(tulip).sequence == 1)
  }

  @Test func copiedManifestsAreNoPurges() throws {
    var copy = try place.purge(tulip).manifest
    copy.sequence = 1 << 53
    #expect(memory.create("production/purges/5.plist", as: try copy.file))
    #expect(try place.restoredConfig() == nil && list.readFinished().map(\.sequence) == [1])
    #expect(try begin(rose).sequence == 2)
  }

  @Test func aFieldIsPurgedAgainAfterAPublication() throws {
    var field = tulip
    field.fields = [try #require(ContentPath("title"))]
    field.commandWords += ["--field", "title"]
    try place.purge(field)
    restoreConfig()
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    try place.publishAboveAll(Shop(Self.swear.merging(lily) { $1 }), unpurged: ["all"])
    #expect(try place.live()?.number == 3)
    #expect(try needsNewPurge(field))
  }

  /// Readers see the purged content again, but only because config was restored.
  @Test func contentIsRefusedEvenIfReadersSeeItAgain() throws {
    let kept = try memory.list(below: "objects/").map { file in
      (key: file.key, bytes: try #require(memory.read(file.key)).bytes)
    }
    try place.purge(tulip)
    restoreConfig()
    for object in kept {
      _ = memory.create(object.key, as: OutgoingFile(bytes: object.bytes))
    }
    #expect(try place.broken() == [] && place.shown("product/tulip")["en"] == "Swear word")
    let shop = Shop(
      Self.swear.merging(["entries/product/lily.yaml": "title: Lilly\n"]) { $1 })
    let error = #expect(throws: DeliveryError.self) { try place.publishAboveAll(shop) }
    #expect(error?.description.contains("--unpurge product/tulip") == true)
    try place.publishAboveAll(shop, unpurged: ["product/tulip"])
    #expect(try place.restoredConfig() == nil && place.shown("product/tulip")["en"] == "Swear word")
    // Now it is published on purpose, and may be published again.
    try Shop(Self.swear).publish(to: place)
  }
}
