import ContentModel
import ContentSource
import Diagnostics
import Testing

@testable import ContentCompiler

/// The origins of the values that one reader gets.
@Suite struct ExplanationTests {
  private static let now = Instant(secondsSince1970: 1_780_000_000)

  private func tree(_ entry: String, _ overlay: String? = nil) throws -> ContentTree {
    var files = ["a": entry]
    files["a.fr"] = overlay
    return try smallTree(files)
  }

  private func explained(_ tree: ContentTree, _ reader: Circumstances, locale: String = "en") throws
    -> Explanation
  {
    let tag = try #require(LocaleTag(locale))
    let context = Context(
      locale: tag, device: "any", locales: tree.project.locales, devices: tree.project.devices)
    return try #require(
      explain(EntryID("item/a") ?? .maintenance, in: tree, context: context, circumstances: reader))
  }

  private func line(_ location: Diagnostics.SourceLocation) -> Int {
    location.range?.start.line ?? 0
  }

  @Test func showsEachCategoryOfAPlural() throws {
    let tree = try smallTree([
      "datatypes/item.yaml": "fields: {roses: {type: plural, localized: true}}",
      "a": "roses:\n  one: A rose\n  other: Roses\n",
    ])
    let found = try explained(tree, Circumstances(instant: Self.now), locale: "fr")
    let fields = try #require(found.fields)
    #expect(fields.map(\.path) == ["roses.locale", "roses.one", "roses.other"])
    #expect(fields.map(\.value) == ["en", "A rose", "Roses"])
    #expect(fields.map { line($0.location) } == [2, 2, 3])
    let own = try explained(tree, Circumstances(instant: Self.now))
    #expect(own.fields?.map(\.path) == ["roses.one", "roses.other"])
  }

  @Test func namesOverlaysThatMayNotHaveAField() throws {
    let tree = try smallTree([
      "datatypes/item.yaml": """
      fields:
        price: number
        title: {type: string, localized: true}
        story: {type: object, fields: {text: {type: string, localized: true}, size: integer}}
      """,
      "a": "price: 2\ntitle: Rose\nstory: {text: Red, size: 3}\n",
      "a.fr": "{}", "a@phone": "{}",
    ])
    let tag = try #require(LocaleTag("fr"))
    let context = Context(
      locale: tag, device: "phone", locales: tree.project.locales, devices: tree.project.devices)
    let id = try #require(EntryID("item/a"))
    let found = try #require(
      explain(id, in: tree, context: context, circumstances: Circumstances(instant: Self.now)))
    let lines = ExplanationPage(found).text.split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix("    passed over") } == [
        "    passed over: fr (not localized), @phone (has none)",
        "    passed over: fr (has none), @phone (has none)",
        "    passed over: fr (has none), @phone (has none)",
        "    passed over: fr (has none), @phone (has none)",
      ])
  }

  /// The files of a catalog, explained for French, as lines of path, layer and passed layers.
  private func explainedCatalog(_ files: [String: String]) throws -> [String] {
    let tree = try smallTree(
      Dictionary(uniqueKeysWithValues: files.map { ("strings/\($0.key)", $0.value) }))
    let french = try #require(LocaleTag("fr"))
    let context = Context(
      locale: french, device: "any", locales: tree.project.locales, devices: tree.project.devices)
    let id = try #require(EntryID("strings/app"))
    let found = try #require(
      explain(id, in: tree, context: context, circumstances: Circumstances(instant: Self.now)))
    return try #require(found.fields).map { field in
      let passed = field.passedOver.map { layer in
        "\(layer.layer.label)\(layer.hidden.map { " \(line($0))" } ?? "")"
      }
      return "\(field.path): \(field.layer) \(line(field.location)), passed \(passed)"
    }
  }

  @Test func doesNotPassOverTheFileOfAPlural() throws {
    let lines = try explainedCatalog([
      "app.en.yml": "en:\n  n:\n    one: A rose\n    other: '%{count} roses'\n  t: T\n",
      "app.fr.yml": "fr: {t: U}",
    ])
    #expect(
      lines == [
        #"n.locale: base 3, passed ["fr"]"#, #"n.one: base 3, passed ["fr"]"#,
        #"n.other: base 4, passed ["fr"]"#, #"t: fr 1, passed ["base 5"]"#,
      ])
  }

  @Test func tellsTheLocalesOfOneFileApart() throws {
    let lines = try explainedCatalog(["app.yml": "en:\n  a: A\n  b: B\nfr:\n  a: C\n"])
    #expect(lines == [#"a: fr 5, passed ["base 2"]"#, #"b: base 3, passed ["fr"]"#])
  }

  @Test func findsTheTextsOfAPluralInEachOfItsFiles() throws {
    let lines = try explainedCatalog([
      "app.en.yml": "en:\n  n:\n    one: A rose\n    other: '%{count} roses'\n",
      "app.yml": "en:\n  n:\n    zero: No rose\n",
    ])
    #expect(
      lines == [
        #"n.locale: base 3, passed ["base"]"#, #"n.one: base 3, passed ["base"]"#,
        #"n.other: base 4, passed ["base"]"#, #"n.zero: base 3, passed ["base"]"#,
      ])
  }

  /// The mistake stops the build; it does not hide the other values.
  @Test func showsTheSourceTextForATranslationOfAnotherKind() throws {
    let read = ContentReader.read(
      ContentFolder(texts: [
        "content.yaml": "app: shop\nsourceLocale: en\nlocales: [en, fr]\n",
        "strings/app.en.yml": "en: {a: A, m: {x: X}, n: {one: 1, other: N}, l: [[a], b]}",
        "strings/app.fr.yml": "fr: {a: B, m: Y, n: {one: 2, othr: M}, l: [c, d]}",
      ]))
    #expect(read.diagnostics.map(\.id).sorted() == ["text-kind", "text-kind", "unknown-key"])
    let tree = try #require(read.output)
    let french = try #require(LocaleTag("fr"))
    let context = Context(
      locale: french, device: "any", locales: tree.project.locales, devices: tree.project.devices)
    let id = try #require(EntryID("strings/app"))
    let found = try #require(
      explain(id, in: tree, context: context, circumstances: Circumstances(instant: Self.now)))
    let fields = try #require(found.fields)
    #expect(
      fields.map(\.path) == ["a", "l[0][0]", "l[1]", "m.x", "n.locale", "n.one", "n.other"])
    #expect(fields.map(\.value) == ["B", "a", "b", "X", "en", "1", "N"])
  }

  private static let steps = """
    steps:
      - {text: In Japan, when: {country: JP}}
      - {text: Here}
      - {text: New, when: {app: ">=2.0"}}
      - {text: Gone, when: {until: 2020-01-01T00:00:00Z}}
      - {text: On phones, when: {device: phone}}
      - {text: Last, badges: [{text: x, when: false}, {text: y}]}
    """

  @Test(
    arguments: [
      (
        nil, nil, ["steps[0].text 3", "steps[1].badges[0].text 7", "steps[1].text 7"],
        [
          "steps[] country 2", "steps[] app 4", "steps[] until 5", "steps[] device 6",
          "steps[1].badges[] never 7",
        ]
      ),
      (
        "JP", "2.1",
        [
          "steps[0].when 2", "steps[0].text 2", "steps[1].text 3", "steps[2].when 4",
          "steps[2].text 4",
          "steps[3].badges[0].text 7", "steps[3].text 7",
        ],
        ["steps[] until 5", "steps[] device 6", "steps[3].badges[] never 7"]
      ),
    ] as [(String?, String?, [String], [String])])
  func numbersItemsAsTheReaderGetsThem(
    country: String?, app: String?, fields: [String], leftOut: [String]
  ) throws {
    let reader = Circumstances(
      country: country, version: app.flatMap { AppVersion($0) }, instant: Self.now)
    let explanation = try explained(try tree(Self.steps), reader)
    #expect(explanation.fields?.map { "\($0.path) \(line($0.location))" } == fields)
    let reported = explanation.leftOut.map { item in
      "\(item.path) \(item.condition.unmet.joined(separator: ",")) \(line(item.condition.location))"
    }
    // A list inside an item precedes the list of the item.
    #expect(reported.sorted() == leftOut.sorted())
  }

  @Test func namesLeftOutItemsById() throws {
    let tree = try tree(
      "x: [{id: a, when: {country: FR}}, {id: b}, {id: c}]",
      "x: [{id: c, when: {from: 2040-01-01T00:00:00Z}}]")
    let explanation = try explained(tree, Circumstances(instant: Self.now), locale: "fr")
    #expect(explanation.fields?.map(\.path) == ["x[b].id"])
    #expect(explanation.leftOut.map(\.path) == ["x[a]", "x[c]"])
    #expect(
      explanation.leftOut.map(\.condition.text) == ["country: FR", "from: 2040-01-01T00:00:00Z"])
    #expect(explanation.leftOut.last?.condition.location.path.hasSuffix("a.fr.yaml") == true)
  }

  @Test func findsTheHiddenOverlayItemByItsIndexInTheFile() throws {
    let tree = try tree(
      "x: [{t: a}, {t: b}, {t: c}]", "x: [{t: d, when: {country: JP}}, {t: e}, {t: f}]")
    let explanation = try explained(tree, Circumstances(instant: Self.now), locale: "fr")
    let fields = try #require(explanation.fields)
    #expect(fields.map(\.path) == ["x[0].t", "x[1].t"])
    #expect(fields.map(\.value) == ["e", "f"])
    #expect(fields.map { $0.passedOver.first?.hidden?.range?.start.column } == [17, 25])
  }

  @Test(arguments: [
    ("JP", 2026, true, []), ("US", 2026, false, ["country"]), ("JP", 2031, true, ["until"]),
  ])
  func hidesAnEntryByCountryButNotByDate(
    country: String, year: Int, isPresent: Bool, unmet: [String]
  ) throws {
    let tree = try tree("{x: 1, when: {country: JP, until: 2030-01-01T00:00:00Z}}")
    let instant = try #require(Instant(rfc3339: "\(year)-06-01T00:00:00Z"))
    let explanation = try explained(tree, Circumstances(country: country, instant: instant))
    #expect((explanation.fields != nil) == isPresent)
    #expect(explanation.condition?.unmet == unmet)
  }

  @Test func includesAListThatIsEmptyForTheReader() throws {
    let explanation = try explained(
      try tree("x: [{t: a, when: {country: JP}}]"), Circumstances(instant: Self.now))
    #expect(explanation.fields?.map(\.path) == ["x"])
    #expect(explanation.fields?.first?.value == [])
  }

  @Test func numbersItemsOfBorrowedTexts() throws {
    let tree = try tree("x: [{t: a, when: {country: JP}}, {t: b}]")
    let context = try explained(tree, Circumstances(instant: Self.now), locale: "fr").context
    func paths(_ country: String?) -> [String] {
      borrowedTexts(in: tree, context: context, Circumstances(country: country, instant: Self.now))
        .flatMap { $0.texts.map(\.path) }
    }
    #expect(paths(nil) == ["x[0].t"])
    #expect(paths("JP") == ["x[0].t", "x[1].t"])
  }
}
