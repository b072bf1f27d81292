import ContentModel
import Diagnostics
import Testing
import Translations

/// Imports of files that tools, spreadsheets and their users have changed.
@Suite struct ToolImportTests {
  // MARK: Copies of the source

  /// Some tools fill each `<target>` with the source, and write no state.
  @Test(arguments: TranslationFormat.allCases)
  func warnsIfMostTranslationsEqualTheirSources(format: TranslationFormat) throws {
    let file = try Fixture.shop.export("fr-CA", as: format) { $0 = $0.translated($0.source) }
    // "40" and "60" have no letter.
    let letters = 24
    var fixture = Fixture.shop
    var plan = try fixture.take(file)
    var output = try #require(plan.output)
    #expect(plan.diagnostics.map(\.id) == ["translation-copies"])
    let message = try #require(plan.diagnostics.first?.message)
    #expect(message.hasPrefix("\(letters) of \(letters + 2) new translations into 'fr-CA' equal"))
    #expect(output.equal == letters && output.changed == letters + 2)

    fixture = Fixture.shop
    plan = try fixture.take(file, options: TranslationImport.Options(equalAs: .missing))
    output = try #require(plan.output)
    #expect(plan.diagnostics.allSatisfy { $0.id == "translation-incomplete" })
    #expect(output.changed == 0 && output.equal == letters && output.missing == letters)

    fixture = Fixture.shop
    plan = try fixture.take(file, options: TranslationImport.Options(equalAs: .translated))
    #expect(plan.diagnostics == [] && plan.output?.changed == letters + 2)
  }

  /// Readers of British English get an American text as it is.
  @Test func expectsEqualTextsInARegionalVariant() throws {
    var fixture = Fixture.shop
    let file = try fixture.export("en-GB", as: .xliff) { $0 = $0.translated($0.source) }
    #expect(try fixture.take(file).diagnostics == [])
  }

  @Test func takesATypedTextThatEqualsItsSource() throws {
    var fixture = Fixture.shop
    var file = String(decoding: try fixture.export("fr", as: .csv), as: UTF8.self)
    file.replace(#""Paris shop","","new""#, with: #""Paris shop","Paris shop","new""#)
    file.replace(#""Lyon shop","","new""#, with: #""Lyon shop","Boutique","new""#)
    let plan = try fixture.take(Array(file.utf8))
    #expect(plan.diagnostics == [])
    #expect(plan.output?.equal == 1 && plan.output?.changed == 2)
    #expect(try fixture.translations("fr")["store/paris#name"] == "Paris shop")
  }

  @Test func importsACopyInStateNewOnRequest() throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: .xliff).text.replacing(
      "<source>Paris shop</source>",
      with: "<source>Paris shop</source><target state=\"new\">Paris shop</target>")
    let byState = try fixture.take(Array(file.utf8))
    #expect(byState.output?.changed == 0 && byState.output?.equal == 1)
    let taken = try fixture.take(
      Array(file.utf8), options: TranslationImport.Options(equalAs: .translated))
    #expect(taken.output?.changed == 1)
  }

  @Test func takesACopyInStateNewWhoseSourceHasCarriageReturns() throws {
    var fixture = Fixture.shop
    fixture["entries/store.yaml"] = #"paris: {name: "Paris\r\nshop"}\#n"#
    let file = try fixture.export("fr", as: .xliff).text.replacing(
      "<source>Paris&#13;\nshop</source>",
      with: "<source>Paris&#13;\nshop</source><target state=\"new\">Paris&#13;\nshop</target>")
    #expect(file.contains("<target state=\"new\">Paris"))
    let plan = try fixture.take(
      Array(file.utf8), options: TranslationImport.Options(equalAs: .translated))
    #expect(plan.output?.changed == 1)
    #expect(try fixture.translations("fr")["store/paris#name"] == "Paris\r\nshop")
  }

  // MARK: Line breaks

