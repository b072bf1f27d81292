import ContentModel
import ContentTargets
import PropertyLists
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// Purges and rollbacks while config is older than a purge or a release, since it was restored from a
/// backup.
@Suite struct RestoredReleaseTests {
  private static let swear = ["entries/product/tulip.yaml": "title: Swear word\n"]
  private let memory = MemoryTarget()
  private let place: ChannelPlace
  private let tulip = PurgeOrder(.entries(["product/tulip"]), reason: "A swear word")
  private let rose = PurgeOrder(.entries(["product/rose"]), reason: "Another word")

  init() throws {
    place = ChannelPlace(memory)
    try Shop(Self.swear).publish(to: place)
  }

  /// Purges the tulip, and restores a config from before, with its objects.
  private func purgeAndRestoreConfigWithObjects(
    _ backup: [UInt8]? = nil, by order: PurgeOrder? = nil
  ) throws {
    let config = try backup ?? #require(memory.read("production/config.plist")).bytes
    let objects = try memory.list(below: "objects/").map { file in
      (key: file.key, bytes: try #require(memory.read(file.key)).bytes)
    }
    try place.purge(order ?? tulip)
    memory.restore(config: config)
    for object in objects {
      _ = memory.create(object.key, as: OutgoingFile(bytes: object.bytes))
    }
  }

  private func publication(_ files: [String: String]) throws -> Publisher.Outcome {
    let draft = Draft(content: try Shop(files).content())
    return try Shop().publisher(of: place).publish { _ in draft }
  }

  private func reader() throws -> ClientReader {
    try ClientReader(channel: "production", locale: "en") { [place] key in
      try place.target.read(key)?.bytes
    }
  }

  // MARK: Other purges

  /// Apps ignore the restored config, but not a purge, whose number is higher.
  @Test(arguments: [[], [ContentPath("title")]])
  func endsWithAnotherPurgeThatRemovesTheContentAgain(fields: [ContentPath?]) async throws {
    let reader = try reader()
    #expect(await reader.refresh() && reader.screen["product/tulip"] != nil)
    try purgeAndRestoreConfigWithObjects()
    #expect(try place.shown("product/tulip")["en"] == "Swear word")
    var order = rose
    order.fields = fields.compactMap(\.self)
    let manifest = try place.purge(order).manifest
    #expect(manifest.sequence == 2 && manifest.release == 3)
    #expect(manifest.entries == ["product/rose", "product/tulip"])
    #expect(await reader.refresh() && reader.screen["product/tulip"] == nil)
    #expect(try place.shown("product/tulip") == [:] && place.broken() == [])
    #expect(try place.files(holding: "Swear word") == [])
    #expect(try PurgeLedger(place, live: place.live()).firstMissed == nil)
    #expect(try place.live()?.purge?["missedAfter"] == nil)
    let error = #expect(throws: DeliveryError.self) { try publication(Self.swear) }
    #expect(error?.description.contains("--unpurge product/tulip") == true)
  }

  /// The backup may have the entry in a form that no purge removed.
  @Test func anotherPurgeLeavesOtherForms() throws {
    let corrected = ["entries/product/tulip.yaml": "title: Tulip\n"]
    try Shop(corrected).publish(to: place)
    let backup = try #require(memory.read("production/config.plist")).bytes
    try Shop(Self.swear).publish(to: place)
    try purgeAndRestoreConfigWithObjects(backup)
    let manifest = try place.purge(rose).manifest
    #expect(manifest.entries == ["product/rose"])
    #expect(try place.shown("product/tulip")["en"] == "Tulip" && place.broken() == [])
  }

  @Test func refusesAPurgeThatCannotRemoveTheContentAgain() throws {
    try purgeAndRestoreConfigWithObjects()
    var german = rose
    german.locales = ["de"]
    let error = try place.refusal(of: german)
    #expect(
      error?.description.hasSuffix(
        "purge both: contentc purge production product/rose product/tulip --reason \"Another word\""
      )
        == true, "\(error as Any)")
    let both = PurgeOrder(.entries(["product/rose", "product/tulip"]), reason: "Another word")
    try place.purge(both)
    #expect(try PurgeLedger(place, live: place.live()).firstMissed == nil)
    #expect(try place.broken() == [])
  }

  @Test(arguments: ["product/tulip", "product/rose"])
  func aReplacementIsNotRemovedAgain(id: String) throws {
    try purgeAndRestoreConfigWithObjects()
    var order = PurgeOrder(.entries([id]), reason: "A word")
    order.remedy = .replacement([("title", "Better")])
    try place.purge(order)
    #expect(try Set(place.shown(id).values) == ["Better"] && place.broken() == [])
    #expect(try place.files(holding: "Swear word") == [])
    #expect(try PurgeLedger(place, live: place.live()).firstMissed == nil)
  }

