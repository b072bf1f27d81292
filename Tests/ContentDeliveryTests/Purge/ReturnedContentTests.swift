import ContentModel
import Synchronization
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purged content that returns although some bundles never showed it.
///
/// The catalog of the shop has only titles, so it has the same form of an entry whose advice is bad.
@Suite struct ReturnedContentTests {
  private let place = ChannelPlace(MemoryTarget())
  private static let bad = rose(care: "Swear word.")

  private static func rose(title: String = "Rose", care: String, price: Int = 1) -> [String: String]
  {
    ["entries/product/rose.yaml": "title: \(title)\ncare: \(care)\nprice: \(price)\n"]
  }

  private func expectRefusal(
    _ edits: [String: String] = bad, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try place.live()?.number
    let error = #expect(throws: DeliveryError.self, sourceLocation: sourceLocation) {
      try Shop(edits).publish(to: place)
    }
    #expect(
      error?.description.contains("as it was when purge 1 removed it (A swear word)") == true,
      "\(String(describing: error))", sourceLocation: sourceLocation)
    #expect(try place.live()?.number == before, sourceLocation: sourceLocation)
  }

  private func publishBad(_ edits: [String: String] = bad) throws {
    try Shop().publish(to: place)
    try Shop(edits).publish(to: place)
  }

  @Test func publishRefusesTheFormThatARestorationReplacedInSomeBundles() throws {
    try publishBad()
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    try expectRefusal()
    try Shop().publish(to: place)
    try expectRefusal()
    try Shop(Self.rose(care: "Water it well.")).publish(to: place)
  }

  /// The restoration changed the English title in every bundle, so a new title may be the
  /// correction.
  @Test func publishAcceptsACorrectionInABundleThatTheRestorationChanged() throws {
    try publishBad(Self.rose(title: "Bad", care: "Cold."))
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    try expectRefusal(Self.rose(title: "Bad", care: "Cold."))
    // French readers had the bad care only in bundles that also show the title.
    let french = ["entries/product/rose.fr.yaml": "title: Une autre rose\n"]
    let good = Self.rose(title: "Good", care: "Cold.").merging(french) { $1 }
    try Shop(good).publish(to: place)
  }

  /// Each reader's bundles count by themselves: only the French catalog had a bad title.
  @Test func publishRefusesWhatOneReaderLostInFewerBundlesThanAnother() throws {
    let french = "entries/product/rose.fr.yaml"
    try publishBad(Self.bad.merging([french: "title: Gros mot\n"]) { $1 })
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    try expectRefusal(Self.bad.merging([french: "title: Une rose\n"]) { $1 })
  }

  @Test func publishRefusesTheFormThatSomeReadersLost() throws {
    let french = ["entries/product/rose.fr.yaml": "care: Gros mot.\n"]
    try publishBad(french)
    var order = PurgePlanTests.order(["product/rose"])
    order.locales = ["fr"]
    try place.purge(order)
    try expectRefusal(french)
    try Shop(["entries/product/rose.fr.yaml": "care: De l'eau.\n"]).publish(to: place)
  }

  /// A new title corrects nothing for readers outside France, whose bundles the purge left alone.
  @Test func publishRefusesWhatOnlyOneVariantLost() throws {
    let french = "[{say: Open}, {say: Swear word, when: {country: FR}}]"
    try Shop(Self.note(texts: "[{say: Open}]")).publish(to: place)
    try Shop(Self.note(texts: french)).publish(to: place)
    try place.purge(PurgePlanTests.order(["note/hours"], .restoration))
    try expectRefusal(Self.note(title: "Our hours", texts: "[{say: Open}, {say: Swear word}]"))
    try Shop(Self.note(title: "Our hours", texts: "[{say: Open}, {say: Sundays}]")).publish(
      to: place)
  }

  /// An entry whose list is in two bundles, each with another field.
  private static func note(title: String = "Hours", texts: String) -> [String: String] {
    [
      "content.yaml": Shop.project(
        "  heads: {include: note/*, projection: head}\n  feet: {include: note/*, projection: foot}"),
      "datatypes/note.yaml": """
      fields:
        title: {type: string}
        texts: {type: list, of: {type: object, fields: {say: {type: string}}}}
        foot: {type: string}
      projections:
        head: [title, texts]
        foot: [texts, foot]
      """,
      "entries/note/hours.yaml": "title: \(title)\ntexts: \(texts)\nfoot: Welcome\n",
    ]
  }

  @Test func publishRefusesTheFormThatAReleaseBroughtToSomeBundles() throws {
    try publishBad()
    try place.purge(PurgeOrder(.release(2), reason: "A swear word"))
    try expectRefusal()
    try Shop(Self.rose(care: "Water it well.")).publish(to: place)
  }

  @Test func promoteRefusesTheFormThatARestorationReplaced() throws {
    let other = ChannelPlace(place.target, channel: "qa")
    try Shop(Self.bad).publish(to: other)
    try publishBad()
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    let live = try #require(try other.live())
    #expect(throws: DeliveryError.self) {
      try Shop().publisher(of: place).publish { _ in Draft(content: live.content(at: place.target))
      }
    }
  }

  @Test func unpurgeLetsTheFormReturn() throws {
    try publishBad()
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    try Shop(Self.bad).publish(to: place, unpurged: ["product/rose"])
    #expect(try place.files(holding: "Swear word") != [])
  }

  /// A purge for all readers needs no names: the entry went from all bundles that showed it.
  @Test func aPurgeOfWholeEntriesNotesNoBundles() throws {
    try publishBad()
    let live = try #require(try place.live())
    let plan = try PurgePlanner(place, live: live).plan(PurgePlanTests.order(["product/rose"]))
    #expect(plan.contents.count == 1 && plan.contents.first?.bundles == nil)
    let restoring = PurgePlanTests.order(["product/rose"], .restoration)
    let restored = try PurgePlanner(place, live: live).plan(restoring)
    #expect(restored.contents.first?.bundles?.map(\.names) == [["product"]])
    #expect(restored.contents.first?.bundles?.first?.contexts.count == 8)
    #expect(restored.contents.first?.fields?.keys.map(\.text) == ["care"])
  }
}

