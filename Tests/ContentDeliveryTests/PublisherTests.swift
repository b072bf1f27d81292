import ContentModel
import PropertyLists
import Synchronization
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The effects of a publication on a channel.
@Suite struct PublisherTests {
  let target = MemoryTarget()
  var place: ChannelPlace { ChannelPlace(target) }

  @Test func makesContentLive() throws {
    let shelf = Shelf(["rose": "Rose", "lily": "Lily"])
    guard case .released(let record, let sent) = try place.publish(shelf, message: "first") else {
      Issue.record("unchanged")
      return
    }
    #expect(
      record.number == 1 && record.contentRelease == 1 && record.previous == nil
        && record.message == "first")
    #expect(sent.objects == (try shelf.content().objects.count) && sent.found == 0)
    #expect(try ShelfReader(place: place).read() == shelf.texts)
    let live = try #require(try place.live())
    #expect(live.number == 1 && live.record.digest == record.digest)
    #expect(
      live.members["channel"] == "production" && live.members["objects"] == nil
        && live.members["run"] == nil)
  }

  @Test func sendsOnlyNewObjects() throws {
    try place.publish(Shelf(["rose": "Rose", "lily": "Lily"]))
    let before = Set(target.list(below: "objects/").map(\.key))
    guard
      case .released(let record, let sent) = try place.publish(
        Shelf(["rose": "Rosa", "lily": "Lily"]))
    else {
      Issue.record("unchanged")
      return
    }
    let after = Set(target.list(below: "objects/").map(\.key))
    #expect(record.number == 2 && record.previous != nil)
    #expect(sent.objects == after.subtracting(before).count && sent.objects > 0)
  }

  @Test func doesNotReleaseUnchangedContent() throws {
    try place.publish(Shelf(["rose": "Rose"]))
    guard case .unchanged(let record, _) = try place.publish(Shelf(["rose": "Rose"])) else {
      Issue.record("released")
      return
    }
    #expect(record.number == 1)
    #expect(target.list(below: "production/releases/").count == 1)
  }

  /// After an interruption, the last step tells what is known.
  @Test(arguments: [
    ("answered", [Publisher.SwapStep.begins(release: 1), .isLive(release: 1)]),
    ("refused", [.begins(release: 1), .isLost]), ("unanswered", [.begins(release: 1)]),
  ])
  func tellsTheStepsOfItsSwap(answer: String, expected: [Publisher.SwapStep]) throws {
    let scripted = ScriptedTarget(target) { write, work throws(TargetError) in
      guard write.key == "production/config.plist", answer != "answered" else {
        return try work()
      }
      if answer == "refused" { return false }
      throw TargetError(.unreachable, "no answer")
    }
    let steps = Mutex<[Publisher.SwapStep]>([])
    var publisher = ChannelPlace(scripted).publisher()
    publisher.watchSwap = { step in steps.withLock { $0.append(step) } }
    let content = try Shelf(["rose": "Rose"]).content()
    _ = try? publisher.publish { _ in Draft(content: content) }
    #expect(steps.withLock { $0 } == expected)
  }

  @Test func resendsLostObjectsOnRepair() throws {
    let shelf = Shelf(["rose": "Rose"])
    try place.publish(shelf)
    let lost = try #require(try shelf.content().objects.first)
    target.remove(lost.key)
    guard case .unchanged(_, let kept) = try place.publish(shelf) else {
      throw ShelfReader.Torn(what: "released")
    }
    #expect(kept.objects == 0 && target.read(lost.key) == nil)
    let outcome = try place.publisher().publish(repairs: true) { _ in
      Draft(content: try shelf.content())
    }
    guard case .unchanged(_, let sent) = outcome else { throw ShelfReader.Torn(what: "released") }
    #expect(sent.objects == 1 && target.read(lost.key) != nil)
    #expect(try place.live()?.number == 1)
  }

  @Test func replacesATruncatedObject() throws {
    let shelf = Shelf(["rose": "Rose"])
    let cut = try #require(try shelf.content().objects.first)
    let file = OutgoingFile(
      bytes: [1, 2, 3])
    #expect(target.create(cut.key, as: file))
    try place.publish(shelf)
    #expect(try ShelfReader(place: place).read() == shelf.texts)
    #expect(target.read(cut.key)?.bytes.count == cut.size)
  }

  @Test func keepsPurgeAndMaintenanceOfConfig() throws {
    try place.publish(Shelf(["rose": "Rose"]))
    let key = "production/config.plist"
    let stored = try #require(target.read(key))
    var members = try #require(try place.live()).members
    members["purge"] = [
      "sequence": 3, "minimumRelease": 1, "objects": [], "entries": ["product/tulip"],
    ]
    members["maintenance"] = [
      "active": true, "until": "2026-11-22T00:00:00Z", "retryAfter": 5, "payloads": ["en": [:]],
    ]
    let file = OutgoingFile(
      bytes: try Members.encoded(members)
    )
    #expect(target.replace(key, with: file, tagged: stored.tag))
    try place.publish(Shelf(["rose": "Rosa"]))
    let live = try #require(try place.live())
    #expect(live.number == 2 && live.purge?["sequence"] == 3)
    #expect(
      live.maintenance?["active"] == true
        && live.maintenance?["until"]?.instant?.rfc3339 == "2026-11-22T00:00:00Z")
    #expect(live.maintenance?["retryAfter"] == 120 && live.maintenance?["payloads"] == [:])
  }

  @Test func issuesEachReleaseLaterThanTheOneBefore() throws {
    for (minute, text) in [("30", "a"), ("10", "b"), ("10", "c")] {
      _ = try place.publisher(at: "2026-11-21T12:\(minute):00Z").publish { _ in
        Draft(content: try Shelf(["rose": text]).content())
      }
    }
    let issued = try place.history().compactMap(\.issued?.rfc3339)
    #expect(issued == ["2026-11-21T12:30:02Z", "2026-11-21T12:30:01Z", "2026-11-21T12:30:00Z"])
  }

  @Test func doesNotReplaceTheConfigOfAnotherApp() throws {
    try place.publish(Shelf(["rose": "Rose"]))
    let other = ChannelPlace(target: target, channel: "production", app: "bakery")
    #expect(throws: DeliveryError.self) {
      try other.publish(Shelf(["bread": "Bread"], app: "bakery"))
    }
    #expect(throws: DeliveryError.self) {
      try place.publish(Shelf(["rose": "Rose"], app: "bakery"))
    }
    #expect(try place.live()?.number == 1)
  }

  @Test(
    "refuses a config from which it cannot continue",
    arguments: [
      ["format": 2], ["release": 7], ["record": .string("00")], ["app": 1],
    ] as [Members])
  func refusesAnInconsistentConfig(change: Members) throws {
    try place.publish(Shelf(["rose": "Rose"]))
    let key = "production/config.plist"
    var members = try #require(try place.live()).members
    for (name, value) in change { members[name] = value }
    let stored = try #require(target.read(key))
    let file = OutgoingFile(
      bytes: try Members.encoded(members)
    )
    #expect(target.replace(key, with: file, tagged: stored.tag))
    let before = target.list(below: "")
    let error = #expect(throws: DeliveryError.self) { try place.publish(Shelf(["rose": "Rosa"])) }
    #expect(error?.kind == .refused)
    #expect(target.list(below: "") == before)
  }

  @Test func namesTheReleaseThatWonTheSwap() throws {
    try place.publish(Shelf(["rose": "Rose"]))
    let error = #expect(throws: DeliveryError.self) {
      _ = try place.publisher(run: "slow").publish { _ in
        // Another machine publishes meanwhile.
        let fast = ChannelPlace(UnlockedTarget(target: target))
        try fast.publish(Shelf(["rose": "Fast"]), message: "typo", run: "fast")
        return Draft(content: try Shelf(["rose": "Slow"]).content())
      }
    }
    #expect(error?.kind == .lost && error?.description.contains("release 2") == true)
    #expect(error?.description.contains("typo") == true)
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Fast"]).texts)
  }

  /// A bucket takes config, its answer is lost, and a busy publisher follows.
  @Test(arguments: [true, false])
  func reportsItsReleaseAfterALostAnswerAndAnotherRelease(isRepeated: Bool) throws {
    try place.publish(Shelf(["rose": "Rose"]))
    let lossy = ScriptedTarget(
      target, losingAnswerTo: "production/config.plist", isRepeated: isRepeated
    ) { [place] in
      try place.republish()
    }
    let outcome = try ChannelPlace(lossy).publish(Shelf(["rose": "Rosa"]), run: "slow")
    guard case .released(let record, _) = outcome else { throw ShelfReader.Torn(what: "unchanged") }
    #expect(try record.number == 2 && place.live()?.number == 3)
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rosa"]).texts)
  }

  /// A removal that is only confirmed would hide restored content from later purges.
  @Test func readsTheRemovalOfTheSearchedReleasesBack() throws {
    try place.publish(Shelf(["rose": "Rose"]))
    let file = OutgoingFile(bytes: [1])
    #expect(target.create(place.retiredReleasesKey, as: file))
    let dropping = ScriptedTarget(target) { write, work throws(TargetError) in
      if case .remove = write { return true }
      return try work()
    }
    let error = #expect(throws: DeliveryError.self) {
      _ = try ChannelPlace(dropping).publisher().publish(repairs: true) { _ in
        Draft(content: try Shelf(["rose": "Rosa"]).content())
      }
    }
    #expect(error?.description.contains("still has it; nothing was changed") == true)
    #expect(try place.live()?.number == 1)
  }
}

extension Members {
  static func encoded(_ members: Members) throws -> [UInt8] {
    try PropertyListBytes.binary(.dictionary(members))
  }
}
