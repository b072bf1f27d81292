import ContentClient
import ShopScreens
import Testing

@testable import ShopTerminal

/// Pages of the example app on a terminal.
@Suite struct ShopPainterTests {
  private let page = Page(
    title: "Roses",
    lines: [
      Page.Line(
        "A Single Rose", detail: "$7.50", color: "#B3162C",
        link: .place(.products(ProductFilter()))),
      Page.Line("One stem says more than a hundred words, and it fits into any vase."),
      Page.Line("Buy", style: .button, alignment: .center, link: .place(.home)),
    ])

  @Test func numbersLinksAndBreaksLines() {
    var painter = Painter()
    painter.width = 40
    #expect(
      painter.lines(of: page) == [
        "Roses", "",
        "  1  A Single Rose\(spaces(17))$7.50",
        "     One stem says more than a hundred",
        "     words, and it fits into any vase.",
        "  2  \(spaces(14))[ Buy ]",
      ])
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  @Test func stylesOnlyWhatATerminalShows() {
    var painter = Painter()
    #expect(!painter.lines(of: page).joined().contains("\u{1B}"))
    painter.isStyled = true
    #expect(!painter.lines(of: page).joined().contains("38;2"))
    painter.hasColors = true
    #expect(painter.lines(of: page)[2].contains("\u{1B}[0;38;2;179;22;44mA Single Rose\u{1B}[0m"))
  }

  /// Content must not control the terminal of its reader.
  @Test(arguments: ["\u{1B}[2J", "\u{7}", "\u{9B}31m", "\u{202E}", "\r", "\u{200B}", "\u{E0041}"])
  func escapesForeignText(text: String) {
    var painter = Painter()
    painter.isStyled = true
    let page = Page(title: text, lines: [Page.Line("a\(text)b", detail: text)])
    let plain = painter.lines(of: page) + [painter.remark(text)]
    for line in plain {
      let foreign = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(!foreign.unicodeScalars.contains { text.unicodeScalars.first == $0 }, "\(foreign)")
    }
  }

  @Test func readsArguments() throws {
    let arguments = try Arguments([
      "--url", "http://127.0.0.1:1", "--locale=fr", "--locale", "en", "--country", "fr",
    ])
    #expect(arguments.configuration.url == "http://127.0.0.1:1")
    #expect(arguments.configuration.context.locales == ["fr", "en"])
    #expect(arguments.configuration.context.country == "FR")
    #expect(try Arguments(["--help"]).asksForHelp)
  }

  @Test(arguments: [
    ["--site", "x"], ["--url"], ["--url="], ["roses"], ["--app-version", "new"],
    ["--rate", "0"],
  ])
  func refusesWrongArguments(words: [String]) {
    #expect(throws: Arguments.Mistake.self) { try Arguments(words) }
  }
}