/// The warnings about values that return with another form of a purged entry.
extension ReturnedContentTests {
  /// Publishes, and returns the entries that the publisher warns about.
  private func publish(
    _ edits: [String: String], unpurged: Set<String> = [], above: Int? = nil
  ) throws -> [Draft.ReturnedEntry]? {
    let found = Mutex<[Draft.ReturnedEntry]?>(nil)
    let shop = Shop(edits)
    var draft = Draft(content: try shop.content())
    (draft.readmitted, draft.above) = (unpurged, above)
    draft.returnedEntries = { entries in found.withLock { $0 = entries } }
    _ = try shop.publisher(of: place).publish { [draft] _ in draft }
    return found.withLock { $0 }
  }

  private func returned(_ fields: String...) -> [Draft.ReturnedEntry] {
    [
      Draft.ReturnedEntry(
        id: "product/rose", fields: fields, purge: 1, reason: "A swear word")
    ]
  }

  @Test func namesTheFieldsThatReturnAfterAPurge() throws {
    try publishBad()
    try place.purge(PurgePlanTests.order(["product/rose"]))
    let other = Self.rose(care: "Swear word.", price: 2)
    #expect(try publish(other) == returned("care", "title"))
    // Readers have got these values already.
    #expect(try publish(other.merging(["entries/product/iris.yaml": "title: Iris\n"]) { $1 }) == [])
    #expect(try publish(Self.rose(care: "Swear word.", price: 3)) == [])
  }

