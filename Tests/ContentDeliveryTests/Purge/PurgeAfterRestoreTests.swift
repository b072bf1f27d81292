import ContentModel
import ContentTargets
import PropertyLists
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// Purges and publications after config was restored from a backup, and restorations of entries.
@Suite struct PurgeAfterRestoreTests {
  private static let swear = ["entries/product/tulip.yaml": "title: Swear word\n"]
  private let memory = MemoryTarget()
  private let place: ChannelPlace
  private let tulip = PurgeOrder(.entries(["product/tulip"]), reason: "A swear word")
  private let rose = PurgeOrder(.entries(["product/rose"]), reason: "Another word")

  init() throws {
    place = ChannelPlace(memory)
    try Shop(Self.swear).publish(to: place)
  }

  /// Purges the tulip, and restores the config from before.
  private func purgeAndRestoreConfig() throws {
    let backup = try #require(memory.read("production/config.plist")).bytes
    try place.purge(tulip)
    memory.restore(config: backup)
  }

  private func publication(_ files: [String: String]) throws -> Publisher.Outcome {
    let draft = Draft(content: try Shop(files).content())
    return try Shop().publisher(of: place).publish { _ in draft }
  }

  /// Publishes above the highest known release, which ends the state of a restored config.
  @discardableResult
  private func mend(
    _ files: [String: String], unpurged: Set<String> = []
  ) throws -> Publisher.Outcome { try place.publishAboveAll(Shop(files), unpurged: unpurged) }

