import ContentModel
import Diagnostics
import Testing

@testable import ContentSource

/// Tests diagnostics about entries, overlays, conditions and string catalogs.
@Suite struct BadEntryTests {
  private static let rose = "entries/product/rose.yaml"
  private static let french = "entries/product/rose.fr.yaml"
  private static let bareFrench = [french: "title: Rosier\n"]

  static let entries: [Mistake] = [
    Mistake(
      "unknown-field", "unknown field 'tittle' in 'product'; did you mean 'title'?", fix: "title",
      at: rose,
      "⟦tittle⟧: Rose\n", with: bareFrench),
    Mistake(
      "unknown-field", "unknown field 'colour' in 'product'", at: rose, "⟦colour⟧: red\n",
      with: bareFrench),
    Mistake(
      "unknown-field", "unknown field 'prize' in 'product'; did you mean 'price'?", fix: "price",
      at: rose,
      "title: Rose\n⟦prize⟧: 3\n", with: bareFrench),
    Mistake(
      "unknown-field", "unknown field 'prize' in 'product'", at: rose, "price: 3\n⟦prize⟧: 3\n",
      with: bareFrench),
    Mistake(
      "duplicate-key", "'title' must occur only once in a mapping; delete one of the two", at: rose,
      "title: a\n⟦title⟧: b\n", with: bareFrench
    ),
    Mistake("wrong-type", "'product/rose' must be a mapping", at: rose, "⟦[⟧title]\n"),
    Mistake(
      "unknown-datatype", "unknown datatype 'produkt'; did you mean 'product'?",
      at: "entries/produkt/tulip.yaml",
      "title: Tulip\n", with: ["entries/produkt/violet.yaml": "title: Violet\n"]),
    Mistake(
      "unknown-datatype", "unknown datatype 'produkt'; did you mean 'product'?",
      at: "entries/produkt.yaml",
      "tulip: {title: Tulip}\nlily: {title: Lily}\n"),
    Mistake(
      "wrong-type",
      "the id 'product/hütte-à-l’ours' must be of a-z, 0-9 and '-', parts joined by '/'",
      at: "entries/product.yaml", "⟦hütte-à-l’ours⟧: {title: Hut}\n"),
    Mistake(
      "wrong-type",
      "the id 'product/Hütte_Forêt' must be of a-z, 0-9 and '-', parts joined by '/'; rename it to 'product/huette-foret'",
      at: "entries/product.yaml", "⟦Hütte_Forêt⟧: {title: Hut}\n"),
    Mistake(
      "wrong-type",
      "the id 'product/Tulip' must be of a-z, 0-9 and '-', parts joined by '/'; rename it to 'product/tulip'",
      at: "entries/product/Tulip.yaml", "⟦t⟧itle: Tulip\n"),
    Mistake(
      "duplicate-id", "entry 'product/rose' must occur only once", at: rose, "⟦t⟧itle: Rose\n",
      with: ["entries/product.yaml": "rose: {title: Rose}\n"].merging(bareFrench) { $1 }),
    Mistake(
      "unknown-field", "unknown field 'bagdes' in 'product'; did you mean 'badges'?", fix: "badges",
      at: rose,
      "⟦bagdes⟧: [{id: new}]\n"),
    Mistake(
      "duplicate-id", "entry 'product/rose' must occur only once", at: "entries/product/rose.yml",
      "⟦t⟧itle: Rose\n"),
    Mistake(
      "duplicate-id", "overlay 'fr' of 'product/rose' must occur only once", at: french,
      "⟦t⟧itle: Rosier\n",
      with: ["entries/product.fr.yaml": "rose: {title: Rosier}\n"]),
    Mistake(
      "wrong-type", "a file of many entries must be a mapping", at: "entries/product.yaml",
      "⟦-⟧ title: Rose\n"),
    Mistake(
      "wrong-type", "'product/tulip' must be a mapping", at: "entries/product.yaml",
      "tulip: ⟦Tulip⟧\n",
      with: ["entries/product.fr.yaml": "tulip: {title: Tulipe}\n"]),
    Mistake(
      "yaml-syntax", "'{' must be closed by '}', and ',' must be between members", at: rose,
      "title: ⟦{⟧a\n"),
    Mistake(
      "wrong-type", "'maintenance' must be a mapping", at: "maintenance.yaml", "⟦Back soon⟧\n",
      with: ["maintenance.fr.yaml": "title: À bientôt\n"]),
  ]

