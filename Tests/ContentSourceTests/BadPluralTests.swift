import ContentModel
import Diagnostics
import Testing

@testable import ContentSource

/// The categories and placeholders of translations.
@Suite struct BadPluralTests {
  /// A mistake in an overlay of a locale for a field `a` that is a plural.
  private static func plural(
    _ value: String, in locale: String? = nil, _ id: String, _ message: String, fix: String? = nil,
    severity: Diagnostic.Severity = .error, definition: String = "{type: plural, localized: true}"
  ) -> Mistake {
    let base = "a: {one: A rose, other: \"%{count} roses\"}\n"
    let others = [
      "datatypes/note.yaml": "fields:\n  a: \(definition)\n",
      "content.yaml": SmallShop.project.replacing("de]", with: "de, pl, ja, cs]"),
      "entries/note/one.yaml": base,
    ]
    let path = locale.map { "entries/note/one.\($0).yaml" } ?? "entries/note/one.yaml"
    return Mistake(
      id, message, fix: fix, severity: severity, at: path, "a: \(value)\n", with: others)
  }

  private static let roses = "\"%{count} r\""

  static let plurals: [Mistake] = [
    plural(
      "⟦{⟧one: A}", "missing-plural",
      "'a' must have the category 'other', which 'en' uses for numbers such as 0"),
    plural(
      "⟦{⟧one: A, other: \(roses)}", in: "pl", "missing-plural",
      "'a' must have the categories 'few' and 'many', which 'pl' uses for numbers such as 2 and 0"),
    plural(
      "⟦{⟧one: A, other: \(roses)}", in: "fr", "missing-plural",
      "'a' must have the category 'many', which 'fr' uses for numbers such as 1000000"),
    plural(
      "⟦{⟧one: A, few: \(roses), many: ~, other: \(roses)}", in: "cs", "missing-plural",
      "'a' must have the category 'many', which 'cs' uses for numbers such as 0.1"),
    plural(
      "{⟦one⟧: A, other: \(roses)}", in: "ja", "unused-category",
      "'ja' has no plural category 'one'; delete it", severity: .warning),
    plural(
      "{⟦zero⟧: No roses, one: A, other: \(roses)}", "unused-category",
      "'en' has no plural category 'zero'; delete it", severity: .warning),
    plural(
      "{one: A, ⟦ohter⟧: \(roses)}", "unknown-key",
      "unknown key 'ohter' in 'a'; did you mean 'other'?", fix: "other"),
    plural(
      "⟦{⟧one: A, other: B}", "wrong-type",
      "'a' must be one text; for plural categories, its datatype needs 'type: plural'",
      definition: "string"),
    plural(
      "⟦roses⟧", "wrong-type",
      "'a' must be a mapping of plural categories, such as {one: A rose, other: \"{count} roses\"}"),
    plural(
      "⟦[⟧a]", "wrong-type",
      "'a' must be a mapping of plural categories, such as {one: A rose, other: \"{count} roses\"}"),
    plural(
      "{one: ⟦{⟧b: c}, other: \(roses)}", "wrong-type",
      "'a.one' must be a single value of type text"),
    plural(
      "{one: ⟦Eleven rose⟧, other: \(roses)}", "out-of-range",
      "'a.one' must have at most 10 characters; it has 11",
      definition: "{type: plural, maxLength: 10, localized: true}"),
    plural(
      "{one: Bread, other: ⟦Bread, fresh⟧}", "wrong-type",
      "'other' must be in quotes, since it holds a comma; write \"Bread, fresh\"",
      fix: "\"Bread, fresh\""),
    plural(
      "{one: Eine, other: ⟦Rosen⟧}", in: "de", "placeholders",
      "'a.other' must have the placeholders of the source locale's text: it lacks '%{count}'"),
    plural(
      "{one: \"⟦%{n} Rose⟧\", other: \(roses)}".replacing("\"⟦", with: "⟦\"").replacing(
        "⟧\"", with: "\"⟧"), in: "de", "placeholders",
      "'a.one' must have the placeholders of the source locale's text: it has '%{n}', which that lacks"
    ),
  ]

  @Test(arguments: plurals) func reportsTheCategoriesOfDeclaredPlurals(_ mistake: Mistake) {
    expectOnly(mistake)
  }

  @Test func acceptsWholePlurals() {
    let mistake = Self.plural(
      "{one: A, few: \(Self.roses), many: \(Self.roses), other: \(Self.roses)}", in: "pl", "", "")
    #expect(mistake.found == [])
    let off = Self.plural(
      "{one: A, other: Rosen}", in: "de", "", "",
      definition: "{type: plural, localized: true, placeholders: off}")
    #expect(off.found == [])
  }

  // MARK: Catalogs

  private static func catalog(
    _ french: String, _ id: String, _ message: String, fix: String? = nil, project: String = ""
  ) -> Mistake {
    Mistake(
      id, message, fix: fix, severity: .warning, at: "strings/app.fr.yml", "fr: {\(french)}\n",
      with: [
        "content.yaml": SmallShop.project + project,
        "strings/app.en.yml": """
        en:
          hello: "Hello %{name}"
          bye: Bye
          days: ["%{d} Mon", Tue]
          cart: {title: Cart, items: {one: An item, other: "%{count} items"}}

        """,
      ])
  }

