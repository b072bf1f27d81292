import ContentModel
import ContentSource
import Diagnostics
import Testing

@testable import ContentCompiler

/// One mistake in the sample gives one error, at its place.
///
/// Consequences of the mistake are not reported.
@Suite struct SingleMistakeTests {
  @Test(arguments: Slip.all)
  func causesOneErrorAtItsLocation(slip: Slip) throws {
    var files = try Self.sample()
    let path = ExactString(slip.path)
    let before = String(decoding: try #require(files[path]), as: UTF8.self)
    let text = slip.old
    let range = try #require(before.firstRange(of: text), "the sample no longer has this text")
    files[path] = Array(before.replacing(slip.old, with: slip.new, maxReplacements: 1).utf8)
    let line =
      before[..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1 + slip.linesAfter
    let found = try Self.diagnostics(of: files)
    #expect(
      found.map(Self.line) == ["content/\(slip.path):\(line)"],
      "\(found.map { "\(Self.line($0)) \($0.message)" })")
  }

  @Test(arguments: [
    ("entries/product/single-rose.yaml", "entries/product/single-rose.YAML"),
    ("entries/product/twelve-red-roses.yaml", "entries/product/twelve-red-roses.Yml"),
    ("entries/product/country-charm.fr.yaml", "entries/product/country-charm.fr.yaml.YAML"),
    ("entries/category.yaml", "entries/category.YAML"),
    ("entries/store.fr.yaml", "entries/store.fr.ymal"),
    ("entries/product/monstera.yaml", "entries/product/Monstera.yaml"),
    ("entries/product/country-charm.fr.yaml", "entries/product/country-charm.frr.yaml"),
    ("entries/product/country-charm.fr.yaml", "entries/product/country-charn.fr.yaml"),
    ("entries/product/country-charm@ipad.yaml", "entries/product/country-charm@ipda.yaml"),
    ("entries/product/country-charm@ipad.yaml", "entries/product/country-charm@ipad.fr.yaml"),
    ("datatypes/product.yaml", "datatypes/product.YAML"),
    ("datatypes/product.yaml", "datatypes/Product.yaml"),
    ("strings/app.en.yml", "strings/app.en.YML"), ("maintenance.yaml", "maintenance.YAML"),
    ("entries/screen/home.yaml", "entries/screens/home.yaml"),
  ])
  func inAFileNameCausesOneErrorForThatFile(old: String, new: String) throws {
    var files = try Self.sample()
    files[ExactString(new)] = files.removeValue(forName: old)
    let found = try Self.diagnostics(of: files)
    #expect(
      found.map(\.location?.path.text) == ["content/\(new)"],
      "\(found.map { "\(Self.line($0)) \($0.message)" })")
  }

  @Test(arguments: [
    "datatypes/category.yaml", "datatypes/product.yaml", "datatypes/screen.yaml",
    "entries/category.yaml", "entries/store.yaml", "entries/screen/home.yaml",
    "entries/product/spring-meadow.yaml", "entries/step/send-flowers/choose.yaml",
    "entries/form/address.yaml", "strings/app.en.yml",
  ])
  func aDeletedFileGivesOneError(path: String) throws {
    var files = try Self.sample()
    try #require(files.removeValue(forName: path) != nil)
    let found = try Self.diagnostics(of: files)
    #expect(found.count == 1, "\(found.map { "\(Self.line($0)) \($0.message)" })")
  }

