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
      found.map(\.location?.path) == ["content/\(new)"],
      "\(found.map { "\(Self.line($0)) \($0.message)" })")
  }

  /// A wrong declaration breaks many values, which are right.
  @Test(arguments: Self.declarations)
  func inADeclarationGivesOneErrorThere(path: String, old: String, new: String, message: String)
    throws
  {
    var files = try Self.sample()
    let before = String(decoding: try #require(files[path]), as: UTF8.self)
    try #require(before.contains(old), "the sample no longer has this text")
    files[path] = Array(before.replacing(old, with: new, maxReplacements: 1).utf8)
    let found = try Self.diagnostics(of: files)
    #expect(found.count == 1 && found[0].message.hasSuffix(message), "\(found.map(\.message))")
    #expect(found.first?.location?.path == "content/\(path)")
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
      #expect(Set(found.compactMap(\.location?.path)) == Set(places.map { "content/\($0)" }))
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
    return Dictionary(firstOf: try folder.items.map { ($0.path, try folder.read($0.path)) })
  }

  /// The errors of checking, as `contentc check` reports them.
  private static func diagnostics(of files: [ExactString: [UInt8]]) throws -> [Diagnostic] {
    let read = ContentReader.read(ContentFolder(exactFiles: files))
    let compiled = try read.output.map { try compile($0, at: Shop.noon) { _ in } }
    return (read.diagnostics + (compiled?.diagnostics ?? [])).filter { $0.severity == .error }
  }
}

/// A text of the sample and its faulty replacement.
struct Slip: CustomTestStringConvertible, Sendable {
  var path: String
  var old: String
  var new: String
  /// The number of lines between the beginning of the text and the mistake.
  var linesAfter = 0

  var testDescription: String { "\(path): \(new)" }

  private init(_ path: String, _ old: String, _ new: String, linesAfter: Int = 0) {
    (self.path, self.old, self.new, self.linesAfter) = (path, old, new, linesAfter)
  }

  static let all = project + datatypes + products + entries + conditions + catalogs

