import ContentModel
import PropertyLists
import SiteFormat
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Rollouts at a target: what both sides get, and what every command leaves of them.
@Suite struct RolloutTests {
  private let memory = MemoryTarget()
  private var place: ChannelPlace { ChannelPlace(memory) }
  private static let rose = "product/rose"
  private static let rosa = [
    "entries/product/rose.yaml": "title: Rosa\ncare: Water it.\nprice: 1\n"
  ]
  private static let bad = [
    "entries/product/rose.yaml": "title: Rosa\ncare: Swear word.\nprice: 1\n"
  ]

  private func live() throws -> LiveRelease { try #require(try place.live()) }

  /// Begins a rollout of a shop, as `publish --to` does.
  private func begin(_ edits: [String: String] = rosa) throws {
    let shop = Shop(edits)
    try RolloutAction.start.publish(shop.content(), through: shop.publisher(of: place))
  }

  /// Publishes a shop as the next content, as `publish --replace-next` does; `known` is the rollout that
  /// the operator saw, by default the live one.
  private func replaceNext(_ edits: [String: String], known: Rollout? = nil) throws {
    let shop = Shop(edits)
    let draft = Draft(content: try shop.content())
    _ = try shop.publisher(of: place).publish { live in
      try draft.replacingNext(after: live, of: place, known: known ?? live?.rollout)
    }
  }

  private func change(_ change: Draft.RolloutChange) throws {
    _ = try Shop().publisher(of: place).publish { live in
      try Draft.changing(try #require(live), of: place, by: change)
    }
  }

  /// A field of the rose on the stable and on the next side, by all English readers.
  private func fields(_ field: String = "title") throws -> (stable: Value?, next: Value?) {
    let content = try live().content(at: memory)
    func shown(_ side: ReleaseContent) throws -> Value? {
      let reader = ReleaseReader(side)
      let rows = try reader.rows(ReleaseContext(locale: "en", device: "any"))
      let row = rows.first { $0.bundle == Self.rose }
      return try row.flatMap { try reader.entries(of: $0.object)[Self.rose]?["content"]?[field] }
    }
    return (try shown(content.stableSide()), try content.nextSide().flatMap(shown))
  }

  @Test func showsBothSides() throws {
    try Shop().publish(to: place)
    let before = try live()
    try begin()
    #expect(try fields() == ("Rose", "Rosa"))
    let now = try live()
    #expect(now.number == 2 && now.record.contentRelease == 1)
    #expect(now.rollout == Rollout(name: "r2", below: RolloutAction.tenth, release: 2))
    // Readers that do not know rollouts ignore one key.
    var members = now.members
    for key in ["next", "record", "release", "issued"] { members[key] = nil }
    var earlier = before.members
    for key in ["record", "release", "issued"] { earlier[key] = nil }
    #expect(members == earlier)
    // Of config, only what differs is there twice.
    let next = try #require(now.members["next"]?.members)
    #expect(next.map(\.key) == ["below", "build", "indexes", "name", "release"])
    #expect(try place.broken() == [])
  }

  @Test func endsAsAPublicationOrAsBefore() throws {
    try Shop().publish(to: place)
    let stable = try live().content(at: memory)
    try begin()
    try change(.step(Rollout(name: "r2", below: Rollout.everyone / 2, release: 2)))
    #expect(try live().number == 3 && live().rollout?.below == Rollout.everyone / 2)
    try change(.abort)
    var now = try live()
    #expect(now.number == 4 && now.record.contentRelease == 1 && now.rollout == nil)
    #expect(now.content(at: memory).isSame(as: stable.members))
    #expect(Set(now.record.objects) == Set(stable.objects))
    try begin()
    try change(.finish)
    now = try live()
    let whole = try Shop(Self.rosa).content()
    #expect(now.number == 6 && now.record.contentRelease == 6 && now.rollout == nil)
    #expect(now.content(at: memory).isSame(as: whole.members) && whole.isSame(as: now.members))
    #expect(Set(now.record.objects) == Set(whole.objects))
    #expect(now.record.dates == [] && now.members["format"] == 1)
  }

  /// The target lacks an index for a moment, and nobody knows to which objects this index leads.
  @Test(arguments: [Draft.RolloutChange.finish, .abort])
  func anEndKeepsTheObjectsOfAMissingIndex(change: Draft.RolloutChange) throws {
    try Shop().publish(to: place)
    try begin()
    let members = try live().members
    let side = try #require(change == .finish ? members.nextSide : members.stableSide)
    let index = try #require(side["indexes"]?["en"]?["any"]?.digest)
    let key = ReleaseObject(digest: index, fileExtension: "plist", size: 0).key
    let bytes = try #require(memory.read(key)).bytes
    memory.remove(key)
    try self.change(change)
    memory.overwrite(key, with: bytes)
    #expect(try live().number == 3 && live().rollout == nil && place.broken() == [])
  }

  /// Then `publish --if-due` must not publish the content folder.
  @Test func anAbortCountsAsARollback() throws {
    try Shop().publish(to: place)
    try begin()
    #expect(try !place.isRolledBack())
    try change(.abort)
    #expect(try place.isRolledBack())
    try begin()
    try change(.finish)
    #expect(try !place.isRolledBack())
  }

  /// The purge gives the stable side the number of its release.
  @Test func anAbortAfterAPurgeCountsAsARollback() throws {
    try Shop().publish(to: place)
    try begin()
    try place.purge(PurgePlanTests.order([Self.rose]))
    #expect(try live().record.contentRelease == 3 && !place.isRolledBack())
    try change(.abort)
    #expect(try live().number == 4 && live().record.contentRelease == 3)
    #expect(try place.isRolledBack())
  }

  /// Earlier programs would lose one side, and their purges would not search earlier next sides.
  @Test func earlierProgramsRefuseRecordsSinceTheFirstRollout() throws {
    try Shop().publish(to: place)
    #expect(try live().record.members["format"] == 1)
    try begin()
    #expect(try live().record.members["format"] == 2 && live().members["format"] == 1)
    try change(.abort)
    #expect(try live().record.members["format"] == 2 && live().members["format"] == 1)
  }

  @Test func refusesOtherContentMeanwhile() throws {
    try Shop().publish(to: place)
    try begin()
    let error = #expect(throws: DeliveryError.self) { try Shop().publish(to: place) }
    #expect(error?.kind == .rollout && error?.description.contains("10 % of the readers") == true)
    #expect(try live().number == 2)
    // The same readers get the replacement.
    try replaceNext(["entries/product/rose.yaml": "title: Better\n"])
    #expect(try fields() == ("Rose", "Better"))
    #expect(try live().rollout == Rollout(name: "r2", below: RolloutAction.tenth, release: 3))
  }

  /// Its operator saw other content, or another rollout, before the command waited.
  @Test func replacesOnlyTheContentThatItsOperatorSaw() throws {
    try Shop().publish(to: place)
    try begin()
    let seen = try live().rollout
    let better = ["entries/product/rose.yaml": "title: Better\n"]
    // Another step leaves the content.
    try change(.step(Rollout(name: "r2", below: Rollout.everyone / 2, release: 2)))
    try replaceNext(better, known: seen)
    #expect(try live().number == 4 && fields() == ("Rose", "Better"))
    func expectRefusal() throws {
      let error = #expect(throws: DeliveryError.self) { try replaceNext(Self.rosa, known: seen) }
      #expect(error?.kind == .rollout)
      let release = try #require(try live().rollout).release
      #expect(error?.description.contains("was faster: release \(release) reaches") == true)
      #expect(try fields() == ("Rose", "Better"))
    }
    try expectRefusal()
    try change(.abort)
    let none = #expect(throws: DeliveryError.self) { try replaceNext(Self.rosa, known: seen) }
    #expect(none?.kind == .unknown)
    try begin(better)
    #expect(try live().rollout?.name == "r6")
    try expectRefusal()
  }

  @Test func unchangedContentNeedsNoRollout() throws {
    try Shop().publish(to: place)
    try begin([:])
    #expect(try live().number == 1 && live().rollout == nil)
    try begin()
    // The same step again announces the release, and makes no other one.
    try change(.step(try #require(try live().rollout)))
    #expect(try live().number == 2)
  }

  @Test(arguments: [
    ["content.yaml": Shop.project().replacing("sourceLocale: en", with: "sourceLocale: de")],
    ["content.yaml": Shop.project("format: xml")],
  ])
  func refusesWhatBothSidesShare(edits: [String: String]) throws {
    try Shop().publish(to: place)
    let error = #expect(throws: DeliveryError.self) { try begin(edits) }
    #expect(error?.description.contains("a rollout cannot change it") == true)
    #expect(try live().number == 1)
  }

  @Test func asksAsOftenAsEitherSideNeeds() throws {
    try Shop(["content.yaml": Shop.project("ttl: {app: 10m}")]).publish(to: place)
    try begin(Self.rosa.merging(["content.yaml": Shop.project("ttl: {app: 5m}")]) { $1 })
    #expect(try live().members["ttl"] == 300 && live().members["next"]?["ttl"] == nil)
    try change(.abort)
    #expect(try live().members["ttl"] == 600)
    try begin(Self.rosa.merging(["content.yaml": Shop.project("ttl: {app: 5m}")]) { $1 })
    try change(.finish)
    #expect(try live().members["ttl"] == 300)
  }

  /// One side has a locale and a device that the other lacks.
  @Test func mergesIndexesForTheLocalesOfTheNextSide() throws {
    try Shop().publish(to: place)
    let project = Shop.project().replacing(
      "locales: [en, fr, fr-CA, de]", with: "locales: [en, fr, es]"
    )
    .replacing("devices: {phone: {}}", with: "devices: {phone: {}, watch: {}}")
    try begin(Self.rosa.merging(["content.yaml": project]) { $1 })
    let next = try #require(try live().members.nextSide)
    let whole = try Shop(Self.rosa.merging(["content.yaml": project]) { $1 }).content()
    #expect(next["indexes"] == whole.members["indexes"])
    #expect(next["locales"] == whole.members["locales"])
    #expect(try live().members.stableSide["locales"]?["de"] != nil)
  }
}

/// Emergencies during a rollout.
extension RolloutTests {
  @Test(arguments: ["both", "stable", "next"])
  func aPurgeRemovesFromBothSidesInOneSwap(side: String) throws {
    try Shop(side == "next" ? [:] : Self.bad).publish(to: place)
    try begin(
      side == "stable"
        ? Self.rosa : Self.bad.merging(["entries/product/iris.yaml": "title: I\n"]) { $1 }
    )
    #expect(try place.files(holding: "Swear word") != [])
    let outcome = try place.purge(PurgePlanTests.order([Self.rose]))
    #expect(outcome.failures == [] && outcome.isRecorded)
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
    #expect(try live().number == 3 && live().rollout?.release == 2)
    #expect(try fields() == (nil, nil))
    try change(.finish)
    #expect(try place.broken() == [] && fields() == (nil, nil))
  }

  /// Each side gets what it had before.
  @Test func aRestorationGivesTheNextSideWhatEverybodyHad() throws {
    try Shop().publish(to: place)
    try begin(Self.bad)
    #expect(try fields("care") == ("Water it.", "Swear word."))
    try place.purge(PurgePlanTests.order([Self.rose], fields: ["care"], .restoration))
    #expect(try fields("care") == ("Water it.", "Water it."))
    #expect(try fields() == ("Rose", "Rosa"))
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
  }

  /// Readers outside the rollout never got the bad form.
  @Test func aRestorationLeavesTheStableSideAlone() throws {
    for care in ["Old.", "Water it."] {
      try Shop(["entries/product/rose.yaml": "title: Rose\ncare: \(care)\nprice: 1\n"])
        .publish(to: place)
    }
    try begin(Self.bad)
    try place.purge(PurgePlanTests.order([Self.rose], .restoration))
    #expect(try fields("care") == ("Water it.", "Water it."))
    #expect(try fields() == ("Rose", "Rose"))
    // Both sides have the same form now, so that everybody gets the one before.
    try place.purge(PurgePlanTests.order([Self.rose], fields: ["care"], .restoration))
    #expect(try fields("care") == ("Old.", "Old.") && place.broken() == [])
  }

  /// The bad form was on the next side of an earlier release only.
  @Test(arguments: [true, false])
  func aPurgeFindsCopiesOfAnEarlierNextSide(isTakenBack: Bool) throws {
    try Shop().publish(to: place)
    try begin(Self.bad)
    var order = PurgePlanTests.order([Self.rose])
    if isTakenBack {
      try change(.abort)
      order.takesHistory = true
    } else {
      try replaceNext(Self.bad.merging(["entries/product/iris.yaml": "title: I\n"]) { $1 })
    }
    let outcome = try place.purge(order)
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
  }

  @Test func purgedContentDoesNotReturnOnEitherSide() throws {
    try Shop(Self.bad).publish(to: place)
    try place.purge(PurgePlanTests.order([Self.rose]))
    let error = #expect(throws: DeliveryError.self) { try begin(Self.bad) }
    #expect(error?.kind == .refused)
    try begin()
    #expect(try fields() == (nil, "Rosa"))
  }

  @Test func aPurgeOfAReleaseNeedsTheEndOfTheRollout() throws {
    try Shop().publish(to: place)
    try begin(Self.bad)
    for number in [1, 2] {
      let error = try place.refusal(of: PurgeOrder(.release(number), reason: "A swear word"))
      #expect([.refused, .rollout, .unknown].contains(error?.kind))
    }
    try change(.finish)
    try place.purge(PurgeOrder(.release(3), reason: "A swear word"))
    #expect(try live().rollout == nil && fields().stable == "Rose")
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
  }

  @Test func maintenanceChangesBothSides() throws {
    try Shop(["maintenance.yaml": "title: Back soon\n"]).publish(to: place)
    try begin(Self.rosa.merging(["maintenance.yaml": "title: Soon\n"]) { $1 })
    var publisher = place.publisher()
    publisher.givesWay = false
    for isActive in [true, false] {
      _ = try publisher.publish { live in
        let live = try #require(live)
        let content = live.content(at: memory, without: MaintenanceSwitch(live.maintenance))
        return Draft(
          content: content, of: live.record.contentRelease,
          maintenance: MaintenanceSwitch(isActive: isActive))
      }
      let live = try live()
      #expect(live.rollout?.release == 2 && live.maintenance?["active"] == .boolean(isActive))
      let next = live.members.nextSide?["maintenance"]
      #expect(next?["active"] == .boolean(isActive))
      #expect(next?["payloads"] != live.maintenance?["payloads"])
    }
    try change(.finish)
    let whole = try Shop(Self.rosa.merging(["maintenance.yaml": "title: Soon\n"]) { $1 }).content()
    #expect(try live().maintenance?["payloads"] == whole.members["maintenance"]?["payloads"])
    #expect(try place.broken() == [])
  }

  /// The stable side of the old config shows what the purge removed, so the rollout cannot go on.
  @Test func aRestoredConfigEndsTheRollout() throws {
    try Shop(Self.bad).publish(to: place)
    try begin()
    let backup = try #require(memory.read("production/config.plist")).bytes
    try place.purge(PurgePlanTests.order([Self.rose]))
    memory.restore(config: backup)
    let restored = try #require(try place.restoredConfig())
    #expect(restored.command == "contentc publish production --above 3 --replace-next")
    #expect(restored.mending.contains("leave out '--replace-next'"))
    let corrected = Shop(["entries/product/rose.yaml": "title: Rosa\ncare: Cold.\nprice: 1\n"])
    let error = #expect(throws: DeliveryError.self) { try corrected.publish(to: place) }
    #expect(error == restored.refusal)
    _ = try place.publishAboveAll(corrected)
    #expect(try live().number == 4 && live().rollout == nil && fields().stable == "Rosa")
    #expect(try place.restoredConfig() == nil && place.broken() == [])
  }

  /// The purge removed an entry of the next side only.
  @Test func aRolloutGoesOnAfterARestoredConfig() throws {
    try Shop().publish(to: place)
    try begin(Self.rosa.merging(["entries/product/aster.yaml": "title: Swear word\n"]) { $1 })
    let backup = try #require(memory.read("production/config.plist")).bytes
    try place.purge(PurgePlanTests.order(["product/aster"]))
    memory.restore(config: backup)
    let above = try #require(try place.restoredConfig()).highestRelease
    var corrected = Draft(content: try Shop(Self.rosa).content())
    corrected.above = above
    _ = try Shop(Self.rosa).publisher(of: place).publish { [corrected] live in
      try corrected.replacingNext(after: live, of: place, known: live?.rollout)
    }
    #expect(try live().rollout?.release == 4 && fields() == ("Rose", "Rosa"))
    #expect(try place.restoredConfig() == nil && place.broken() == [])
  }
}

/// The rule of groups.
@Suite struct RolloutGroupTests {
  @Test func numbersAreThoseOfNimbus() {
    #expect(Rollout.number(of: "1234", in: "test_namespace") == 0x361b_64ba_3862)
    let nimbus = Digest(of: Array(#"[1234,"test_namespace"]"#.utf8)).bytes.prefix(6)
    #expect(nimbus.elementsEqual([0x2a, 0x6e, 0x18, 0xa8, 0x6e, 0xdc]))
  }

  /// Nobody returns to the stable side, except by the abort.
  @Test func aHundredThousandReadersOnlyGoForward() {
    let percentages: [(name: String, percent: Int)] = [
      ("r2", 1), ("r2", 10), ("r2", 50), ("r2", 0), ("r6", 10), ("r6", 100),
    ]
    var groups = [[Bool]](repeating: [], count: percentages.count)
    for reader in 0..<100_000 {
      let unit = Digest(of: Array("reader \(reader)".utf8)).hex.prefix(32)
      for (step, (name, percent)) in percentages.enumerated() {
        let rollout = Rollout(name: name, below: Rollout.everyone / 100 * percent, release: 1)
        groups[step].append(rollout.includes(String(unit)))
      }
      #expect(!groups[0][reader] || groups[1][reader])
      #expect(!groups[1][reader] || groups[2][reader])
      #expect(!groups[4][reader] || groups[5][reader])
    }
    for (group, (_, percent)) in zip(groups, percentages) {
      // Four standard deviations.
      let expected = Double(percent) * 1_000
      let deviation = (expected * (1 - Double(percent) / 100)).squareRoot()
      #expect(abs(Double(group.count { $0 }) - expected) <= 4 * deviation + 1)
    }
    // The groups of the two rollouts are independent: a tenth of a tenth is in both.
    let both = zip(groups[1], groups[4]).count { $0 && $1 }
    #expect(abs(Double(both) - 1_000) <= 4 * 31.5)
  }

  @Test(arguments: [
    ("10", "10 %"), ("10%", "10 %"), ("0.5%", "0.5 %"), ("33.3333%", "33.3333 %"),
    ("100%", "100 %"),
    ("0%", "0 %"), ("99.9999", "99.9999 %"), ("0.0001", "0.0001 %"), ("1.10%", "1.1 %"),
  ])
  func percentagesAreReadAndShown(text: String, shown: String) throws {
    let below = try #require(Rollout.limit(percent: text))
    #expect(Rollout(name: "a", below: below, release: 1).percent == shown)
    #expect(Rollout.limit(percent: "100%") == Rollout.everyone && Rollout.limit(percent: "0") == 0)
  }

  @Test(arguments: [
    "", "%", "101%", "100.1%", "-1", "1e1", "1.23456", "ten", "10 %", "1.", ".5", "٣",
  ])
  func otherTextsAreNoPercentage(text: String) { #expect(Rollout.limit(percent: text) == nil) }

  /// Mends of a config that count as none.
  @Test(arguments: [
    ("name", Value.string("A")), ("name", .string("")), ("name", .integer(1)),
    ("name", .string(String(repeating: "a", count: 65))), ("below", .integer(-1)),
    ("below", .integer(1 << 48 + 1)), ("below", .string("x")), ("below", .real(.infinity)),
    ("release", .integer(-1)), ("release", .integer(.max)), ("testers", .string("x")),
    ("testers", .array([.integer(-1)])), ("testers", .array([.integer(1), .integer(1)])),
    ("testers", .array((0...100).map { .integer($0) })), ("without", .array([.integer(1)])),
    ("without", .string("x")), ("indexes", .array([])), ("indexes", ["en": "x"] as Value),
  ])
  func aMalformedNextCountsAsNone(key: String, value: Value) {
    var next: Members = ["name": "a", "below": 1, "release": 1]
    var config: Members = ["ttl": 1, "next": .dictionary(next)]
    #expect(config.rollout != nil)
    next[key] = value
    config["next"] = .dictionary(next)
    #expect(config.rollout == nil && config.nextSide == nil)
  }

  /// A forged next cannot change what both sides share.
  @Test func bothSidesShareTheirIdentity() throws {
    var next: Members = [
      "name": "a", "below": 1, "release": 1,
      "without": .array(["release", "purge", "minimumApp"].map(Value.string)),
    ]
    for key in ["app", "channel", "format", "issued", "purge", "record"] { next[key] = "forged" }
    let config: Members = [
      "app": "shop", "channel": "qa", "format": 1, "release": 7, "purge": ["sequence": 1],
      "minimumApp": "2", "next": .dictionary(next),
    ]
    let side = try #require(config.nextSide)
    var expected = config.stableSide
    expected["minimumApp"] = nil
    expected["indexes"] = .dictionary(Members())
    #expect(side == expected)
  }
}