  @Test(arguments: [
    ("  screens: {include: screen/*, exclude: [screen/home]}\n", "'screen/terms', 'screen/thanks'"),
    ("  home: {include: screen/home, startup: true}\n", "'screen/home'"),
    ("  send-flowers: {include: [step/**, form/*]}\n", "'form/*', 'step/**'"),
  ])
  func inTheBundlesGivesOneWarningForEntriesWithoutReaders(line: String, names: String) throws {
    var files = try Self.sample()
    let before = String(decoding: try #require(files["content.yaml"]), as: UTF8.self)
    try #require(before.contains(line), "the sample no longer has this text")
    files["content.yaml"] = Array(before.replacing(line, with: "").utf8)
    let found = try Self.diagnostics(of: files, from: .warning)
    #expect(found.map(\.id) == ["unbundled-entry"])
    #expect(found.first?.message.hasPrefix("no bundle has \(names), so") == true)
    #expect(found.first?.location?.range?.start.column == 1)
  }

  /// A wrong declaration breaks many values, which are right.
  @Test(arguments: Self.declarations)
  func aMistakeInADeclarationGivesOneErrorThere(
    path: String, old: String, new: String, message: String
  ) throws {
    var files = try Self.sample()
    let before = String(decoding: try #require(files[path]), as: UTF8.self)
    try #require(before.contains(old), "the sample no longer has this text")
    files[path] = Array(before.replacing(old, with: new, maxReplacements: 1).utf8)
    let found = try Self.diagnostics(of: files)
    #expect(found.count == 1 && found[0].message.hasSuffix(message), "\(found.map(\.message))")
    #expect(found.first?.location?.path.text == "content/\(path)")
    let count = found.first?.message.split(separator: " ").first.flatMap { Int($0) }
    #expect(found.first?.notes.count == count)
  }

  /// A declaration is right if most of its values fit it.
  @Test(arguments: [
    ("price: number", "price: cheap", "price: 3"),
    ("tags: {type: list, of: integer}", "tags: [many]", "tags: [3]"),
    ("code: {type: string, required: true}", "note: x", "code: A1"),
  ])
  func inManyValuesIsReportedAtTheDeclarationFromAHalf(field: String, wrong: String, right: String)
    throws
  {
    for (count, places) in [(22, ["datatypes/product.yaml"]), (23, ["entries/product.yaml"])] {
      let lines = (1...count).map { "p\($0): {\($0 <= 11 ? wrong : right)}\n" }
      let texts = [
        "content.yaml": "app: shop\nsourceLocale: en\nlocales: [en]\n",
        "datatypes/product.yaml": "fields:\n  note: string\n  \(field)\n",
        "entries/product.yaml": lines.joined(),
      ]
      let files = Dictionary(firstOf: texts.map { ($0, Array($1.utf8)) })
      let found = try Self.diagnostics(of: files)
      #expect(Set(found.compactMap(\.location?.path.text)) == Set(places.map { "content/\($0)" }))
      #expect(found.count == (count == 22 ? 1 : 11), "\(found.map(\.message))")
    }
  }

  /// A comment in place of a required value is the mistake, not that the value is missing.
  @Test(arguments: [
    ("content.yaml", "app: flowershop", "app: #1"),
    ("content.yaml", "sourceLocale: en", "sourceLocale: #en"),
    ("entries/product/country-charm.yaml", "title: Country Charm Basket", "title: #1 Basket"),
    ("entries/product/country-charm.yaml", "title: Country Charm Basket", "title:\n  #1 Basket"),
    ("entries/product/country-charm.fr.yaml", "title: Panier", "title: #1 Panier"),
  ])
  func inPlaceOfARequiredValueIsTheComment(path: String, old: String, new: String) throws {
    var files = try Self.sample()
    let before = String(decoding: try #require(files[path]), as: UTF8.self)
    try #require(before.contains(old), "the sample no longer has this text")
    files[path] = Array(before.replacing(old, with: new, maxReplacements: 1).utf8)
    let found = try Self.diagnostics(of: files)
    #expect(found.map(\.id) == ["comment-in-text"], "\(found.map(\.message))")
  }

  static let declarations = [
    (
      "content.yaml", "  tv: {}\n", "",
      "places are for the device 'tv', which 'devices' lacks; declare it here, or correct them"
    ),
    (
      "content.yaml", "  phone: {}", "  phon: {}",
      "places are for the device 'phone', which 'devices' lacks; declare it here, or write 'phon' there"
    ),
    (
      "content.yaml", "fr-CA, es-MX", "es-MX",
      "places are for the locale 'fr-CA', which 'locales' lacks; declare it here, or correct them"
    ),
    (
      "content.yaml", "fr-CA, es-MX", "fr-CA",
      "places are for locales of the language 'es', which 'locales' lacks; declare one here, or correct them"
    ),
    (
      "datatypes/product.yaml", "  pairsWith: {type: list, of: {type: reference, to: product}}\n",
      "",
      "places hold the field 'pairsWith', which 'product' does not declare; declare it here, or delete it there"
    ),
    (
      "datatypes/product.yaml", "  badges:", "  bdges:",
      "places hold the field 'badges', which 'product' does not declare; declare it here, or write 'bdges' there"
    ),
    (
      "datatypes/settings.yaml", "  features:", "  featrues:",
      "places hold the field 'features', which 'settings' does not declare; declare it here, or write 'featrues' there"
    ),
    (
      "datatypes/store.yaml", "  phone: {", "  pohne: {",
      "places hold the field 'phone', which 'store' does not declare; declare it here, or write 'pohne' there"
    ),
    (
      "datatypes/store.yaml", "[A-Z][A-Za-z]+/", "[A-Z]+/",
      "values of 'timeZone' do not fit this declaration, a 'string'; correct it, or the values"
    ),
    (
      "content.yaml", "sourceLocale: en", "sourceLocale: de",
      "required values are missing for en-GB: its chain, en-GB → en, leaves out the source locale 'de'; did you mean 'sourceLocale: en'?"
    ),
    (
      "content.yaml", "en-GB: [en-GB, en]", "en-GB: [en-GB]",
      "required values are missing for en-GB: its chain, en-GB, leaves out the source locale 'en'; add 'en' to its end, or write the values"
    ),
    (
      "datatypes/product.yaml", "title: {type: string, required: true, localized: true,",
      "title: {type: string, required: true,",
      "values of 'title' are in overlays for locales; add 'localized: true' here, or delete them"
    ),
    (
      "datatypes/product.yaml",
      "title: {type: string, required: true, localized: true, minLength: 2, maxLength: 60}",
      "title: {type: number, required: true, localized: true}",
      "values of 'title' do not fit this declaration, a 'number'; correct it, or the values"
    ),
    (
      "datatypes/product.yaml", "  care: {type: text, localized: true, maxLength: 300}\n", "",
      "places hold the field 'care', which 'product' does not declare; declare it here, or delete it there"
    ),
    (
      "datatypes/product.yaml", "  care: {", "  caer: {",
      "places hold the field 'care', which 'product' does not declare; declare it here, or write 'caer' there"
    ),
    (
      "datatypes/product.yaml", "maxLength: 60}", "maxLength: 3}",
      "values of 'title' do not fit this declaration, a 'string'; correct it, or the values"
    ),
    (
      "datatypes/product.yaml", "stems: {type: integer,", "stems: {type: integer, required: true,",
      "values of 'stems' are missing, which this declaration requires; write them, or delete 'required: true'"
    ),
  ]

  @Test(arguments: ["assets/", "assets/products/"])
  func inAFolderOfAssetsGivesOneError(folder: String) throws {
    let files = try Self.sample().filter { !$0.key.text.hasPrefix(folder) }
    let found = try Self.diagnostics(of: files)
    #expect(
      found.count == 1
        && found[0].message.hasSuffix(
          "values name assets in '\(folder)', which holds none; add the files, or correct the values"
        ), "\(found.map(\.message))")
  }

  @Test("reports a character that XML cannot carry once, at its place")
  func causesOneErrorForAControlCharacter() throws {
    var files = try Self.sample()
    for (path, old, new) in [
      ("content.yaml", "format: binary", "format: xml"),
      (
        "entries/product/country-charm.yaml", "title: Country Charm Basket",
        #"title: "Country \u0007Charm""#
      ),
    ] {
      files[path] = Array(
        String(decoding: try #require(files[path]), as: UTF8.self).replacing(old, with: new).utf8)
    }
    let found = try Self.diagnostics(of: files)
    #expect(
      found.map(Self.line) == ["content/entries/product/country-charm.yaml:1"],
      "\(found.map(\.message))")
  }

  static func line(_ diagnostic: Diagnostic) -> String {
    "\(diagnostic.location?.path ?? "?"):\(diagnostic.location?.range?.start.line ?? 1)"
  }

  /// The files of the sample, by path.
  static func sample() throws -> [ExactString: [UInt8]] {
    let tests = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    let folder = try ContentFolder.disk(at: "\(tests)/../../content", name: "content")
    return Dictionary(
      firstOf: try folder.items.map { ($0.path.text, try folder.read($0.path.text)) })
  }

  /// The errors of checking, or all diagnostics, as `contentc check` reports them.
  private static func diagnostics(
    of files: [ExactString: [UInt8]], from severity: Diagnostic.Severity = .error
  ) throws -> [Diagnostic] {
    let read = ContentReader.read(ContentFolder(exactFiles: files))
    let compiled = try read.output.map { try compile($0, at: Shop.noon) { _ in } }
    return (read.diagnostics + (compiled?.diagnostics ?? [])).filter {
      $0.severity == .error || severity == .warning
    }
  }
}