  static let catalogs: [Mistake] = [
    catalog(
      "hello: ⟦Bonjour⟧", "placeholders",
      "'hello' must have the placeholders of the source locale's text: it lacks '%{name}'"),
    catalog(
      "hello: ⟦'%{nom}'⟧", "placeholders",
      "'hello' must have the placeholders of the source locale's text: it has '%{nom}' instead of '%{name}'"
    ),
    catalog(
      "bye: ⟦'%d'⟧", "placeholders",
      "'bye' must have the placeholders of the source locale's text: it has '%d', which that lacks"),
    catalog(
      "days: [⟦Lun⟧, mar]", "placeholders",
      "'days' must have the placeholders of the source locale's text: it lacks '%{d}'"),
    catalog(
      "cart: {items: {one: a, many: b, other: ⟦c⟧}}".replacing(
        "many: b", with: "many: '%{count} b'"), "placeholders",
      "'items.other' must have the placeholders of the source locale's text: it lacks '%{count}'"),
    catalog(
      "cart: {items: ⟦{⟧one: a, other: '%{count}'}}", "missing-plural",
      "the plural has no 'many', which 'fr' uses for numbers such as 1000000; readers get 'other' instead"
    ),
    catalog(
      "cart: {items: {one: a, ⟦few⟧: '%{count}', many: '%{count}', other: '%{count}'}}",
      "unused-category", "'fr' has no plural category 'few'; delete it"),
    catalog(
      "cart: {items: ⟦{⟧one: a, many: '%{count}'}}", "missing-plural",
      "the plural has no 'other', which every language has; readers get that of another locale"
    ),
  ]

  @Test(arguments: catalogs) func warnsAboutTextsOfCatalogs(_ mistake: Mistake) {
    expectOnly(mistake)
  }

  @Test(arguments: [
    "cart: {items: {zero: rien, one: un, many: '%{count}', other: '%{count}'}}",
    "hello: '%{name} %{name}', bye: 'A 50 % d’attente'",
  ])
  func acceptsTextsOfCatalogs(french: String) {
    #expect(Self.catalog(french, "", "").found == [])
  }

  @Test(arguments: [
    ("strings/**: {placeholders: off}", true), ("'**': {placeholders: off}", true),
    ("strings/app.fr.yml: {placeholders: off}", true),
    ("entries/**: {placeholders: off}", false), ("strings/**: {placeholders: on}", false),
    ("strings/**: {placeholders: off}, strings/*: {duplicateKeys: warn}", true),
    ("strings/**: {placeholders: off}, strings/*: {placeholders: on}", false),
  ])
  func comparesNoPlaceholdersWhereSourcesSayOff(sources: String, isOff: Bool) {
    let found = Self.catalog("hello: Bonjour", "", "", project: "sources: {\(sources)}\n").found
    #expect(found.isEmpty == isOff, "\(found)")
  }

  @Test func comparesThePlaceholdersOfEachFileByItself() {
    var files = SmallShop.files
    files["content.yaml"] = Array(
      (SmallShop.project + "sources: {strings/app/one.fr.yml: {placeholders: off}}\n").utf8)
    files["strings/app/one.en.yml"] = Array("en: {a: 'A {x}', b: 'B {x}'}\n".utf8)
    files["strings/app/one.fr.yml"] = Array("fr: {a: A}\n".utf8)
    files["strings/app/two.fr.yml"] = Array("fr: {b: B}\n".utf8)
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(found.map(\.id) == ["placeholders"])
    #expect(found.first?.location?.path.hasSuffix("two.fr.yml") == true)
  }

  /// The broken value may be the category that the plural lacks.
  @Test(arguments: ["{one: *typo, other: roses}", "\n    one: #1 rose\n    other: roses"])
  func reportsOnlyTheBrokenValueOfAPlural(value: String) {
    var files = SmallShop.files
    files["strings/app.en.yml"] = Array("en:\n  n: \(value)\n".utf8)
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(!found.isEmpty && !found.contains { $0.id == "missing-plural" }, "\(found)")
  }

  /// A category that the source locale misspells may be right in a translation.
  @Test(
    arguments: [
      ("one: Une nuit, other: Nuits", []), ("one: Une nuit, othr: Nuits", []),
      ("one: Une nuit, many: De nuits, other: Nuits", []),
      ("one: Une nuit, othre: Nuits", ["other"]),
    ] as [(String, [String])])
  func suggestsNoMisspeltCategory(french: String, fixes: [String]) {
    var files = SmallShop.files
    files["strings/app.en.yml"] = Array("en: {nights: {one: A night, othr: Nights}}\n".utf8)
    files["strings/app.fr.yml"] = Array("fr: {nights: {\(french)}}\n".utf8)
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(
      found.map(\.id) == ["missing-plural"] + fixes.map { _ in "unknown-text" },
      "\(found.map(\.line))")
    #expect(found.compactMap(\.fixIt?.replacement) == ["other"] + fixes, "\(found.map(\.line))")
  }

