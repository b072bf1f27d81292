import ContentModel
import ContentSource
import Diagnostics
import SystemC
import Testing

@testable import ContentCompiler

/// The messages of many mistakes, which `docs/messages.md` lists.
///
/// `RECORD_GOLDEN=1` writes the page and fails, so that no run both records and passes.
@Suite struct MessagesTests {
  /// A slip in an otherwise valid folder.
  struct Slip: CustomTestStringConvertible, Sendable {
    var texts: [(path: String, text: String)]
    var testDescription: String { texts.map { "\($0.path): \($0.text)" }.joined(separator: "; ") }

    init(_ text: String, in path: String = "entries/product/rose.yaml") {
      texts = [(path, text + "\n")]
    }

    init(files: String...) { texts = files.map { ($0, "title: Tulip\n") } }

    /// The cell of the table.
    var typed: String {
      texts.map { path, text in
        let isFile = texts.count > 1 || !path.hasSuffix("rose.yaml")
        let name = isFile ? "\(path.split(separator: "/").last ?? ""): " : ""
        let line = text.dropLast().replacing("\n", with: "⏎").replacing("\t", with: "⇥").replacing(
          "\u{A0}", with: "⍽")
        return name + (line.count > 70 ? line.prefix(69) + "…" : line)
      }.joined(separator: "; ")
    }

    /// The diagnostics of the folder with the slip.
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

