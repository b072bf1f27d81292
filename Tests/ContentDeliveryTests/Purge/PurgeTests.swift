import ContentModel
import HTTPTransport
import PropertyLists
import Synchronization
import System
import TestReaders
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The effects of a purge on a release and on the target.
@Suite struct PurgeTests {
  let place = ChannelPlace(MemoryTarget())

  @discardableResult
  private func purge(_ order: PurgeOrder) throws -> Purge.Outcome {
    let live = try #require(try place.live())
    let purge = Purge(
      place, caches: CachePurge([], send: Self.nobody, environment: .system), site: nil,
      times: Purge.Times(originTimeout: 1, app: 600, origin: 0, offline: 3_600),
      environment: .system)
    let begun = try purge.begin(order, after: live, through: place.publisher(run: "purge"))
    return purge.finish(begun, live: try #require(try place.live()), watch: { _ in })
  }

  private static let nobody: CachePurge.Send = { _ throws(HTTPFailure) in
    throw HTTPFailure(.unconnected, mayHaveTakenEffect: false, reason: "nobody")
  }

  @Test func removesAnEntryFromEveryReaderAndFile() throws {
    try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(to: place)
    let outcome = try purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    #expect(outcome.failures == [])
    #expect(try place.shown("product/rose") == [:])
    #expect(try place.shown("product/iris").count == 4)
    #expect(try place.files(holding: "Swear word") == [])
    #expect(try place.broken() == [])
    let purge = try #require(try PurgeList(place, live: try place.live()).readAll().first)
    #expect(
      purge.begun.entries == ["product/rose"] && purge.begun.reason == "A swear word"
        && purge.begun.number == 1 && purge.listed.state == .finished)
    #expect(try place.live()?.number == 2)
  }

