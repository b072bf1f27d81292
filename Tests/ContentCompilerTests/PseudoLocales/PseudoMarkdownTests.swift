import ContentModel
import Markdown
import TestInputs
import Testing

@testable import ContentCompiler

@Suite struct PseudoMarkdownTests {
  private static let options = MarkdownOptions(tables: true, strikethrough: true)

  private func plain(_ source: String, in locale: PseudoLocale = .accented) -> String {
    locale.markdown(MarkdownText.parse(source, options: Self.options).0).plain
  }

  @Test func changesTheTextsOfEachBlock() {
    let source = """
      ## Peony season

      From **May** to `June`, {name}: [peonies](product/peony) ![A rose](a.png).

      - one
      - two

      ```
      code
      ```

      | a | b |
      |---|---|
      | c | `d` |
      """
    #expect(
      plain(source) == """
        [Þéöñý šéåšöñ one two]

        [Ƒŕöṁ Ṁåý ţö June, {name}: þéöñîéš Å ŕöšé. one two three]

        [öñé one]
        [ţŵö one]

        code

        [å one]\t[ƀ one]
        [ç one]\td
        """)
  }

  @Test func keepsAMessageAcrossRuns() {
    let source = "{count, plural, one {*one* rose} other {roses}} left"
    #expect(plain(source).hasPrefix("[{count, plural, one {one rose} other {roses}} ļéƒţ"))
    #expect(!plain(source, in: .mirrored).prefix(10).contains("\u{200F}"))
  }

  private static let pieces = [
    "*", "**", "_", "~~", "[", "]", "![", "](", "(", ")", "`", "``", "a", "b ", " ", "  \n", "\n",
    "\n\n", "\\", "&amp;", "> ", "- ", "1. ", "| a | b |\n|-|-|\n| c | d |\n", "# ", "```\n", "é",
    "[b](product/b)", "![c](c.png)", "[d](https://a.example/d \"t\")", "{name}", "%d", "50%", "{",
    "}", "word ", "---\n", "<https://a.example>",
  ]

  @Test(arguments: 0..<40)
  func keepsBlocksAndLinksOfAnyText(seed: Int) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = (0..<random.below(30) + 1).map { _ in random.one(of: Self.pieces) }.joined()
      let source = MarkdownText.parse(text, options: Self.options).0
      for locale in [PseudoLocale.accented, .mirrored] {
        for form in PseudoLocale.Form.allCases {
          let changed = locale.markdown(source, as: form)
          #expect(changed.references == source.references)
          #expect(
            changed.blocks.map(withoutTexts) == source.blocks.map(withoutTexts),
            "\(text.debugDescription)")
        }
        let found = Placeholders(in: locale.markdown(source).plain)
        #expect(found.difference(from: Placeholders(in: source.plain)) == nil, "\(text)")
      }
    }
  }

  /// A block with empty texts, except code.
  private func withoutTexts(_ block: MarkdownText.Block) -> MarkdownText.Block {
    switch block {
    case .paragraph(let text): .paragraph(withoutTexts(text))
    case .heading(let level, let text): .heading(level: level, runs: withoutTexts(text))
    case .quote(let blocks): .quote(blocks.map(withoutTexts))
    case .list(let start, let items):
      .list(start: start, items: items.map { $0.map(withoutTexts) })
    case .code, .rule: block
    case .table(let table):
      .table(
        MarkdownText.Table(
          alignments: table.alignments, header: table.header.map(withoutTexts),
          rows: table.rows.map { $0.map(withoutTexts) }))
    }
  }

  private func withoutTexts(_ runs: [MarkdownText.Run]) -> [MarkdownText.Run] {
    runs.map { run in
      var run = run
      if !run.style.contains(.code) { run.text = "" }
      return run
    }
  }
}
