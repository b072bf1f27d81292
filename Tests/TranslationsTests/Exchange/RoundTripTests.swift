import ContentModel
import ContentSource
import Diagnostics
import TestInputs
import Testing
import Translations

/// Exports and imports of random projects.
@Suite struct RoundTripTests {
  private static let locales = ["fr", "ar", "pt-BR"]

  @Test(arguments: 0..<60 as Range<UInt64>)
  func changesNothingAfterAnExport(seed: UInt64) throws {
    let format = TranslationFormat.of(seed)
    for locale in Self.locales {
      var fixture = RandomProject(seed: seed).fixture
      let plan = try fixture.take(try fixture.export(locale, as: format))
      #expect(!plan.hasErrors, "seed \(seed)")
      let files = plan.output?.files.map(\.path).filter { $0 != TranslationLock.fileName }
      #expect(files == [], "seed \(seed)")
    }
  }

  /// All translations of one project are imported into the same project without them.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func restoresLostTranslations(seed: UInt64) throws {
    let format = TranslationFormat.of(seed)
    for locale in Self.locales {
      let whole = RandomProject(seed: seed).fixture
      var fixture = whole
      for path in whole.files.names where path.contains(".\(locale).") { fixture[path] = "" }
      let before = try fixture.translations(locale)
      let plan = try fixture.take(try whole.export(locale, as: format))
      #expect(!plan.hasErrors, "seed \(seed)")
      let wanted = try whole.translations(locale)
      let after = try fixture.translations(locale)
      // A list or a plural whose translation is incomplete is left out, with a warning.
      if plan.output?.skipped == 0 { #expect(after == wanted, "seed \(seed)") }
      #expect(after.count >= before.count, "seed \(seed)")
      #expect(try fixture.tree().entries.count == whole.tree().entries.count)
    }
  }

  /// Some texts get another translation, and no other value of the content changes.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func changesOnlyTheEditedTexts(seed: UInt64) throws {
    var project = RandomProject(seed: seed)
    var fixture = project.fixture
    var random = SeededGenerator(seed: seed ^ 0x5EED)
    let locale = random.one(of: Self.locales)
    let format = random.one(of: TranslationFormat.allCases)
    let before = try fixture.translations(locale)
    let others = try Self.locales.filter { $0 != locale }.map { try fixture.translations($0) }
    var wanted: [ExactString: String] = [:]
    let file = try fixture.export(locale, as: format) { unit in
      guard unit.target != nil, random.once(in: 3) else { return }
      let text = project.text()
      wanted[unit.id] = text
      unit = unit.translated(text)
    }
    let plan = try fixture.take(file)
    #expect(!plan.hasErrors, "seed \(seed): \(plan.diagnostics)")
    let after = try fixture.translations(locale)
    #expect(after == before.merging(wanted) { $1 }, "seed \(seed)")
    let left = try Self.locales.filter { $0 != locale }.map { try fixture.translations($0) }
    #expect(left == others)
    // Lines without a changed text stay as they are.
    for file in plan.output?.files ?? [] where file.path != TranslationLock.fileName {
      let diff = file.diff(below: "").split(separator: "\n")
      #expect(diff.count { $0.hasPrefix("-") } - 1 <= 4 * wanted.count, "seed \(seed)")
    }
  }
}

extension TranslationFormat {
  /// The format of a seed; consecutive seeds use all formats in turn.
  fileprivate static func of(_ seed: UInt64) -> TranslationFormat {
    allCases[Int(seed % UInt64(allCases.count))]
  }
}
