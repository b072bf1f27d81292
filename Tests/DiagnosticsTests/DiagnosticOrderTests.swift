import Diagnostics
import Testing

@Suite struct DiagnosticOrderTests {
  private func at(_ path: String, line: Int, column: Int = 1) -> Diagnostics.SourceLocation {
    let start = SourcePosition(line: line, column: column)
    return Diagnostics.SourceLocation(path: path, range: SourceRange(from: start, to: start))
  }

  @Test func ordersByPathPositionIdAndMessage() {
    let ordered: [Diagnostic] = [
      .error(.yamlSyntax, at: nil, message: "m"),
      .error(.yamlSyntax, at: Diagnostics.SourceLocation(path: "B"), message: "m"),
      .warning(.badImage, at: at("a", line: 2), message: "m"),
      .error(.badImage, at: at("a", line: 2, column: 10), message: "m"),
      .warning(.badImage, at: at("a", line: 10), message: "m"),
      .error(.brokenReference, at: at("a", line: 10), message: "a"),
      .error(.brokenReference, at: at("a", line: 10), message: "b"),
      .error(.badImage, at: at("a/b", line: 1), message: "m"),
      .error(.badImage, at: at("\u{E9}", line: 1), message: "m"),
      .error(.badImage, at: at("\u{FF41}", line: 1), message: "m"),
      .error(.badImage, at: at("\u{1F337}", line: 1), message: "m"),
    ]
    #expect(Array(ordered.reversed()).inStableOrder() == ordered)
    #expect((ordered + ordered).inStableOrder() == ordered)
  }

  @Test func putsUnreadableFilesFirst() {
    let folder = Diagnostics.SourceLocation(path: "content/entries")
    let ordered: [Diagnostic] = [
      .error(.unreadableFile, at: folder, message: "m"),
      .error(.badImage, at: at("content/content.yaml", line: 1), message: "m"),
      .warning(.yamlSyntax, at: at("content/maintenance.yaml", line: 1), message: "m"),
    ]
    #expect(Array(ordered.reversed()).inStableOrder() == ordered)
  }

  @Test(arguments: [
    (0, 0, "no errors"), (1, 0, "1 error"), (2, 1, "2 errors, 1 warning"), (0, 2, "2 warnings"),
  ])
  func countsErrorsAndWarnings(errors: Int, warnings: Int, summary: String) {
    let all =
      (0..<errors).map { _ in Diagnostic.error(.pattern, at: nil, message: "m") }
      + (0..<warnings).map { _ in Diagnostic.warning(.prune, at: nil, message: "m") }
    #expect(all.summary == summary)
  }
}
