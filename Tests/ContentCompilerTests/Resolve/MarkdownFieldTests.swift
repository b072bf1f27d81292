import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import TestInputs
import Testing

@testable import ContentCompiler

/// Fields of type `markdown`; `docs/reference/content.md`, "Texts with styles".
@Suite struct MarkdownFieldTests {
  private static let svg = Array(
    "<svg xmlns='http://www.w3.org/2000/svg' width='2' height='1'/>".utf8)

  private func shop(
    _ files: [String: String], type: String = "{type: markdown, localized: true}",
    format: String = "binary", at instant: Instant = Shop.noon
  ) throws -> Shop {
    try Shop(
      files, fields: "{body: \(type), next: reference}", with: ["format": format],
      assets: ["assets/a.svg": Self.svg], at: instant)
  }

  private func body(_ shop: Shop, _ context: String = "en") throws -> Value {
    let bundle = try #require(try Reader(context).bundle("all", in: shop), "\(shop.findings)")
    return try #require(bundle["entries"]?["item/a"]?["content"]?["body"])
  }

  private static let article = """
    body: |
      # Title

      A *b* [c](item/a) ![Alt](a.svg)
    """

  @Test(arguments: ["binary", "xml", "json", "openstep"])
  func writesBlocksOfRuns(format: String) throws {
    let value = try body(try shop(["item/a": Self.article], format: format))
    #expect(value.keys == ["blocks", "plain"] && value["plain"]?.text == "Title\n\nA b c Alt")
    let blocks = try #require(value["blocks"]?.items)
    #expect(blocks.map { $0["type"]?.text } == ["heading", "paragraph"])
    #expect(blocks[0]["level"]?.number == 1)
    let runs = try #require(blocks[1]["runs"]?.items)
    #expect(runs.map { $0["text"]?.text } == ["A ", "b", " ", "c", " ", "Alt"])
    #expect(runs[1]["emphasis"]?.flag == true && runs[0].keys == ["text"])
    #expect(runs[3]["link"]?.text == "item/a")
    #expect(runs[5]["image"]?["type"]?.text == "image/svg+xml")
  }

  @Test func writesAPageWithTheLanguageOfItsText() throws {
    let shop = try shop(
      ["item/a": Self.article, "item/a.fr": "body: Bonjour"],
      type: "{type: markdown, localized: true, page: true}")
    let french = try body(shop, "fr-CA")["page"]
    #expect(french?["type"]?.text == "text/html")
    let html = String(decoding: try shop.bytes(french?["scales"]?["1"]?["object"]), as: UTF8.self)
    #expect(html.contains(#"<html lang="fr" dir="ltr">"#) && html.contains("<p>Bonjour</p>"))
    let english = try body(shop, "de")["page"]?["scales"]?["1"]
    let page = String(decoding: try shop.bytes(english?["object"]), as: UTF8.self)
    let image = try body(shop)["blocks"]?.items[1]["runs"]?.items[5]["image"]
    let path = try #require(image?["scales"]?["1"]?["path"]?.text)
    #expect(page.contains(#"lang="en""#) && page.contains("../\(path.dropFirst(8))"))
    #expect(english?["path"]?.text?.hasSuffix(".html") == true)
    let holders = try shop.recordedEntries["item/a"]?.items.compactMap(\.hash)
    #expect(holders?.contains(english?["object"]?.hash ?? "") == true)
  }

  @Test func writesNoPageUnderEmbargo() throws {
    let text = "when: {from: 2030-01-01T00:00:00Z, embargo: true}\n" + Self.article
    let type = "{type: markdown, localized: true, page: true}"
    let shop = try shop(["item/a": text, "item/b": "body: b"], type: type)
    #expect(shop.objects.values.filter { $0.fileExtension == "html" }.count == 1)
    let later = try self.shop(
      ["item/a": text, "item/b": "body: b"], type: type,
      at: Instant(secondsSince1970: 1_893_456_000))
    #expect(later.objects.values.filter { $0.fileExtension == "html" }.count == 2)
  }

  @Test(arguments: [
    ("body: |\n  One\n\n  a <b>x</b>", "error markdown 4:5"),
    ("body: |\n  ##### Deep", "error markdown 2:3"),
    ("body: |\n  [a](http://example.com)", "error markdown 2:7"),
    ("body: \"[a](javascript:x)\"", "error markdown 1:12"),
    ("body: |-\n    été [a](item/none)", "error broken-reference 2:13"),
    ("body: |\n  - ![x](none.svg)", "error unknown-asset 2:10"),
    ("body: |\r\n  One\r\n  [a](item/none)\r\n", "error broken-reference 3:7"),
    ("body: >\n  One\n  [a](ftp://x)", "error markdown 1:7"),
    ("body: [1]", "error wrong-type 1:7"),
  ])
  func reportsPlacesInTheText(yaml: String, finding: String) throws {
    #expect(try shop(["item/a": yaml]).findings.first == finding)
  }

  @Test func namesTheLineOfAFoldedText() throws {
    let found = try shop(["item/a": "body: >\n  One\n\n  [a](ftp://x)"]).diagnostics
    #expect(found.first?.notes.first?.message.contains("line 2, column 5") == true)
  }

  @Test func countsTheTextWithoutMarkup() throws {
    let type = "{type: markdown, minLength: 3, maxLength: 5}"
    #expect(try shop(["item/a": "body: '**12345**'"], type: type).isBuilt)
    #expect(
      try shop(["item/a": "body: '**12**'"], type: type).findings == ["error out-of-range 1:7"])
    #expect(
      try shop(["item/a": "body: '123456'"], type: type).findings == ["error out-of-range 1:7"])
  }

  @Test func addsTablesAndStrikethroughOnlyIfAsked() throws {
    let text = "body: |\n  |a|\n  |-|\n  |~~b~~|\n"
    let plain = try body(try shop(["item/a": text]))
    #expect(plain["blocks"]?.items.map { $0["type"]?.text } == ["paragraph"])
    let table = try body(
      try shop(["item/a": text], type: "{type: markdown, tables: true, strikethrough: true}"))
    #expect(table["blocks"]?.items.map { $0["type"]?.text } == ["table"])
    let cell = table["blocks"]?.items[0]["rows"]?.items[0].items[0].items[0]
    #expect(cell?["strikethrough"]?.flag == true && cell?["text"]?.text == "b")
  }

  @Test func followsLinksInFlows() throws {
    let shop = try Shop(
      [
        "datatypes/item.yaml": "flow: true\nfields: {body: markdown}",
        "item/a": "body: '[b](item/b)'", "item/b": "body: '[a](item/a)'",
      ],
      with: ["bundles": "{all: {include: item/a, startup: true}, rest: {include: item/b}}"])
    #expect(shop.findings == [])
  }
}