  private func switchMaintenance(_ maintenance: MaintenanceSwitch) throws {
    _ = try Shop().publisher(of: place).publish { live in
      Draft(content: try #require(live).content(at: memory), maintenance: maintenance)
    }
  }

  @Test func namesTheCommandThatEndsTheState() throws {
    try purgeAndRestoreConfig()
    let restored = try #require(try place.restoredConfig())
    #expect(restored.sentence.contains("older than purge 1 (release 2)"), "\(restored.sentence)")
    #expect(restored.command == "contentc publish production --above 2")
    #expect(restored.value == ["missedPurges": [1], "above": 2])
    #expect(try restored.entries(shownIn: reader(of: place.live())) == ["product/tulip"])
  }

  private func reader(of live: LiveRelease?) throws -> ReleaseReader {
    ReleaseReader(try #require(live).content(at: memory))
  }

  /// The content of the backup may be older than the purged content.
  @Test(arguments: [false, true]) func onlyAboveEndsTheState(isSameContent: Bool) throws {
    let corrected = ["entries/product/tulip.yaml": "title: Tulip\n"]
    if isSameContent { try Shop(corrected).publish(to: place) }
    let backup = try #require(memory.read("production/config.plist")).bytes
    if isSameContent { try Shop(Self.swear).publish(to: place) }
    try place.purge(tulip)
    memory.restore(config: backup)
    let restored = try #require(try place.restoredConfig())
    let error = #expect(throws: DeliveryError.self) { try publication(corrected) }
    #expect(error == restored.refusal)
    var draft = Draft(content: try Shop(corrected).content())
    draft.above = restored.highestRelease - 1
    #expect(throws: restored.refusal) {
      try Shop().publisher(of: place).publish { [draft] _ in draft }
    }
    #expect(memory.read("production/config.plist")?.bytes == backup)
    guard case .released(let record, let sent) = try mend(corrected) else {
      Issue.record("not published")
      return
    }
    #expect(record.number == restored.highestRelease + 1)
    #expect(sent.purgeSentences == ["config was older than purge 1, and follows it now"])
    #expect(try place.restoredConfig() == nil && place.broken() == [])
    // The release gets a number that no purge has, so that readers discard what they got meanwhile.
    let purge = try #require(try place.live()?.purge)
    #expect(purge["sequence"]?.number == 2 && purge["missedAfter"] == nil)
    #expect(purge["entries"] == ["product/tulip"] && purge["objects"]?.items?.isEmpty == false)
    // The next publication has nothing to do.
    guard case .unchanged(_, let next) = try publication(corrected) else {
      Issue.record("published twice")
      return
    }
    #expect(next.objects == 0 && next.found == 0)
    #expect(try place.purge(rose).begun.number == 3)
  }

  /// A config that follows a purge follows all purges before it.
  @Test func theStateAndItsEndNameTheLastMissedPurge() throws {
    let backup = try #require(memory.read("production/config.plist")).bytes
    try place.purge(tulip)
    try place.purge(rose)
    memory.restore(config: backup)
    let restored = try #require(try place.restoredConfig())
    #expect(restored.sentence.contains("older than purge 2 (release 3)"), "\(restored.sentence)")
    let corrected = ["entries/product/tulip.yaml": "title: Tulip\n"]
    guard case .released(_, let sent) = try mend(corrected, unpurged: ["product/rose"]) else {
      Issue.record("not published")
      return
    }
    #expect(sent.purgeSentences == ["config was older than purge 2, and follows it now"])
  }

  @Test func lastsAfterMaintenance() throws {
    try purgeAndRestoreConfigWithObjects()
    try switchMaintenance(MaintenanceSwitch(isActive: true))
    #expect(try place.live()?.number == 3)
    #expect(try place.restoredConfig()?.value == ["missedPurges": [1], "above": 3])
    let error = #expect(throws: DeliveryError.self) { try mend(Self.swear) }
    #expect(error?.notes.last?.contains("--unpurge product/tulip") == true)
    try mend(["entries/product/tulip.yaml": "title: Tulip\n"])
    #expect(try place.restoredConfig() == nil)
    try switchMaintenance(.off)
  }

  /// Readers would see the content before, during or after such a maintenance.
  @Test(arguments: [
    MaintenanceSwitch.off, MaintenanceSwitch(isActive: true, from: .distant),
    MaintenanceSwitch(isActive: true, until: .distant),
    MaintenanceSwitch(isActive: true, payloads: [:]),
  ])
  func refusesMaintenanceThatShowsContent(maintenance: MaintenanceSwitch) throws {
    try purgeAndRestoreConfigWithObjects()
    let restored = try #require(try place.restoredConfig())
    let error = #expect(throws: DeliveryError.self) { try switchMaintenance(maintenance) }
    let refusal = restored.refusal
    #expect(error?.description == refusal.description)
    #expect(error?.notes.suffix(refusal.notes.count) == refusal.notes[...])
    #expect(try place.live()?.number == 1)
  }

  /// Purges the tulip, and restores the config from before, with its objects.
  private func purgeAndRestoreConfigWithObjects() throws {
    let objects = try memory.list(below: "objects/").map { file in
      (key: file.key, bytes: try #require(memory.read(file.key)).bytes)
    }
    try purgeAndRestoreConfig()
    for object in objects {
      _ = memory.create(object.key, as: OutgoingFile(bytes: object.bytes))
    }
  }

  // MARK: Numbers

  private func reader() throws -> ClientReader {
    try ClientReader(channel: "production", locale: "en") { [place] key in
      try place.target.read(key)?.bytes
    }
  }

  /// Readers ignore a release with a lower number than one they have seen.
  @Test func numbersAreAboveThoseOfAllReleases() async throws {
    let backup = try #require(memory.read("production/config.plist")).bytes
    for title in ["Rose", "Red rose", "White rose"] {
      try Shop(Self.swear.merging(["entries/product/rose.yaml": "title: \(title)\n"]) { $1 })
        .publish(to: place)
    }
    let reader = try reader()
    #expect(await reader.refresh() && reader.shownRelease == 4)
    memory.restore(config: backup)
    #expect(await !reader.refresh())
    let purge = try place.purge(tulip).begun
    #expect(purge.release == 5 && purge.number == 1)
    #expect(await reader.refresh() && reader.screen["product/tulip"] == nil)
    #expect(try place.history().map(\.number) == [5, 1])
    try Shop().publish(to: place, unpurged: ["all"])
    #expect(try place.history().map(\.number) == [6, 5, 1])
    #expect(try place.broken() == [])
  }

  /// The content of a restored config is corrected, and the config is restored once more.
  @Test func noPurgeGetsTheNumberOfACorrection() throws {
    let backup = try #require(memory.read("production/config.plist")).bytes
    try purgeAndRestoreConfig()
    try mend(["entries/product/tulip.yaml": "title: Tulip\n"])
    let corrected = try #require(try place.live())
    #expect(corrected.purge?["sequence"]?.number == 2 && corrected.number == 3)
    memory.restore(config: backup)
    try mend(["entries/product/tulip.yaml": "title: Tulipe\n"])
    let again = try #require(try place.live())
    #expect(again.purge?["sequence"]?.number == 3 && again.number == 4)
  }

  /// Each of them has notes, so that restored configs and pruned records change nothing.
  @Test func noPurgeGetsTheNumberOfACorrectionAfterOtherReleases() throws {
    let first = try #require(memory.read("production/config.plist")).bytes
    try purgeAndRestoreConfig()
    let purged = try #require(memory.read("production/config.plist")).bytes
    try mend(["entries/product/tulip.yaml": "title: Tulip\n"])
    for (config, sequence) in [(first, 3), (purged, 4), (nil, 5)] {
      if let config {
        memory.restore(config: config)
        try switchMaintenance(MaintenanceSwitch(isActive: true))
      } else {
        memory.remove("production/config.plist")
      }
      try mend(["entries/product/tulip.yaml": "title: Tulip \(sequence)\n"])
      #expect(try place.live()?.purge?["sequence"]?.number == sequence)
      #expect(try place.restoredConfig() == nil)
    }
    #expect(try place.purge(rose).begun.number == 6)
  }

  /// The whole target was restored from a backup, so that no file tells of later releases.
  @Test func aNumberAboveThoseThatReadersHaveSeenCanBeNamed() throws {
    var draft = Draft(content: try Shop(Self.swear).content())
    for (above, number) in [(41, 42), (7, 43), (42, 44)] {
      draft.above = above
      guard case .released(let record, _) = try Shop().publisher(of: place).publish({ _ in draft })
      else {
        Issue.record("not published")
        return
      }
      #expect(record.number == number)
    }
    #expect(try place.history().map(\.number) == [44, 43, 42, 1])
    draft.above = 1_000_045
    let error = #expect(throws: DeliveryError.self) {
      try Shop().publisher(of: place).publish { _ in draft }
    }
    #expect(error?.description.contains("which apps do not accept") == true)
    #expect(try place.purge(tulip).begun.release == 45)
  }

  /// A record may be copied under another number.
  @Test func copiedRecordsDecideNoNumber() throws {
    let backup = try #require(memory.read("production/config.plist")).bytes
    let record = try #require(memory.list(below: "production/releases/1-").first)
    for title in ["Rose", "Red rose"] {
      try Shop(Self.swear.merging(["entries/product/rose.yaml": "title: \(title)\n"]) { $1 })
        .publish(to: place)
    }
    let copy = record.key.replacing("/1-", with: "/99-")
    let bytes = try #require(memory.read(record.key)).bytes
    #expect(memory.create(copy, as: OutgoingFile(bytes: bytes)))
    memory.restore(config: backup)
    #expect(try place.purge(tulip).begun.release == 4)
  }

  /// A foreign file decides no number.
  @Test func foreignRecordsAreIgnored() throws {
    for name in ["9-0123456789abcdef", "9007199254740992-0123456789abcdef"] {
      #expect(
        memory.create(
          "production/releases/\(name).plist",
          as: OutgoingFile(bytes: Array("junk".utf8))))
    }
    #expect(try place.purge(tulip).begun.release == 2)
  }

