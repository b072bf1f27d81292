import ContentModel
import TestInputs
import Testing

@testable import Markdown

/// Texts that try to run a script in the page, one in each line of a file; `⏎` is a line break.
struct AttackTests {
  static let attacks: [String] = {
    let text = try? CheckedOutFiles.text("Tests/MarkdownTests/Attacks/strings.txt")
    return (text ?? "").split(separator: "\n").map { line in
      line.split(separator: "⏎", omittingEmptySubsequences: false).joined(separator: "\n")
    }
  }()

  private func page(of text: MarkdownText) -> String {
    MarkdownPage.html(of: text, language: "en", isRightToLeft: false) {
      "/images/\($0)"
    }
  }

  @Test func hasAHundredAttacks() { #expect(Self.attacks.count >= 100) }

  @Test(arguments: attacks)
  func makesAHarmlessPage(of attack: String) throws {
    for usesExtensions in [false, true] {
      let options = MarkdownOptions(tables: usesExtensions, strikethrough: usesExtensions)
      let (text, _) = MarkdownText.parse(attack, options: options)
      _ = try PageTokenizer(page(of: text))
    }
  }

  @Test(arguments: attacks)
  func escapesAttacksInEveryPart(attack: String) throws {
    let run = MarkdownText.Run(text: attack, image: ExactString(attack))
    let code = MarkdownText.CodeBlock(language: ExactString(attack), text: attack)
    let text = MarkdownText(blocks: [
      .heading(level: 1, runs: [run]), .paragraph([.init(text: attack)]), .code(code),
      .table(.init(alignments: [nil], header: [[run]], rows: [[[run]]])),
    ])
    let page = MarkdownPage.html(of: text, language: attack, isRightToLeft: true) {
      "/images/\($0)"
    }
    _ = try PageTokenizer(page)
  }

  @Test func keepsNoLinkWithAnotherScheme() throws {
    let text = Self.attacks.filter { $0.contains("](") }.joined(separator: "\n\n")
    let page = try PageTokenizer(page(of: MarkdownText.parse(text).text))
    #expect(page.links.allSatisfy { $0.hasPrefix("https://") || $0.hasPrefix("mailto:a@b") })
    #expect(!page.links.isEmpty)
  }

  @Test func reportsEachAttackThatIsNotText() {
    // These attacks are ordinary links, or text in code.
    let harmless = Self.attacks.filter { MarkdownText.parse($0).problems.allSatisfy(\.isWarning) }
    #expect(harmless.allSatisfy { !$0.contains("](javascript") && !$0.hasPrefix("<script") })
    #expect(harmless.count < 30)
  }
}
