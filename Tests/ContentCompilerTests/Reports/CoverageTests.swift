import ContentModel
import ContentSource
import Diagnostics
import Testing

@testable import ContentCompiler

/// The share of translated texts, by locale and datatype.
@Suite struct CoverageTests {
  private static let fields = """
    title: {type: string, localized: true, required: true}
    care: {type: text, localized: true}
    sku: {type: string}
    color: {type: color, localized: true}
    note: {type: string, localized: true, default: Nothing}
    size: {type: object, localized: true, fields: {unit: {type: string}, width: {type: number}}}
    names: {type: map, of: {type: string, localized: true}}
    badges: {type: list, of: {type: object, fields: {id: {type: string}, label: {type: string, localized: true}}}}
    steps: {type: list, localized: true, of: {type: object, fields: {id: {type: string}, text: {type: text}}}}
    """

  /// A tree of one datatype, `item`, and of other files, by path.
  private func tree(
    _ files: [String: String], locales: String = "[en, en-GB, fr, fr-CA]", fallback: String = "{}"
  )
    throws -> ContentTree
  {
    let indented = Self.fields.split(separator: "\n").map { "  \($0)\n" }.joined()
    var texts = [
      "content.yaml": """
      app: shop
      sourceLocale: en
      locales: \(locales)
      fallback: \(fallback)
      devices: {phone: {}}
      bundles: {all: {include: "**"}}
      """,
      "datatypes/item.yaml": "fields:\n\(indented)",
    ]
    for (name, text) in files { texts[name.hasSuffix("ml") ? name : "entries/\(name).yaml"] = text }
    let read = ContentReader.read(ContentFolder(texts: texts))
    #expect(!read.hasErrors, "\(read.diagnostics)")
    return try #require(read.output)
  }

  /// The texts that are not translated in a locale, as in `care fallback en`.
  private func gaps(
    _ files: [String: String], _ locale: String, locales: String = "[en, en-GB, fr, fr-CA]"
  ) throws
    -> [String]
  {
    let tree = try tree(files, locales: locales)
    let coverage = coverage(of: tree, try CoverageScope(locale: locale, datatype: nil, in: tree))
    return coverage.locales.flatMap(\.entries).flatMap(\.gaps).map { gap in
      "\(gap.path) \(gap.state)" + (gap.from.map { " \($0)" } ?? "")
    }
  }

  private static let rose = [
    "item/rose": "{title: Rose, care: Water, sku: r1, color: '#ff0000', note: Red}",
    "item/rose.fr": "title: Rose rouge", "item/rose.fr-CA": "note: Rouge",
  ]

  @Test(arguments: [
    ("en", []), ("en-GB", ["care inherited en", "note inherited en", "title inherited en"]),
    ("fr", ["care fallback en", "note fallback en"]),
    ("fr-CA", ["care fallback en", "title inherited fr"]),
  ])
  func findsTheStateOfEachText(locale: String, expected: [String]) throws {
    #expect(try gaps(Self.rose, locale) == expected)
  }

  @Test func countsEachEntryOncePerLocale() throws {
    var files = Self.rose
    files["item/rose@phone"] = "title: Small rose"
    files["item/rose.fr@phone"] = "{title: Petite rose, care: De l'eau}"
    let coverage = coverage(of: try tree(files))
    let counts = coverage.locales.map {
      [$0.total.translated, $0.total.inherited, $0.total.fallback, $0.total.missing]
    }
    #expect(counts == [[3, 0, 0, 0], [0, 3, 0, 0], [1, 0, 2, 0], [1, 1, 1, 0]])
    #expect(coverage.locales.map(\.locale.identifier) == ["en", "en-GB", "fr", "fr-CA"])
    #expect(coverage.datatypes == ["item"])
    #expect(coverage.locales[3].total.share == 2.0 / 3)
    #expect(coverage.locales.flatMap(\.entries).isEmpty)
  }

