import ContentModel
import Diagnostics
import Testing
import Translations

/// Broken units, which are left out while all others are imported, and files that cannot be read.
@Suite struct BrokenImportTests {
  /// A way to break a unit of the French file of the shop.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// The rule that the unit breaks.
    var rule: String
    /// The unit in whose lines the problem is reported.
    var unit: ExactString
    var severity = Diagnostic.Severity.error
    var edit: @Sendable (inout TranslationUnit) -> Void

    var testDescription: String { name }
  }

  /// A case in which a unit gets another translation.
  private static func translating(
    _ id: ExactString, as text: String, breaks rule: String, _ name: String
  ) -> Case {
    Case(name: name, rule: rule, unit: id) { unit in
      if unit.id == id { unit = unit.translated(text) }
    }
  }

  /// A case in which a unit has another id.
  private static func renaming(
    _ id: ExactString, to other: ExactString, _ name: String
  ) -> Case {
    Case(name: name, rule: "translation-unknown", unit: other) { unit in
      guard unit.id == id else { return }
      unit = TranslationUnit(id: other, source: unit.source, target: "x")
    }
  }

  private static let title: ExactString = "product/rose#title"

  static let cases: [Case] = [
    translating(title, as: String(repeating: "x", count: 31), breaks: "out-of-range", "too long"),
    translating(title, as: "Rose {name}", breaks: "placeholders", "a new placeholder"),
    translating(title, as: "Rose %@", breaks: "placeholders", "an argument"),
    translating("product/rose#care", as: "<b>x</b>", breaks: "markdown", "raw HTML"),
    translating("product/rose#care", as: "[x](javascript:y)", breaks: "markdown", "a script"),
    translating("product/rose#care", as: "![x](none.png)", breaks: "unknown-asset", "no picture"),
    translating("product/rose#care", as: "##### x", breaks: "markdown", "a low heading"),
    Case(name: "placeholders of a plural", rule: "placeholders", unit: "product/rose#stock[other]")
    {
      guard $0.id.hasPrefix("product/rose#stock[") else { return }
      $0 = $0.translated($0.id.hasSuffix("[other]") ? "x" : "{count}")
    },
    renaming(title, to: "product/rose#titel", "an unknown field"),
    renaming(title, to: "product/rosa#title", "an unknown entry"),
    Case(
      name: "a category of other languages", rule: "unused-category",
      unit: "product/rose#stock[two]", severity: .warning
    ) { unit in
      guard unit.id == title else { return }
      unit = TranslationUnit(id: "product/rose#stock[two]", source: unit.source, target: "x")
    },
    renaming(title, to: "product/rose#badges.none.label", "an unknown item"),
    renaming("store/lyon#name", to: "store/lyon#city", "a field that is not translated"),
    renaming("strings/app#cart.add", to: "strings/app#cart", "a mapping"),
  ]

  private static let other: ExactString = "store/paris#name"

  @Test(arguments: cases, TranslationFormat.allCases)
  func leavesOutOnlyTheBrokenUnit(broken: Case, format: TranslationFormat) throws {
    var fixture = Fixture.shop
    let before = try fixture.translations("fr")
    let file = try fixture.export("fr", as: format) { unit in
      if unit.id == Self.other { unit = unit.translated("Boutique") }
      broken.edit(&unit)
    }
    let plan = try fixture.take(file)
    let output = try #require(plan.output)
    #expect(output.changed == 1)
    #expect(broken.severity == .error ? output.refused == 1 : output.refused == 0)
    let problem = try #require(
      plan.diagnostics.first { $0.severity == broken.severity && $0.id == broken.rule },
      "\(plan.diagnostics.map { "\($0.id): \($0.message)" })")
    #expect(problem.location?.path == "import")
    let names = ([problem.message] + problem.notes.map(\.message)).joined(separator: "\n")
    #expect(names.contains("'\(broken.unit)'"), "\(names)")
    let line = try #require(problem.location?.range?.start.line)
    let marks = try UnitMarks.of(format)
    #expect(try keyAt(line, of: file, marks) == marks.key(of: broken.unit))
    let after = try fixture.translations("fr")
    #expect(after == before.merging([Self.other: "Boutique"]) { $1 })
  }

  @Test(arguments: ["cut off", "empty", "no UTF-8", "another format"], TranslationFormat.allCases)
  func refusesAFileThatCannotBeRead(damage: String, format: TranslationFormat) throws {
    var fixture = Fixture.shop
    var file = try fixture.export("fr", as: format)
    switch damage {
    // Half of a table is still a table, so the cut is inside its last row.
    case "cut off": file.removeLast(format == .csv ? file.count - 20 : file.count / 2)
    case "empty": file = []
    case "no UTF-8": file.insert(0xFF, at: file.count / 2)
    default: file = Array("hello".utf8)
    }
    let plan = try fixture.take(file)
    #expect(plan.output == nil)
    #expect(plan.diagnostics.map(\.id) == ["translation-file"])
    #expect(plan.diagnostics.first?.location?.path == "import")
    #expect(fixture.files == Fixture.shop.files)
  }

  @Test func refusesUnitsWhoseIDOccursTwice() throws {
    var fixture = Fixture.shop
    let table = """
      id,source (en),target (fr)
      product/rose#title,Red rose,Rose A
      store/paris#name,Paris shop,Boutique
      product/rose#title,Red rose,Rose B

      """
    let plan = try fixture.take(Array(table.utf8))
    #expect(plan.diagnostics.map(\.id) == ["translation-unit"])
    #expect(plan.output?.refused == 1 && plan.output?.changed == 1)
    #expect(try fixture.translations("fr")["product/rose#title"] == "Rose rouge")
  }

  /// Returns the key of the unit whose lines include a line.
  private func keyAt(_ line: Int, of file: [UInt8], _ marks: UnitMarks) throws -> String {
    // Splits bytes, because CR and LF are one `Character`.
    let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let keys = lines[..<line].compactMap { marks.key(in: String(decoding: $0, as: UTF8.self)) }
    return try #require(keys.last)
  }
}
