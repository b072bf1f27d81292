import ContentModel
import ContentTranslations
import Diagnostics
import Testing
import TranslationFiles

/// Files that cannot be imported: each is refused with its place, and nothing changes.
@Suite struct BrokenImportTests {
  /// A way to break the French file of the shop.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// The rule that the file breaks.
    var rule: String
    /// The unit at whose lines the error is; `nil` for an error of the whole file.
    var unit: String?
    var edit: @Sendable (inout TranslationUnit) -> Void = { _ in }
    var damage: @Sendable (inout [UInt8]) -> Void = { _ in }

    var testDescription: String { name }
  }

  /// A case in which a unit gets another translation.
  private static func translating(
    _ id: String, as text: String, breaks rule: String, _ name: String
  ) -> Case {
    Case(name: name, rule: rule, unit: id) { unit in
      if unit.id == id { unit = unit.translated(text) }
    }
  }

  /// A case in which a unit has another id.
  private static func renaming(_ id: String, to other: String, _ name: String) -> Case {
    Case(name: name, rule: "translation-unknown", unit: other) { unit in
      guard unit.id == id else { return }
      unit = TranslationUnit(id: other, source: unit.source, target: "x")
    }
  }

  private static let title = "product/rose#title"

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
      if $0.id.contains("#stock[") { $0 = $0.translated($0.id.contains("other") ? "x" : "{count}") }
    },
    renaming(title, to: "product/rose#titel", "an unknown field"),
    renaming(title, to: "product/rosa#title", "an unknown entry"),
    renaming(title, to: "product/rose#stock[two]", "a category of other languages"),
    renaming(title, to: "product/rose#badges.none.label", "an unknown item"),
    renaming("store/lyon#name", to: "store/lyon#city", "a field that is not translated"),
    renaming("strings/app#cart.add", to: "strings/app#cart", "a mapping"),
    Case(name: "cut off", rule: "translation-file", damage: { $0.removeLast($0.count / 2) }),
    Case(name: "empty", rule: "translation-file", damage: { $0 = [] }),
    Case(name: "no UTF-8", rule: "translation-file", damage: { $0.insert(0xFF, at: $0.count / 2) }),
    Case(name: "another format", rule: "translation-file", damage: { $0 = Array("hello".utf8) }),
  ]

  @Test(arguments: cases, TranslationFormat.allCases)
  func refusesTheFileAndChangesNothing(broken: Case, format: TranslationFormat) throws {
    var fixture = Fixture.shop
    var file = try fixture.export("fr", as: format, broken.edit)
    // Half a table is a table, unless a cell is cut off.
    if broken.name == "cut off", format == .csv { file.removeLast(3) } else { broken.damage(&file) }
    let plan = try fixture.take(file)
    #expect(plan.output == nil)
    let error = try #require(
      plan.diagnostics.first { $0.severity == .error && $0.id == broken.rule },
      "\(plan.diagnostics.map { "\($0.id): \($0.message)" })")
    #expect(error.location?.path == "import")
    #expect(fixture.files == Fixture.shop.files)
    guard let unit = broken.unit else { return }
    let line = try #require(error.location?.range?.start.line)
    #expect(try unitAt(line, of: file, in: format, among: [unit]) == unit)
  }

  /// Returns the unit whose lines include a line.
  private func unitAt(
    _ line: Int, of file: [UInt8], in format: TranslationFormat, among wanted: [String]
  ) throws -> String {
    // By bytes: CR and LF are one character.
    let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    // A string catalog has the units of a plural below one key.
    let keys = wanted.map { format == .xcstrings ? $0.withoutCategory : $0 }
    let marks = keys.map { format == .xliff ? "id=\"\($0)\"" : "\"\($0)\"" }
    let isAny: (String) -> Bool = { line in
      switch format {
      case .xliff: line.contains("<trans-unit ")
      case .xcstrings: line.hasPrefix("    \"") && line.hasSuffix(": {")
      case .csv: line.hasPrefix("\"product/") || line.hasPrefix("\"st")
      }
    }
    let last = try #require(lines[..<line].last(where: isAny))
    let found = marks.firstIndex { last.contains($0) }
    return found.map { wanted[$0] } ?? last
  }
}

extension String {
  /// The id of a unit without its plural category.
  fileprivate var withoutCategory: String {
    hasSuffix("]") ? String(prefix { $0 != "[" }) : self
  }
}
