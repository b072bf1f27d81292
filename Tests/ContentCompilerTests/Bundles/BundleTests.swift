import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import Testing

@testable import ContentCompiler

/// Bundles; `docs/reference/content.md` and `docs/reference/output.md`.
@Suite struct BundleTests {
  private static let items = [
    "datatypes/page.yaml": "open: true", "item/c": "{n: 3, t: z}", "item/a": "{n: 10, t: y}",
    "item/b": "{t: Z}",
    "item/a/deep": "{n: -1.5, t: é}",
    "page/one": "{n: 2, t: zz}",
  ]

  private func order(_ definition: String) throws -> String {
    let shop = try Shop(Self.items, with: ["bundles": "{all: {\(definition)}}"])
    let bundle = try #require(try Reader("en").bundle("all", in: shop), "\(shop.findings)")
    #expect(bundle["entries"]?.keys.count == bundle["order"]?.items.count)
    return bundle["order"]?.items.map { $0.json.replacing("\"", with: "") }.joined(separator: " ")
      ?? ""
  }

  @Test(arguments: [
    ("include: item/*", "item/a item/b item/c"),
    ("include: item/**", "item/a item/a/deep item/b item/c"),
    ("include: '**'", "item/a item/a/deep item/b item/c page/one"),
    ("include: '*/*'", "item/a item/b item/c page/one"),
    ("include: [item/c, item/*]", "item/c item/a item/b"),
    ("include: [page/*, item/b, item/a]", "page/one item/b item/a"),
    ("include: '*/*/*'", "item/a/deep"), ("include: '**/deep'", "item/a/deep"),
    ("include: 'item/a*'", "item/a"),
    ("include: '*/*e*'", "page/one"), ("include: item/*, exclude: item/b", "item/a item/c"),
    ("include: '**', exclude: [item/**]", "page/one"), ("include: [item/a, item/a]", "item/a"),
  ])
  func selectEntriesInOrder(definition: String, ids: String) throws {
    #expect(try order(definition) == ids)
  }

  @Test(arguments: [
    ("sort: n", "item/a/deep page/one item/c item/a item/b"),
    ("sort: -n", "item/a item/c page/one item/a/deep item/b"),
    ("sort: t", "item/b item/a item/c page/one item/a/deep"),
    ("sort: [-t]", "item/a/deep page/one item/c item/a item/b"),
  ])
  func sortEntriesWithoutTheFieldLast(sort: String, ids: String) throws {
    #expect(try order("include: '**', \(sort)") == ids)
  }

  @Test func sortBySeveralFieldsAndThenByInclusion() throws {
    let shop = try Shop(
      [
        "item/a": "{k: 1, d: 2026-01-02T00:00:00Z}", "item/b": "{k: 2, d: 2026-01-01T00:00:00Z}",
        "item/c": "{k: 1, d: 2026-01-03T00:00:00Z}", "item/d": "k: 2",
        "item/e": "{k: 2, d: 2026-01-01T00:00:00Z}",
      ],
      fields: "{k: integer, d: date}",
      with: ["bundles": "{all: {include: [item/e, item/*], sort: [k, -d]}}"])
    #expect(
      try Reader("en").bundle("all", in: shop)?["order"]?.json
        == #"["item/c","item/a","item/e","item/b","item/d"]"#)
  }

  @Test func sortDifferentKindsByKind() throws {
    let shop = try Shop(
      [
        "item/a": "v: b", "item/b": "v: 2", "item/c": "v: a", "item/d": "v: 1.5",
        "item/e": "v: true", "item/f": "v: 3",
      ],
      with: ["bundles": "{all: {include: item/*, sort: v}}"])
    #expect(
      try Reader("en").bundle("all", in: shop)?["order"]?.json
        == #"["item/e","item/d","item/b","item/f","item/c","item/a"]"#)
  }

  @Test func sortEachContextByItsOwnValues() throws {
    let shop = try Shop(
      ["item/a": "t: a", "item/b": "t: b", "item/a.fr": "t: c"],
      with: ["bundles": "{all: {include: item/*, sort: t}}"])
    #expect(try Reader("en").bundle("all", in: shop)?["order"]?.json == #"["item/a","item/b"]"#)
    #expect(try Reader("fr").bundle("all", in: shop)?["order"]?.json == #"["item/b","item/a"]"#)
  }

