import TestInputs
import Testing

@testable import Markdown

struct RandomTextTests {
  private static let pieces = [
    "*", "**", "_", "~", "~~", "[", "]", "![", "](", "(", ")", "<", ">", "<b>", "<!--", "-->", "`",
    "``", "a", "b ", " ", "  \n", "\n", "\n\n", "\"", "'", "\\", "\\\n", "&", "&amp;", "&#10;",
    "> ",
    "- ", "1. ", "|", "|-|\n", "[a]: product/a\n", "[a]", "<a ", "=\"", "<https://a.example>", "\t",
    "    ", "!", "# ", "##### ", "===\n", "---\n", "```\n", "é", "😀", "\u{301}", "\0", "\r", "\r\n",
    "[b](product/b)", "![c](c.png)", "\u{202E}", "\u{FEFF}", "&nbsp;", "&#x1F600;", "\u{B}",
    "\u{A0}",
  ]

  @Test(arguments: 0..<60)
  func readsEachTextAsTheLibraryDoes(seed: Int) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let text = (0..<random.below(30) + 1).map { _ in random.one(of: Self.pieces) }.joined()
      let usesExtensions = random.once(in: 2)
      let options = MarkdownOptions(tables: usesExtensions, strikethrough: usesExtensions)
      let found = expectCommonMark(
        in: text, options: options, "\(text.debugDescription), extensions \(usesExtensions)")
      #expect(MarkdownText.parse(text, options: options).text == found.text)
      #expect(found.problems.map(\.place.position) == found.problems.map(\.place.position).sorted())
    }
  }

  @Test(arguments: 0..<20)
  func keepsNoMarkupInPlainText(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let words = ["rose", "tulip", "Blüte", "🌹", "a b"]
    func inline() -> (source: String, plain: String) {
      let word = random.one(of: words)
      let forms = [
        ("*\(word)*", word), ("**\(word)**", word), ("`\(word)`", word), ("~~\(word)~~", word),
        ("[\(word)](product/rose)", word), ("![\(word)](a.png)", word), (word, word),
        ("\\*\(word)", "*\(word)"), ("&lt;\(word)", "<\(word)"),
      ]
      return random.one(of: forms)
    }
    for _ in 0..<50 {
      var (sources, plains): ([String], [String]) = ([], [])
      for _ in 0..<random.below(4) + 1 {
        let runs = (0..<random.below(4) + 1).map { _ in inline() }
        let source = runs.map(\.source).joined(separator: " ")
        sources.append(random.one(of: ["", "## ", "> ", "- ", "7. "]) + source)
        plains.append(runs.map(\.plain).joined(separator: " "))
      }
      let source = sources.joined(separator: "\n\n<!-- -->\n\n")
      let (text, _) = MarkdownText.parse(source, options: .init(strikethrough: true))
      #expect(text.plain == plains.joined(separator: "\n\n"), "\(source)")
    }
  }
}
