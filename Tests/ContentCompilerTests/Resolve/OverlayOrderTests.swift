import Diagnostics
import Testing

/// The order of layers; `docs/reference/content.md` and `docs/reference/locales.md`.
@Suite struct OverlayOrderTests {
  /// Every overlay that a French Canadian iPad consults, the most specific first.
  private static let order = [
    "item/a.fr-CA@ipad", "item/a.fr-CA@tablet", "item/a.fr-CA@any", "item/a.fr-CA",
    "item/a.fr@ipad",
    "item/a.fr@tablet", "item/a.fr",
    "item/a@ipad", "item/a@tablet", "item/a",
  ].filter { !$0.hasSuffix("@any") }

  @Test(arguments: order.indices)
  func ordersByLocaleAndThenByDevice(first: Int) throws {
    var files = Dictionary(uniqueKeysWithValues: Self.order[first...].map { ($0, "who: '\($0)'") })
    if first > 0 { for name in Self.order[..<first] { files[name] = "other: 1" } }
    files["item/a"] = "who: item/a"
    #expect(try Shop(files).a("fr-CA/ipad")?.contains(#""who":"\#(Self.order[first])""#) == true)
  }

  @Test(arguments: [
    ("en/ipad", "ipad"), ("en/tablet", "tablet"), ("en/phone", "base"), ("en/any", "base"),
    ("fr/ipad", "fr"),
    ("fr-CA/ipad", "fr-CA@tablet"), ("fr-CA/phone", "fr"), ("en-GB/ipad", "ipad"),
    ("en/watch", "base"),
    ("de-AT/tablet", "tablet"),
  ])
  func resolvesEachContext(context: String, who: String) throws {
    let shop = try Shop([
      "item/a": "who: base", "item/a@tablet": "who: tablet", "item/a@ipad": "who: ipad",
      "item/a.fr": "who: fr",
      "item/a.fr-CA@tablet": "who: fr-CA@tablet",
    ])
    #expect(try shop.a(context) == #"{"who":"\#(who)"}"#)
  }

  @Test func consultsUndeclaredParents() throws {
    let shop = try Shop(
      [
        "item/a": "{x: en, y: en, z: en}", "item/a.es-419": "{x: es-419, y: es-419}",
        "item/a.es-MX": "x: es-MX",
      ],
      with: ["locales": "[en, es-MX, es]"])
    #expect(try shop.a("es-MX") == #"{"x":"es-MX","y":"es-419","z":"en"}"#)
    #expect(try shop.a("es") == #"{"x":"en","y":"en","z":"en"}"#)
    #expect(shop.findings == [])
  }

  @Test func servesAustraliaThroughEnglishOfTheWorld() throws {
    let shop = try Shop(
      ["item/a": "{x: en, y: en}", "item/a.en-001": "x: en-001"],
      with: ["locales": "[en, en-AU, en-US]"])
    #expect(try shop.a("en-AU") == #"{"x":"en-001","y":"en"}"#)
    #expect(try shop.a("en-US") == #"{"x":"en","y":"en"}"#)
    #expect(
      try shop.config["locales"]?.json
        == #"{"en":["en"],"en-AU":["en-AU","en-001","en"],"en-US":["en-US","en"]}"#)
  }

  @Test func separatesTraditionalChinese() throws {
    let shop = try Shop(
      ["item/a": "x: en", "item/a.zh": "x: zh", "item/a.zh-Hant": "y: zh-Hant"],
      with: ["locales": "[en, zh, zh-Hant-HK]"])
    #expect(try shop.a("zh-Hant-HK") == #"{"x":"en","y":"zh-Hant"}"#)
    #expect(try shop.a("zh") == #"{"x":"zh"}"#)
  }

  @Test func usesADeclaredChainWithoutParentsOrChildren() throws {
    let shop = try Shop(
      ["item/a": "{x: en, y: en}", "item/a.fr": "x: fr", "item/a.de": "x: de"],
      with: ["locales": "[en, fr, fr-CA, de]", "fallback": "{fr: [fr, de]}"])
    #expect(try shop.a("fr") == #"{"x":"fr"}"#)
    #expect(try shop.a("fr-CA") == #"{"x":"fr","y":"en"}"#)
    #expect(try shop.config["locales"]?["fr"]?.json == #"["fr","de"]"#)
  }