  /// Public files contain such items even though no reader shows them now.
  @Test func removesItemsAndEntriesOutsideTheirDates() throws {
    let home = """
      products: [product/iris]
      hero: product/iris
      news:
        - {id: early, text: Swear word, when: {from: 2999-01-01T00:00:00Z}}
        - {id: old, text: Fine, when: {until: 2001-01-01T00:00:00Z}}
      """
    try Shop([
      "entries/screen/home.yaml": home,
      "entries/product/rose.yaml": "{title: Swear word, when: {from: 2999-01-01T00:00:00Z}}",
    ]).publish(to: place)
    #expect(try place.files(holding: "Swear word") != [])
    var order = PurgeOrder(.entries(["screen/home"]), reason: "swear")
    order.fields = [try #require(ContentPath("news.early"))]
    try purge(order)
    try purge(PurgeOrder(.entries(["product/rose"]), reason: "swear"))
    #expect(try place.files(holding: "Swear word") == [])
    let news = try place.values("screen/home", "news")
    let date = Value.date(try #require(Instant(rfc3339: "2001-01-01T00:00:00Z")))
    #expect(news == [.array([["id": "old", "text": "Fine", "when": ["until": date]]])])
    #expect(try place.broken() == [])
  }

  @Test func removesTheDatesOfPurgedEntries() throws {
    var content = try Shop([
      "entries/product/rose.yaml": "{title: Rose, when: {from: 2031-01-01T00:00:00Z}}",
      "entries/product/lily.yaml":
        "{title: Lily, when: {from: 2031-01-01T00:00:00Z, until: 2032-01-01T00:00:00Z}}",
    ]).content()
    content.dates = try ReleaseReader(content).dates()
    _ = try Shop().publisher(of: place).publish { _ in Draft(content: content) }
    func dates() throws -> [String] {
      try #require(try place.live()).record.content(at: place.target).dates.map(\.rfc3339)
    }
    #expect(try dates() == ["2031-01-01T00:00:00Z", "2032-01-01T00:00:00Z"])
    try purge(PurgeOrder(.entries(["product/lily"]), reason: "swear"))
    // Another entry has the first date, too.
    #expect(try dates() == ["2031-01-01T00:00:00Z"])
    try purge(PurgeOrder(.entries(["product/rose"]), reason: "swear"))
    #expect(try dates() == [])
  }

  @Test func refusesPurgedContentWithOtherDates() throws {
    func home(_ date: String) -> [String: String] {
      let news = "news: [{id: a, text: Swear word, when: {from: \(date)}}]"
      return ["entries/screen/home.yaml": "products: [product/iris]\nhero: product/iris\n\(news)\n"]
    }
    try Shop(home("2030-01-01T00:00:00Z")).publish(to: place)
    try purge(PurgeOrder(.entries(["screen/home"]), reason: "swear"))
    let error = #expect(throws: DeliveryError.self) {
      try Shop(home("2031-01-01T00:00:00Z")).publish(to: place)
    }
    #expect(error?.description.contains("screen/home") == true)
  }

  @Test func removesPurgedEntriesFromListsThatReferenceThem() throws {
    try Shop().publish(to: place)
    try purge(PurgeOrder(.entries(["product/rose"]), reason: "gone"))
    let reader = ReleaseReader(try #require(try place.live()).content(at: place.target))
    let context = try #require(reader.contexts.first)
    let home = try #require(try reader.rows(context).first { $0.bundle == "home" })
    let products = try reader.entries(of: home.object)["screen/home"]?["content"]?["products"]
    #expect(products == ["product/lily", "product/iris"])
    let index = try reader.value(of: try #require(reader.index(of: context)))
    #expect(index["startup"]?["home"] == (try reader.value(of: home.object)))
  }

  /// An app may need the field; items of lists are removed.
  @Test func leavesFieldsThatReferToAPurgedEntry() throws {
    try Shop().publish(to: place)
    let order = PurgeOrder(.entries(["product/iris"]), reason: "gone")
    let live = try #require(try place.live())
    let plan = try PurgePlanner(place, live: live).plan(order)
    #expect(plan.referring.map(\.id) == ["screen/home"])
    #expect(plan.referring.map(\.field) == ["hero"] && plan.unlisted == ["screen/home"])
    try purge(order)
    #expect(try place.shown("product/iris") == [:] && place.broken() == [])
    let reader = ReleaseReader(try #require(try place.live()).content(at: place.target))
    let context = try #require(reader.contexts.first)
    let home = try #require(try reader.rows(context).first { $0.bundle == "home" })
    let content = try reader.entries(of: home.object)["screen/home"]?["content"]
    #expect(content?["hero"] == "product/iris")
    #expect(content?["products"]?.items?.contains("product/iris") == false)
  }

  @Test func restoresTheLastReleaseWithADifferentForm() throws {
    try Shop().publish(to: place)
    try Shop(["entries/product/lily.yaml": "title: Lilly\n"]).publish(to: place)
    try Shop([
      "entries/product/iris.yaml": "title: Swear word\n",
      "entries/product/lily.yaml": "title: Lilly\n",
    ])
    .publish(to: place)
    try Shop(["entries/product/iris.yaml": "title: Swear word\n"]).publish(to: place)
    let live = try #require(try place.live())
    let order = PurgeOrder(.entries(["product/iris"]), remedy: .restoration, reason: "A swear word")
    #expect(try PurgePlanner(place, live: live).plan(order).restoredFrom == 2)
    try purge(order)
    #expect(
      try place.shown("product/iris") == [
        "en": "Iris", "fr": "Iris", "fr-CA": "Iris", "de": "Iris",
      ])
    #expect(try place.shown("product/lily")["en"] == "Lily")
    #expect(try place.files(holding: "Swear word") == [])
    #expect(try place.broken() == [])
  }

  @Test func refusesToRestoreAnEntryThatNeverChanged() throws {
    try Shop().publish(to: place)
    let order = PurgeOrder(.entries(["product/iris"]), remedy: .restoration, reason: "x")
    #expect(throws: DeliveryError.self) { try purge(order) }
    #expect(try place.live()?.number == 1)
  }

  @Test func purgesOnlyTheNamedLocales() throws {
    try Shop(["entries/product/rose.fr.yaml": "title: Gros mot\n"]).publish(to: place)
    try purge(PurgeOrder(.entries(["product/rose"]), locales: ["fr"], reason: "A swear word"))
    #expect(try place.shown("product/rose") == ["en": "Rose", "de": "Rose"])
    #expect(try place.files(holding: "Gros mot") == [])
    #expect(try place.broken() == [])
    // Content that others still see is no reason to refuse a correction.
    try Shop().publish(to: place)
    #expect(try place.shown("product/rose")["fr-CA"] == "La rose")
  }

  @Test func removesOrReplacesOneField() throws {
    try Shop(["entries/product/rose.yaml": "title: Rose\ncare: Swear word\nprice: 1\n"]).publish(
      to: place)
    try purge(
      PurgeOrder(
        .entries(["product/rose"]), fields: [try #require(ContentPath("care"))],
        reason: "A swear word"))
    #expect(try place.shown("product/rose", "care")["en"] == "nothing")
    #expect(try place.shown("product/rose")["fr"] == "La rose")
    #expect(try place.files(holding: "Swear word") == [])
    let replacement = PurgeOrder.Remedy.replacement([("title", "Red rose"), ("price", 9)])
    try purge(PurgeOrder(.entries(["product/rose"]), remedy: replacement, reason: "Another word"))
    #expect(Set(try place.shown("product/rose").values) == ["Red rose"])
    #expect(try place.broken() == [])
    let purges = try PurgeList(place, live: try place.live()).readAll()
    #expect(purges.map(\.begun.number) == [1, 2])
    #expect(purges.map(\.listed.state) == [.finished, .finished])
  }

  @Test func removesCopiesInEarlierReleases() throws {
    try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(to: place)
    try Shop([
      "entries/product/rose.yaml": "title: Swear word\n",
      "entries/product/lily.yaml": "title: Lilly\n",
    ])
    .publish(to: place)
    try purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    #expect(try place.files(holding: "Swear word") == [])
    #expect(throws: DeliveryError.self) {
      let earlier = try place.rollbackTarget(1)
      _ = try place.publisher().publish { _ in
        Draft(content: earlier.content(at: place.target), of: earlier.contentRelease)
      }
    }
    #expect(try place.live()?.number == 3)
  }

  @Test func refusesPurgedContentUnlessUnpurged() throws {
    let bad = Shop(["entries/product/rose.yaml": "title: Swear word\n"])
    try bad.publish(to: place)
    try purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    // The refusal does not depend on other changes.
    let other = Shop([
      "entries/product/rose.yaml": "title: Swear word\n",
      "entries/product/iris.yaml": "title: Iris!\n",
    ])
    let error = #expect(throws: DeliveryError.self) { try other.publish(to: place) }
    #expect(
      error?.description.contains(
        "product/rose is, for de/any, de/phone and 6 other readers, as it was when purge 1 removed it (A swear word)"
      )
        == true)
    // The French text was harmless, but the order did not exclude it, so it was purged, too.
    #expect(throws: DeliveryError.self) {
      try Shop(["entries/product/rose.yaml": "title: Rose\n"]).publish(to: place)
    }
    try Shop(["entries/product/rose.fr.yaml": "title: Rose rouge\n"]).publish(to: place)
    #expect(try place.shown("product/rose")["en"] == "Rose")
    try bad.publish(to: place, unpurged: ["all"])
    #expect(try place.shown("product/rose")["en"] == "Swear word")
    // Once published on purpose, the entry needs no further permission.
    try other.publish(to: place)
    #expect(try place.broken() == [])
  }

  @Test func purgesARelease() throws {
    try Shop().publish(to: place)
    try Shop([
      "entries/product/rose.yaml": "title: Swear word\n",
      "entries/product/lily.yaml": "title: Lilly\n",
    ])
    .publish(to: place)
    try purge(PurgeOrder(.release(2), reason: "By mistake"))
    #expect(try place.shown("product/rose")["en"] == "Rose")
    #expect(try place.files(holding: "Swear word") == [])
    #expect(try place.broken() == [])
    #expect(try place.history().map(\.contentRelease) == [1, 2, 1])
  }

  @Test func limitsThePurgeBlockOfConfig() throws {
    var files = Dictionary(
      uniqueKeysWithValues: (0..<70).map { ("entries/product/p\($0).yaml", "title: P\($0)\n") })
    try Shop(files).publish(to: place)
    try purge(PurgeOrder(.entries((0..<70).map { "product/p\($0)" }), reason: "All of them"))
    let block = try #require(try place.live()?.purge)
    #expect(block["minimumRelease"]?.number == 2 && block["sequence"]?.number == 1)
    #expect(block["entries"]?.items == [] && block["objects"]?.items == [])
    files = ["entries/product/rose.yaml": "title: Swear word\n"]
    try Shop(files).publish(to: place)
    #expect(try place.live()?.purge == block)
  }

  @Test func keepsObjectsOfAnotherChannel() throws {
    let other = ChannelPlace(place.target, channel: "qa")
    let bad = Shop(["entries/product/rose.yaml": "title: Swear word\n"])
    try bad.publish(to: place)
    try bad.publish(to: other)
    let outcome = try purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    #expect(!outcome.kept.isEmpty)
    #expect(try other.broken() == [])
    #expect(try other.shown("product/rose")["en"] == "Swear word")
  }

  @Test func makesReadersDiscardOnlyPurgedContent() async throws {
    try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(to: place)
    let reader = try ClientReader(channel: "production", locale: "en") { [place] key in
      try place.target.read(key)?.bytes
    }
    #expect(await reader.refresh())
    #expect(reader.screen["product/rose"]?["title"] == "Swear word")
    let before = await reader.disk
    try purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    #expect(await reader.refresh())
    #expect(reader.screen["product/rose"] == nil && reader.screen["product/iris"] != nil)
    let after = await reader.disk
    #expect(!after.values.contains { String(decoding: $0, as: UTF8.self).contains("Swear word") })
    let live = ReleaseReader(try #require(try place.live()).content(at: place.target))
    for (digest, bytes) in before where live.object(digest) != nil {
      #expect(after[digest] == bytes)
    }
    for digest in after.keys { #expect(live.object(digest) != nil) }
  }

  @Test func makesReadersHidePurgedEntriesBeforeNewOnesLoad() async throws {
    try Shop(["entries/product/rose.yaml": "title: Rose\ncare: Swear word\n"]).publish(to: place)
    let isOnline = Atomic(true)
    let reader = try ClientReader(channel: "production", locale: "fr") { [place] key in
      let isLost = key.hasPrefix("objects/") && !isOnline.load(ordering: .relaxed)
      return isLost ? nil : try place.target.read(key)?.bytes
    }
    #expect(await reader.refresh())
    try purge(
      PurgeOrder(
        .entries(["product/rose"]), fields: [try #require(ContentPath("care"))],
        reason: "A swear word"))
    isOnline.store(false, ordering: .relaxed)
    #expect(await !reader.refresh())
    #expect(reader.screen["product/rose"] == nil)
    #expect(reader.shownRelease == 1)
    isOnline.store(true, ordering: .relaxed)
    #expect(await reader.refresh())
    #expect(reader.screen["product/rose"] != nil && reader.shownRelease == 2)
  }
}