  @Test(arguments: entries)
  func reportsInvalidEntries(_ mistake: Mistake) { expectOnly(mistake) }

  static let overlays: [Mistake] = [
    Mistake(
      "unknown-locale", "unknown locale 'fr-CH'; did you mean 'fr-CA'?",
      at: "entries/product/rose.fr-CH.yaml",
      "title: Rosier\n"),
    Mistake(
      "unknown-locale", "locale 'ja' must be in 'locales', or in the chain of one of them",
      at: "entries/product/rose.ja.yaml", "title: バラ\n"),
    Mistake(
      "unknown-locale", "unknown locale 'french'", at: "entries/product/rose.french.yaml",
      "title: Rosier\n"),
    Mistake(
      "unknown-device", "unknown device 'ipda' in the file's name; did you mean 'ipad'?",
      at: "entries/product/rose@ipda.yaml", "title: Rose\n"),
    // A combining mark and the '@' before it form one character.
    Mistake(
      "unknown-device", "unknown device '\u{301}ipad' in the file's name; did you mean 'ipad'?",
      at: "entries/product/rose@\u{301}ipad.yaml", "title: Rose\n"),
    Mistake(
      "overlay-without-entry",
      "overlay 'fr' must have its entry: nothing in 'en' has the id 'product/rosa'; did you mean 'product/rose'?",
      at: "entries/product/rosa.fr.yaml", "⟦t⟧itle: Rosier\n"),
    Mistake(
      "overlay-without-entry",
      "overlay '@ipad' must have its entry: nothing in 'en' has the id 'product/tulip'; add the entry, or delete it",
      at: "entries/product@ipad.yaml", "⟦tulip⟧: {title: Tulip}\n"),
    Mistake(
      "not-localized", "'price' must not occur in an overlay for 'fr', since it is not localized",
      at: french,
      "title: Rosier\n⟦price⟧: 4\n"),
    Mistake(
      "not-localized", "'height' must not occur in an overlay for 'fr', since it is not localized",
      at: french,
      "badges: [{id: new, ⟦height⟧: 4}]\n"),
    Mistake(
      "not-localized", "'badges' must not occur in an overlay for 'fr', since it is not localized",
      at: french,
      "⟦badges⟧: ~\n"),
    Mistake(
      "not-localized",
      "'badges' must not be emptied in an overlay for 'fr', since it is not localized", at: french,
      "badges: ⟦[⟧]\n"),
    Mistake(
      "wrong-type",
      "an item of 'badges' must have the 'id' of an item in the source locale's files, since the list is not localized",
      at: french, "badges: [⟦{⟧label: Nouveau}]\n"),
    Mistake(
      "unknown-item",
      "unknown id 'nwe' in 'badges', a list that is not localized; did you mean 'new'?", fix: "new",
      at: french, "badges: [{id: ⟦nwe⟧, label: Nouveau}]\n"),
    Mistake(
      "unknown-field", "unknown field 'lable' in 'badges'; did you mean 'label'?", fix: "label",
      at: french,
      "badges: [{id: new, ⟦lable⟧: Nouveau}]\n"),
    Mistake(
      "duplicate-item", "id 'new' must occur only once", at: french,
      "badges: [{id: new}, {id: ⟦new⟧}]\n"),
    Mistake(
      "out-of-range", "'title' must have at most 10 characters; it has 12", at: french,
      "title: ⟦Rosier blanc⟧\n"),
  ]

  @Test(arguments: overlays)
  func reportsInvalidOverlays(_ mistake: Mistake) { expectOnly(mistake) }

  /// Returns a mistake in the `when` of an entry.
  private static func when(
    _ condition: String, _ id: String, _ message: String, fix: String? = nil,
    severity: Diagnostic.Severity = .error
  ) -> Mistake {
    Mistake(
      id, message, fix: fix, severity: severity, at: rose, "title: Rose\nwhen: \(condition)\n",
      with: bareFrench)
  }

