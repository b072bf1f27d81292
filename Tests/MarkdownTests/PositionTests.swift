import ContentModel
import Testing

@testable import Markdown

/// Texts in which `⟦` and `⟧` enclose the places of problems and references, in order.
struct PositionTests {
  /// The places that are enclosed, and the text without the signs.
  private func unmarked(_ marked: String) -> (text: String, places: [MarkdownPlace]) {
    var text = String.UnicodeScalarView()
    var places: [MarkdownPlace] = []
    var (line, column, start) = (1, 1, 1)
    var previous: Unicode.Scalar?
    for scalar in marked.unicodeScalars {
      switch scalar {
      case "⟦": start = column
      case "⟧":
        let position = MarkdownPosition(line: line, column: start)
        places.append(MarkdownPlace(position: position, length: column - start))
      default:
        text.append(scalar)
        if scalar == "\n" || scalar == "\r" {
          if scalar == "\r" || previous != "\r" { line += 1 }
          column = 1
        } else {
          column += 1
        }
        previous = scalar
      }
    }
    return (String(text), places)
  }

  @Test(arguments: [
    // In one line, after characters of several bytes.
    "a <b⟦⟧", "⟦<b>⟧x⟦</b>⟧", "äöü 😀 ⟦<b>⟧", "é\u{301} ⟦<br/>⟧", "`<b>` ⟦<b>⟧", "\\<b> ⟦<b>⟧",
    "&amp;&lt; ⟦<b>⟧", "&nbsp;&#x1F600; ⟦<b>⟧", "**a *b* c** ⟦<b>⟧", "a_b_c __d__ ⟦<b>⟧",
    "***a** b* ⟦<b>⟧", "*a **b*** ⟦<b>⟧", "`` ` `` ⟦<b>⟧", "~a~ ~~b~~ ⟦<b>⟧",
    "&unknown; &amp ⟦<b>⟧", "&amp;amp; ⟦<b>⟧",
    // In further lines, whose indentation libcmark-gfm drops.
    "a\n   b ⟦<b>⟧", "a\nb  \n\tc ⟦<b>⟧", "a\\\n  b ⟦<b>⟧", "a\r\nb\r\n  ⟦<b>⟧", "a\rb ⟦<b>⟧",
    "`a\nb` ⟦<b>⟧", "⟦<a⟧\nb> ⟦<c>⟧", "*a\nb* ⟦<c>⟧",
    // In quotes and lists, and in lines that lazily continue them.
    "> a\n> b ⟦<b>⟧", "> a\nb ⟦<b>⟧", "> > a\n>  > b ⟦<b>⟧\n> c ⟦<b>⟧\nd ⟦<b>⟧",
    "- a\n  b ⟦<b>⟧", "- a\nb ⟦<b>⟧", "1)  a\n    b ⟦<b>⟧\n\n    c ⟦<b>⟧",
    "- - a ⟦<b>⟧\n    b ⟦<b>⟧",
    "-\ta\n\tb ⟦<b>⟧", "> - a\n>\n>   b\n>    c ⟦<b>⟧", "\u{FEFF}a ⟦<b>⟧\nb ⟦<b>⟧",
    // Headings.
    "# a ⟦<b>⟧ #", "  ##  a ⟦<b>⟧", "a ⟦<b>⟧\n===\nb", "a\n  b ⟦<b>⟧\n---", "> # a ⟦<b>⟧",
    "⟦#####⟧ a", "> - ⟦######⟧", "[r]: product/r\na ⟦<b>⟧\n===\nc ⟦<b>⟧",
    // Blocks of HTML.
    "⟦<div>⟧\na\n</div>", "a\n\n  ⟦<!-- a⟧\nb -->", "> - ⟦<div>⟧",
    // Links: the place is that of the destination.
    "[a](⟦http://a.example⟧)", "[a](<⟦http://a b⟧>)", "[a]( ⟦x.md⟧ \"t (\\\")\" )",
    "[a](⟦(b)\\)⟧ 'it\\'s')", "[**a** `]` [b]](⟦#c⟧)", "> a\n> [b\n> c](⟦#c⟧ (t)) [d](⟦#d⟧)",
    "<⟦http://a.example⟧>", "> - a\n>   <⟦ftp://a⟧>", "⟦[a]()⟧", "⟦[a](<>)⟧",
    "⟦[](https://a.example)⟧",
    "x ⟦[a][b]⟧ ⟦[b][]⟧ ⟦[b]⟧\n\n[b]: http://a.example", "[a](⟦product/rose⟧)", "![a](⟦b/c.png⟧)",
    "ä [![ä](⟦b/c.png⟧)](⟦product/rose⟧)", "![a [b](⟦#c⟧) d](⟦b.png⟧)", "![](⟦https://a/b.png⟧)",
    "[r]: product/r\n[s]: <product/s> 'a\nb'\na ⟦[r]⟧ b ⟦[s]⟧", "*[a](⟦#b⟧)* **[c](⟦#d⟧)**",
    // Tables: columns of libcmark-gfm are those of the first line.
    "| a | b ⟦<b>⟧ |\n|---|---|\n| \\| c | d ⟦<b>⟧ |\n|e ⟦<b>⟧|`\\|` ⟦<b>⟧ | f",
    "a\n   b ⟦<b>⟧ | c \\| ⟦<b>⟧\n--|--\n   d | ⟦<b>⟧",
    "> - | a ⟦<b>⟧ |\n>   |---|\n>   | ä\\|⟦<b>⟧ |",
    "x\\|y ⟦<b>⟧\n| a ⟦<b>⟧ |\n|---|", "| [a](⟦http://b\\|c⟧) |\n|-|",
  ])
  func findsPlaces(of marked: String) {
    let (text, places) = unmarked(marked)
    let options = MarkdownOptions(tables: true, strikethrough: true)
    let result = MarkdownText.read(text, options: options)
    var found = result.problems.filter { !$0.isWarning }.map(\.place)
    // Links in one line, whose destinations begin with an id, are no problems, but references.
    found += result.text.references.map(\.place)
    found.sort { $0.position < $1.position }
    #expect(found == places.filter { $0.length > 0 }, "\(text)")
    #expect(result.lostPositions == 0)
    expectPositions(of: result.text, in: text, place: "\(text)")
  }

  @Test func listsReferencesInOrder() {
    let text = MarkdownText.parse(
      "[a](product/a) ![b](b.png) [c](product/a) [d](https://d.example)")
    #expect(
      text.text.references.map(\.target) == [
        EntryID("product/a").map { .entry($0) }, .asset(ExactString("b.png")),
        EntryID("product/a").map { .entry($0) },
      ])
  }

  @Test func reportsProblemsInOrder() {
    let (_, problems) = MarkdownText.parse("##### [a](#b) <b>\n\n![c](/d) <e>\n\n<f>\n")
    #expect(problems.map(\.rule) == [.heading, .link, .html, .image, .html, .html])
    #expect(problems.map(\.place.position) == problems.map(\.place.position).sorted())
  }
}
