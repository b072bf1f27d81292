import ContentClientTesting
import ContentModel
import Testing

@testable import ContentClient

@Suite struct TextTests {
  private static let catalogs = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, pl, fr]
    bundles:
      texts: {include: strings/*, startup: true}
    """,
    "strings/app.en.yml": """
    en:
      title: Flowers
      hello: Hello %{name}, %{unknown} %{
      cart: {one: "%{count} item", other: "%{count} items", zero: Nothing}
      roses: {one: "%{count} rose", other: "%{count} roses"}
    """,
    "strings/app.pl.yml": """
    pl:
      cart: {one: "%{count} rzecz", few: "%{count} rzeczy", many: "%{count} sztuk", other: "%{count} r."}
    """,
    "strings/app.fr.yml": """
    fr:
      cart: {one: "%{count} article", other: "%{count} articles"}
    """,
  ]

  private func snapshot(_ locale: String) async throws -> ContentSnapshot {
    let scene = try ClientScene(Self.catalogs)
    var configuration = scene.configuration(locale)
    configuration.eager = []
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    return client.snapshot
  }

  @Test func choosesPluralsByTheRulesOfTheLanguage() async throws {
    let polish = try await snapshot("pl")
    #expect(polish.text("cart", count: 1) == "1 rzecz")
    #expect(polish.text("cart", count: 3) == "3 rzeczy")
    #expect(polish.text("cart", count: 5) == "5 sztuk")
    let french = try await snapshot("fr")
    #expect(french.text("cart", count: 1) == "1 article")
    #expect(french.text("cart", count: 2) == "2 articles")
    let english = try await snapshot("en")
    #expect(english.text("cart", count: 0) == "Nothing", "Rails' own zero")
    #expect(english.text("cart", count: 1) == "1 item")
    #expect(english.text("cart", count: -1) == "-1 item")
  }

  /// A text without a translation is that of another locale, and has the plural rules of that one.
  @Test func choosesPluralsByTheRulesOfTheTextAfterAFallback() async throws {
    let polish = try await snapshot("pl")
    // Polish has `few` for 3 and `many` for 5, which the English text has not.
    for (count, text) in [(1, "1 rose"), (3, "3 roses"), (5, "5 roses"), (22, "22 roses")] {
      #expect(polish.text("roses", count: count) == text)
    }
    // French has `one` for 0, too.
    let french = try await snapshot("fr")
    #expect(french.text("roses", count: 0) == "0 roses")
    #expect(french.text("roses", count: 1) == "1 rose")
    #expect(polish.locale == "pl" && french.locale == "fr")
  }

  @Test func choosesPluralsByTheLocaleBesideTheCategories() async throws {
    let site = TestSite(app: "shop", channel: "production", locale: "fr")
    site.publish([
      "texts": [
        "strings/app": [
          "cart": ["one": "%{count} article", "other": "%{count} articles"],
          "roses": ["one": "%{count} rose", "other": "%{count} roses", "locale": "en"],
        ]
      ]
    ])
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.context = ReaderContext(locales: ["fr"])
    configuration.transport = site.transport
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    let french = client.snapshot
    #expect(french.text("cart", count: 0) == "0 article")
    #expect(french.text("roses", count: 0) == "0 roses")
    #expect(french.text("roses", count: 1) == "1 rose")
  }

  @Test func replacesPlaceholdersOnce() async throws {
    let english = try await snapshot("en")
    #expect(
      english.text("hello", ["name": "%{count}", "count": "x"]) == "Hello %{count}, %{unknown} %{")
    #expect(english.text("title") == "Flowers")
    #expect(english.text("nothing") == nil && english.text("cart") == nil)
    #expect(english.text("title", in: "strings/none") == nil)
  }
}
