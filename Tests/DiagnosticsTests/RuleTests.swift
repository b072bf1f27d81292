import Diagnostics
import Foundation
import Testing

/// Compares the rules with the sources and with the documentation.
@Suite struct RuleTests {
  private static let checkout = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }
    .joined()

  @Test(arguments: Rule.allCases)
  func hasANameAndASentence(rule: Rule) {
    #expect(rule.name.wholeMatch(of: /[a-z]+(-[a-z0-9]+)*/) != nil)
    #expect(rule.summary.count > 10 && !rule.summary.hasSuffix("."))
  }

  @Test func listsEachRuleOnce() {
    #expect(Set(Rule.all) == Set(Rule.allCases) && Rule.all.count == Rule.allCases.count)
    #expect(Rule.all.first == .aliasExpansion && Rule.all.last == .whichChannel)
  }

  /// Swift's compiler refuses a rule that is used and not declared.
  @Test func hasASourceThatReportsEachRule() throws {
    var mentioned: Set<String> = []
    try Self.forEachSource { text in
      mentioned.formUnion(text.matches(of: /\.([a-z][A-Za-z0-9]*)/).map { String($0.1) })
    }
    #expect(Rule.allCases.filter { !mentioned.contains("\($0)") } == [])
  }

  @Test func reportsEachRuleWithItsSeverity() throws {
    let rules = Dictionary(uniqueKeysWithValues: Rule.allCases.map { ("\($0)", $0) })
    var compared: Set<Rule> = []
    try Self.forEachSource { text in
      for report in text.matches(of: /\.(error|warning)(?:,\s*rule: |\(\s*)\.([A-Za-z0-9]+)/) {
        guard let rule = rules[String(report.2)] else { continue }
        compared.insert(rule)
        #expect(
          [String(report.1), Rule.Level.both.rawValue].contains(rule.level.rawValue),
          "\(rule.name)")
      }
    }
    #expect(compared.count > 50)
  }

  @Test func documentsEveryRule() throws {
    let path = "\(Self.checkout)/docs/rules.md"
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
      try Self.page.write(toFile: path, atomically: true, encoding: .utf8)
      Issue.record("recorded \(path)")
    } else {
      let recorded = try String(contentsOfFile: path, encoding: .utf8)
      #expect(
        recorded == Self.page, "record it: RECORD_GOLDEN=1 swift test --filter RuleTests")
    }
  }

  /// The text of `docs/rules.md`.
  private static var page: String {
    let groups = [
      (
        Rule.Group.content, "Content",
        "An error stops the build with status 1, and `out/` stays as it was. A warning does not."
      ),
      (
        .gate, "Gates and bounds",
        """
        A project or a caller sets these. A run that only these stop ends with status 2: the content
        has no mistake.
        """
      ),
      (
        .command, "Arguments, files, targets and caches",
        """
        The exit status gives their kind; [json.md](json.md#exit-status) lists it. A warning that a
        flag raises to an error closes a gate.
        """
      ),
    ]
    let sections = groups.map { group, title, text in
      let rows = Rule.all.filter { $0.group == group }.map {
        "| `\($0.name)` | \($0.level.rawValue) | \($0.summary) |\n"
      }
      return "\n## \(title)\n\n\(text)\n\n| rule | severity | |\n|---|---|---|\n" + rows.joined()
    }
    return """
      # Rules

      Every message ends in the name of its rule, in brackets. `contentc rules` prints this list.
      `--error-on NAME` turns the warnings of one rule into errors, `--warnings-as-errors` all of
      them; a name that is not in this list is refused. A test compares this page with the program.

      """ + sections.joined()
  }

  /// Calls a closure with each source's text, but not with those that declare the rules.
  private static func forEachSource(_ body: (String) throws -> Void) throws {
    let files = FileManager.default.enumerator(atPath: "\(checkout)/Sources")
    while let path = files?.nextObject() as? String {
      guard path.hasSuffix(".swift"), !path.hasPrefix("Diagnostics/Rule") else { continue }
      try body(String(contentsOfFile: "\(checkout)/Sources/\(path)", encoding: .utf8))
    }
  }
}
