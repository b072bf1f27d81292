import Testing

@testable import Markdown

struct PlainTextTests {
  @Test(arguments: [
    ("See **our** [roses](product/rose).", "See our roses."),
    ("# A\n\nb\nc  \nd", "A\n\nb c\nd"),
    ("- a\n- b\n  - c\n\n  d", "a\nb\nc\nd"),
    ("3. a\n4. b\n\n> c\n>\n> d", "a\nb\n\nc\n\nd"),
    ("a\n\n---\n\nb", "a\n\nb"),
    ("```\nx < y\n  z\n```\n\n`a*b*`", "x < y\n  z\n\na*b*"),
    ("![A *rose*](a/b.png) ![](a/c.png)", "A rose "),
    ("\\*a\\* &amp; &#42; 1 * 2", "*a* & * 1 * 2"),
    ("| a | b |\n|---|---|\n| *c* | d |", "a\tb\nc\td"),
    ("~~a~~", "a"), ("", ""), (" \n\n", ""), ("a\u{0}b", "a\u{FFFD}b"), ("a\r\nb\r\rc", "a b\n\nc"),
    ("a&#10;b", "a b"), ("<product/rose>", "<product/rose>"), ("a<b>c</b>", "ac"),
  ])
  func leavesOutMarkup(source: String, plain: String) {
    let options = MarkdownOptions(tables: true, strikethrough: true)
    #expect(MarkdownText.parse(source, options: options).text.plain == plain)
  }

  @Test func readsExtensionsAsTextWithoutTheirOptions() {
    let source = "| a | b |\n|---|---|\n\n~~c~~ ~d~"
    #expect(MarkdownText.parse(source).text.plain == "| a | b | |---|---|\n\n~~c~~ ~d~")
  }

  @Test func joinsAdjacentRunsWithEqualAttributes() {
    let blocks = MarkdownText.parse("a \\* b &amp; c\nd *e **f** g*h `i``").text.blocks
    guard case .paragraph(let runs) = blocks.first else {
      Issue.record("no paragraph")
      return
    }
    #expect(runs.map(\.text) == ["a * b & c d ", "e ", "f", " g", "h `i``"])
    #expect(runs.map(\.style) == [[], .emphasis, [.emphasis, .strong], .emphasis, []])
  }
}
