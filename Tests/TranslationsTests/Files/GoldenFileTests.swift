import ContentModel
import Diagnostics
import TestInputs
import Testing
import Translations

@Suite struct GoldenFileTests {
  /// Compares the files of the sample units with those in `Golden`.
  @Test(arguments: TranslationFormat.allCases)
  func writesTheRecordedFile(format: TranslationFormat) throws {
    let file = TranslationFile(
      format, from: Samples.english, to: Samples.french, units: Samples.units)
    let written = file.encoded()
    #expect(written.diagnostics == [])
    try CheckedOutFiles.expect(
      "Tests/TranslationsTests/Files/Golden/fr.\(format.name)",
      toBe: String(decoding: written.output, as: UTF8.self))
  }

  @Test func documentsEachFormat() throws {
    let formats = TranslationFormat.allCases
    let rows: [(name: String, cell: (TranslationFormat) -> String)] = [
      ("`--to`", { "`\($0.name)`" }), ("for", { $0.readers }),
      ("extensions", { $0.extensions.map { "`\($0)`" }.joined(separator: ", ") }),
      ("control characters", { $0.onlyXMLCharactersIn == nil ? "yes" : "no (`translation-text`)" }),
      ("states", { $0.forms.states }), ("notes", { $0.forms.notes }),
      ("maximum length", { $0.forms.maximumLength }), ("places (bundles)", { $0.forms.whereUsed }),
      ("plurals", { $0.forms.plurals }),
      ("several locales in one file", { $0.forms.hasSeveralLocales ? "yes" : "no" }),
    ]
    try DerivedTable([""] + formats.map(\.title), rows.map { [$0.name] + formats.map($0.cell) })
      .expect(in: "docs/reference/translations.md")
    let rule = Rule.translationFile.summary.lowercased()
    for format in formats { #expect(rule.contains(format.title.lowercased())) }
  }

  @Test func documentsTheStatesOfEachFormat() throws {
    let formats = TranslationFormat.allCases
    let rows = TranslationUnit.State.allCases.map { state in
      let meaning =
        switch state {
        case .new: "no translation"
        case .needsReview: "needs a review"
        case .translated: "translated"
        case .final: "approved; read as translated"
        }
      let cells = formats.map { format in
        // Of several states with one name, the first is read.
        format.states.filter { $0.state == state && format.state(named: $0.name) == state }
          .map { "`\($0.name)`" }.joined(separator: ", ")
      }
      return [meaning] + cells
    }
    try DerivedTable(["state"] + formats.map(\.title), rows).expect(
      in: "docs/reference/translations.md")
  }

  /// A control character has no form in XML, and no unit may be lost without a message.
  @Test func refusesCharactersThatAFormatCannotHold() {
    let units = [
      TranslationUnit(id: "a/b#c", source: "fine", target: "bell \u{7}"),
      TranslationUnit(id: "a/b#d", source: "fine"),
      TranslationUnit(id: "a/b#e", source: "zero \0 end"),
    ]
    for format in TranslationFormat.allCases {
      let written = TranslationFile(
        format, from: Samples.english, to: Samples.french, units: units
      ).encoded()
      guard format.onlyXMLCharactersIn != nil else {
        let read = TranslationFile.decode(written.output, path: "in", locales: Samples.locales)
        #expect(read.output.first?.units == units)
        continue
      }
      #expect(written.diagnostics.map(\.id) == ["translation-text", "translation-text"])
      #expect(written.diagnostics.first?.message.contains("U+0007") == true)
      #expect(written.diagnostics.last?.message.contains("'a/b#e'") == true)
      #expect(written.output.isEmpty)
    }
  }

  @Test(arguments: TranslationFormat.allCases)
  func refusesToWriteAnIDTwice(format: TranslationFormat) {
    let unit = TranslationUnit(id: "a/b#c", source: "one", target: "un")
    let written = TranslationFile(
      format, from: Samples.english, to: Samples.french, units: [unit, unit]
    ).encoded()
    #expect(written.diagnostics.map(\.id) == ["translation-unit"])
  }

  @Test func sortsKeysAsXcodeDoes() throws {
    // Each of these orders occurs in catalogs of Xcode 15 and 16 in public repositories.
    let keys = [
      "", "-", "...", "(%@)", "[+2]", "%@", "%@ sent", "%@, %@", "%@/10", "%lld", "%lld Solves",
      "%lld.", "+2", "|", "0.00", "0km", "2x2", "3x3", "3x3 OH", "10x", "100x", "About me",
      "Add or make", "Add Photos", "Comment", "COMMENT", "Dinner preferences",
      "Dinner Preferences",
    ].filter { !$0.isEmpty }
    let units = keys.reversed().map { TranslationUnit(id: ExactString($0), source: $0, target: $0) }
    let written = TranslationFile(
      .xcstrings, from: Samples.english, to: Samples.french, units: units
    ).encoded()
    let read = TranslationFile.decode(written.output, path: "in", locales: Samples.locales)
    #expect(read.output.first?.units.map(\.id.text) == keys)
  }
}
