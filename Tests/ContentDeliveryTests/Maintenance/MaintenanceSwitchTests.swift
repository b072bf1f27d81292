import ContentModel
import PropertyLists
import TestReaders
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The effect of a maintenance switch on config.
@Suite struct MaintenanceSwitchTests {
  let target = MemoryTarget()
  var place: ChannelPlace { ChannelPlace(target) }

  private func publish(_ maintenance: MaintenanceSwitch, message: MaintenanceMessage? = nil) throws
  {
    var publisher = place.publisher()
    publisher.givesWay = false
    _ = try publisher.publish { live in
      let live = try #require(live)
      let current = MaintenanceSwitch(live.maintenance)
      var content = live.content(at: target, without: current)
      if let message { content = message.added(to: content) }
      return Draft(content: content, of: live.record.contentRelease, maintenance: maintenance)
    }
  }

  private func live() throws -> LiveRelease { try #require(try place.live()) }

  /// After config was restored from a backup, indexes may be gone.
  ///
  /// A bundle of this size lets a publication of content read them.
  @Test func needsNoIndex() throws {
    let care = String(repeating: "Water it. ", count: 500_000)
    try Shop(["entries/product/rose.yaml": "title: Rose\ncare: \(care)\n"]).publish(to: place)
    let indexes = (try live().members["indexes"]?.members ?? Members()).flatMap { $0.value.digests }
    for digest in indexes {
      target.remove(ReleaseObject(digest: digest, fileExtension: "plist", size: 0).key)
    }
    #expect(!indexes.isEmpty)
    try publish(MaintenanceSwitch(isActive: true))
    #expect(try live().number == 2 && MaintenanceSwitch(live().maintenance).isActive)
  }

  @Test(arguments: [
    ("2026-11-21T09:59:59Z", MaintenanceSwitch.Phase.scheduled), ("2026-11-21T10:00:00Z", .on),
    ("2026-11-21T10:29:59Z", .on), ("2026-11-21T10:30:00Z", .over),
  ])
  func appliesWithinItsWindow(now: String, phase: MaintenanceSwitch.Phase) throws {
    let now = try #require(Instant(rfc3339: now))
    var maintenance = MaintenanceSwitch(
      isActive: true, from: Instant(rfc3339: "2026-11-21T10:00:00Z"),
      until: Instant(rfc3339: "2026-11-21T10:30:00Z"))
    #expect(maintenance.phase(at: now) == phase)
    maintenance.isActive = false
    #expect(maintenance.phase(at: now) == .off)
  }

  @Test(arguments: [
    ("2026-11-21T10:00:00Z", "2026-11-21T09:00:00Z", "would end"),
    ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z", "would end"),
    ("", "2026-11-21T07:00:00Z", "is past"),
    ("2026-11-21T06:00:00Z", "2026-11-21T08:00:00Z", "is past"),
    ("", "2026-11-21T08:00:01Z", ""), ("2026-11-21T10:00:00Z", "", ""),
  ])
  func explainsWhyAWindowIsInvalid(from: String, until: String, sentence: String) throws {
    let maintenance = MaintenanceSwitch(
      isActive: true, from: Instant(rfc3339: from), until: Instant(rfc3339: until))
    let problem = maintenance.problem(at: try #require(Instant(rfc3339: "2026-11-21T08:00:00Z")))
    #expect(problem?.contains(sentence) ?? sentence.isEmpty)
    #expect((problem == nil) == sentence.isEmpty)
  }

  @Test func publishesTheSameContentAsANewRelease() throws {
    let shelf = Shelf(["rose": "Rose"])
    try place.publish(shelf)
    let until = Instant(rfc3339: "2026-11-21T13:00:00Z")
    try publish(MaintenanceSwitch(isActive: true, until: until))
    let on = try live()
    #expect(on.number == 2 && on.record.contentRelease == 1)
    #expect(on.maintenance?["active"] == true && on.maintenance?["until"]?.instant == until)
    #expect(on.maintenance?["retryAfter"] == 120 && on.maintenance?["usual"] == nil)
    #expect(try ShelfReader(place: place).read() == shelf.texts)
    try publish(.off)
    let off = try live()
    #expect(
      off.number == 3 && off.maintenance?["active"] == false && off.maintenance?["until"] == nil)
  }

  @Test func keepsItsSettingsAcrossPublications() throws {
    try place.publish(Shelf(["rose": "Rose", "storm": "Storm"]))
    let content = try live().content(at: target)
    let message = try #require(
      try MaintenanceMessage(entry: "product/storm", of: ReleaseReader(content), retryAfter: 30))
    try publish(
      MaintenanceSwitch(isActive: true, retryAfter: 30, payloads: message.payloads),
      message: message)
    try place.publish(Shelf(["rose": "Rosa"]))
    let now = try live()
    #expect(now.number == 3 && now.maintenance?["retryAfter"] == 30)
    #expect(now.maintenance?["payloads"] == message.payloads)
    #expect(try text("fr") == ["title": "Storm, en français", "retryAfter": 30])
    // Readers load the texts from objects of the same release.
    #expect(message.objects.allSatisfy(now.record.objects.contains))

    try publish(.off)
    let off = try live()
    #expect(off.maintenance?["retryAfter"] == 120 && off.maintenance?["payloads"] == [:])
    #expect(
      off.maintenance?["usual"] == nil
        && !message.objects.contains(where: off.record.objects.contains))
  }

  @Test func doesNotMakeEqualContentARelease() throws {
    let shelf = Shelf(["rose": "Rose"])
    try place.publish(shelf)
    let message = try #require(
      try MaintenanceMessage(
        entry: "product/rose", of: ReleaseReader(try live().content(at: target)), retryAfter: nil))
    try publish(MaintenanceSwitch(isActive: true, payloads: message.payloads), message: message)
    guard case .unchanged(let record, _) = try place.publish(shelf) else {
      Issue.record("released")
      return
    }
    #expect(record.number == 2)
  }

  @Test func doesNotPromoteAMessage() throws {
    try place.publish(Shelf(["rose": "Rose"]))
    let message = try #require(
      try MaintenanceMessage(
        entry: "product/rose", of: ReleaseReader(try live().content(at: target)), retryAfter: 5))
    try publish(
      MaintenanceSwitch(isActive: true, retryAfter: 5, payloads: message.payloads), message: message
    )
    let other = ChannelPlace(target, channel: "other")
    let content = try live().content(at: target)
    _ = try other.publisher().publish { _ in Draft(content: content) }
    let promoted = try #require(try other.live())
    #expect(promoted.maintenance?["active"] == false && promoted.maintenance?["retryAfter"] == 120)
    #expect(promoted.maintenance?["payloads"] == [:])
  }

  @Test func hasNoMessageForAMissingEntry() throws {
    try place.publish(Shelf(["rose": "Rose"]))
    let reader = ReleaseReader(try live().content(at: target))
    #expect(try MaintenanceMessage(entry: "product/lily", of: reader, retryAfter: nil) == nil)
  }

  /// The message that readers of a locale see during maintenance.
  private func text(_ locale: String) throws -> Members? {
    let hash = try #require(try live().maintenance?["payloads"]?[locale]?["any"]?.digest)
    let key = ReleaseObject(digest: hash, fileExtension: "plist", size: 0).key
    return try PropertyList.decode(try #require(target.read(key)).bytes).value.members
  }
}