  /// Spreadsheets and git write CRLF into the cells of a table, too.
  @Test func changesNoTextBecauseOfItsLineBreaks() throws {
    var fixture = Fixture.shop
    let before = try fixture.take(
      try fixture.export("fr", as: .csv) { unit in
        if unit.id == "product/rose#care" { unit = unit.translated("Coupez.\n\n- Arrosez.\n") }
        if unit.id == "store/paris#name" { unit = unit.translated("Boutique\nde Paris") }
      })
    #expect(before.output?.changed == 2)
    let file = try fixture.export("fr", as: .csv).text.withPairs
    let plan = try fixture.take(Array(file.utf8))
    #expect(plan.diagnostics == [])
    #expect(plan.output?.files.isEmpty == true)

    let typed = file.replacing("Coupez.", with: "Taillez.").replacing("de Paris", with: "de Lyon")
    let changed = try fixture.take(Array(typed.utf8))
    #expect(changed.diagnostics == [])
    #expect(changed.output?.changed == 2)
    let french = try fixture.translations("fr")
    #expect(french["product/rose#care"] == "Taillez.\n\n- Arrosez.\n")
    #expect(french["store/paris#name"] == "Boutique\nde Lyon")
  }

  @Test(arguments: TranslationFormat.allCases)
  func keepsCarriageReturnsOfTheContent(format: TranslationFormat) throws {
    var fixture = Fixture.shop
    fixture["entries/store.yaml"] = #"paris: {name: "Paris\r\nshop"}\#n"#
    fixture["entries/store.fr.yaml"] = #"paris: {name: "Boutique\r\nde Paris"}\#n"#
    let same = try fixture.take(try fixture.export("fr", as: format))
    #expect(same.output?.changed == 0)
    try fixture.take(
      try fixture.export("fr", as: format) { unit in
        if unit.id == "store/paris#name" { unit = unit.translated("Magasin\r\nde Paris") }
      })
    #expect(try fixture.translations("fr")["store/paris#name"] == "Magasin\r\nde Paris")
  }

  // MARK: Plurals

  /// Tools write `one` for each language, although readers of Japanese get `other` for every number.
  @Test(arguments: TranslationFormat.allCases, ["ja", "ko", "zh"])
  func dropsCategoriesThatALanguageDoesNotHave(format: TranslationFormat, locale: String) throws {
    var fixture = Fixture.shop
    fixture["content.yaml"].replace("ar]", with: "ar, \(locale)]")
    let project = try fixture.project()
    let tag = try #require(LocaleTag(locale))
    var units: [TranslationUnit] = []
    for unit in project.units(into: tag).map(\.unit) where unit.id.hasSuffix("[other]") {
      units.append(
        TranslationUnit(
          id: ExactString(unit.id.text.replacing("[other]", with: "[one]")), source: unit.source,
          target: unit.source + " 一"))
      units.append(unit.translated(unit.source + " 他"))
    }
    #expect(units.count == 4)
    let file = TranslationFile(format, from: project.locales.source, to: tag, units: units)
    let plan = try fixture.take(file.encoded().output)
    #expect(!plan.hasErrors)
    #expect(plan.diagnostics.map(\.id) == ["unused-category", "unused-category"])
    #expect(plan.diagnostics.allSatisfy { $0.location?.range != nil })
    #expect(plan.output?.changed == 2 && plan.output?.skipped == 2)
    #expect(try fixture.translations(locale)["product/rose#stock[other]"] == "{count} roses 他")
  }

  /// In string catalogs, `zero` is for the number 0 in every language.
  @Test(arguments: TranslationFormat.allCases)
  func importsTheZeroCategoryOfACatalog(format: TranslationFormat) throws {
    var fixture = Fixture.shop
    fixture["strings/app.en.yml"].replace("zero: none, ", with: "")
    let project = try fixture.project()
    let french = try #require(LocaleTag("fr"))
    let units = [
      ("zero", "rien"), ("one", "%{count} a"), ("many", "%{count} b"), ("other", "%{count} c"),
    ]
    .map { category, text in
      TranslationUnit(
        id: ExactString("strings/app#items[\(category)]"),
        source: category == "one" ? "%{count} item" : "%{count} items", target: text)
    }
    let file = TranslationFile(format, from: project.locales.source, to: french, units: units)
    let plan = try fixture.take(file.encoded().output)
    #expect(plan.diagnostics == [])
    #expect(plan.output?.changed == 4)
    #expect(try fixture.translations("fr")["strings/app#items[zero]"] == "rien")
  }

