import TestInputs
import Testing

/// The table of docs/reference/publishing.md that says what is true when a command ends with 0.
@Suite struct DoneTableTests {
  private struct Row {
    var command: String
    var claim: String
    /// The names of its tests, such as `ContentcTests/NewKeysTests/failureBetweenTheKeysLeavesNone`.
    var tests: [String]
  }

  private let rows: [Row]

  init() throws {
    let page = try CheckedOutFiles.text("docs/reference/publishing.md")
    let section = page.components(after: "## When a command ends with 0", before: "\n## ")
    rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
      let cells = line.split(separator: "|").map { $0.trimmed }
      let code = cells.last?.split(separator: "`", omittingEmptySubsequences: false) ?? []
      // The texts within backticks have odd numbers.
      let tests = code.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      return Row(
        command: cells.first ?? "", claim: cells.count == 3 ? cells[1] : "", tests: tests)
    }
  }

  @Test(arguments: ["purge", "maintenance", "publish", "resign", "translations import", "keys"])
  func hasLinesForEachCommand(command: String) {
    #expect(rows.contains { $0.command.contains("`\(command)`") })
  }

  @Test func eachLineNamesATestThatExists() throws {
    #expect(rows.count > 15)
    for row in rows {
      #expect(!row.claim.isEmpty && !row.tests.isEmpty, "\(row)")
      for test in row.tests {
        let parts = test.split(separator: "/").map(String.init)
        try #require(parts.count == 3, "\(test) is not TARGET/SUITE/TEST")
        let files = try CheckedOutFiles.swiftFiles(below: "Tests/\(parts[0])").filter {
          ($0.text.contains("struct \(parts[1]) ") || $0.text.contains("struct \(parts[1]): "))
            && $0.text.contains("@Test")
        }
        #expect(files.contains { $0.text.contains("func \(parts[2])(") }, "\(test) does not exist")
      }
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension String {
  /// Returns the text between two others; empty without the first one.
  fileprivate func components(after start: String, before end: String) -> String {
    guard let first = firstRange(of: start) else { return "" }
    let rest = String(self[first.upperBound...])
    return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) } ?? rest
  }
}