  static let conditions: [Mistake] = [
    when("⟦[⟧phone]", "wrong-type", "'when' must be a mapping"),
    when(
      "{⟦devise⟧: phone}", "unknown-key", "unknown key 'devise' in 'when'; did you mean 'device'?",
      fix: "device"),
    when(
      "{device: ⟦pone⟧}", "unknown-device", "unknown device 'pone'; did you mean 'phone'?",
      fix: "phone"),
    when("{locale: [fr, ⟦fr_CH⟧]}", "unknown-locale", "unknown locale 'fr_CH'"),
    when("{locale: ⟦francais⟧}", "wrong-type", "'locale' must be a locale"),
    when(
      "{country: [FR, ⟦France⟧]}", "unknown-country",
      "unknown country 'France'; did you mean 'FR' (France)?", fix: "FR"
    ),
    when(
      "{country: ⟦UK⟧}", "unknown-country",
      "unknown country 'UK'; did you mean 'GB' (United Kingdom)?", fix: "GB"),
    when(
      "{country: ⟦jp⟧}", "unknown-country", "unknown country 'jp'; did you mean 'JP' (Japan)?",
      fix: "JP"),
    when(
      "{country: ⟦no⟧}", "unknown-country", "unknown country 'no'; did you mean 'NO' (Norway)?",
      fix: "NO"),
    when(
      "{country: ⟦276⟧}", "unknown-country", "unknown country '276'; did you mean 'DE' (Germany)?",
      fix: "DE"),
    when("{country: ⟦EN⟧}", "unknown-country", "unknown country 'EN'"),
    when("{country: ⟦XX⟧}", "unknown-country", "unknown country 'XX'"),
    // The last character is the Kelvin sign, not the letter K.
    when("{country: ⟦D\u{212A}⟧}", "unknown-country", "unknown country 'D\u{212A}'"),
    when(
      "{country: [⟦[⟧FR]]}", "wrong-type",
      "'country' must be an ISO 3166-1 code of two capital letters"),
    when("{app: ⟦'>2.0'⟧}", "wrong-type", "'app' must be a range such as '>=2.0 <3.0'"),
    when("{app: ⟦'>=3.0 <2.0'⟧}", "wrong-type", "'app' must be a range such as '>=2.0 <3.0'"),
    when(
      "{from: ⟦tomorrow⟧}", "wrong-type",
      "'from' must be an instant such as 2026-12-24T18:00:00+01:00 or '2026-12-24T18:00 Europe/Paris'"
    ),
    when(
      "{from: 2026-12-24T18:00:00Z, until: ⟦2026-12-24T18:00:00Z⟧}", "empty-condition",
      "'until' must be later than 'from'"),
    when(
      "{until: ⟦2026-12-24T18:00 Europe/Lodnon⟧}", "unknown-time-zone",
      "unknown time zone 'Europe/Lodnon'; did you mean 'Europe/London'?",
      fix: "2026-12-24T18:00 Europe/London"),
  ]

  @Test(arguments: conditions)
  func reportsInvalidConditions(_ mistake: Mistake) { expectOnly(mistake) }

  static let catalogs: [Mistake] = [
    Mistake(
      "wrong-type", "a string catalog must be a mapping", at: "strings/app.fr.yml", "⟦-⟧ fr\n"),
    Mistake(
      "wrong-type", "the texts of 'fr' must be a mapping", at: "strings/app.fr.yml",
      "fr: ⟦Bonjour⟧\n"),
    Mistake(
      "unknown-locale", "locale 'ja' must be in 'locales', or in the chain of one of them",
      at: "strings/app.ja.yml",
      "⟦ja⟧: {hello: やあ}\n"),
    Mistake(
      "wrong-type", "a string catalog's name must be of a-z, 0-9 and '-'",
      at: "strings/Errors.fr.yml",
      "fr: {a: b}\n"),
    Mistake(
      "file-name", "a string catalog must not differ by device; delete '@ipad'",
      at: "strings/app.fr@ipad.yml",
      "fr: {a: b}\n"),
    Mistake(
      "duplicate-key", "'hello' must occur in only one file of a catalog and locale",
      at: "strings/app/more.en.yml",
      "en: {⟦hello⟧: Hi}\n"),
    Mistake(
      "null-in-catalog", "null in a list becomes an empty text, since property lists have no null",
      severity: .warning, at: "strings/app.fr.yml", "fr: {months: [⟦~⟧, janvier]}\n",
      with: ["strings/app.en.yml": "en: {months: [January, February]}\n"]),
    Mistake(
      "overlay-without-entry",
      "overlay 'fr' must have its entry: nothing in 'en' has the id 'strings/errors'; add the entry, or delete it",
      at: "strings/errors.fr.yml", "⟦fr⟧: {a: b}\n"),
  ]