  /// A mapping with two words that are like categories may be no plural.
  @Test func suggestsNoOtherWordForACategory() {
    var files = SmallShop.files
    files["strings/app.en.yml"] = Array("en: {nights: {oen: A night, othr: Nights}}\n".utf8)
    files["strings/app.fr.yml"] = Array("fr: {nights: {one: Une nuit, other: Nuits}}\n".utf8)
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(found.map(\.id) == ["unknown-text", "unknown-text"], "\(found.map(\.line))")
    #expect(found.allSatisfy { $0.fixIt == nil }, "\(found.map(\.line))")
  }

  /// One mistake in a source text is one message.
  @Test func reportsManyTranslationsOfOneTextTogether() {
    let locales = "de fr es it nl pl cs sv da fi ja zh".split(separator: " ")
    var files = SmallShop.files
    files["content.yaml"] = Array(
      "app: shop\nsourceLocale: en\nlocales: [en, \(locales.joined(separator: ", "))]\n".utf8)
    files["entries/product/rose.yaml"] = Array("title: Rose {a}\n".utf8)
    for locale in locales {
      files["entries/product/rose.\(locale).yaml"] = Array("title: Rosa\n".utf8)
    }
    files["entries/product/rose.fr.yaml"] = Array("title: Rosa\n".utf8)
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(
      found.map(\.message) == [
        "12 translations of 'title' in 'product/rose' have other placeholders than their source text"
      ])
    #expect(found.first?.notes.count == 12)
  }

  // MARK: Declared texts

  @Test(
    arguments: [
      ("title: Rosier", "title: Rose {a}", ["'title'"]),
      ("title: Rosier {a}", "title: Rose {a}", []),
      ("badges: [{id: new, label: N}]", "badges: [{id: new, label: '%d N'}]", ["'label'"]),
      ("title: '{a}'", "price: 3", []), ("title: ~", "title: '{a}'", []),
    ] as [(String, String, [String])])
  func comparesDeclaredTexts(french: String, english: String, fields: [String]) {
    var files = SmallShop.files
    files["entries/product/rose.yaml"] = Array("\(english)\n".utf8)
    files["entries/product/rose.fr.yaml"] = Array("\(french)\n".utf8)
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(found.map(\.id) == fields.map { _ in "placeholders" })
    #expect(zip(found, fields).allSatisfy { $0.message.hasPrefix($1) && $0.severity == .error })
  }

  @Test(arguments: [
    ("text", "'{a}'", "b", false), ("markdown", "'**{a}** [x](https://a.b/%64x)'", "'{a}'", true),
    ("markdown", "'{a}'", "b", false), ("any", "'{a}'", "b", true), ("url", "'x:{a}'", "x:b", true),
    ("{type: list, of: string}", "['{a}', b]", "['{a}', c]", true),
    ("{type: list, of: string}", "['{a}', b]", "[b, '{a}']", false),
    ("{type: list, of: string}", "['{a}', b]", "[c]", true),
    ("{type: map, of: text}", "{x: '{a}', y: b}", "{y: c, x: d}", false),
    ("{type: map, of: text}", "{x: '{a}', y: b}", "{y: c, z: d}", true),
    ("{type: object, fields: {x: {type: text, placeholders: off}}}", "{x: '{a}'}", "{x: b}", true),
  ])
  func comparesTextsOfEachType(
    definition: String, english: String, french: String, isFine: Bool
  ) {
    let attributes =
      definition.hasPrefix("{") ? String(definition.dropFirst().dropLast()) : "type: \(definition)"
    var files = SmallShop.files
    files["datatypes/note.yaml"] = Array("fields: {a: {localized: true, \(attributes)}}".utf8)
    files["entries/note/one.yaml"] = Array("a: \(english)\n".utf8)
    files["entries/note/one.fr.yaml"] = Array("a: \(french)\n".utf8)
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(found.map(\.id) == (isFine ? [] : found.map { _ in "placeholders" }))
    #expect(found.isEmpty == isFine)
  }

  /// A translation may be that of the text for a device.
  @Test func comparesWithTheTextsOfAllDevices() {
    var files = SmallShop.files
    files["entries/product/rose.yaml"] = Array("title: Rose\n".utf8)
    files["entries/product/rose@phone.yaml"] = Array("title: Rose {a}\n".utf8)
    files["entries/product/rose.fr.yaml"] = Array("title: Rosier\n".utf8)
    files["entries/product/rose.fr@phone.yaml"] = Array("title: Rosier {a}\n".utf8)
    #expect(ContentReader.read(ContentFolder(files: files)).diagnostics == [])
    files["entries/product/rose.fr@phone.yaml"] = Array("title: Rosier {b}\n".utf8)
    #expect(
      ContentReader.read(ContentFolder(files: files)).diagnostics.map(\.id) == ["placeholders"])
  }
}