  @Test(arguments: [
    ("{include: item/x}", "broken-reference", "error"),
    ("{include: page/*}", "empty-pattern", "warning"),
    ("{}", "missing-key", "error"),
    ("{include: item/*, projection: light}", "unknown-projection", "error"),
    ("{include: '**', split: entries}", "wrong-type", "error"),
    ("{include: '**', split: entry, startup: true}", "split-startup", "error"),
    ("{include: item/*, sorted: t}", "unknown-key", "error"),
    ("{include: 'item//a'}", "wrong-type", "error"),
  ])
  func reportInvalidDefinitions(definition: String, id: String, severity: String) throws {
    let shop = try Shop(["item/a": "{t: 1}"], with: ["bundles": "{all: \(definition)}"])
    #expect(shop.diagnostics.map { "\($0.severity) \($0.id)" } == ["\(severity) \(id)"])
    #expect((!shop.isBuilt) == (severity == "error"))
  }

  @Test func rejectSplitBundlesOfSeveralDatatypes() throws {
    let shop = try Shop(Self.items, with: ["bundles": "{all: {include: '**', split: entry}}"])
    #expect(!shop.isBuilt && shop.diagnostics.count == 1)
  }

  @Test func splitIntoOneBundlePerEntry() throws {
    let shop = try Shop(
      ["item/a": "x: 1", "item/b/c": "x: 2", "item/d": "{x: 3, when: {locale: fr}}"],
      with: ["bundles": "{one: {include: item/**, split: entry, ttl: 1h}}"])
    let row = try #require(try Reader("en").index(of: shop)["bundles"]?["one"])
    #expect(row.keys == ["count", "list"] && row["count"] == 2)
    let list = try shop.object(row["list"])
    #expect(list["entries"]?.keys == ["a", "b/c"])
    #expect(list["entries"]?["a"]?["ttl"] == 3600)
    let bundle = try #require(try Reader("en").bundle("one", "b/c", in: shop))
    #expect(
      bundle.json
        == #"{"bundle":"one/b/c","entries":{"item/b/c":{"content":{"x":2},"datatype":"item"}},"format":1,"order":["item/b/c"]}"#
    )
    #expect(
      try shop.object(try Reader("fr").index(of: shop)["bundles"]?["one"]?["list"])["entries"]?.keys
        == [
          "a", "b/c", "d",
        ])
  }

  @Test func projectFieldsByDatatype() throws {
    let shop = try Shop(
      [
        "datatypes/item.yaml": "{fields: {a: integer, b: integer}, projections: {light: [a]}}",
        "datatypes/page.yaml": "open: true",
        "item/a": "{a: 1, b: 2}", "page/p": "{a: 3, b: 4}",
      ], with: ["bundles": "{all: {include: '**', projection: light, sort: -b}}"])
    let bundle = try #require(try Reader("en").bundle("all", in: shop))
    #expect(bundle["entries"]?["item/a"]?["content"]?.json == #"{"a":1}"#)
    #expect(bundle["entries"]?["page/p"]?["content"]?.json == #"{"a":3,"b":4}"#)
    #expect(bundle["order"]?.json == #"["page/p","item/a"]"#)
  }

  @Test func useTheBundlesFormat() throws {
    let shop = try Shop(
      ["item/a": "{h: !!binary aGk=, d: 2026-01-01T00:00:00Z, p: p.png}"],
      fields: "{h: data, d: date, p: asset}",
      with: ["bundles": "{all: {include: item/*, format: json}, plain: {include: item/*}}"],
      assets: ["assets/p.png": [UInt8].png(1, 1)])
    let rows = try #require(try Reader("en").index(of: shop)["bundles"])
    #expect(rows["all"]?["format"] == "json" && rows["plain"]?["format"] == nil)
    let bytes = try shop.bytes(rows["all"]?["object"])
    let text = String(decoding: bytes, as: UTF8.self)
    let hex = Digest(of: [UInt8].png(1, 1)).hex
    #expect(
      text.contains(
        #""d":"2026-01-01T00:00:00Z","h":"aGk=","p":{"height":1,"scales":{"1":{"object":"\#(hex)""#),
      "\(text)")
    #expect(shop.objects.values.contains { $0.fileExtension == "json" && $0.bytes == bytes })
  }

  @Test func useTheProjectsFormatInConfigIndexAndRecord() throws {
    let shop = try Shop(["item/a": "x: 1"], with: ["format": "json"])
    #expect(shop.build?.config.path == "preview/config.json")
    #expect(try shop.config["build"]?.json.count == 66)
    #expect(try shop.a("en") == #"{"x":1}"#)
    #expect(
      shop.objects.values.allSatisfy {
        $0.fileExtension == "json" && $0.bytes.first == UInt8(ascii: "{")
      })
  }

  @Test func nameAnEntryThatTheFormatCannotRepresent() throws {
    let shop = try Shop(["item/a": "x: 1", "item/b": #"x: "bell \a""#], with: ["format": "xml"])
    #expect(!shop.isBuilt)
    #expect(
      shop.diagnostics.count == 1 && shop.diagnostics[0].message.contains("item/b"),
      "\(shop.findings)")
    #expect(try Shop(["item/b": #"x: "bell \a""#]).sees("item/b", "en") == #"{"x":"bell \u0007"}"#)
  }

  /// The characters of a default are checked only when a bundle is encoded.
  @Test(arguments: [
    #"{t: {type: string, default: "bell \a"}}"#,
    #"{t: {type: list, of: {type: object, fields: {n: string}}, default: [{n: "\a", when: {country: FR}}]}}"#,
  ])
  func nameTheFirstEntryThatTheFormatCannotRepresent(fields: String) throws {
    let ids = (10..<50).map { "item/a\($0)" }
    let bundles = "{all: {include: '**', format: binary}, texts: {include: '**', format: xml}}"
    let shop = try Shop(
      Dictionary(uniqueKeysWithValues: ids.map { ($0, "{}") }), fields: fields,
      with: ["bundles": bundles])
    #expect(!shop.isBuilt)
    let found = try #require(shop.findings("unencodable").first, "\(shop.findings)")
    #expect(
      shop.diagnostics.count == 1 && found.message.hasPrefix("'item/a10' cannot be written"),
      "\(shop.findings)")
    #expect(
      found.location?.path == "content/entries/item/a10.yaml"
        && found.location?.range?.start.line == 1)
    #expect(found.notes.first?.message.contains("'texts'") == true)
  }

  /// If a bundle fails while entries of the next one are resolved, problems of those are reported,
  /// too.
  @Test func reportProblemsOfTheNextBundlesEntries() throws {
    let list =
      #"{t: {type: list, of: {type: object, fields: {n: string}}, default: [{n: "\a", when: {country: FR}}]}}"#
    var files = Dictionary(uniqueKeysWithValues: (10..<50).map { ("thing/b\($0)", "{}") })
    files["item/a"] = "{}"
    files["datatypes/thing.yaml"] = "fields: {name: {type: string, required: true}}"
    let bundles = "{first: {include: 'item/*', format: xml}, second: {include: 'thing/*'}}"
    let shop = try Shop(files, fields: list, with: ["bundles": bundles])
    #expect(!shop.isBuilt && shop.findings("unencodable").count == 1, "\(shop.findings)")
    let missing = try #require(shop.findings("missing-field").first, "\(shop.findings)")
    #expect(missing.message.contains("40"), "\(missing.message)")
  }

  /// A missing value is reported, and a value that the format cannot carry is not encoded.
  @Test func areNotEncodedForBrokenContent() throws {
    let fields = #"{t: {type: string, default: "bell \a"}, name: {type: string, required: true}}"#
    let shop = try Shop(
      ["item/a": "{}", "item/b": "name: b"], fields: fields, with: ["format": "xml"])
    #expect(!shop.isBuilt && shop.diagnostics.map(\.id) == ["missing-field"], "\(shop.findings)")
  }

  @Test func storeEqualBundlesOnce() throws {
    let shop = try Shop(["item/a": "x: 1", "item/a.fr": "x: 2"])
    let hashes = try ["en", "en/ipad", "en-GB", "fr", "fr-CA/phone"].map {
      try Reader($0).index(of: shop)["bundles"]?["all"]?["object"]?.json
    }
    #expect(
      Set(hashes.prefix(3)).count == 1 && Set(hashes.suffix(2)).count == 1 && Set(hashes).count == 2
    )
    #expect(try shop.config["indexes"]?["en"] == shop.config["indexes"]?["en-GB"])
  }
}