  @Test func reportsAllOverlaysOfADeletedEntryInOneError() {
    var files = SmallShop.files
    for name in ["tulip.fr", "tulip.de", "tulip@phone"] {
      files["entries/product/\(name).yaml"] = Array("{}".utf8)
    }
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(
      found.map(\.line) == [
        "content/entries/product/tulip.de.yaml:1:1-1:2: error: 3 overlays must have their entry: nothing in 'en' has the id 'product/tulip'; add the entry, or delete them [overlay-without-entry]"
      ])
    #expect(
      found.first?.notes.compactMap { $0.location?.path.text.split(separator: "/").last } == [
        "tulip.fr.yaml", "tulip@phone.yaml",
      ])
  }

  @Test func listsTheItemIDsAfterAnUnknownID() throws {
    var files = SmallShop.files
    files["entries/product/rose.fr.yaml"] = Array("badges: [{id: nwe, label: Nouveau}]\n".utf8)
    let found = try #require(ContentReader.read(ContentFolder(files: files)).diagnostics.first)
    #expect(
      found.notes.map(\.message) == ["'badges', a list that is not localized, has the id new"])
  }

  @Test func listsTheDevicesAfterAnUnknownDevice() throws {
    var files = SmallShop.files
    files["entries/product/rose@ipda.yaml"] = Array("title: Rose\n".utf8)
    let found = try #require(ContentReader.read(ContentFolder(files: files)).diagnostics.first)
    #expect(found.notes.first?.message.hasPrefix("there are the devices ") == true)
  }

  @Test func suggestsTheRenamedEntryForALeftoverOverlay() {
    var files = SmallShop.files
    files["entries/product/tulip.fr.yaml"] = Array("title: Tulipe\n".utf8)
    files["entries/product/black-parrot.yaml"] = Array("title: Parrot\n".utf8)
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(
      found.map(\.message) == [
        "overlay 'fr' must have its entry: nothing in 'en' has the id 'product/tulip'; if the entry is 'product/black-parrot' now, which has no overlays, rename it, too, or delete it"
      ])
    files["entries/product/daisy.yaml"] = Array("title: Daisy\n".utf8)
    let several = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(several.first?.message.hasSuffix("; add the entry, or delete it") == true)
  }

  @Test(arguments: [
    ("hello: Bonjour, ⟦bye⟧: Au revoir", "has no text 'bye'; add it there, or delete it here", nil),
    ("⟦helo⟧: Bonjour", "has no text 'helo'; did you mean 'hello'?", "hello"),
    ("cart: {⟦titel⟧: Panier}", "has no text 'titel'; did you mean 'title'?", "title"),
    ("cart: {⟦ad⟧: {x: y}}", "has no text 'ad'; add it there, or delete it here", nil),
  ])
  func warnsAboutTextsMissingInTheSourceLocale(texts: String, message: String, fix: String?) {
    expectOnly(
      Mistake(
        "unknown-text", "the source locale's 'strings/app' \(message)", fix: fix,
        severity: .warning,
        at: "strings/app.fr.yml", "fr: {\(texts)}\n",
        with: [
          "strings/app.en.yml":
            "en: {hello: Hello, cart: {title: Cart, items: {one: item, other: items}}}\n"
        ]))
  }

  @Test(arguments: [
    "cart: {items: {zero: z, one: a, many: c, other: d}}", "hello: ~, none: ~",
    "cart: {title: a}, hello: b",
  ])
  func acceptsPluralsOfOtherLanguagesInAnyOrder(texts: String) {
    var files = SmallShop.files
    files["strings/app.en.yml"] = Array(
      "en: {hello: Hello, cart: {title: Cart, items: {one: item, other: items}}}".utf8)
    files["strings/app.fr.yml"] = Array("fr: {\(texts)}".utf8)
    #expect(ContentReader.read(ContentFolder(files: files)).diagnostics.isEmpty)
  }

  @Test(arguments: catalogs)
  func reportsInvalidCatalogs(_ mistake: Mistake) { expectOnly(mistake) }
}