    """,
    "datatypes/category.yaml": "fields: {title: string}\n",
    "entries/category/roses.yaml": "title: Roses\n",
    "assets/plants/bonsai.txt": "",
    "entries/product/bonsai.yaml": "title: Bonsai\n",
    "entries/product/country-charm.yaml": "title: Country Charm\n",
    "strings/app.en.yml": "en: {welcome: Welcome, bye: Goodbye}\n",
  ]

  static let quotes: [Slip] = [
    Slip("title: 'Baker's bread'"),
    Slip("title: \"say \"hi\" now\""),
    Slip("title: \"Country\" Charm"),
    Slip("tags: ['Baker's bread', fresh]"),
    Slip("title: \"Bread\"#1"),
    Slip("title: \"Hello\ntext: World\naccent: \"#fff\""),
    Slip("title: 'Hello\ntext: World'"),
    Slip("title: \"Hello\ntext: World"),
    Slip("title: \"Hello\nworld\""),
    Slip("hero: {\n  title: \"Hello,\n  width: 3\"\n  }"),
  ]

  static let signs: [Slip] = [
    Slip("title: [New] Basket"), Slip("title: {name}, welcome"), Slip("title: *New* basket"),
    Slip("title: *New basket"), Slip("title: &more flowers"), Slip("title: & more"),
    Slip("title: > 100 roses"),
    Slip("title: |best| roses"), Slip("title: @home"), Slip("title: %off"), Slip("title: - Bread"),
    Slip("title: , Bread"), Slip("title: Sale: half price"), Slip("more: {?size: 3}"),
    Slip("tags: [?, fresh]"),
    Slip("title: !Sale"),
  ]

  static let comments: [Slip] = [
    Slip("title: Bread #1"), Slip("accent: #FFAA00"), Slip("tags: [red,#FFAA00]"),
    Slip("tags: [red, #FFAA00\n  ]"), Slip("more: {accent: #FFAA00}\nprice: 3"),
    Slip("text: >#1 bread\n  fresh"),
    Slip("text: > #1 bread\n  fresh"), Slip("text: |\n      \n  # Bread"),
    Slip("text: Only today\n  #1 flowers"), Slip("text: Only today\n  #1 flowers\n  and more"),
    Slip("tags:\n  - #1 in town"), Slip("title: {en: Bread #1\n  }"),
  ]

  static let keys: [Slip] = [
    Slip("title:Bread\nprice: 3"), Slip("price: 3\ntitle:Bread"), Slip("title:Bread"),
    Slip("hero:\n  title:Bread"),
    Slip("hero: {title:Bread}"), Slip("title:\u{A0}Bread\nprice: 3"), Slip("title：Bread\nprice: 3"),
    Slip("price: 3\n\u{A0}title: Bread"), Slip("tittle: Bread"), Slip("title: Bread\ntitle: Cake"),
    Slip("title: Bread\n  price: 3"), Slip("hero:\n  title: Bread\n width: 3"),
    Slip("hero:\n\ttitle: Bread"), Slip("title Bread\nprice: 3"),
    Slip("hero:\n  title Bread\n  width: 3"),
    Slip("text: Only today\nand tomorrow\nprice: 3"),
    Slip("tags:\n-fresh\n-new"), Slip("tags:\n  -fresh\n  -new"),
    Slip("title: Bread\n\(String(repeating: "k", count: 1_100)): 3"),
    Slip("<<<<<<< HEAD\ntitle: Bread\n=======\ntitle: Cake\n>>>>>>> cakes"),
  ]

  static let values: [Slip] = [
    Slip("price: 1,30"), Slip("price: 1.30 EUR"), Slip("price: 1.000,50"), Slip("price: \"1.30\""),
    Slip("stock: 1_000"), Slip("hero: {width: 1,30}"), Slip("visible: yes"), Slip("accent: red"),
    Slip("tags: fresh"), Slip("title: {en: Bread, de: Brot}"), Slip("related: product/roses"),
    Slip("related: country-charm"), Slip("related: Product/Country Charm"),
    Slip("goes-with: [roses]"),
    Slip("image: bonsai"),
  ]

  static let times: [Slip] = [
    Slip("sale: 2026-02-30T10:00:00Z"), Slip("sale: 2026-12-24"), Slip("sale: 2026-12-24T18:00"),
    Slip("sale: 2026-12-24 18:00 Europe/Paris"), Slip("sale: 2026-12-24T24:00 Europe/Paris"),
    Slip("sale: 2026-03-29T02:30 Europe/Paris"), Slip("sale: 2026-10-25T02:30 Europe/Paris"),
    Slip("sale: 2026-12-24T18:00 CET"), Slip("sale: 2026-12-24T18:00Z"), Slip("sale: 24.12.2026"),
    Slip("sale: 12/24/2026"), Slip("sale: 3/4/2026"), Slip("sale: tomorrow"),
  ]

  static let files: [Slip] = [
    Slip(files: "entries/product/Tulip.yaml"), Slip(files: "entries/product/tulip.YAML"),
    Slip(files: "entries/product/tulip.yalm"), Slip(files: "entries/prodct/tulip.yaml"),
    Slip(files: "entries/product/bonsai.es.yaml"),
    Slip(files: "entries/product/bonsai@phone.de.yaml"),
    Slip(
      files: "entries/product/tulip.de.yaml", "entries/product/tulip.fr.yaml",
      "entries/product/tulip@phone.yaml"),
    Slip("de: {welcom: Willkommen}", in: "strings/app.de.yml"),
  ]

  static let sections: [(title: String, slips: [Slip])] = [
    ("Quotes", quotes), ("Signs that mean something to YAML", signs), ("Comments", comments),
    ("Keys and indentation", keys), ("Values", values), ("Times", times), ("Files", files),
  ]

  @Test(arguments: sections.flatMap(\.slips))
  func reportsEachMistakeOnce(_ slip: Slip) throws {
    let found = try slip.diagnostics()
    #expect(found.count == 1, "\(found.map(\.message))")
    #expect(found.allSatisfy { !$0.message.hasSuffix(".") })
  }

  @Test func listsTheMessagesInTheDocumentation() throws {
    let path =
      #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/docs/messages.md"
    let page = try Self.page()
    if getenv("RECORD_GOLDEN") != nil {
      let file = try #require(fopen(path, "w"))
      defer { fclose(file) }
      fputs(page, file)
      Issue.record("recorded \(path)")
    } else {
      #expect(
        try Self.read(path) == page,
        "docs/messages.md is outdated; record it with RECORD_GOLDEN=1")
    }
  }

  private static func page() throws -> String {
    let printer = DiagnosticPrinter(format: .short, color: false) { _ in nil }
    let tables = try sections.map { title, slips in
      let rows = try slips.map { slip in
        let lines = try printer.print(slip.diagnostics()).split(separator: "\n").map {
          cell(String($0))
        }
        return "| \(cell(slip.typed)) | \(lines.joined(separator: "<br>")) |\n"
      }
      return "\n## \(title)\n\n| typed | reported |\n|---|---|\n" + rows.joined()
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
    describes the rules.

    """

  private static func read(_ path: String) throws -> String {
    let file = try #require(fopen(path, "r"), "\(path) is missing")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
