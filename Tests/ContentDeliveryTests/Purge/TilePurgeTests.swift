import ContentModel
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges of entries in tiles, and of texts with pages.
@Suite struct TilePurgeTests {
  let place = ChannelPlace(MemoryTarget())

  private static let bad = PurgePlanTests.bad
  private static let page = "{type: markdown, localized: true, page: true}"

  /// Two stores in one tile, of which German readers get both, and a third one elsewhere.
  private func shop(_ edits: [String: String] = [:], bundles: String = "") -> Shop {
    Shop(
      [
        "content.yaml": Shop.project().replacing(
          "bundles:",
          with: "bundles:\n  stores: {include: store/*, split: place, max: 2}\n\(bundles)"),
        "datatypes/store.yaml": "fields: {title: {type: string, localized: true}, at: place}",
        "datatypes/article.yaml": "fields: {title: string, body: \(Self.page)}",
        "entries/store/a.yaml": "{title: A, at: {latitude: 50, longitude: 10}}",
        "entries/store/b.yaml":
          "{title: B, at: {latitude: 51, longitude: 11}, when: {country: DE}}",
        "entries/store/c.yaml": "{title: C, at: {latitude: -50, longitude: -100}}",
      ].merging(edits) { $1 })
  }

  /// The rows of the tiles, by quadkey.
  private func tiles() throws -> Members {
    let live = try #require(try place.live())
    let reader = ReleaseReader(live.content(at: place.target))
    let context = try #require(reader.contexts.first)
    let index = try #require(reader.index(of: context))
    let row = try #require(try reader.value(of: index)["bundles"]?["stores"])
    let parts = try #require(BundleParts(row))
    let rows = parts.rows(in: try reader.value(of: parts.digest))
    #expect(row["count"]?.number == parts.count(of: rows))
    return rows
  }

  @Test func keepsATileThatOtherReadersStillNeed() throws {
    try shop().publish(to: place)
    #expect(try tiles().keys == ["1", "2"])
    try place.purge(PurgePlanTests.order(["store/a"]))
    #expect(try tiles()["1"]?["variants"]?.items?.first?["count"]?.number == 1)
    #expect(try place.broken() == [])
    try place.purge(PurgePlanTests.order(["store/b"]))
    #expect(try tiles().keys == ["2"])
    #expect(try place.broken() == [])
  }

  @Test func restoresAnEntryInItsTile() throws {
    try shop().publish(to: place)
    try shop(["entries/store/a.yaml": "{title: \(Self.bad), at: {latitude: 50, longitude: 10}}"])
      .publish(to: place)
    try place.purge(PurgePlanTests.order(["store/a"], .restoration))
    #expect(try place.files(holding: Self.bad) == [])
    #expect(try place.values("store/a", "title") == ["A"])
  }

  @Test func refusesToRestoreAnEntryWhoseTileIsGone() throws {
    try shop().publish(to: place)
    try place.purge(PurgePlanTests.order(["store/c"]))
    #expect(try place.refusal(of: PurgePlanTests.order(["store/c"], .restoration)) != nil)
  }

  @Test func removesPagesWithTheirTexts() throws {
    let article = ["entries/article/a.yaml": "title: T\nbody: 'A **\(Self.bad)**'\n"]
    try shop(article, bundles: "  articles: {include: article/*}\n").publish(to: place)
    #expect(try place.files(holding: Self.bad).contains { $0.hasSuffix(".html") })
    var order = PurgePlanTests.order(["article/a"])
    order.fields = [try #require(ContentPath("body"))]
    try place.purge(order)
    #expect(try place.files(holding: Self.bad) == [])
    #expect(try place.broken() == [])
  }

  @Test func writesNoPagesOfTextsThatNoBundleShows() throws {
    let article = ["entries/article/a.yaml": "title: T\nbody: 'A **\(Self.bad)**'\n"]
    try shop(article).publish(to: place)
    #expect(try place.files(holding: Self.bad) == [])
  }

  @Test(arguments: ["body.plain", "body.blocks", "body.page"])
  func refusesToPurgeAPartOfAText(path: String) throws {
    let article = ["entries/article/a.yaml": "title: T\nbody: 'A **\(Self.bad)**'\n"]
    try shop(article, bundles: "  articles: {include: article/*}\n").publish(to: place)
    var order = PurgePlanTests.order(["article/a"])
    order.fields = [try #require(ContentPath(path))]
    #expect(try place.refusal(of: order)?.description.contains("purge 'body' instead") == true)
  }

  @Test func refusesToReplaceAPlace() throws {
    try shop().publish(to: place)
    let moved: Value = ["latitude": 1.0, "longitude": 2.0]
    let order = PurgePlanTests.order(["store/a"], .replacement([(name: "at", value: moved)]))
    let refusal = #expect(throws: ReplacementRefusal.self) { try place.purge(order) }
    #expect(refusal?.problems == [.compiled("at", entry: "store/a")])
  }
}
