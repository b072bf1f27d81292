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

  /// A client of a site with one catalog in a language.
  private func client(
    _ language: String, readers: [String]? = nil, _ texts: Value
  ) async throws -> ContentClient {
    let site = TestSite(app: "shop", channel: "production", locale: language)
    site.publish(["texts": .dictionary(["strings/app": texts, "shop/a": ["visits": texts]])])
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.context = ReaderContext(locales: readers ?? [language])
    configuration.transport = site.transport
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    return client
  }

  /// docs/reference/content.md writes plural fields so.
  @Test func fillsThePlaceholdersOfPluralFields() async throws {
    let texts: Value = ["one": "{count} visit by {name}", "other": "{count} visits by {name}"]
    let snapshot = try await client("en", texts).snapshot
    let one = snapshot.text("visits", in: "shop/a", count: 1, ["name": "Ann"])
    #expect(one == "1 visit by Ann")
    let many = snapshot.text("visits", in: "shop/a", count: 1_234, ["name": "Ann"])
    #expect(many == "1,234 visits by Ann")
  }

  @Test(arguments: [
    ("%d of %d", "7 of %d"), ("%1$@ has %2$lld", "Ann has 7"), ("%@: %lu", "Ann: 7"),
    ("%2$d for %1$@, %2$d", "7 for Ann, 7"), ("%@", "Ann"), ("{n}", "7"), ("%{n} ", "7 "),
    ("{a} {b} {count}", "{a} {b} 7"), ("{a} {b}", "{a} {b}"), ("%d%% off", "7% off"),
    ("100%% {x}", "100%% 7"), ("%d.%m.%Y {n}", "%d.%m.%Y 7"),
    ("{n, plural, other {x {count}}}", "{n, plural, other {x {count}}}"), ("50 %", "50 %"),
    ("%.2f", "7"), ("{größe}", "7"), ("%", "%"), ("{count}{count}", "77"), ("", ""),
  ])
  func fillsEachFormOfAPlaceholder(text: String, filled: String) async throws {
    let snapshot = try await client("en", ["text": .string(text)]).snapshot
    // An argument of another name than those in the text fills nothing.
    let arguments: KeyValuePairs<String, String> = text.contains("@") ? ["1": "Ann"] : ["z": "Z"]
    #expect(snapshot.text("text", count: 7, arguments) == filled)
  }

  @Test(arguments: [
    ("en", ["en"], "12,345 pcs"), ("de", ["de"], "12.345 pcs"), ("de", ["de-CH"], "12’345 pcs"),
    ("fr", ["fr"], "12\u{202F}345 pcs"), ("ar", ["ar-EG"], "١٢٬٣٤٥ pcs"),
    // An English text of a German reader has English numbers.
    ("en", ["de"], "12,345 pcs"), ("en", ["de", "en-IN"], "12,345 pcs"),
  ])
  func writesNumbersInTheFormOfTheReader(
    language: String, readers: [String], expected: String
  ) async throws {
    let snapshot = try await client(language, readers: readers, ["text": "{count} pcs"]).snapshot
    #expect(snapshot.text("text", count: 12_345) == expected)
    #expect(snapshot.text("text", count: -3) != nil)
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
