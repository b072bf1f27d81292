import ContentModel
import ContentSource
import Diagnostics
import TestInputs
import Testing

@testable import ContentCompiler

/// The messages of many mistakes, which `docs/reference/messages.md` lists.
@Suite struct MessagesTests {
  /// A mistake in an otherwise valid folder.
  struct Case: CustomTestStringConvertible, Sendable {
    var texts: [(path: String, text: String)]
    /// The corrected files, if a rule has an example of them.
    var cured: [(path: String, text: String)]?
    var testDescription: String { texts.map { "\($0.path): \($0.text)" }.joined(separator: "; ") }

    init(_ text: String, in path: String = "entries/product/rose.yaml") {
      texts = [(path, text + "\n")]
    }

    init(files: String...) { texts = files.map { ($0, "title: Tulip\n") } }

    init(_ example: Rule.Example) {
      texts = [(example.path, example.text + "\n")]
      cured = [(example.curedPath, example.curedText + "\n")]
    }

    /// The cell of the table with the mistake.
    var typed: String { Self.cell(of: texts) }

    /// The cell of the table with the cure.
    var right: String? { cured.map(Self.cell) }

    private static func cell(of texts: [(path: String, text: String)]) -> String {
      texts.map { path, text in
        let isFile = texts.count > 1 || !path.hasSuffix("rose.yaml")
        let name = isFile ? "\(path.split(separator: "/").last ?? ""): " : ""
        let line = text.dropLast().replacing("\n", with: "⏎").replacing("\t", with: "⇥").replacing(
          "\u{A0}", with: "⍽")
        return name + (line.count > 70 ? line.prefix(69) + "…" : line)
      }.joined(separator: "; ")
    }

    /// The diagnostics of the folder with the mistake.
    func diagnostics() throws -> [Diagnostic] {
      var files = MessagesTests.folder
      for (path, text) in texts { files[path] = text }
      let read = ContentReader.read(ContentFolder(texts: files))
      guard let tree = read.output, !read.hasErrors else { return read.diagnostics.inStableOrder() }
      let noon = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
      return try (read.diagnostics + compile(tree, at: noon) { _ in }.diagnostics).inStableOrder()
    }
  }

