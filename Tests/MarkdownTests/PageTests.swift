import ContentModel
import TestInputs
import Testing

@testable import Markdown

struct PageTests {
  static let source = """
    # Roses & *thorns*

    Our **best _roses_**, \\<fresh\\> and [`cut` today](product/rose "a title").\\
    Call [us](tel:+4930123) or see <https://example.com/?a=1&b=2>.

    ![Red "rose"](flowers/rose.png)

    > Quoted

    3. three
    4. four

       - nested

    ```swift
    let a = b < c
    ```

    ---

    | Left | Right |
    | :-- | --: |
    | ~~1~~ | 2 |
    """

  private func page(rightToLeft: Bool = false) -> String {
    let options = MarkdownOptions(tables: true, strikethrough: true)
    let text = MarkdownText.parse(Self.source, options: options).text
    return MarkdownPage.html(
      of: text, language: rightToLeft ? "ar" : "en", isRightToLeft: rightToLeft
    ) { "../assets/\($0)" }
  }

  @Test func writesTheWholeBody() {
    let page = page()
    let found = String(page[(page.firstRange(of: "<body>\n")?.lowerBound ?? page.startIndex)...])
    #expect(
      found == """
        <body>
        <main>
        <h1>Roses &amp; <em>thorns</em></h1>
        <p>Our <strong>best </strong><strong><em>roses</em></strong>, &lt;fresh&gt; and \
        <a href="entry:product/rose" rel="noopener noreferrer"><code>cut</code> today</a>.<br>
        Call <a href="tel:+4930123" rel="noopener noreferrer">us</a> or see \
        <a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer">\
        https://example.com/?a=1&amp;b=2</a>.</p>
        <p><img src="../assets/flowers/rose.png" alt="Red &quot;rose&quot;"></p>
        <blockquote>
        <p>Quoted</p>
        </blockquote>
        <ol start="3">
        <li>
        <p>three</p>
        </li>
        <li>
        <p>four</p>
        <ul>
        <li>
        <p>nested</p>
        </li>
        </ul>
        </li>
        </ol>
        <pre><code>let a = b &lt; c
        </code></pre>
        <hr>
        <div class="table"><table>
        <thead>
        <tr><th class="left">Left</th><th class="right">Right</th></tr>
        </thead>
        <tbody>
        <tr><td class="left"><del>1</del></td><td class="right">2</td></tr>
        </tbody>
        </table></div>
        </main>
        </body>
        </html>

        """)
  }

  @Test func writesLanguageDirectionAndTitle() {
    #expect(page().hasPrefix("<!doctype html>\n<html lang=\"en\" dir=\"ltr\">\n<head>\n"))
    #expect(page().contains("<title>Roses &amp; thorns</title>"))
    #expect(page(rightToLeft: true).contains("<html lang=\"ar\" dir=\"rtl\">"))
    let line = MarkdownText.parse("\\<b> is *no* title\n\nMore").text
    let untitled = MarkdownPage.html(of: line, language: "en", isRightToLeft: false) { $0 }
    #expect(untitled.contains("<title>&lt;b&gt; is no title</title>"))
    let empty = MarkdownPage.html(
      of: MarkdownText(blocks: []), language: "en", isRightToLeft: false
    ) { $0 }
    #expect(!empty.contains("<title>"))
  }

  @Test func allowsOnlyItsOwnStyle() throws {
    let page = page()
    let start = try #require(page.firstRange(of: "<style>")).upperBound
    let end = try #require(page.firstRange(of: "</style>")).lowerBound
    let hash = Digest(of: Array(page[start..<end].utf8)).bytes.base64
    let policy =
      "default-src 'none'; img-src 'self'; style-src 'sha256-\(hash)'; base-uri 'none'; "
      + "form-action 'none'"
    let escaped = policy.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "&#39;")
    #expect(page.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"\(escaped)\">"))
    #expect(page[start..<end].contains("prefers-color-scheme:dark"))
    #expect(!page[start..<end].contains("url("))
  }

  @Test func writesEqualBytesForEqualTexts() {
    #expect(page() == page())
    #expect(Array(page().utf8).count < 5_000)
  }

  @Test func joinsRunsOfALinkInOneElement() throws {
    let text = MarkdownText.parse("[a **b** *c*](https://a.example) [d](product/d)").text
    let page = MarkdownPage.html(of: text, language: "en", isRightToLeft: false) { $0 }
    #expect(
      page.contains(
        "<a href=\"https://a.example\" rel=\"noopener noreferrer\">a <strong>b</strong> "
          + "<em>c</em></a> <a href=\"entry:product/d\""))
  }
}