  private static let project = [
    ("app: flowershop", "app: Flower Shop"), ("app: flowershop", "ap: flowershop"),
    ("sourceLocale: en", "sourceLocale: eo"),
    ("sourceLocale: en", "sourceLocale: en-US"),
    ("sourceLocale: en", "sourceLocale: english language"),
    ("sourceLocale: en", "sourceLocal: en"), ("locales: [en,", "locales: [e n,"),
    ("[en, en-GB,", "[en, en-GB, en-GB,"), ("[en, en-GB,", "[en en-GB,"),
    ("locales:", "locale:"), ("  en-GB: [en-GB, en]", "  en-GR: [en-GB, en]"),
    ("fallback:", "fallbak:"),
    ("ipad: {parent: tablet}", "ipad: {parent: tablets}"),
    ("ipad: {parent: tablet}", "ipad: {parents: tablet}"),
    ("devices:", "device:"), ("format: binary", "format: plist"), ("  app: 10m", "  app: 10 min"),
    ("  app: 10m", "  app: -10m"),
    ("  edge: 5m", "  edgee: 5m"), ("stalenessLimit: 30m", "stalenessLimit: 10m"),
    (#"minimumApp: "1.5""#, "minimumApp: new"),
    ("home: {include: screen/home,", "home: {include: screen/hom,"),
    ("home: {include: screen/home,", "home: {includes: screen/home,"),
    ("home: {include", "Home: {include"),
    ("projection: light", "projection: ligth"), ("sort: [category,", "sort: [categori,"),
    ("split: entry", "split: entries"),
    ("startup: true", "startup: yes"), ("ttl: 1d, format", "ttl: 1 day, format"),
    ("format: json", "format: jsn"),
    ("qa: {target: site}", "objects: {target: site}"), ("url: https:", "url: htps:"),
    ("- fastly:", "- fastli:"),
  ].map { Slip("content.yaml", $0, $1) }

  private static let datatypes =
    [
      ("ttl: 1h", "ttl: 1hour"), ("fields:", "feilds:"),
      ("title: {type: string", "title: {type: sting"),
      ("required: true", "requird: true"), ("minLength: 2", "minLength: two"),
      ("max: 2000", "max: -1"),
      ("localized: true", "localized: on"), ("to: category", "to: categorie"),
      ("values: [USD", "value: [USD"),
      ("default: USD", "default: USS"), ("light: [title", "light: [titel"),
      (##"color: {type: color, default: "#C2185B""##, #"color: {type: color, default: red"#),
    ].map { Slip("datatypes/product.yaml", $0, $1) }
    + [
      Slip("datatypes/settings.yaml", #"pattern: "[A-Z][A-Z]""#, #"pattern: "[A-Z][A-Z""#),
      Slip("datatypes/step.yaml", "flow: true", "flow: yes"),
    ]

  private static let products =
    [
      ("title: Country Charm Basket", "titel: Country Charm Basket"),
      ("title: Country Charm Basket", "title: [Country]"),
      ("title: Country Charm Basket", "title: C"), ("price: 39.99", "price: 39,99"),
      ("price: 39.99", "price: -1"),
      ("price: 39.99", "price: free"), ("category: category/baskets", "category: category/basket"),
      ("category: category/baskets", "category: product/bonsai"),
      ("category: category/baskets", "category: Baskets"),
      ("image: products/basket.png", "image: products/baskets.png"),
      (##"accent: "#9C6B30""##, #"accent: brown"#),
      ("height: 32", "height: 0"), ("height: 32", "heigth: 32"),
      ("{id: new, label: New", "{label: New"),
      ("{id: new, label: New, height: 30}", "{id: new, label: New, height: 5}"),
      ("pairsWith: [product/greeting-card", "pairsWith: [product/greetingcard"),
      ("2026-03-01T09:00", "2026-02-30T09:00"),
      ("Europe/Paris", "Europe/Pariss"), ("EUR: 38", "EUR: cheap"), ("highlights:", "highlight:"),
    ].map { Slip("entries/product/country-charm.yaml", $0, $1) }
    + [
      Slip("entries/product/country-charm.fr.yaml", "title: Panier", "titre: Panier"),
      Slip(
        "entries/product/country-charm.fr.yaml", "title: Panier champêtre",
        "title: Panier champêtre\nprice: 3",
        linesAfter: 1),
      Slip("entries/product/country-charm.fr.yaml", "{id: new, label", "{id: nouveau, label"),
      Slip(
        "entries/product/country-charm@ipad.yaml", "{id: new, height: 45}",
        "{id: new, height: tall}"),
    ]

  private static let entries =
    [
      ("mon: [\"08:00-19:00\"]", "mon: [\"8-19\"]"), ("latitude: 40.7331", "latitude: 140.7331"),
      ("latitude: 40.7331, ", ""), ("services: [delivery", "services: [delivry"),
      ("timeZone: America/New_York", "timeZone: New York"),
      ("  city: New York", "\tcity: New York"),
    ].map { Slip("entries/store.yaml", $0, $1) }
    + [
      // The error is at the first of nine aliases.
      Slip("entries/store.yaml", "hours: &city-hours", "hours: &cityhours", linesAfter: 21),
      Slip("entries/category.yaml", "roses:\n", "Roses:\n"),
      Slip("entries/category.yaml", "  position: 2", "  position: first"),
      Slip("entries/category.fr.yaml", "roses: {title", "rose: {title"),
      Slip("entries/settings.yaml", "home: screen/home", "home: screen/hom"),
      Slip("entries/settings.yaml", "giftCards: true", "giftCards: yes"),
      Slip("entries/screen/home.yaml", "type: header", "type: heading"),
      Slip("entries/screen/home.yaml", "{id: roses, type", "{id: bouquets, type"),
      Slip("entries/screen/home.yaml", "action: screen/terms", "action: screen/term"),
      Slip("entries/screen/home.yaml", "action: screen/terms", "action: terms"),
    ]

  private static let conditions =
    [
      ("when: {device: phone}", "when: {device: fone}"),
      ("when: {device: phone}", "when: {devices: phone}"),
      ("when: {device: phone}", "when: phone"), ("when: {device: phone}", "when: {device: }"),
      ("app: \">=2.0\"", "app: new"), ("until: 2030-12-24", "until: 2020-12-24"),
      ("from: 2025-11-15T00:00", "from: 15.11.2025"),
      ("when: {device: phone}", "when: {locale: eo}"),
      ("when: {device: phone}", "when: {country: UK}"),
    ].map { Slip("entries/screen/home.yaml", $0, $1) }
    + [
      ("when: {country: JP}", "when: {country: jp}"),
      ("when: {country: JP}", "when: {country: XX}"),
      ("when: {country: JP}", "when: {country: no}"),
      ("when: {country: JP}", "when: {country: EN}"),
      ("when: {country: JP}", "when: {contry: JP}"),
    ].map { Slip("entries/form/address.yaml", $0, $1) }
    + [
      "{country: UK}", "{country: no}", "{locale: eo}", "{device: fone}", "{app: new}",
      "{from: soon}", "{until: }",
      "{contry: FR}",
    ].map { Slip("entries/product/chocolate-truffles.yaml", "title: ", "when: \($0)\ntitle: ") }

  private static let catalogs = [
    Slip("strings/app.fr.yml", "fr:\n", "fr-FR:\n"),
    Slip("strings/app.fr.yml", "    add: Ajouter", "   add: Ajouter", linesAfter: 1),
    Slip("strings/app.fr.yml", "    search: Rechercher", "    add: Rechercher"),
    Slip("strings/app.fr.yml", "distance: \"à %{distance}\"", "distance: %{distance}"),
    Slip("strings/app.en.yml", "en:\n", "- en:\n"),
    Slip("maintenance.yaml", "retryAfter: 120", "retryAfter: soon"),
  ]
}