  @Test func acceptsTheSourceLocalesNameInAFile() throws {
    let shop = try Shop(
      ["item/a": "x: base", "item/a.en@ipad": "x: ipad"],
      fields: "{x: {type: string, localized: true}}")
    #expect(try shop.a("en/ipad") == #"{"x":"ipad"}"#)
    #expect(try shop.a("fr/ipad") == #"{"x":"ipad"}"#)
  }

  @Test func warnsAboutAnUnconsultedOverlay() throws {
    let shop = try Shop(
      ["item/a": "x: 1", "item/a.fr": "x: 2"],
      with: ["locales": "[en, fr-CA]", "fallback": "{fr-CA: [fr-CA, en]}"])
    #expect(shop.isBuilt)
    #expect(
      shop.diagnostics.map(\.message) == [
        "no context consults 'fr': 'fallback' leaves it out of every chain"
      ])
    #expect(shop.diagnostics.map(\.severity) == [.warning])
  }

  @Test func warnsAboutAnOverlayOfAnExcludedEntry() throws {
    let shop = try Shop(
      ["item/a": "{x: 1, when: {locale: fr}}", "item/a.fr": "x: 2", "item/a.de": "x: 3"],
      with: ["locales": "[en, fr, de]"])
    #expect(
      shop.diagnostics.map(\.message) == [
        "no context consults the overlay 'de' of 'item/a': its condition keeps it out"
      ])
    #expect(shop.diagnostics.map(\.severity) == [.warning])
  }

  @Test(arguments: [
    (["item/a": "x: 1", "item/a.de": "x: 2"], "unknown-locale"),
    (["item/a": "x: 1", "item/a@watch": "x: 2"], "unknown-device"),
    (["item/a.fr": "x: 1"], "overlay-without-entry"),
    (["item/a@ipad": "x: 1"], "overlay-without-entry"),
    (["item/a": "x: 1", "entries/item/a.yml": "x: 1"], "duplicate-id"),
    (["item/a": "x: 1", "item": "{a: {x: 2}}"], "duplicate-id"),
  ])
  func rejectsFilesWithUnknownNames(files: [String: String], id: String) throws {
    let shop = try Shop(files)
    #expect(!shop.isBuilt)
    #expect(shop.findings(id).map(\.severity) == [.error], "\(shop.findings)")
  }

  @Test func acceptsEmptyOverlaysAndFilesWithManyEntries() throws {
    let shop = try Shop([
      "item": "{a: {x: 1}, b: {x: 2}, c/d: {x: 3}}", "item.fr": "{b: {x: 4}}", "item/a.fr": "{}",
      "item@ipad": "{}",
      "item/b@ipad": "x: 5",
    ])
    #expect(
      try ["item/a", "item/b", "item/c/d"].map { try shop.sees($0, "fr/ipad") } == [
        #"{"x":1}"#, #"{"x":4}"#, #"{"x":3}"#,
      ])
    #expect(try shop.sees("item/b", "en/ipad") == #"{"x":5}"#)
    #expect(shop.findings == [])
  }

  @Test(arguments: [
    ("{locale: fr}", "x: 2", "item/a.en-GB", 1), ("{device: phone}", "x: 2", "item/a.fr@ipad", 1),
    ("{locale: fr}", "x: 2", "item/a.fr-CA", 0), ("{device: tablet}", "x: 2", "item/a@ipad", 0),
    ("{locale: fr}", "when: null", "item/a.en-GB", 0), ("null", "when: false", "item/a.fr", 0),
    ("false", "x: 2", "item/a.fr", 0),
  ])
  func doesNotWarnAboutAnOverlayWithACondition(
    when: String, text: String, overlay: String, warnings: Int
  )
    throws
  {
    let shop = try Shop(["item/a": "{x: 1, when: \(when)}", overlay: text])
    #expect(shop.isBuilt && shop.diagnostics.count == warnings, "\(shop.findings)")
  }
}
