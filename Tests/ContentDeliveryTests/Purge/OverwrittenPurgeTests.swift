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
@Suite struct OverwrittenPurgeTests {
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
  private func begin(_ order: PurgeOrder, run: String = "purge") throws -> PurgeManifest {
    try purge.begin(
      order, after: try #require(try place.live()), through: place.publisher(run: run))
  }

  /// Begins a purge, and stops before the note that it is live.
  private func beginWithoutNote(_ order: PurgeOrder) throws -> PurgeManifest {
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

  private var ledger: PurgeLedger {
    get throws { try PurgeLedger(place, live: place.live()) }
  }

  private func needsNewPurge(_ order: PurgeOrder) throws -> Bool {
    let live = try #require(try place.live())
    return try ledger.planUnlessRepeated(order, by: PurgePlanner(place, live: live)) != nil
  }

  /// Runs `contentc purge` with or without a new order.
  private func beginAndFinishAll(beginning order: PurgeOrder? = nil) throws -> PurgeSession {
    let live = try #require(try place.live())
    return purge.beginAndFinishAll(
      in: try ledger, live: live, commandWords: order?.commandWords ?? [], watch: { _ in }
    ) { _, _ in
      try order.map { try begin($0, run: "next") }
    }
  }

  @Test func isReportedAndKeepsItsNumber() throws {
    _ = try begin(tulip)
    #expect(try ledger.unfinished.map(\.sequence) == [1] && ledger.firstMissed == nil)
    restoreConfig()
    let ledger = try ledger
    #expect(try ledger.warningOfOlderConfig()?.contains("older than purge 1") == true)
    #expect(ledger.interrupted.map(\.sequence) == [1] && ledger.leftovers == [])
    #expect(try needsNewPurge(tulip))
    #expect(try begin(rose).sequence == 2)
  }

  @Test func isFinishedOnceNoReaderSeesItsContent() throws {
    _ = try begin(tulip)
    restoreConfig()
    let early = try beginAndFinishAll()
    #expect(early.outcomes.map(\.isRecorded) == [false])
    #expect(early.outcomes[0].isOverwritten)
    #expect(early.outcomes[0].failures.first?.contains("product/tulip") == true)
    try Shop(Self.corrected).publish(to: place)
    #expect(try place.files(holding: "Swear word") != [])
    let late = try beginAndFinishAll()
    #expect(late.outcomes.map(\.isRecorded) == [true], "\(late)")
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
    #expect(try ledger.interrupted.isEmpty && ledger.firstMissed == nil)
    #expect(throws: DeliveryError.self) { try Shop(Self.swear).publish(to: place) }
  }

  @Test func isFinishedWithAnotherPurge() throws {
    _ = try begin(tulip)
    restoreConfig()
    let session = try beginAndFinishAll(beginning: rose)
    #expect(session.outcomes.map(\.isRecorded) == [true, true], "\(session)")
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
    #expect(try ledger.interrupted.isEmpty && ledger.firstMissed == nil)
  }

  /// The objects that the publication shows stay; a warning names them.
  @Test func isFinishedAfterAPublicationThatShowsItsContent() throws {
    _ = try begin(tulip)
    restoreConfig()
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    let shop = Shop(Self.swear.merging(lily) { $1 })
    #expect(throws: DeliveryError.self) { try shop.publish(to: place) }
    try shop.publish(to: place, unpurged: ["product/tulip"])
    let session = try beginAndFinishAll()
    #expect(session.outcomes.map(\.isRecorded) == [true] && !session.outcomes[0].kept.isEmpty)
    #expect(try place.broken() == [])
  }

  @Test func isFinishedWithTheSamePurgeBegunAgain() throws {
    _ = try begin(tulip)
    restoreConfig()
    let session = try beginAndFinishAll(beginning: tulip)
    #expect(session.outcomes.map(\.isRecorded) == [true, true], "\(session)")
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
    #expect(try ledger.interrupted.isEmpty)
    // No object that the release names was removed.
    #expect(try ledger.firstMissed == nil && place.broken() == [])
  }

  @Test func refusesItsContentAfterACorrection() throws {
    _ = try begin(tulip)
    restoreConfig()
    try Shop(Self.corrected).publish(to: place)
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
    #expect(try ledger.interrupted.isEmpty && ledger.firstMissed == nil)
    #expect(try ledger.doubtful(live: #require(try place.live())).count == 1)
    #expect(try beginAndFinishAll(beginning: rose).outcomes.map(\.isRecorded) == [true])
    #expect(try ledger.interrupted.isEmpty && ledger.leftovers == [])
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
  @Test func isDoubtfulWithoutTheNote() throws {
    let manifest = try beginWithoutNote(tulip)
    restoreConfig()
    let live = try #require(try place.live())
    #expect(try ledger.firstMissed == nil && ledger.interrupted.isEmpty)
    #expect(try ledger.doubtful(live: live).map(\.record) == [manifest.record])
    // It may never have been live, so it stops no publication.
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    try Shop(Self.swear.merging(lily) { $1 }).publish(to: place)
    #expect(try ledger.doubtful(live: #require(try place.live())).count == 1)
    try Shop(Self.corrected).publish(to: place)
    #expect(try ledger.doubtful(live: #require(try place.live())).isEmpty)
  }

  /// No purge can be about to begin after a release that config does not know.
  @Test func isMissedIfConfigIsOlderThanTheReleaseBeforeIt() throws {
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    let bad = Shop(Self.swear.merging(lily) { $1 })
    try bad.publish(to: place)
    let manifest = try beginWithoutNote(tulip)
    restoreConfig()
    #expect(try ledger.firstMissed == 1)
    #expect(try ledger.interrupted.map(\.record) == [manifest.record])
    let error = #expect(throws: DeliveryError.self) { try bad.publish(to: place) }
    #expect(error?.description.contains("--unpurge product/tulip") == true)
    try Shop(Self.corrected).publish(to: place)
    #expect(try beginAndFinishAll().outcomes.map(\.isRecorded) == [true])
    #expect(try place.files(holding: "Swear word") == [] && ledger.firstMissed == nil)
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
    #expect(try ledger.firstMissed == 1 && ledger.interrupted.map(\.sequence) == [1])
    #expect(throws: DeliveryError.self) { try bad.publish(to: place) }
    try Shop(Self.corrected).publish(to: place)
    for record in memory.list(below: "production/releases/") where !record.key.contains("/4-") {
      memory.remove(record.key)
    }
    #expect(try ledger.firstMissed == nil && ledger.interrupted.map(\.sequence) == [1])
    #expect(throws: DeliveryError.self) { try bad.publish(to: place) }
  }

  // MARK: After finished purges

  /// Overwritten purges are finished as purges of the live release, which may be the same.
  @Test func twoPurgesOfOneReleaseGetAManifestEach() throws {
    let first = try place.purge(tulip).manifest
    var second = first
    second.issued = Instant(
      secondsSinceReferenceDate: first.issued.secondsSinceReferenceDate + 1)
    second.reason = "Another word"
    let live = try #require(try place.live())
    let outcome = purge.finish(second, live: live, watch: { _ in })
    #expect(outcome.isRecorded && outcome.manifest.sequence == 2, "\(outcome.failures)")
    // The manifest of the first purge is recognized.
    let again = purge.finish(first, live: live, watch: { _ in })
    #expect(again.isRecorded && again.manifest.sequence == 1, "\(again.failures)")
    #expect(try ledger.readFinished().map(\.reason) == ["A swear word", "Another word"])
  }

  @Test(arguments: [false, true]) func aLostManifestIsReported(isConfigOlder: Bool) throws {
    try place.purge(rose)
    let old = try #require(memory.read(Self.config)).bytes
    let lost = try place.purge(tulip).manifest
    try Shop(Self.corrected).publish(to: place, unpurged: ["all"])
    #expect(try ledger.withoutFile(live: #require(try place.live())).isEmpty)
    if isConfigOlder { restoreConfig(old) }
    #expect(try ledger.withoutFile(live: #require(try place.live())).isEmpty)
    memory.remove(lost.key(place.channel))
    let found = try ledger.withoutFile(live: #require(try place.live()))
    #expect(found.map(\.sequence) == [2] && found.map(\.record.digest) == [lost.record])
  }

  @Test func foreignFilesAreNoPurges() throws {
    for name in ["7", "8-0123456789abcdef"] {
      #expect(
        memory.create(
          "production/purges/\(name).plist",
          as: OutgoingFile(bytes: Array("junk".utf8))))
    }
    #expect(try ledger.firstMissed == nil && ledger.interrupted.isEmpty)
    #expect(try begin(tulip).sequence == 1)
  }

  @Test func copiedManifestsAreNoPurges() throws {
    var copy = try place.purge(tulip).manifest
    copy.sequence = 1 << 53
    #expect(memory.create("production/purges/5.plist", as: try copy.file))
    #expect(try ledger.firstMissed == nil && ledger.readFinished().map(\.sequence) == [1])
    #expect(try begin(rose).sequence == 2)
  }

  @Test func aFieldIsPurgedAgainAfterAPublication() throws {
    var field = tulip
    field.fields = [try #require(ContentPath("title"))]
    field.commandWords += ["--field", "title"]
    try place.purge(field)
    restoreConfig()
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    try Shop(Self.swear.merging(lily) { $1 }).publish(to: place, unpurged: ["all"])
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
    let error = #expect(throws: DeliveryError.self) { try shop.publish(to: place) }
    #expect(error?.description.contains("--unpurge product/tulip") == true)
    try shop.publish(to: place, unpurged: ["product/tulip"])
    #expect(try ledger.firstMissed == nil && place.shown("product/tulip")["en"] == "Swear word")
    // Now it is published on purpose, and may be published again.
    try Shop(Self.swear).publish(to: place)
  }

  /// The remaining work belongs to the publication, which is no purge because of that.
  @Test func thePublicationSinceIsNoPurge() throws {
    _ = try begin(tulip)
    restoreConfig()
    try Shop(Self.corrected).publish(to: place)
    let live = try #require(try place.live())
    let faulty = ChannelPlace(FaultyTarget(memory, .killedBefore, at: 2))
    _ = Purge(withoutCachesAt: faulty).beginAndFinishAll(
      in: try ledger, live: live, commandWords: [], watch: { _ in }, beginning: { _, _ in nil })
    #expect(try ledger.unfinished.map(\.record) == [live.record.digest])
    #expect(try !ledger.isPurge(live.record))
  }
}
