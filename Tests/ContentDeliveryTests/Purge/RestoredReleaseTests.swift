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
  private func purgeAndRestoreConfigWithObjects() throws {
    let config = try #require(memory.read("production/config.plist")).bytes
    let objects = try memory.list(below: "objects/").map { file in
      (key: file.key, bytes: try #require(memory.read(file.key)).bytes)
    }
    try place.purge(tulip)
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

  /// Apps ignore the restored config, but not a purge, whose numbers are higher.
  @Test(arguments: [[], [ContentPath("title")]])
  func goesLiveWithNumbersAboveAll(fields: [ContentPath?]) async throws {
    let reader = try reader()
    #expect(await reader.refresh() && reader.screen["product/rose"] != nil)
    try purgeAndRestoreConfigWithObjects()
    var order = rose
    order.fields = fields.compactMap(\.self)
    let begun = try place.purge(order).begun
    #expect(begun.number == 2 && begun.release == 3)
    #expect(begun.entries == ["product/rose"])
    #expect(await reader.refresh() && reader.shownRelease == 3)
    #expect(try place.broken() == [] && place.live()?.purge?["missedAfter"]?.number == 0)
    // The state stays, and the purge since is none of the missed ones.
    #expect(try place.restoredConfig()?.value == ["missedPurges": [1], "above": 3])
    #expect(try place.purge(tulip).begun.number == 3)
    #expect(try place.shown("product/tulip") == [:])
    let restored = try #require(try place.restoredConfig())
    #expect(restored.value == ["missedPurges": [1], "above": 4])
    #expect(throws: restored.refusal) { try publication([:]) }
  }

  @Test func rollbacksAndPromotionsAreRefused() throws {
    try Shop(Self.swear.merging(["entries/product/lily.yaml": "title: Lily\n"]) { $1 })
      .publish(to: place)
    try purgeAndRestoreConfigWithObjects()
    let restored = try #require(try place.restoredConfig())
    #expect(throws: restored.refusal) { try place.rollBack(to: 1) }
  }

  @Test func aboveNamesWhatMissedPurgesRemoved() throws {
    let backup = try #require(memory.read("production/config.plist")).bytes
    try place.purge(tulip)
    try place.purge(rose)
    memory.restore(config: backup)
    let restored = try #require(try place.restoredConfig())
    #expect(restored.value == ["missedPurges": [1, 2], "above": 3])
    #expect(restored.sentence.contains("older than purge 2 (release 3)"))
    let purges = try PurgeList(place, live: place.live()).readAll()
    let purged = try purges.flatMap { try place.objects(of: $0) }
    let corrected = ["tulip", "rose"].map { ("entries/product/\($0).yaml", "title: New\n") }
    try place.publishAboveAll(Shop(Dictionary(corrected) { $1 }), unpurged: ["product/rose"])
    let block = try #require(try place.live()?.purge)
    #expect(
      block["sequence"]?.number == 3 && block["entries"] == ["product/rose", "product/tulip"])
    let named = Set((block["objects"]?.items ?? []).compactMap(\.digest))
    let shown = Set(try #require(try place.live()).record.objects.map(\.digest))
    #expect(named == Set(purged.map(\.digest)).subtracting(shown))
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
    var above = draft
    above.above = sent.recordAhead
    guard
      case .released(let record, _) = try Shop().publisher(of: bucket).publish({ [above] _ in above
      })
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
