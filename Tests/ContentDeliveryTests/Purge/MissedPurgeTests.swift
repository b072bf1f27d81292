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
    let begun = try begin(order)
    memory.remove(begun.key(of: .live))
    return begun
  }

  private func restoreConfig(_ config: [UInt8]? = nil) {
    let file = OutgoingFile(
      bytes: config ?? backup)
    #expect(memory.replace(Self.config, with: file, tagged: memory.read(Self.config)?.tag))
  }

  private var list: PurgeList {
    get throws { try PurgeList(place, live: place.live()) }
  }

  /// The numbers of the purges that any later purge finishes.
  private var unfinished: [Int] { get throws { try list.unfinished.map(\.begun.number) } }

  /// The numbers of the unfinished purges that config does not follow.
  private var missedUnfinished: [Int] {
    get throws { try list.missedUnfinished.map(\.begun.number) }
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
    #expect(try unfinished == [1] && place.restoredConfig() == nil)
    restoreConfig()
    #expect(try place.restoredConfig()?.sentence.contains("older than purge 1 (release 2)") == true)
    #expect(try unfinished == [] && missedUnfinished == [1])
    #expect(try needsNewPurge(tulip))
    #expect(try begin(rose).begun.number == 2)
  }

  @Test func isFinishedAfterTheStateHasEnded() throws {
    _ = try begin(tulip)
    restoreConfig()
    #expect(try beginAndFinishAll().outcomes.isEmpty)
    try place.publishAboveAll(Shop(Self.corrected))
    #expect(try unfinished == [1] && missedUnfinished == [])
    #expect(try place.files(holding: "Swear word") != [])
    let late = try beginAndFinishAll()
    #expect(late.outcomes.map(\.isRecorded) == [true], "\(late)")
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
    #expect(try unfinished == [] && place.restoredConfig() == nil)
    #expect(throws: DeliveryError.self) { try Shop(Self.swear).publish(to: place) }
  }

  /// Its number is below that of a purge since, which config follows.
  @Test func isStillMissedAfterAnotherPurge() throws {
    _ = try begin(tulip)
    restoreConfig()
    let session = try beginAndFinishAll(beginning: rose)
    #expect(session.outcomes.map(\.isRecorded) == [true], "\(session)")
    #expect(try unfinished == [] && missedUnfinished == [1])
    #expect(try place.restoredConfig()?.value["missedPurges"] == [1])
  }

  /// The objects that the publication shows stay, and no later command takes them for removed ones.
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
    let purge = try #require(try list.readAll().first)
    let shown = try #require(try place.live()).record.objects
    #expect(try Set(place.objects(of: purge)).isDisjoint(with: shown))
    #expect(!Set(purge.begun.objects).isDisjoint(with: shown))
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
    #expect(error?.notes.last?.contains("--unpurge product/tulip") == true)
  }

  /// A purge that was killed before it was live leaves no work, and its content is not refused.
  @Test func isForgottenIfItNeverWasLive() throws {
    let count = try writesUntilLive()
    let faulty = ChannelPlace(FaultyTarget(memory, .killedBefore, at: count - 1))
    #expect(throws: TargetError.self) {
      try Purge(withoutCachesAt: faulty).begin(
        tulip, after: #require(try place.live()), through: faulty.publisher(run: "purge"))
    }
    let files = memory.list(below: "production/purges/").map(\.key)
    #expect(files.count == 2 && files[0].hasSuffix("/begun") && files[1].hasSuffix("/1.plist"))
    #expect(try unfinished == [] && place.restoredConfig() == nil)
    #expect(try beginAndFinishAll(beginning: rose).outcomes.map(\.isRecorded) == [true])
    #expect(try list.purges.map(\.state) == [.void, .finished] && list.readAll().count == 1)
    #expect(try place.shown("product/tulip")["en"] == "Swear word")
  }

  /// Caches may take long, and config may be restored meanwhile.
  @Test func isNotedRightAfterTheSwap() throws {
    let purge = try begin(tulip)
    #expect(try list.purges.map(\.notes) == [[.begun, .live]])
    #expect(try memory.read(purge.key(of: .live))?.bytes == LiveNote(config: nil).file.bytes)
    restoreConfig()
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    let bad = Shop(Self.swear.merging(lily) { $1 })
    #expect(throws: DeliveryError.self) { try bad.publish(to: place) }
  }

  /// The purge was killed between its swap and the note, or before its swap.
  @Test(arguments: [false, true]) func isIgnoredWithoutTheNote(isPublished: Bool) throws {
    _ = try beginWithoutNote(tulip)
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    if isPublished { try Shop(Self.corrected.merging(lily) { $1 }).publish(to: place) }
    restoreConfig()
    #expect(try place.restoredConfig() == nil && list.purges.map(\.state) == [.void])
    // It may never have been live, so it stops no publication.
    try Shop(Self.swear.merging(lily) { $1 }).publish(to: place)
    #expect(try place.live()?.purge?["sequence"]?.number == 0)
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

  /// The purge was killed before it noted that it was live; config names it, also after a publication.
  ///
  /// The command that finishes it notes that it was live.
  @Test(arguments: [false, true]) func isKnownWithoutTheNoteAsLongAsConfigNamesIt(
    isConfigGone: Bool
  ) throws {
    let purge = try beginWithoutNote(tulip)
    let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
    try Shop(Self.corrected.merging(lily) { $1 }).publish(to: place)
    for record in memory.list(below: "production/releases/2-") { memory.remove(record.key) }
    #expect(try place.restoredConfig() == nil && unfinished == [1])
    let bad = Shop(Self.swear.merging(lily) { $1 })
    #expect(throws: DeliveryError.self) { try bad.publish(to: place) }
    _ = try beginAndFinishAll()
    #expect(memory.read(purge.key(of: .live)) != nil)
    if isConfigGone { memory.remove(Self.config) } else { restoreConfig() }
    #expect(try place.restoredConfig()?.value["missedPurges"] == [1])
    #expect(throws: DeliveryError.self) { try place.publishAboveAll(bad) }
    try place.publishAboveAll(Shop(Self.corrected))
    #expect(try place.restoredConfig() == nil)
  }

  // MARK: After finished purges

  @Test func foreignFilesAreNoPurges() throws {
    for name in ["7", "8-0123456789abcdef"] {
      #expect(
        memory.create(
          "production/purges/\(name).plist",
          as: OutgoingFile(bytes: Array("junk".utf8))))
    }
    #expect(try place.restoredConfig() == nil && list.readAll().isEmpty && unfinished == [])
    // A number that any file has is not given again.
    #expect(try begin(tulip).begun.number == 9)
  }

  @Test func copiedManifestsAreNoPurges() throws {
    try place.purge(tulip)
    for name in ["5.plist", "6-0123456789abcdef.plist"] {
      memory.overwrite(
        "production/purges/\(name)",
        with: try PropertyListBytes.binary(.dictionary(ManifestSample.final)))
    }
    #expect(try place.restoredConfig() == nil && list.readAll().map(\.begun.number) == [1])
    #expect(try begin(rose).begun.number == 7)
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
    #expect(error?.notes.last?.contains("--unpurge product/tulip") == true)
    try place.publishAboveAll(shop, unpurged: ["product/tulip"])
    #expect(try place.restoredConfig() == nil && place.shown("product/tulip")["en"] == "Swear word")
    // Now it is published on purpose, and may be published again.
    try Shop(Self.swear).publish(to: place)
  }
}