  @Test func findsTextsThatOnlyTheSourceLocaleHas() throws {
    let files = [
      "item/a": "{title: A, care: Water, names: {x: X, y: Y}, size: {unit: cm, width: 2}}",
      "item/a.fr": "{title: Un, care: null, names: {x: null}, size: null}",
    ]
    #expect(
      try gaps(files, "fr") == [
        "care missing", "names.x missing", "names.y fallback en", "size.unit missing",
      ])
    let tree = try tree(files)
    let coverage = coverage(of: tree, try CoverageScope(locale: "fr", datatype: nil, in: tree))
    let location = try #require(coverage.locales.first?.entries.first?.gaps.first?.location)
    #expect("\(location)" == "content/entries/item/a.yaml:1:18")
  }

  @Test func findsTextsOutsideTheChain() throws {
    let tree = try tree(
      ["item/a": "{title: A, care: B, note: C}"], locales: "[en, ja]", fallback: "{ja: [ja]}")
    let coverage = coverage(of: tree, try CoverageScope(locale: "ja", datatype: nil, in: tree))
    // The schema has a default for a text of the source locale.
    let paths = coverage.locales[0].entries[0].gaps.map(\.path)
    #expect(paths == ["care", "note", "title"])
    #expect(coverage.locales[0].total.missing == 3)
    #expect(coverage.locales[0].total.share == 0)
  }

  @Test func findsMissingRequiredTexts() throws {
    let files = ["item/a": "care: B"]
    #expect(try gaps(files, "en") == ["title missing"])
    #expect(try gaps(files, "fr") == ["care fallback en", "title missing"])
  }

  @Test func comparesListsItemByItem() throws {
    let files = [
      "item/a": """
      title: A
      badges: [{id: new, label: New}, {id: hot, label: Hot, when: {locale: en}}, {id: old, label: Old}]
      steps: [{id: one, text: One}, {id: two, text: Two}]
      """,
      "item/a.fr": "{title: A, badges: [{id: new, label: null}], steps: [{id: two, text: Deux}]}",
    ]
    // An id is not a text. A text that the locale never shows is not missing.
    #expect(
      try gaps(files, "fr") == [
        "badges[new].label missing", "badges[old].label fallback en", "steps[one].text fallback en",
      ])
  }

  /// A translation replaces a list without ids as a whole, so readers never see the new items.
  @Test func reportsNewItemsOfTheSourceLocalesListAsMissing() throws {
    let files = [
      "item/a": """
      title: A
      steps: [{text: One}, {text: Two}, {text: Three, when: {locale: en}}, {text: Four}]
      """,
      "item/a.fr": "{title: A, steps: [{text: Un}]}",
      "item/b": "{title: B, steps: [{text: One}, {text: Two, when: {locale: en}}]}",
      "strings/app.en.yml": "en: {days: [~, Monday, Tuesday, Wednesday]}",
      "strings/app.fr.yml": "fr: {days: [~, lundi]}",
    ]
    #expect(
      try gaps(files, "fr") == [
        "steps[1].text missing", "steps[3].text missing", "steps[0].text fallback en",
        "title fallback en", "days[2] missing", "days[3] missing",
      ])
  }

  @Test func omitsEntriesThatALocaleNeverShows() throws {
    let files = [
      "item/a": "{title: A, when: {locale: fr}}", "item/b": "{title: B, when: {locale: en}}",
      "item/c": "{title: C, when: {country: CA, until: 2020-01-01T00:00:00Z}}",
    ]
    let coverage = coverage(of: try tree(files))
    #expect(coverage.locales.map(\.total.all) == [2, 1, 2, 2])
    #expect(try gaps(files, "fr") == ["title fallback en", "title fallback en"])
  }

  @Test func countsTheTextsOfStringCatalogs() throws {
    let files = [
      "item/a": "title: A", "item/a.fr": "title: A",
      "strings/app.yaml": """
      en: {hello: Hello, cart: {add: Add, empty: Empty}}
      fr: {hello: Bonjour, cart: {add: Ajouter}}
      """,
    ]
    #expect(try gaps(files, "fr") == ["cart.empty fallback en"])
    let rows = coverage(of: try tree(files)).locales
    #expect(
      rows.map { $0.datatypes.map(\.name) } == Array(repeating: ["item", "strings"], count: 4))
    #expect(rows[3].datatypes.map(\.counts.inherited) == [1, 2])
  }

  @Test func findsTextsOfAnotherLocaleInACatalogFile() throws {
    let tree = try tree([
      "strings/app.yaml":
        "fr: {hello: Bonjour}\nen: {hello: Hello, bye: Bye, cart: {one: x, other: y}}"
    ])
    let locales = tree.project.locales
    let fr = try #require(LocaleTag("fr"))
    let context = Context(
      locale: fr, device: "any", locales: locales, devices: tree.project.devices)
    let texts = borrowedTexts(
      in: tree, context: context, Circumstances(instant: Instant(secondsSince1970: 1_780_000_000)))
    #expect(
      texts.map { $0.texts.map { "\($0.path) \($0.locale)" } } == [
        ["bye en", "cart.one en", "cart.other en"]
      ])
  }

  @Test(arguments: [
    ("en", "en-GB", true), ("en-US", "en-GB", true), ("pt-BR", "pt-PT", true),
    ("zh", "zh-Hant", false),
    ("sr", "sr-Latn", false), ("zh-Hant", "zh-Hant-HK", true), ("nb", "nn", false),
    ("de", "en", false),
  ])
  func knowsRegionalVariants(source: String, locale: String, isVariant: Bool) throws {
    let (source, locale) = (try #require(LocaleTag(source)), try #require(LocaleTag(locale)))
    #expect(locale.isRegionalVariant(of: source) == isVariant)
  }

  @Test func isLimitedToOneLocaleAndDatatype() throws {
    let tree = try tree(["item/a": "title: A", "strings/app.en.yaml": "en: {x: X}"])
    let whole = coverage(of: tree)
    let part = coverage(of: tree, try CoverageScope(locale: "fr", datatype: "strings", in: tree))
    #expect(part.locales.map(\.locale.identifier) == ["fr"])
    #expect(part.datatypes == ["strings"])
    #expect(part.locales[0].total == whole.locales[2].datatypes[1].counts)
    let unknown = #expect(throws: CoverageScope.UnknownName.self) {
      try CoverageScope(locale: nil, datatype: "string", in: tree)
    }
    #expect(unknown?.known == ["item", "strings"])
  }

  @Test(arguments: [
    (94, 95, true), (95, 95, false), (0, 0, false), (100, 100, false), (99, 99.5, true),
  ])
  func comparesWithAnExactLimit(translated: Int, percent: Double, isUnder: Bool) {
    var counts = Coverage.Counts()
    (counts.translated, counts.fallback) = (translated, 100 - translated)
    #expect(counts.isUnder(percent: percent) == isUnder)
    #expect(!Coverage.Counts().isUnder(percent: 100))
  }

  @Test func ignoresTextsThatTheSourceLocaleDoesNotHave() throws {
    let english = [
      "strings/app.en.yml": "en: {hello: Hello, bye: Bye, items: {one: item, other: items}}"
    ]
    func share(_ french: String) throws -> [Int] {
      let tree = try tree(
        english.merging(["strings/app.fr.yml": "fr: {\(french)}"]) { $1 }, locales: "[en, fr]")
      let counts = try #require(coverage(of: tree).locales.last?.total)
      return [counts.translated, counts.all]
    }
    #expect(try share("hello: Salut") == [1, 3])
    #expect(try share("hello: Salut, byee: Adieu, more: {a: b}") == [1, 3])
    #expect(try share("hello: Salut, items: {one: un, many: b, other: c}") == [2, 3])
  }

  @Test func countsAPluralAsOneText() throws {
    let files = [
      "datatypes/item.yaml": "fields: {roses: {type: plural, localized: true, required: true}}",
      "item/a": "roses: {one: A rose, other: Roses}",
      "item/a.fr": "roses: {one: Une rose, many: De roses, other: Des roses}",
      "strings/app.en.yml": "en: {cart: {one: item, other: items}, bye: {one: x, other: y}}",
      "strings/app.fr.yml": "fr: {cart: {one: a, many: b, other: c}}",
    ]
    #expect(try gaps(files, "fr") == ["bye fallback en"])
    #expect(
      try gaps(files, "fr-CA") == ["roses inherited fr", "bye fallback en", "cart inherited fr"])
    let tree = try tree(files)
    let french = try #require(coverage(of: tree).locales.first { $0.locale.identifier == "fr" })
    #expect(french.total.translated == 2 && french.total.all == 3)
  }
}
