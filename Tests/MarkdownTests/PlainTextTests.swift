import Testing

@testable import Markdown

struct PlainTextTests {
  @Test func readsAParagraph() {
    #expect(MarkdownText.parse("See **our** [roses](product/rose).").text.plain == "See our roses.")
  }
}
