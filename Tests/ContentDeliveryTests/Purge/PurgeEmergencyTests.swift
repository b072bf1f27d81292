import ContentModel
import HTTPTransport
import PropertyLists
import TestReaders
import TestServers
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges that meet foreign files and concurrent releases.
@Suite struct PurgeEmergencyTests {
  private let scene: PurgeScene

  init() throws { scene = try PurgeScene() }

  // MARK: Concurrent publishers

  @Test func isPlannedAgainAfterALostSwap() throws {
    let live = try #require(try scene.place.live())
    let plan = try PurgePlanner(scene.place, live: live).plan(scene.order)
    try Shop(PurgeScene.bad.merging(["entries/product/lily.yaml": "title: Lilly\n"]) { $1 })
      .publish(
        to: scene.place)
    let purge = try scene.purge.begin(
      scene.order, as: plan, after: live, through: Shop().publisher(of: scene.place, run: "purge"))
    #expect(purge.begun.release == 4)
    #expect(
      try scene.place.shown("product/rose") == [:]
        && scene.place.shown("product/lily")["en"] == "Lilly")
  }

  @Test func retriesLostSwapsUntilOneSucceeds() throws {
    let publisher = Shop().publisher(of: scene.place, run: "switch")
    var others = 3
    let live = try #require(try scene.place.live())
    let outcome = try publisher.retryingLostSwaps(after: live) { live in
      try publisher.publish(known: live) { now in
        others -= 1
        if others >= 0 {
          let lily = ["entries/product/lily.yaml": "title: Lily \(others)\n"]
          try Shop(PurgeScene.bad.merging(lily) { $1 }).publish(to: scene.place, run: "\(others)")
        }
        let now = try #require(now)
        return Draft(
          content: now.content(at: scene.memory), of: now.record.contentRelease,
          maintenance: MaintenanceSwitch(isActive: true))
      }
    }
    guard case .released(let record, _) = outcome else {
      return #expect(Bool(false), "nothing was published")
    }
    #expect(record.number == 6 && record.contentRelease == 5)
    #expect(try scene.place.shown("product/lily")["en"] == "Lily 0")
  }

  @Test func doesNotRetryWithoutANewRelease() throws {
    var attempts = 0
    let live = try #require(try scene.place.live())
    #expect(throws: DeliveryError.self) {
      try Shop().publisher(of: scene.place).retryingLostSwaps(after: live) { _ in
        attempts += 1
        throw DeliveryError(.lost, "a prune is at work")
      }
    }
    #expect(attempts == 1)
  }

  @Test func doesNothingIfAnotherPurgeWonTheSwap() throws {
    let live = try #require(try scene.place.live())
    let plan = try PurgePlanner(scene.place, live: live).plan(scene.order)
    _ = try scene.begin(scene.order, scene.purge)
    let second = try scene.purge.begin(
      scene.order, as: plan, in: try PurgeList(scene.place, live: live), after: live,
      through: Shop().publisher(of: scene.place, run: "second"), watch: { _ in }
    ) { _, _ in nil }
    #expect(second == nil)
    #expect(try scene.place.live()?.number == 3)
  }

  /// At a target with a lock, the loser reads the winner's release before it takes a number.
  @Test func usesTheNextNumberAfterAConcurrentPurge() throws {
    let place = ChannelPlace(scene.memory)
    let live = try #require(try place.live())
    let lily = PurgeOrder(.entries(["product/lily"]), reason: "Another word")
    let plan = try PurgePlanner(place, live: live).plan(lily)
    try place.purge(scene.order)
    let second = try scene.purge(at: place).begin(
      lily, as: plan, after: live, through: Shop().publisher(of: place, run: "second"))
    #expect(second.begun.number == 2)
    #expect(try place.live()?.purge?["sequence"]?.number == 2)
  }

  /// A bucket at which other work follows a purge's first attempt, right before its swap.
  private func busyBucket(_ work: @escaping @Sendable (ChannelPlace) throws -> Void)
    -> ChannelPlace
  {
    let (swaps, memory) = (Counter(), scene.memory)
    let target = ScriptedTarget(memory) { write, answer throws(TargetError) in
      if write.key == "production/config.plist", swaps.next() == 1 {
        do { try work(ChannelPlace(memory)) } catch { throw TargetError(.failed, "\(error)") }
      }
      return try answer()
    }
    return ChannelPlace(target)
  }

  @Test func keepsItsNumberAfterALostSwap() throws {
    let place = busyBucket { try $0.republish() }
    let live = try #require(try place.live())
    let purge = scene.purge(at: place)
    let won = try purge.begin(
      scene.order, after: live, through: Shop().publisher(of: place, run: "purge"))
    #expect(won.begun.number == 1)
    let now = try #require(try place.live())
    #expect(now.purge?["sequence"]?.number == 1 && now.record.digest == won.begun.record)
    // The lost attempt has a folder of its own, which stays and counts for nothing.
    let names = try place.purgeNames()
    let lost = names.compactMap { name in
      if case .note(_, let folder) = name, folder != won.listed.folder { folder } else { nil }
    }
    #expect(names.contains(.number(1)) && !names.contains(.number(2)))
    #expect(try lost.map(\.number) == [1] && place.notes(of: lost[0]) == [.begun])
    let list = try PurgeList(place, live: now)
    #expect(list.unfinished.map(\.listed.folder) == [won.listed.folder])
    #expect(purge.finish(won, live: now, watch: { _ in }).isRecorded)
    #expect(try PurgeList(place, live: now).unfinished.isEmpty)
    #expect(try place.restoredConfig() == nil && place.notes(of: lost[0]) == [.begun])
  }

  /// Readers act only on a number that rises.
  @Test func takesAHigherNumberAfterASwapLostToAnotherPurge() throws {
    let lily = PurgeOrder(.entries(["product/lily"]), reason: "Another word")
    let place = busyBucket { place in
      let other = try place.purge(lily)
      #expect(other.isRecorded && other.begun.number == 2)
    }
    let live = try #require(try place.live())
    let won = try scene.purge(at: place).begin(
      scene.order, after: live, through: Shop().publisher(of: place, run: "purge"))
    #expect(won.begun.number == 3)
    #expect(try place.live()?.purge?["sequence"]?.number == 3)
    #expect(try place.shown("product/rose") == [:] && place.shown("product/lily") == [:])
    #expect(try place.broken() == [])
  }

  /// Two commands have listed the purges; the other one takes the number, and is killed.
  @Test func takesTheNextNumberIfAnotherPurgeHasTakenIts() throws {
    let live = try #require(try scene.place.live())
    let list = try PurgeList(scene.place, live: live)
    let plan = try PurgePlanner(scene.place, live: live, list: list).plan(scene.order)
    let records = scene.memory.list(below: "production/releases/").count
    #expect(try scene.place.take(1))
    let begun = try #require(
      try scene.purge.begin(
        scene.order, as: plan, in: list, after: live,
        through: Shop().publisher(of: scene.place, run: "purge"), watch: { _ in }
      ) { _, _ in nil })
    #expect(begun.begun.number == 2)
    #expect(try scene.place.live()?.purge?["sequence"]?.number == 2)
    // The record of the lost attempt is gone.
    #expect(scene.memory.list(below: "production/releases/").count == records + 1)
    #expect(try scene.place.live()?.number == live.number + 1)
  }

  // MARK: Numbers and foreign files

  @Test func usesAnUnusedNumberAfterAConfigRestore() throws {
    let backup = try #require(scene.memory.read("production/config.plist")).bytes
    let tulip = PurgeOrder(.entries(["product/tulip"]), reason: "Another word")
    for title in ["Bad", "Worse", "Worst"] {
      let files = PurgeScene.bad.merging(["entries/product/tulip.yaml": "title: \(title)\n"]) { $1 }
      try Shop(files).publish(to: scene.place, unpurged: ["all"])
      _ = try scene.place.purge(tulip)
    }
    let tag = scene.memory.read("production/config.plist")?.tag
    #expect(
      scene.memory.replace(
        "production/config.plist", with: OutgoingFile(bytes: backup), tagged: tag)
    )
    let outcome = try scene.place.purge(scene.order)
    #expect(outcome.isRecorded && outcome.begun.number == 4, "\(outcome.failures)")
    #expect(try scene.place.live()?.purge?["sequence"]?.number == 4)
  }

  @Test(arguments: [Int64.max, Int64.max - 1, 1 << 53])
  func refusesAnImpossiblePurgeNumber(sequence: Int64) throws {
    var config = try #require(try scene.place.live()).members
    config["purge"] = ["sequence": .integer(sequence)]
    let file = OutgoingFile(
      bytes: try PropertyListBytes.binary(.dictionary(config)))
    #expect(
      scene.memory.replace(
        "production/config.plist", with: file,
        tagged: scene.memory.read("production/config.plist")?.tag))
    let error = #expect(throws: DeliveryError.self) { try scene.place.purge(scene.order) }
    #expect(error?.description.contains("put the file of a backup back") == true)
  }

  @Test func finishesDespiteForeignFiles() throws {
    let junk: [(key: String, text: String)] = [
      ("wordpress/config.json", "{\"name\": \"blog\"}"),
      ("shop2/config.plist", "not a property list"),
      ("app/config.json", "{\"app\": \"other\", \"format\": 1}"),
      ("production/purges/1.plist", "junk"),
      ("production/purges/notes.txt", "junk"),
      ("production/purges/99999999999999999999.plist", "junk"),
      ("production/purges/5000000.plist", "junk"),
      ("production/purges/1-0123456789abcdef.plist", "junk"),
    ]
    for (key, text) in junk {
      #expect(scene.memory.create(key, as: OutgoingFile(bytes: Array(text.utf8))))
    }
    let outcome = try scene.place.purge(scene.order)
    #expect(outcome.isRecorded && outcome.failures == [], "\(outcome.failures)")
    #expect(try scene.place.files(holding: "Swear word") == [])
    #expect(outcome.warnings.count == 3, "\(outcome.warnings)")
    let list = try PurgeList(scene.place, live: try scene.place.live())
    // A damaged manifest, and three foreign names.
    #expect(list.warnings.count == 2, "\(list.warnings)")
    // Publishing still works.
    try Shop([
      "entries/product/lily.yaml": "title: Lilly\n", "entries/product/rose.yaml": "title: New\n",
      "entries/product/rose.fr.yaml": "title: Neuf\n",
    ]).publish(to: scene.place)
  }

  @Test(arguments: [("1-0123456789abcdef", 1), ("9", 9)])
  func finishesBesideAManifestOfANewerVersion(name: String, number: Int) throws {
    let bytes = try PropertyListBytes.binary([
      "format": 3, "sequence": .integer(Int64(number)), "record": 1,
    ])
    let key = "production/purges/\(name).plist"
    #expect(scene.memory.create(key, as: OutgoingFile(bytes: bytes)))
    #expect(try PurgeList(scene.place, live: scene.place.live()).warnings.count == 1)
    let outcome = try scene.place.purge(scene.order)
    #expect(outcome.isRecorded && outcome.begun.number == number + 1, "\(outcome)")
    #expect(try scene.place.files(holding: "Swear word") == [])
    #expect(scene.memory.read(key)?.bytes == bytes)
  }

  /// Config does not follow that purge, as after it was restored from a backup.
  @Test func finishesBesideAMissedPurgeOfANewerVersion() throws {
    let bytes = try PropertyListBytes.binary(["format": 3, "sequence": 7])
    let folder = PurgeFolder(number: 7, of: Digest(of: bytes))
    for note in [PurgeNote.begun, .live] {
      let key = PurgeName.note(note, in: folder).key(in: "production")
      #expect(scene.memory.create(key, as: OutgoingFile(bytes: bytes)))
    }
    let list = try PurgeList(scene.place, live: scene.place.live())
    #expect(list.unfinished.isEmpty && list.missedUnfinished.isEmpty)
    #expect(list.warnings.count == 1 && list.warnings[0].contains("newer contentc (format 3)"))
    let outcome = try scene.place.purge(scene.order)
    #expect(outcome.isRecorded && outcome.begun.number == 8, "\(outcome.failures)")
    #expect(try scene.place.live()?.purge?["missedAfter"]?.number == 0)
    let error = #expect(throws: DeliveryError.self) {
      try Shop(["entries/product/rose.yaml": "title: New\n"]).publish(to: scene.place)
    }
    #expect(error?.notes.contains { $0.contains("contentc publish production --above") } == true)
    #expect(try scene.place.notes(of: folder) == [.begun, .live])
  }

  @Test func keepsObjectsOfAChannelWithADamagedConfig() throws {
    let other = ChannelPlace(scene.place.target, channel: "qa")
    try Shop(PurgeScene.bad).publish(to: other)
    let config = try #require(scene.memory.read("qa/config.plist"))
    #expect(
      scene.memory.replace(
        "qa/config.plist", with: OutgoingFile(bytes: Array("damaged".utf8)),
        tagged: config.tag))
    let outcome = try scene.place.purge(scene.order)
    #expect(outcome.isRecorded && outcome.warnings.contains { $0.contains("'qa'") }, "\(outcome)")
    #expect(
      scene.memory.replace(
        "qa/config.plist", with: OutgoingFile(bytes: config.bytes),
        tagged: scene.memory.read("qa/config.plist")?.tag))
    #expect(try other.broken() == [])
  }

  // MARK: Restoring purged entries

  @Test func restoresPreviouslyPurgedEntries() throws {
    let good = ReleaseReader(
      try #require(try scene.place.history().last).content(at: scene.place.target))
    let before = Dictionary(
      uniqueKeysWithValues: try good.contexts.map { ($0, try bundles(good, $0)) })
    _ = try scene.place.purge(scene.order)
    #expect(try scene.place.shown("product/rose") == [:])
    var back = scene.order
    back.remedy = .restoration
    let outcome = try scene.place.purge(back)
    #expect(outcome.isRecorded && outcome.objects.isEmpty, "\(outcome.failures)")
    // The entry is as in the first release, in every bundle that contained it.
    let now = ReleaseReader(try #require(try scene.place.live()).content(at: scene.place.target))
    // The short French form was identical in the bad release, so the purge removed it, too.
    for context in now.contexts where !context.locale.hasPrefix("fr") {
      #expect(try bundles(now, context) == before[context], "\(context)")
    }
    #expect(try scene.place.broken() == [])
    // The entry is live, so it can be purged again.
    _ = try scene.place.purge(scene.order)
    #expect(try scene.place.shown("product/rose") == [:] && scene.place.broken() == [])
  }

  /// The entries that a reader gets, by bundle and variant.
  ///
  /// Bundles are compared by value, because edited bundles differ in bytes from built ones.
  private func bundles(_ reader: ReleaseReader, _ context: ReleaseContext) throws -> [String: Value]
  {
    let rows = try reader.rows(context)
    return Dictionary(
      uniqueKeysWithValues: try rows.filter { $0.bundle != "home" }.map {
        ("\($0.bundle) \($0.variant)", try reader.value(of: $0.object))
      })
  }

  @Test func restoresOnlyGoodContentForEachReader() throws {
    try Shop([
      "entries/product/rose.yaml": "title: Rose\n",
      "entries/product/rose.fr.yaml": "title: Gros mot\n",
    ])
    .publish(to: scene.place)
    var french = scene.order
    french.locales = ["fr"]
    _ = try scene.place.purge(french)
    #expect(try Set(scene.place.shown("product/rose").keys) == ["en", "de"])
    french.remedy = .restoration
    _ = try scene.place.purge(french)
    let titles = try scene.place.shown("product/rose")
    #expect(
      titles["fr"] == "La rose" && titles["fr-CA"] == "La rose" && titles["en"] == "Rose",
      "\(titles)")
    #expect(try scene.place.files(holding: "Gros mot") == [] && scene.place.broken() == [])
  }

  @Test func replacesPreviouslyPurgedEntries() throws {
    _ = try scene.place.purge(scene.order)
    var back = scene.order
    back.remedy = .replacement([("title", "Red rose")])
    #expect(try scene.place.purge(back).isRecorded)
    #expect(
      try Set(scene.place.shown("product/rose").values) == ["Red rose"]
        && scene.place.broken() == [])
    #expect(try scene.place.shown("product/rose", "care")["en"] == "Water it.")
  }

  @Test func reportsThatNoGoodReleaseExists() throws {
    let other = ChannelPlace(MemoryTarget())
    try Shop(PurgeScene.bad).publish(to: other)
    _ = try other.purge(scene.order)
    var back = scene.order
    back.remedy = .restoration
    let error = #expect(throws: DeliveryError.self) { try other.purge(back) }
    #expect(
      error?.description.contains(
        "every kept release of 'production' has only purged or equal forms")
        == true)
  }
}