  /// A purge is finished between the reading of config and the swap of a publication.
  @Test func aFasterPurgeIsNoRestoredConfig() throws {
    let known = try #require(try place.live())
    try place.purge(tulip)
    let files = memory.list(below: "production/purges/").map(\.key)
    let unlocked = ChannelPlace(
      target: UnlockedTarget(target: memory), channel: place.channel, app: place.app)
    for files in [Self.swear, ["entries/product/tulip.yaml": "title: Tulip\n"]] {
      let lily = ["entries/product/lily.yaml": "title: Lilly\n"]
      let draft = Draft(content: try Shop(files.merging(lily) { $1 }).content())
      let error = #expect(throws: DeliveryError.self) {
        try Shop().publisher(of: unlocked).publish(known: known) { _ in draft }
      }
      #expect(error?.kind == .lost, "\(error as Any)")
    }
    #expect(memory.list(below: "production/purges/").map(\.key) == files)
    #expect(try place.restoredConfig() == nil)
  }

  // MARK: Without config

  @Test func purgedContentIsRefusedWithoutConfig() throws {
    try place.purge(tulip)
    memory.remove("production/config.plist")
    #expect(try place.reasonForNoConfig().contains("is gone from"))
    let restored = try #require(try place.restoredConfig())
    #expect(restored.sentence.contains("is gone, after purge 1 (release 2)"))
    #expect(throws: restored.refusal) {
      try publication(["entries/product/tulip.yaml": "title: Tulip\n"])
    }
    let error = #expect(throws: DeliveryError.self) { try mend(Self.swear) }
    #expect(error?.notes.last?.contains("--unpurge product/tulip") == true)
    try mend(["entries/product/tulip.yaml": "title: Tulip\n"])
    let live = try #require(try place.live())
    #expect(live.number == 3 && live.purge?["sequence"]?.number == 2)
    #expect(try place.restoredConfig() == nil && place.broken() == [])
  }

  /// The record of an old config may have been pruned: the message names the way out.
  @Test func namesTheRemedyForAMissingRecord() throws {
    try purgeAndRestoreConfig()
    let record = try #require(memory.list(below: "production/releases/1-").first)
    memory.remove(record.key)
    let error = #expect(throws: DeliveryError.self) { try place.live() }
    #expect(
      error?.description.contains("or remove 'production/config.plist'") == true
        && error?.description.contains("and publish") == true, "\(error as Any)")
    memory.remove("production/config.plist")
    #expect(throws: DeliveryError.self) { try mend(Self.swear) }
    try mend(["entries/product/tulip.yaml": "title: Tulip\n"])
    #expect(try place.live()?.number == 3 && place.broken() == [])
  }

  @Test func namesTheRemedyForMissingObjects() throws {
    try purgeAndRestoreConfig()
    let error = #expect(throws: DeliveryError.self) { try place.purge(rose) }
    #expect(error?.description.contains("'contentc maintenance on production'") == true)
    try mend(["entries/product/tulip.yaml": "title: Tulip\n"])
    let outcome = try place.purge(rose)
    #expect(outcome.isRecorded && outcome.begun.number == 3, "\(outcome.failures)")
    #expect(try place.broken() == [])
  }

  @Test func refusesToBringPurgedContentBack() throws {
    try purgeAndRestoreConfig()
    let edited = Self.swear.merging(["entries/product/rose.yaml": "title: Red rose\n"]) { $1 }
    for files in [edited, Self.swear] {
      let error = #expect(throws: DeliveryError.self) { try mend(files) }
      #expect(error?.notes.last?.contains("--unpurge product/tulip") == true)
    }
    #expect(try place.files(holding: "Swear word") == [])
    try mend(Self.swear, unpurged: ["product/tulip"])
    #expect(try place.broken() == [])
  }

  /// A purge also removes pictures that only the purged entry shows.
  @Test func sendsThePictureOfACorrectionAgain() throws {
    let datatype = [
      "datatypes/product.yaml": """
      fields: {title: {type: string, localized: true}, care: {type: text}, price: {type: number}, picture: {type: asset}}
      projections: {light: [title]}
      """, "assets/tulip.bin": "a tulip",
    ]
    func tulip(_ title: String) -> [String: String] {
      datatype.merging(["entries/product/tulip.yaml": "title: \(title)\npicture: tulip.bin\n"]) {
        $1
      }
    }
    try Shop(tulip("Swear word")).publish(to: place, unpurged: ["all"])
    try purgeAndRestoreConfig()
    try mend(tulip("Tulip"))
    #expect(try place.broken() == [])
    #expect(try place.shown("product/tulip")["en"] == "Tulip")
  }

  @Test func reportsReadersWithoutARestorableForm() throws {
    for title in ["Tulipe", "Une tulipe"] {
      let french = ["entries/product/tulip.fr.yaml": "title: \(title)\n"]
      try Shop(Self.swear.merging(french) { $1 }).publish(to: place)
    }
    try place.purge(tulip)
    var order = tulip
    order.remedy = .restoration
    let live = try #require(try place.live())
    let plan = try PurgePlanner(place, live: live).plan(order)
    #expect(Set(plan.contexts.map(\.locale)) == ["fr", "fr-CA"])
    #expect(plan.unrestored.map(\.id) == ["product/tulip"])
    #expect(Set(plan.unrestored[0].contexts.map(\.locale)) == ["de", "en"])
    try place.purge(order)
    #expect(try place.shown("product/tulip") == ["fr": "Tulipe", "fr-CA": "Tulipe"])
  }
}

extension Instant {
  /// A moment that no test reaches.
  fileprivate static let distant = Instant(secondsSince1970: 4_000_000_000)
}
