import ContentModel
import Foundation
import Testing

@testable import RichText

/// Values of type `markdown`, as readers get them.
@Suite struct MarkdownValueTests {
  private static func text(_ text: String, _ members: (String, Value)...) -> Value {
    .dictionary(Members([("text", .string(text))] + members))
  }

  private static func paragraph(_ runs: Value...) -> Value {
    ["type": "paragraph", "runs": .array(runs)]
  }

  private static let value: Value = [
    "plain": "all of it",
    "blocks": [
      ["type": "heading", "level": 2, "runs": [text("Season")]],
      paragraph(
        text("From "), text("May", ("strong", true), ("emphasis", true)),
        text("code", ("code", true)), text("old", ("strikethrough", true)),
        text("rose", ("link", "product/rose")), text("us", ("link", "https://example.com/a"))),
      ["type": "quote", "blocks": [paragraph(text("Quoted"))]],
      [
        "type": "list", "start": 3,
        "items": [[paragraph(text("three"))], [paragraph(text("four"))]],
      ],
      ["type": "list", "items": [[paragraph(text("point"))]]],
      ["type": "code", "text": "let a = 1\n", "language": "swift"],
      ["type": "rule"],
      [
        "type": "table", "alignments": ["right", "natural"], "header": [[text("A")], [text("B")]],
        "rows": [[[text("1")], [text("2")]], [[text("short")]]],
      ],
    ],
  ]

  private var markdown: MarkdownValue {
    get throws { try #require(MarkdownValue(Self.value)) }
  }

  @Test func readsEveryKindOfBlock() throws {
    let blocks = try markdown.blocks
    let plain = try markdown.plain
    #expect(blocks.count == 8 && plain == "all of it")
    guard case .heading(2, let title) = blocks[0], case .paragraph(let runs) = blocks[1],
      case .list(3, let items) = blocks[3], case .table(let table) = blocks[7]
    else {
      Issue.record("other blocks")
      return
    }
    #expect(title.map(\.text) == ["Season"] && items.count == 2)
    #expect(runs[1].isStrong && runs[1].isEmphasized && !runs[1].isCode)
    #expect(runs[2].isCode && runs[3].isStruck && runs[4].link == "product/rose")
    #expect(table.alignments == [.right, .natural] && table.rows[1].count == 2)
  }

  @Test(
    arguments: [
      "text", 1, [], [:], ["plain": "a"], ["blocks": []], ["plain": 1, "blocks": "a"],
    ] as [Value])
  func refusesOtherValues(value: Value) { #expect(MarkdownValue(value) == nil) }

  @Test func leavesOutUnknownBlocks() throws {
    let value: Value = [
      "plain": "", "blocks": [["type": "film", "runs": []], "text", ["type": "rule"]],
    ]
    #expect(try #require(MarkdownValue(value)).blocks == [.rule])
  }

  @Test func limitsTheDepthOfForeignValues() throws {
    var block: Value = ["type": "rule"]
    for _ in 0..<2_000 { block = ["type": "quote", "blocks": [block]] }
    let markdown = try #require(MarkdownValue(["plain": "", "blocks": [block]]))
    #expect(AttributedString(markdown).characters.isEmpty)
  }

  @Test func readsFormatsWithoutBooleans() throws {
    let value: Value = [
      "plain": "", "blocks": [["type": "paragraph", "runs": [["text": "a", "strong": "YES"]]]],
    ]
    guard case .paragraph(let runs) = try #require(MarkdownValue(value)).blocks[0] else { return }
    #expect(runs[0].isStrong)
  }

  @Test func writesStylesAndBlocks() throws {
    let text = AttributedString(try markdown)
    let runs = text.runs.map { run in
      (
        text: String(text[run.range].characters), style: run.markdownStyle,
        blocks: run.markdownBlocks?.map(\.kind) ?? [], link: run.link
      )
    }
    #expect(runs[0].text == "Season" && runs[0].blocks == [.heading(level: 2)])
    let may = try #require(runs.first { $0.text == "May" })
    #expect(may.style == [.strong, .emphasis] && may.blocks == [.paragraph])
    #expect(runs.first { $0.text == "From " }?.style == nil)
    #expect(runs.first { $0.text == "rose" }?.link?.absoluteString == "entry:product/rose")
    #expect(runs.first { $0.text == "us" }?.link?.absoluteString == "https://example.com/a")
    let four = try #require(runs.first { $0.text == "four" })
    #expect(four.blocks == [.paragraph, .listItem(ordinal: 4), .orderedList])
    let cell = try #require(runs.first { $0.text == "2" })
    #expect(cell.blocks.dropLast() == [.tableCell(column: 1), .tableRow(index: 1)])
    #expect(cell.blocks.last == .table(columns: [.right, .natural]))
    #expect(runs.first { $0.text.hasPrefix("let") }?.blocks == [.code(language: "swift")])
  }

  @Test func namesTheFileOfAnImage() throws {
    let image: Value = [
      "type": "image/png", "scales": ["1": ["path": "objects/00/00.png"]],
    ]
    let value: Value = [
      "plain": "Alt", "blocks": [Self.paragraph(Self.text("Alt", ("image", image)))],
    ]
    let text = AttributedString(try #require(MarkdownValue(value)))
    #expect(text.runs.first?.imageURL?.absoluteString == "objects/00/00.png")
  }

  @Test func givesEachBlockAnIdentity() throws {
    let text = AttributedString(try markdown)
    let innermost = text.runs.compactMap { $0.markdownBlocks?.first?.identity }
    var distinct: [Int] = []
    for identity in innermost where distinct.last != identity { distinct.append(identity) }
    #expect(Set(distinct).count == distinct.count && distinct.count > 10)
  }

  @Test func writesLinesForPlainViews() throws {
    let text = AttributedString(try markdown, layout: .lines)
    #expect(
      String(text.characters) == """
        Season

        From Maycodeoldroseus

        Quoted

        3. three
        4. four

        • point

        let a = 1


        \u{2E3B}

        A\tB
        1\t2
        short\t
        """)
    #expect(text.runs.first?.markdownStyle == .strong)
  }

  @Test(arguments: ["javascript:alert(1)", "http://example.com", "data:text/html,x", "//evil", ""])
  func followsNoForeignScheme(link: String) throws {
    let value: Value = [
      "plain": "", "blocks": [Self.paragraph(Self.text("a", ("link", .string(link))))],
    ]
    #expect(AttributedString(try #require(MarkdownValue(value))).runs.first?.link == nil)
  }
}
