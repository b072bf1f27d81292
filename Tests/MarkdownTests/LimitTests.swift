import TestInputs
import Testing

@testable import Markdown

struct LimitTests {
  /// Shapes for which libcmark-gfm or a recursive reader would need long, or much stack.
  static let shapes: [(prefix: String, unit: String, suffix: String)] = [
    ("", ">", ""), ("", "> ", "a"), ("", "- ", "a"), ("", "1. ", "a"), ("", "* > ", "a"),
    ("", "[", ""), ("", "]", ""), ("", "![", ""), ("", "*", ""), ("", "_", ""), ("", "**a ", ""),
    ("", "*a_ ", ""), ("", "a**b", "c* "), ("", "`", ""), ("", "a`", ""), ("", "<", ""),
    ("", "<?", ""), ("", "<!A ", ""), ("", "<!--a", ""), ("", "<![CDATA[", ""), ("", "<a:", ""),
    ("[a](", "(", ""), ("", "[a](", ""), ("", "[a](<b", ""), ("", "[a](b (", ""), ("", "[a](b", ""),
    ("", "![[]()", ""), ("", "[a](b)*", ""), ("", "* _[a](b)", ""), ("", "~!*[a](b)", ""),
    ("~a ", "b~~ * ", ""), ("", "&amp;", ""), ("", "&#", ""), ("", "\\", ""), ("", "a\n", ""),
    ("", "\n", ""), ("", "a\n\n", ""), ("", "    a\n", ""), ("```\n", "a\n", ""), ("", "|", ""),
    ("|a|b|\n|-|-|\n", "|c\n", ""), ("", "a\n", "|-|-"), ("", "|-|\n#", ""), ("", "-\n", ""),
    ("", "# a\n", ""), ("", "a\n=\n", ""),
    ("[a]: /\(String(repeating: "b", count: 9_000))\n\n", "[a]", ""),
    ("", "[a]: b\n", ""), ("", "<b>", ""), ("", "[a](#)", ""), ("", "\u{0}", ""), ("", "é", ""),
    ("", "\t", "a"), ("\(String(repeating: "- ", count: 900))a\n", "\n", ""),
    ("\(String(repeating: "> ", count: 900))a\n", ">\n", ""), ("", "- a\n", ""), ("", "***a ", ""),
    ("", "a b\n", "===\n"), ("", "|a", "\n|-"), ("", "*é~", ""), ("\u{FEFF}", ">\u{FEFF}", ""),
  ]

  private func text(of shape: (prefix: String, unit: String, suffix: String), bytes: Int) -> String
  {
    let count = (bytes - shape.prefix.utf8.count - shape.suffix.utf8.count) / shape.unit.utf8.count
    let thousand = String(repeating: shape.unit, count: 1_000)
    return shape.prefix + String(repeating: thousand, count: count / 1_000)
      + String(repeating: shape.unit, count: count % 1_000) + shape.suffix
  }

  @Test(arguments: shapes.indices)
  func refusesTenMegabytesAtOnce(index: Int) {
    let text = text(of: Self.shapes[index], bytes: 10_000_000)
    let start = processorSeconds()
    let problems = MarkdownText.parse(text).problems
    #expect(processorSeconds() - start < 1)
    #expect(problems.map(\.rule) == [.size])
  }

  /// The seconds for an ordinary text of the greatest length; much less than one second if the
  /// module was built with the optimizer.
  private static let ordinary: Double = {
    let text = String(repeating: "A *rose* is a rose.\n\n", count: MarkdownText.longestText / 21)
    let start = processorSeconds()
    _ = MarkdownText.parse(text)
    return processorSeconds() - start
  }()

  // The tests of other suites run at the same time, and share the memory's bandwidth: alone, no shape
  // needs half a second. Without the estimate of the work, some need minutes.
  @Test(arguments: shapes.indices)
  func readsTheLongestTextOfEachShapeInTime(index: Int) {
    let text = text(of: Self.shapes[index], bytes: MarkdownText.longestText)
    for usesExtensions in [false, true] {
      let options = MarkdownOptions(tables: usesExtensions, strikethrough: usesExtensions)
      let start = processorSeconds()
      let result = MarkdownText.parse(text, options: options)
      let taken = processorSeconds() - start
      #expect(taken < max(2, 20 * Self.ordinary), "\(Self.shapes[index])")
      #expect(result.problems.allSatisfy { $0.place.position.line >= 1 && $0.place.length >= 1 })
    }
  }

  @Test func acceptsALongText() {
    let paragraph = "A rose is *a* **rose** is a [rose](product/rose), `1` & 2.\nAnd so on.\n\n"
    let text = String(repeating: paragraph, count: MarkdownText.longestText / paragraph.utf8.count)
    let result = MarkdownText.parse(text)
    #expect(result.problems.isEmpty)
    #expect(result.text.blocks.count == MarkdownText.longestText / paragraph.utf8.count)
  }

  @Test func placesTheExcessOfALongText() {
    let line = String(repeating: "é", count: 49) + "\n"
    let text = String(repeating: line, count: 10_102)
    let place = MarkdownText.parse(text).problems.first?.place
    #expect(place?.position == MarkdownPosition(line: 10_102, column: 1))
  }

  @Test(arguments: ["> ", "- ", "1. "])
  func reportsNestingBelowThirtyTwoLevels(sign: String) {
    func text(_ levels: Int) -> String { String(repeating: sign, count: levels) + "a" }
    #expect(MarkdownText.parse(text(32)).problems.isEmpty)
    #expect(MarkdownText.parse(text(32)).text.plain == "a")
    let (deep, problems) = MarkdownText.parse(text(33))
    #expect(problems.map(\.rule) == [.nesting])
    let column = 32 * sign.utf8.count + 1
    #expect(problems.first?.place.position == MarkdownPosition(line: 1, column: column))
    #expect(deep.plain == "")
    #expect(MarkdownText.parse(text(40) + "\n\nb").text.plain == "b")
  }

  @Test func readsRealisticLongParagraphs() {
    let options = MarkdownOptions(tables: true, strikethrough: true)
    let links = String(repeating: "- [A rose (red)](product/rose) *and* ~~more~~\n", count: 400)
    let row = "| [a](product/a) | `b` | ~~c~~ | *d* |\n"
    let table = "| 1 | 2 | 3 | 4 |\n|---|---|---|---|\n" + String(repeating: row, count: 1_000)
    let code = "```\n" + String(repeating: "<!-- a --><?php [b](c) ?>\n", count: 1_000) + "```\n"
    for text in [links, table, code] {
      #expect(MarkdownText.parse(text, options: options).problems.isEmpty)
    }
  }

  @Test func readsInSeveralThreads() async {
    let source = String(repeating: "~~a~~ *b~c~*\n\n", count: 200)
    let options = MarkdownOptions(strikethrough: true)
    let (struck, plain) = (MarkdownText.parse(source, options: options), MarkdownText.parse(source))
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<64 {
        group.addTask {
          index % 2 == 0
            ? MarkdownText.parse(source, options: options).text == struck.text
            : MarkdownText.parse(source).text == plain.text
        }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }
}