  /// A catalog of the content may lack categories, because readers get `other` instead.
  @Test(arguments: TranslationFormat.allCases)
  func takesAnIncompletePluralOfACatalog(format: TranslationFormat) throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: format) { unit in
      if unit.id == "strings/app#items[one]" { unit = unit.translated("%{count} article") }
      if unit.id == "strings/app#items[other]" { unit = unit.translated("%{count} articles") }
    }
    let plan = try fixture.take(file)
    #expect(plan.diagnostics.map(\.id) == ["missing-plural"])
    #expect(!plan.hasErrors && plan.diagnostics.first?.location?.path == "import")
    #expect(plan.output?.changed == 2)
    #expect(try fixture.translations("fr")["strings/app#items[one]"] == "%{count} article")

    fixture = Fixture.shop
    let withoutOther = try fixture.export("fr", as: format) { unit in
      if unit.id == "strings/app#items[one]" { unit = unit.translated("%{count} article") }
    }
    #expect(try fixture.take(withoutOther).diagnostics.map(\.id) == ["translation-incomplete"])
  }

  // MARK: Spreadsheets

  @Test(arguments: [
    ("#NAME?", Diagnostic.Severity.error), ("#DIV/0!", .error), ("=\"007\"", .warning),
    ("''=A1", .warning), ("'007", .warning), ("'Bonjour", .warning), ("'s morgens", nil),
    ("'Bonjour' dit-il", nil), ("Bonjour", nil),
  ])
  func reportsCellsThatASpreadsheetHasChanged(cell: String, severity: Diagnostic.Severity?) throws {
    var fixture = Fixture.shop
    let quoted = cell.replacing("\"", with: "\"\"")
    let table = """
      id,source (en),target (fr)
      store/paris#name,Paris shop,"\(quoted)"
      store/lyon#name,Lyon shop,Boutique

      """
    let plan = try fixture.take(Array(table.utf8))
    #expect(plan.diagnostics.map(\.id) == (severity == nil ? [] : ["translation-cell"]))
    #expect(plan.diagnostics.first?.severity == severity)
    #expect(plan.diagnostics.first.map { $0.message.contains("'store/paris#name'") } ?? true)
    #expect(plan.output?.changed == (severity == .error ? 1 : 2))
    #expect(try fixture.translations("fr")["store/lyon#name"] == "Boutique")
  }

  /// CSV and XLIFF cannot hold the character, so their next export would fail.
  @Test(arguments: [TranslationFormat.csv, .xcstrings])
  func refusesACharacterThatMostFormatsCannotHold(format: TranslationFormat) throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: format) { unit in
      if unit.id == "store/paris#name" { unit = unit.translated("Bou!tique") }
      if unit.id == "store/lyon#name" { unit = unit.translated("Lyon") }
    }.text.replacing("Bou!tique", with: format == .csv ? "Bou\0tique" : "Bou\\u0000tique")
    let plan = try fixture.take(Array(file.utf8))
    #expect(plan.diagnostics.map(\.id) == ["translation-text"])
    #expect(plan.diagnostics.first?.message.contains("U+0000") == true)
    #expect(plan.output?.changed == 1 && plan.output?.refused == 1)
    let again = try fixture.project().units(into: try #require(LocaleTag("fr"))).map(\.unit)
    let exported = TranslationFile(
      .csv, from: try fixture.project().locales.source, to: try #require(LocaleTag("fr")),
      units: again)
    #expect(!exported.encoded().hasErrors)
  }

  @Test func saysThatAnEmptyTranslationIsMissing() throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: .xliff).text.replacing(
      "<source>Paris shop</source>",
      with: "<source>Paris shop</source><target state=\"translated\"></target>")
    let plan = try fixture.take(Array(file.utf8))
    #expect(
      plan.diagnostics.map(\.message) == [
        "the translation of 'store/paris#name' is empty, and counts as missing"
      ])
  }
}

extension [UInt8] {
  /// The bytes as text.
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
  /// The text with CRLF for each line break.
  fileprivate var withPairs: String {
    replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
  }
}
