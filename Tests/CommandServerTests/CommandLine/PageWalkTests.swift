import TestServers
import Testing

@testable import TestCommands

/// The pages that tell a reader what to type: a script does it, in an empty folder.
@Suite(.needsServers) struct PageWalkTests {
  /// The paths of all pages but those of the reference.
  ///
  /// The script leaves a page to another test that the page names.
  static let pages: [String] = {
    let listed = try? Sandbox().shell(
      "cd '\(Sandbox.checkout)' && ls docs/start/*.md docs/guides/*.md docs/concepts/*.md")
    return (listed?.output ?? "").split(separator: "\n").map(String.init)
  }()

  @Test func thereArePages() { #expect(Self.pages.contains("docs/start/first-shop.md")) }

  @Test(.timeLimit(.minutes(6)), arguments: pages)
  func commandsPrintWhatThePageSays(page: String) throws {
    let outcome = try Sandbox.walk(page)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
