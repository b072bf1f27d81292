import Diagnostics
import Foundation
import Testing
import Translations

@Suite struct GoldenFileTests {
  /// Compares the files of the sample units with those in `Golden`; `RECORD_GOLDEN=1` records them.
  @Test(arguments: TranslationFormat.allCases)
  func writesTheRecordedFile(format: TranslationFormat) throws {
    let file = TranslationFile(
      format, from: Samples.english, to: Samples.french, units: Samples.units)
    let written = file.encoded()
    #expect(written.diagnostics == [])
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/fr.\(format.rawValue)")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
      try Data(written.output).write(to: path)
      Issue.record("recorded \(path.path)")
    } else {
      #expect(try Array(Data(contentsOf: path)) == written.output)
    }
  }

  /// A control character has no form in XML, and no unit may be lost without a message.
  @Test func refusesCharactersThatAFormatCannotHold() {
    let units = [
      TranslationUnit(id: "a/b#c", source: "fine", target: "bell \u{7}"),
      TranslationUnit(id: "a/b#d", source: "fine"),
      TranslationUnit(id: "a/b#e", source: "zero \0 end"),
    ]
    for format in [TranslationFormat.xliff, .csv] {
      let written = TranslationFile(
        format, from: Samples.english, to: Samples.french, units: units
      ).encoded()
      #expect(written.diagnostics.map(\.id) == ["translation-text", "translation-text"])
      #expect(written.diagnostics.first?.message.contains("U+0007") == true)
      #expect(written.diagnostics.last?.message.contains("'a/b#e'") == true)
      #expect(written.output.isEmpty)
    }
    let catalog = TranslationFile(
      .xcstrings, from: Samples.english, to: Samples.french, units: units
    ).encoded()
    let read = TranslationFile.decode(catalog.output, path: "in", locales: Samples.locales)
    #expect(read.output.first?.units == units)
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
    let units = keys.reversed().map { TranslationUnit(id: $0, source: $0, target: $0) }
    let written = TranslationFile(
      .xcstrings, from: Samples.english, to: Samples.french, units: units
    ).encoded()
    let read = TranslationFile.decode(written.output, path: "in", locales: Samples.locales)
    #expect(read.output.first?.units.map(\.id) == keys)
  }
}
