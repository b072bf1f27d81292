import ContentModel
import Diagnostics
import Testing
import Translations

/// Ids and texts that are equal as Swift strings, and differ by their bytes.
@Suite struct ExactTextTests {
  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  /// Creates a project with texts in English and French, each a mapping in YAML.
  private static func fixture(english: String, french: String) -> Fixture {
    Fixture([
      "content.yaml": "app: shop\nsourceLocale: en\nlocales: [en, fr]\n",
      "strings/app.en.yml": "en: \(english)\n", "strings/app.fr.yml": "fr: \(french)\n",
    ])
  }

  /// The ids are the keys of a string catalog.
  @Test(arguments: TranslationFormat.allCases)
  func matchesUnitsByTheBytesOfTheirIDs(format: TranslationFormat) throws {
    for changed in ["One", "Two"] {
      var fixture = Self.fixture(
        english: "{\(Self.composed): One, \(Self.decomposed): Two}",
        french: "{\(Self.composed): Un, \(Self.decomposed): Deux}")
      let file = try fixture.export("fr", as: format) { unit in
        if unit.source == changed { unit = unit.translated("Neuf") }
      }
      let plan = try fixture.take(file)
      #expect(plan.diagnostics.isEmpty && plan.output?.changed == 1)
      let french = try fixture.translations("fr")
      #expect(french["strings/app#\(Self.composed)"] == (changed == "One" ? "Neuf" : "Un"))
      #expect(french["strings/app#\(Self.decomposed)"] == (changed == "Two" ? "Neuf" : "Deux"))
    }
  }

  @Test(arguments: TranslationFormat.allCases)
  func importsATranslationWithAnotherNormalization(format: TranslationFormat) throws {
    var fixture = Self.fixture(english: "{a: Coffee}", french: "{a: Caf\(Self.composed)}")
    let text = "Caf\(Self.decomposed)"
    let plan = try fixture.take(
      try fixture.export("fr", as: format) { unit in unit = unit.translated(text) })
    #expect(plan.output?.changed == 1)
    let found = try #require(try fixture.translations("fr")["strings/app#a"])
    #expect(found.hasSameBytes(as: text))
  }

  @Test(arguments: TranslationFormat.allCases)
  func reportsASourceTextWithAnotherNormalization(format: TranslationFormat) throws {
    var fixture = Self.fixture(english: "{a: Caf\(Self.composed)}", french: "{a: Kaffe}")
    let old = try fixture.export("fr", as: format) { unit in unit = unit.translated("Kaffee") }
    fixture["strings/app.en.yml"] = "en: {a: Caf\(Self.decomposed)}\n"
    #expect(try fixture.take(old).diagnostics.map(\.id) == ["translation-source"])
  }
}