  static let folder = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, de, fr]
    devices: {phone: {}}
    bundles: {all: {include: "**"}}

    """,
    "datatypes/product.yaml": """
    fields:
      title: {type: string, localized: true}
      text: {type: text, localized: true}
      stems: {type: plural, localized: true}
      price: number
      stock: integer
      visible: boolean
      accent: {type: color, default: "#FFFFFF"}
      sale: date
      tags: {type: list, of: string}
      hero: {type: object, fields: {title: string, width: number}}
      related: reference
      goes-with: {type: list, of: {type: reference, to: product}}
      image: asset
      more: any
      site: url
      body: {type: markdown}

    """,
    "datatypes/category.yaml": "fields: {title: string}\n",
    "entries/category/roses.yaml": "title: Roses\n",
    "assets/plants/bonsai.txt": "", "assets/plants/caf\u{E9}.txt": "",
    "entries/product/bonsai.yaml": "title: Bonsai\n",
    "entries/product/country-charm.yaml": "title: Country Charm\n",
    "strings/app.en.yml":
      "en: {welcome: Welcome, bye: Goodbye, stems: {one: A stem, other: Stems}, days: [Mo, Tu]}\n",
  ]

  /// The rules that have an example.
  static let rules = Rule.all.filter { $0.example != nil }

  static let quotes: [Case] = [
    Case("title: \"say \"hi\" now\""),
    Case("title: \"Country\" Charm"),
    Case("tags: ['Baker's bread', fresh]"),
    Case("title: \"Bread\"#1"),
    Case("title: \"Hello\ntext: World\naccent: \"#fff\""),
    Case("title: 'Hello\ntext: World'"),
    Case("hero:\n  title: \"Hello\nworld\""), Case("title: \"A \\ud83c\\udf39 rose\""),
    Case("hero: {\n  title: \"Hello,\n  width: 3\"\n  }"),
  ]

  static let signs: [Case] = [
    Case("title: [New] Basket"), Case("title: {name}, welcome"), Case("title: *New* basket"),
    Case("title: *New basket"), Case("title: & more"),
    Case("title: > 100 roses"),
    Case("title: |best| roses"), Case("title: @home"), Case("title: %off"), Case("title: - Bread"),
    Case("title: , Bread"), Case("title: Sale: half price"), Case("more: {?size: 3}"),
    Case("tags: [?, fresh]"),
    Case("title: *New*\n  baskets"), Case("tags: [*New* basket, fresh]"),
    Case("title: Bread\nwhen: {app: >=2.0}"), Case("more: [{a: 1, b: {c: >=2.0}}]"),
    Case("tags: [fresh, new\nprice: 3"), Case("hero: {title: Bread,\n  width: 3\nprice: 3"),
    Case("goes-with:\n  - product/bonsai\nmore: [{a: b\nprice: 3"),
  ]

  static let comments: [Case] = [
    Case("accent: #FFAA00"), Case("tags: [red,#FFAA00]"),
    Case("tags: [red, #FFAA00\n  ]"), Case("more: {accent: #FFAA00}\nprice: 3"),
    Case("text: >#1 bread\n  fresh"),
    Case("text: > #1 bread\n  fresh"), Case("text: |\n      \n  # Bread"),
    Case("text: Only today\n  #1 flowers"), Case("text: Only today\n  #1 flowers\n  and more"),
    Case("tags:\n  - #1 in town"), Case("title: {en: Bread #1\n  }"),
  ]

  static let keys: [Case] = [
    Case("title:Bread\nprice: 3"), Case("price: 3\ntitle:Bread"), Case("title:Bread"),
    Case("hero:\n  title:Bread"),
    Case("hero: {title:Bread}"), Case("title:\u{A0}Bread\nprice: 3"), Case("title：Bread\nprice: 3"),
    Case("price: 3\n\u{A0}title: Bread"),
    Case("title: Bread\n  price: 3"), Case("hero:\n  title: Bread\n width: 3"),
    Case("more:\n  - id: a\n   text: b"), Case("more:\n  - id: a\n  text: b"),
    Case("title Bread\nprice: 3"),
    Case("hero:\n  title Bread\n  width: 3"),
    Case("text: Only today\nand tomorrow\nprice: 3"),
    Case("text: >-\nOnly today\nand tomorrow\nprice: 3"), Case("text:\nOnly today\nprice: 3"),
    Case("tags:\n\u{A0}- fresh\nprice: 3"), Case("tags:\n  \u{A0}- fresh"),
    Case("text: Today\n  - roses\n  - tulips"),
    Case("tags:\n-fresh\n-new"), Case("tags:\n  -fresh\n  -new"), Case("tags:\n  – fresh\n  – new"),
    Case("tags:\n• fresh\n• new\nprice: 3"), Case("tags:\n  * fresh\n  * new"),
    Case("hero: {width=32}"), Case("hero: {title: Bread, width=32}"),
    Case("title: Bread\n\(String(repeating: "k", count: 1_100)): 3"),
  ]

  static let values: [Case] = [
    Case("price: 39.99,"), Case("price: 1.30 EUR"), Case("price: 1.000,50"),
    Case("price: \"1.30\""),
    Case("stock: 1_000"), Case("hero: {width: 1,30}"), Case("visible: yes"),
    Case("visible: \"true\""), Case("accent: red"),
    Case("tags: fresh"), Case("title: {en: Bread, de: Brot}"),
    Case("related: country-charm"), Case("related: Product/Country Charm"),
    Case("goes-with: [roses]"),
    Case("image: plants/cafe\u{301}.txt"),
    Case("title: {one: Rose, other: Roses}"),
    Case("accent: 9C6B30"), Case("site: www.example.com"), Case("price: {FR: 3, GB: 4}"),
    Case("more: 1_000"),
    Case("title: One\\nTwo"), Case("title: Rose <!-- new name? -->"),
  ]

  static let markdown: [Case] = [
    Case("body: これは**「重要」**です"), Case("body: Now ~~5~~ 3 €"),
    Case("body: |\n  | a | b |\n  |---|---|\n  | 1 | 2 |"),
  ]

  static let catalogs: [Case] = [
    Case("fr: {stems: {one: Tige, many: Tiges, othr: Tiges}}", in: "strings/app.fr.yml"),
    Case("fr: {stems: Tiges}", in: "strings/app.fr.yml"),
    Case("fr: {days: [Lu]}", in: "strings/app.fr.yml"),
    Case("fr: {welcome: {one: Bienvenue}}", in: "strings/app.fr.yml"),
    Case("en: {reasons: {other: Other}}", in: "strings/more.en.yml"),
    Case("en: {nights: {one: A night, othr: Nights}}", in: "strings/more.en.yml"),
  ]

  static let times: [Case] = [
    Case("sale: 2026-02-30T10:00:00Z"), Case("sale: 2026-12-24"), Case("sale: 2026-12-24T18:00"),
    Case("sale: 2026-12-24 18:00 Europe/Paris"), Case("sale: 2026-12-24T24:00 Europe/Paris"),
    Case("sale: 2026-10-25T02:30 Europe/Paris"),
    Case("sale: 2026-12-24T18:00 CET"),
    Case("sale: 9999-12-31T23:59 America/New_York"), Case("sale: 2026-12-24T18:00Z"),
    Case("sale: 24.12.2026"),
    Case("sale: 12/24/2026"), Case("sale: 3/4/2026"), Case("sale: tomorrow"),
  ]

  static let files: [Case] = [
    Case(files: "entries/product/Tulip.yaml"), Case(files: "entries/product/tulip.YAML"),
    Case(files: "entries/prodct/tulip.yaml"),
    Case(files: "entries/product/bonsai.es.yaml"),
    Case(files: "entries/product/bonsai@phone.de.yaml"),
    Case(
      files: "entries/product/tulip.de.yaml", "entries/product/tulip.fr.yaml",
      "entries/product/tulip@phone.yaml"),
    Case(files: "entries/product/bonsai_fr.yaml"), Case(files: "entries/fr/bonsai.yaml"),
  ]

  /// Mistakes in `content.yaml`, whose files fit the corrected one.
  static let project: [Case] = [
    ("locales: [en, de, fr]", "locales: en, de, fr"), ("locales:", "languages:"),
  ].map { right, wrong in
    Case((folder["content.yaml"] ?? "").replacing(right, with: wrong), in: "content.yaml")
  }

  static let sections: [(title: String, cases: [Case])] = [
    ("Examples of rules", rules.compactMap(\.example).map { Case($0) }),
    ("Quotes", quotes), ("Signs that mean something to YAML", signs), ("Comments", comments),
    ("Keys and indentation", keys), ("Values", values), ("Times", times), ("Markdown", markdown),
    ("String catalogs", catalogs), ("Files", files),
    ("`content.yaml`", project),
  ]

  @Test(arguments: sections.flatMap(\.cases))
  func reportsEachMistakeOnce(_ mistake: Case) throws {
    let found = try mistake.diagnostics()
    #expect(found.count == 1, "\(found.map(\.message))")
    #expect(found.allSatisfy { !$0.message.hasSuffix(".") })
  }

  @Test(arguments: rules)
  func reportsTheExampleOfARuleAndNotItsCure(rule: Rule) throws {
    var example = Case(try #require(rule.example))
    #expect(try example.diagnostics().map(\.rule) == [rule])
    example.texts = try #require(example.cured)
    #expect(try example.diagnostics() == [])
  }

  @Test(arguments: sections.flatMap(\.cases))
  func fixItsMendTheMistakeAndLoseNoText(_ mistake: Case) throws {
    for found in try mistake.diagnostics() {
      guard let fixIt = found.fixIt, let path = found.location?.path.text else { continue }
      var mended = mistake
      for index in mended.texts.indices where path == "content/\(mended.texts[index].path)" {
        let text = mended.texts[index].text
        mended.texts[index].text = fixIt.applied(to: text)
        // An escape becomes its character.
        if Self.rulesOfLostText.contains(found.rule), !text.contains("\\u") {
          #expect(Self.words(mended.texts[index].text).isSuperset(of: Self.words(text)))
        }
      }
      let left = try mended.diagnostics()
      #expect(left.isEmpty, "\(mended): \(left.map(\.message))")
    }
  }

  /// The rules whose fixes must keep each word; other fixes replace wrong words.
  private static let rulesOfLostText: [Rule] = [
    .yamlSyntax, .commentInText, .unclosedQuote, .unusedAnchor, .unknownTag,
  ]

  private static func words(_ text: String) -> Set<String> {
    Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }

  @Test func documentsTheMessages() throws {
    try CheckedOutFiles.expect("docs/reference/messages.md", toBe: try Self.page())
  }

  private static func page() throws -> String {
    let printer = DiagnosticPrinter(format: .short, color: false) { _ in nil }
    let tables = try sections.map { title, cases in
      let rows = try cases.map { mistake in
        let lines = try printer.print(mistake.diagnostics()).split(separator: "\n").map {
          cell(String($0))
        }
        let right = mistake.right.map { " \(cell($0)) |" } ?? ""
        return "| \(cell(mistake.typed)) | \(lines.joined(separator: "<br>")) |\(right)\n"
      }
      let head =
        cases.contains { $0.right != nil }
        ? "| typed | reported | right |\n|---|---|---|\n" : "| typed | reported |\n|---|---|\n"
      return "\n## \(title)\n\n" + head + rows.joined()
    }
    return introduction + tables.joined()
  }

  /// Code in a table, with Markdown's own characters escaped.
  private static func cell(_ text: String) -> String { "`` \(text.replacing("|", with: "\\|")) ``" }

  private static let introduction = """
    # Common mistakes and their messages

    This page shows the first line that `contentc check` prints for common mistakes. Below it, the
    terminal shows the line of the file, a mark, and the text to type. A test makes this page. `⏎`
    means a line break, `⇥` a tab, and `⍽` a no-break space. [The content folder](content.md)
    describes the rules, and the [glossary](../concepts/glossary.md) explains the words.

    """
}