  /// Readers see the values only because config was restored.
  @Test func namesWhatAMissedPurgeRemovedEvenIfReadersSeeIt() throws {
    try publishBad()
    let memory = try #require(place.target as? MemoryTarget)
    let config = try #require(memory.read("production/config.plist")).bytes
    let objects = try memory.list(below: "objects/").map { file in
      (key: file.key, bytes: try #require(memory.read(file.key)).bytes)
    }
    try place.purge(PurgePlanTests.order(["product/rose"]))
    memory.restore(config: config)
    for object in objects {
      _ = memory.create(object.key, as: OutgoingFile(bytes: object.bytes))
    }
    let above = try #require(try place.restoredConfig()).highestRelease
    let other = Self.rose(care: "Swear word.", price: 2)
    #expect(try publish(other, above: above) == returned("care", "title"))
  }

  @Test func namesOnlyTheFieldsThatARestorationChanged() throws {
    try publishBad(Self.rose(care: "Swear word.", price: 2))
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    #expect(try publish(Self.rose(care: "Swear word.", price: 3)) == returned("care"))
  }

  @Test func warnsAboutNothingIfTheEntryIsCorrectedOrAllowed() throws {
    try publishBad()
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    #expect(try publish(Self.rose(care: "Water it well.")) == [])
    #expect(try publish(Self.bad, unpurged: ["product/rose"]) == [])
    #expect(try publish([:]) == [])
  }

  @Test func aWarningCanRefuseThePublication() throws {
    struct Refused: Error {}
    try publishBad()
    try place.purge(PurgePlanTests.order(["product/rose"]))
    let before = try place.live()?.number
    let shop = Shop(Self.rose(care: "Swear word.", price: 2))
    var draft = Draft(content: try shop.content())
    draft.returnedEntries = { _ in throw Refused() }
    #expect(throws: Refused.self) {
      try shop.publisher(of: place).publish { [draft] _ in draft }
    }
    #expect(try place.live()?.number == before)
  }

  @Test("names no fields of a purge of an earlier version, which noted none")
  func namesOnlyTheEntryOfAnEarlierVersion() throws {
    try publishBad()
    try place.purge(PurgePlanTests.order(["product/rose"]))
    let live = try #require(try place.live())
    var purge = try #require(try PurgeList(place, live: live).readAll().first?.begun)
    purge.contents[0].fields = nil
    let changed = ReleaseReader(try Shop(Self.rose(care: "Cold.")).content())
    let shown = ReleaseReader(live.content(at: place.target))
    #expect(
      try ReturnedEntries(in: changed, after: shown).entries(of: [purge], besides: [])
        == returned())
    #expect(
      try ReturnedEntries(in: changed, after: changed).entries(of: [purge], besides: []) == [])
  }
}

/// The entry has an asset that is a property list, but no bundle.
extension ReturnedContentTests {
  private static func rose(withJSONAnd care: String) -> [String: String] {
    PurgePlanTests.picture.merging([
      "entries/product/rose.yaml": "title: Rose\ncare: \(care)\npicture: rose.json\n",
      "assets/rose.json": #"{"a": null}"#,
    ]) { $1 }
  }

  @Test(arguments: [
    PurgePlanTests.order(["product/rose"]), PurgePlanTests.order(["product/rose"], .restoration),
    PurgeOrder(.release(2), reason: "A swear word"),
  ]) func acceptsACorrectionOfAnEntryWithAJSONFile(order: PurgeOrder) throws {
    try Shop(Self.rose(withJSONAnd: "Water it.")).publish(to: place)
    try Shop(Self.rose(withJSONAnd: "Swear word.")).publish(to: place)
    try place.purge(order)
    #expect(try place.files(holding: "Swear word") == [])
    try expectRefusal(Self.rose(withJSONAnd: "Swear word."))
    let returned = try #require(try publish(Self.rose(withJSONAnd: "Water it well.")))
    #expect(returned.flatMap(\.fields).contains("care") == false)
  }
}
