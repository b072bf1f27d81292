import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import TestInputs
import Testing

@testable import ContentCompiler

/// `embargo: true`; `docs/reference/content.md`, "Conditions".
@Suite struct EmbargoTests {
  private static let before = Shop.noon
  private static let end = Instant(secondsSince1970: 1_800_000_000)
  private static let when = "when: {from: 2027-01-15T08:00:00Z, embargo: true}"

  /// The word in everything under embargo.
  private static let secrets = ["zebra", "Zebra", "ZEBRA"]

  /// An entry with overlays, an item and assets under embargo, and public content.
  private static let files = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, fr]
    devices: {phone: {}}
    bundles:
      all: {include: "**", sort: [title]}
      each: {include: "item/**", split: entry}
      start: {include: "item/**", startup: true}
      text: {include: "item/**", format: json}

    """,
    "datatypes/item.yaml": """
    open: true
    fields: {title: {type: string, localized: true}, picture: asset, next: {type: reference, to: item}}
    """,
    "entries/item/a.yaml": """
    title: Antelope
    picture: shared.bin
    x: [{v: 1}, {v: Zebra, w: [{id: zebra}], \(when)}, {v: 2}]
    """,
    "entries/item/b.yaml": "{title: Bear, picture: shared.bin}",
    "entries/item/zebra.yaml": """
    title: Zebra
    picture: zebra.bin
    next: item/zebra2
    when: {from: 2027-01-15T08:00:00Z, country: ZW, embargo: true}
    """,
    "entries/item/zebra.fr.yaml": "title: Zebra FR",
    "entries/item/zebras/many.yaml": "{title: Zebras, picture: shared.bin, \(when)}",
    "entries/item.yaml": "zebra2: {title: Zebra two, \(when)}\nc: {title: Camel}\n",
  ]

  private static func folder(_ edits: [String: String?] = [:]) -> ContentFolder {
    let texts = files.merging(edits.compactMapValues(\.self)) { $1 }.filter {
      edits[$0.key] != .some(nil)
    }
    let assets = [
      "assets/shared.bin": Array("shared".utf8), "assets/zebra.bin": Array("ZEBRA".utf8),
    ]
    return ContentFolder(files: texts.mapValues { Array($0.utf8) }.merging(assets) { $1 })
  }

  /// The published bytes of a build, by the name of the file.
  private func published(_ shop: Shop) throws -> [(name: String, bytes: [UInt8])] {
    let build = try #require(shop.build, "\(shop.diagnostics)")
    return build.files.map { ($0.path, $0.bytes) } + [(build.config.path, build.config.bytes)]
      + build.links.map { ($0.path, []) } + shop.objects.values.map { ($0.path, $0.bytes) }
  }

  private func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.firstIndex(of: part) != nil
  }

  @Test func hidesEveryByteBeforeItsEnd() throws {
    let shop = try Shop(Self.folder(), at: Self.before)
    #expect(shop.diagnostics.isEmpty, "\(shop.findings)")
    // The hash of a file would confirm a guess at its text.
    let hidden = [
      "entries/item/zebra.yaml", "entries/item/zebra.fr.yaml", "entries/item/zebras/many.yaml",
    ]
    let digests = try (hidden + ["assets/zebra.bin"]).map { Digest(of: try Self.folder().read($0)) }
    let words = Self.secrets.map { Array($0.utf8) } + [Array("ZW".utf8)]
    let parts = words + digests.map(\.bytes) + digests.map { Array($0.hex.utf8) }
    for (name, bytes) in try published(shop) {
      for part in parts {
        #expect(
          !holds(Array(name.utf8), part) && !holds(bytes, part),
          "\(name) has \(String(decoding: part, as: UTF8.self))")
      }
    }
    #expect(
      try shop.a("en")
        == #"{"picture":\#(try picture(of: "item/a", shop)),"title":"Antelope","x":[{"v":1},{"v":2}]}"#
    )
    #expect(
      try Reader("en", country: "ZW").bundle("all", in: shop)?["order"]?.items == [
        "item/a", "item/b", "item/c",
      ])
  }

  private func picture(of id: String, _ shop: Shop) throws -> String {
    try #require(
      try Reader("en").bundle("all", in: shop)?["entries"]?[id]?["content"]?["picture"]?.json)
  }

  @Test func publishesEverythingAtItsEnd() throws {
    let shop = try Shop(Self.folder(), at: Self.end)
    let all = String(
      decoding: try published(shop).flatMap { Array($0.name.utf8) + $0.bytes }, as: UTF8.self)
    for word in Self.secrets { #expect(all.contains(word)) }
    let order = try Reader("en", country: "ZW").bundle("all", in: shop)?["order"]?.items
    #expect(order?.count == 6)
    #expect(try Reader("en").bundle("all", in: shop)?["order"]?.items.count == 5)
    let entry = try Reader("en", country: "ZW").bundle("each", "zebra", in: shop)?["entries"]?[
      "item/zebra"]
    #expect(entry?["from"] == .date(Self.end))
    let items = try Reader("en").bundle("all", in: shop)?["entries"]?["item/a"]?["content"]?["x"]?
      .items
    #expect(items?.map(\.keys) == [["v"], ["v", "w", "when"], ["v"]])
    #expect(try shop.config["changes"] == nil)
    #expect(shop.build?.validFrom == Self.end && shop.build?.validBefore == nil)
    #expect(shop.build?.dates == [Self.end])
  }

  @Test func announcesItsEndInAffectedBundles() throws {
    let shop = try Shop(Self.folder(), at: Self.before)
    let end = Value.date(Self.end)
    #expect(
      shop.build?.validBefore == Self.end && shop.build?.validFrom == nil && shop.build?.dates == []
    )
    #expect(try shop.config["changes"] == end)
    let index = try Reader("fr").index(of: shop)
    for name in ["all", "each", "start", "text"] {
      #expect(index["bundles"]?[name]?["changes"] == end, "\(name)")
    }
    #expect(index["startup"]?["start"]?["changes"] == end)
    #expect(try Reader("en").bundle("each", "a", in: shop)?["changes"] == end)
    #expect(try Reader("en").bundle("each", "b", in: shop)?["changes"] == nil)
  }

  @Test func buildsLikeContentWithoutTheHiddenParts() throws {
    let plain: [String: String?] = [
      "entries/item/zebra.yaml": nil, "entries/item/zebra.fr.yaml": nil,
      "entries/item/zebras/many.yaml": nil,
      "entries/item.yaml": "c: {title: Camel}\n",
      "entries/item/a.yaml": "{title: Antelope, picture: shared.bin, x: [{v: 1}, {v: 2}]}",
    ]
    let (shop, expected) = (
      try Shop(Self.folder(), at: Self.before), try Shop(Self.folder(plain), at: Self.before)
    )
    for context in ["en", "en/phone", "fr", "fr/phone"] {
      for name in ["all", "start", "text"] {
        let bundles = try [shop, expected].map {
          try Reader(context, country: "ZW").bundle(name, in: $0)
        }
        for key in ["entries", "order"] {
          #expect(bundles[0]?[key] == bundles[1]?[key], "\(context) \(name)")
        }
      }
      let rows = try [shop, expected].map {
        try Reader(context).index(of: $0)["bundles"]?["each"]?["count"]
      }
      #expect(rows[0] == rows[1])
    }
    #expect(
      shop.objects.values.filter { $0.fileExtension == "bin" }.map(\.bytes) == [
        Array("shared".utf8)
      ])
    #expect(try shop.recordedEntries.keys.sorted() == expected.recordedEntries.keys.sorted())
  }

  @Test func appliesTheOutermostOfSeveral() throws {
    let early = "when: {from: 2026-12-01T00:00:00Z, embargo: true}"
    let shop = try Shop(["item/a": "x: [{w: [{v: 1, \(early)}], \(Self.when)}]"])
    #expect(try shop.config["changes"] == .date(Self.end))
    #expect(shop.build?.validBefore == Instant(rfc3339: "2026-12-01T00:00:00Z"))
  }

  @Test func hidesAnEntryOnlyFromReadersOfItsOverlay() throws {
    let shop = try Shop(["item/a": "x: Plain", "item/a.fr": "{x: Zebra, \(Self.when)}"])
    #expect(try shop.a("en") == #"{"x":"Plain"}"# && shop.a("fr") == nil && shop.a("en-GB") != nil)
    #expect(try Reader("fr").bundle("all", in: shop)?["changes"] == .date(Self.end))
    #expect(try Reader("en").bundle("all", in: shop)?["changes"] == nil)
    #expect(try shop.recordedEntries["item/a"] != nil)
    for (name, bytes) in try published(shop) {
      #expect(!holds(bytes, Array("Zebra".utf8)), "\(name)")
    }
  }

  @Test func reportsMistakesInHiddenContent() throws {
    let shop = try Shop(
      [
        "item/a": "{\(Self.when)}", "item/b": "{title: B, x: [{p: no.bin, \(Self.when)}]}",
        "item/c": "{title: C, next: item/none, \(Self.when)}",
      ],
      fields: """
        {title: {type: string, required: true}, next: reference,
         x: {type: list, of: {type: object, fields: {p: asset}}}}
        """.replacing("\n", with: ""))
    #expect(!shop.isBuilt && shop.findings("unknown-asset").count == 1, "\(shop.findings)")
    let later = try Shop(
      ["item/a": "{\(Self.when)}", "item/c": "{title: C, next: item/none, \(Self.when)}"],
      fields: "{title: {type: string, required: true}, next: reference}")
    #expect(later.diagnostics.map(\.id).sorted() == ["broken-reference", "missing-field"])
  }

  @Test(
    arguments: [
      ("next: item/b", "error"), ("x: [{p: item/b, \(EmbargoTests.when)}]", nil),
      ("{next: item/b, \(EmbargoTests.when)}", nil),
      ("{next: item/b, when: {from: 2026-12-01T00:00:00Z, embargo: true}}", "error"),
      ("{next: item/b, when: {from: 2027-12-01T00:00:00Z, embargo: true}}", nil),
      ("{next: item/b, when: {from: 2027-12-01T00:00:00Z}}", "error"),
    ] as [(String, String?)])
  func breaksReferencesToItsEntry(source: String, severity: String?) throws {
    let fields = "{next: reference, x: {type: list, of: {type: object, fields: {p: reference}}}}"
    let files = ["item/a": source, "item/b": "{\(Self.when)}"]
    let found = try Shop(files, fields: fields).findings("broken-reference")
    #expect(found.map(\.severity.rawValue) == (severity.map { [$0] } ?? []), "\(found)")
    #expect(found.allSatisfy { $0.message.contains("until 2027-01-15T08:00:00Z") })
    #expect(try Shop(files, fields: fields, at: Self.end).diagnostics.isEmpty)
  }

  @Test func warnsIfSomeReadersOfAReferenceMissItsEntry() throws {
    let shop = try Shop(
      ["item/a": "next: item/b", "item/b": "{}", "item/b.fr": "{\(Self.when)}"],
      fields: "{next: reference}")
    let found = shop.findings("broken-reference")
    #expect(
      found.map(\.severity) == [.warning] && found.first?.message.hasSuffix("for fr, fr-CA") == true
    )
  }

  @Test(
    arguments: [
      ("{embargo: true}", "embargo-without-from", 8, "'from' beside it"),
      (
        "{until: 2027-01-01T00:00:00Z, embargo: true}", "embargo-without-from", 37,
        "'from' beside it"
      ),
      ("{from: 2027-01-01T00:00:00Z, embargo: yes}", "wrong-type", 36, "true or false"),
      ("{from: 2027-01-01T00:00:00Z, embargo: [true]}", "wrong-type", 36, "true or false"),
      (
        "{embargo: 2027-01-01T00:00:00Z}", "wrong-type", 8,
        "from: 2027-01-01T00:00:00Z, embargo: true"
      ),
      ("{from: 2027-01-01T00:00:00Z, embargo: }", "empty-condition", 27, "'embargo'"),
      ("{from: 2027-01-01T00:00:00Z, embrago: true}", "unknown-key", 27, "'embargo'"),
    ] as [(String, String, Int, String)])
  func isRejectedWithItsLocationIfItIsUnclear(
    condition: String, id: String, column: Int, words: String
  ) throws {
    let shop = try Shop(["item/a": "when:\n  \(condition)"])
    let found = try #require(shop.diagnostics.first)
    #expect(!shop.isBuilt && shop.diagnostics.count == 1 && found.id == id, "\(shop.findings)")
    #expect(
      found.location?.range?.start == SourcePosition(line: 2, column: column + 5),
      "\(shop.findings)")
    #expect((found.message + found.notes.map(\.message).joined()).contains(words), "\(found)")
  }

  @Test func hasNoEffectIfItIsFalse() throws {
    let shop = try Shop([
      "item/a": "{x: 1, when: {embargo: false}}",
      "item/b": "{when: {from: 2027-01-15T08:00:00Z, embargo: false}}",
    ])
    #expect(shop.diagnostics.isEmpty && shop.build?.validBefore == nil)
    #expect(try shop.recordedEntries.keys.sorted() == ["item/a", "item/b"])
  }

  @Test func isRejectedInMaintenanceTexts() throws {
    let shop = try Shop(["maintenance.yaml": "{title: Closed, x: [{v: 1, \(Self.when)}]}"])
    #expect(shop.findings("embargo-of-maintenance").count == 1 && !shop.isBuilt)
  }

  @Test func namesTheFilesWithHiddenContentOnly() throws {
    let tree = try #require(ContentReader.read(Self.folder()).output)
    #expect(
      withheldFiles(of: tree, at: Self.before).sorted().map(\.text) == [
        "entries/item/zebra.fr.yaml", "entries/item/zebra.yaml", "entries/item/zebras/many.yaml",
      ])
    #expect(withheldFiles(of: tree, at: Self.end).isEmpty)
  }

  /// Recompiling an edit of hidden or public content gives the bytes of a full build.
  @Test(
    arguments: [
      ("entries/item/zebra.yaml", "title: Zebra", "title: Zebrano"),
      ("entries/item/b.yaml", "Bear", "Beaver"),
      ("entries/item.yaml", "Zebra two", "Zebra 2"), ("entries/item.yaml", "Camel", "Cat"),
      ("entries/item/a.yaml", "Antelope", "Ape"), ("entries/item/a.yaml", "v: Zebra", "v: Zebrina"),
      ("entries/item/zebras/many.yaml", "Zebras", "A zebra"),
    ], [before, end])
  func survivesEdits(edit: (path: String, old: String, new: String), instant: Instant) throws {
    let folder = Self.folder()
    let text = try #require(Self.files[edit.path]).replacing(edit.old, with: edit.new)
    let known = try CleanBuild(files(of: folder), at: instant)
    let edited = try files(of: Self.folder([edit.path: text]))
    let build = EditedBuild(from: known.files, to: edited)
    let state = try #require(known.state, "\(known.diagnostics)")
    let decoded = try #require(
      CompiledState(state.encoded, named: CompiledState.name(of: state.encoded)))
    let recompiled = try build.recompile(decoded, objects: known.objects, at: instant)
    let made = try #require(recompiled)
    try CleanBuild(edited, at: instant).expectEqual(made, build.emitted, after: known)
  }

  private func files(of folder: ContentFolder) throws -> [String: [UInt8]] {
    try Dictionary(
      uniqueKeysWithValues: folder.items.map { ($0.path.text, try folder.read($0.path.text)) })
  }
}