  /// The same words may have another effect on an older release.
  @Test func refusesTheSamePurgeIfOtherLocalesShowTheContent() throws {
    let backup = try #require(memory.read("production/config.plist")).bytes
    let french = [
      "entries/product/tulip.yaml": "title: Tulip\n",
      "entries/product/tulip.fr.yaml": "title: Swear word\n",
    ]
    try Shop(french).publish(to: place)
    var order = tulip
    (order.locales, order.commandWords) = (["fr"], ["product/tulip", "--locale", "fr"])
    try purgeAndRestoreConfigWithObjects(backup, by: order)
    let error = try place.refusal(of: order)
    #expect(
      error?.description.contains("contentc purge production product/tulip --reason") == true,
      "\(error as Any)")
    #expect(try place.purge(tulip).manifest.release == 4)
    #expect(try PurgeLedger(place, live: place.live()).firstMissed == nil)
  }

  @Test func contentThatReadersSeeAgainIsNoReasonToPublishNothing() throws {
    try purgeAndRestoreConfigWithObjects()
    let error = #expect(throws: DeliveryError.self) { try publication(Self.swear) }
    #expect(error?.description.contains("--unpurge product/tulip") == true)
  }

  @Test func namesAllMissedPurges() throws {
    let backup = try #require(memory.read("production/config.plist")).bytes
    try place.purge(tulip)
    try place.purge(rose)
    memory.restore(config: backup)
    let ledger = try PurgeLedger(place, live: place.live())
    #expect(try ledger.readMissed()?.numbers == [1, 2])
    #expect(try ledger.warningOfOlderConfig()?.contains("older than purges 1 and 2") == true)
    memory.remove("production/config.plist")
    let gone = try PurgeLedger(place, live: nil).warningOfOlderConfig()
    #expect(gone?.contains("is gone, after purges 1 and 2") == true, "\(gone ?? "no warning")")
    #expect(gone?.contains("live again") == false, "\(gone ?? "no warning")")
  }

  // MARK: Rollbacks

  /// Apps have seen the rollback, and ignore the restored config.
  @Test func sameContentIsPublishedAgainAboveARollback() async throws {
    let lily = Self.swear.merging(["entries/product/lily.yaml": "title: Lily\n"]) { $1 }
    try Shop(lily).publish(to: place)
    let backup = try #require(memory.read("production/config.plist")).bytes
    try place.rollBack(to: 1)
    let reader = try reader()
    #expect(await reader.refresh() && reader.shownRelease == 3)
    memory.restore(config: backup)
    guard case .released(let record, _) = try publication(lily) else {
      Issue.record("not published")
      return
    }
    #expect(record.number == 4)
    #expect(await reader.refresh() && reader.screen["product/lily"] != nil)
    guard case .unchanged = try publication(lily) else {
      Issue.record("published twice")
      return
    }
  }

  /// At a bucket, the record may be of a publisher at work, which has priority.
  @Test func sameContentDoesNotOvertakeAPublisherAtWork() throws {
    let lily = Self.swear.merging(["entries/product/lily.yaml": "title: Lily\n"]) { $1 }
    try Shop(lily).publish(to: place)
    let backup = try #require(memory.read("production/config.plist")).bytes
    try place.rollBack(to: 1)
    memory.restore(config: backup)
    memory.setTimes(to: Instant(secondsSince1970: 1_800_000_000))
    let bucket = ChannelPlace(UnlockedTarget(target: memory))
    let draft = Draft(content: try Shop(lily).content())
    guard case .unchanged(_, let sent) = try Shop().publisher(of: bucket).publish({ _ in draft })
    else {
      Issue.record("published")
      return
    }
    #expect(sent.recordAhead == 3)
    guard
      case .released(let record, _) = try Shop().publisher(of: bucket).publish(
        repairs: true, { _ in draft })
    else {
      Issue.record("not published")
      return
    }
    #expect(record.number == 4)
  }

  @Test func namesAReleaseThatWasLive() throws {
    let backup = try #require(memory.read("production/config.plist")).bytes
    for title in ["Rose", "Red rose"] {
      try Shop(["entries/product/rose.yaml": "title: \(title)\n"])
        .publish(to: place, unpurged: ["all"])
    }
    let live = try #require(try place.live())
    #expect(try place.releaseLost(after: live) == nil)
    memory.restore(config: backup)
    let lost = try place.releaseLost(after: #require(try place.live()))
    #expect(lost?.contains("although release 2 was live") == true, "\(lost as Any)")
    let error = #expect(throws: DeliveryError.self) { try place.rollbackTarget(3) }
    #expect(
      error?.description.contains("release 3 of 'production' is later than the live release 1")
        == true, "\(error as Any)")
  }
}
