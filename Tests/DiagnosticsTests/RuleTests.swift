import Diagnostics
import Foundation
import TestInputs
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
    #expect(Rule.all.first == .aliasExpansion && Rule.all.last == .workflowCommand)
  }

  /// The opposite mistake, a reported rule that is not declared, does not compile.
  @Test func sourceCodeReportsEachRule() throws {
    var reported: Set<String> = []
    try Self.forEachSource { reported.formUnion(try Self.reportedRules(in: $0)) }
    #expect(Rule.allCases.filter { !reported.contains("\($0)") } == [])
  }

  @Test(arguments: [
    ("Diagnostic(.error, rule: .null, at: place)", ["null"]),
    ("reader.error(.null, at: place)", ["null"]),
    ("Failure(\n  .usage, .output, \"a\")", ["output"]),
    ("Failure(.usage, unknown: .unknownRule, a)", ["unknownRule"]),
    ("report(\n  .null, at: place)", ["null"]),
    ("let rule: Rule = isLarge ? .tooLarge : .usage", ["tooLarge", "usage"]),
    (
      "var rule: Rule {\n  switch self {\n  case .list: .largeList\n  }\n}\ncase .one: .null",
      ["largeList"]
    ),
    (
      "let (rule, text): (Rule, String) =\n  switch self {\n  case .a: (.null, \"a\")\n  }",
      ["null"]
    ),
    ("read(.output)", []), ("case .null: .usage", []), ("build.output.usage == .null", []),
  ])
  func distinguishesReportedRulesFromOtherNames(source: String, expected: [String]) throws {
    #expect(try Self.reportedRules(in: source) == Set(expected))
  }

  /// Returns the names that a source reports as rules, or gives to a value of the type `Rule`.
  ///
  /// Other mentions do not count: many values have a name such as `output`, which is also a rule's.
  private static func reportedRules(in source: String) throws -> Set<String> {
    let call =
      #"(?:(?:[rR]ule|unknown): |(?:error|warning|report|unknown)\(\s*|(?:Failure|self\.init)\(\s*[^,()]+,\s*)\.([a-z][A-Za-z0-9]*)"#
    let located = #"\.([a-z][A-Za-z0-9]*),\s*at:"#
    let choice = #"Rule(?:, String\))?\s*(?:=|\{)\s*(switch [^}]*\}|[^\n]*)"#
    let chosen = try matches(of: choice, in: source).flatMap {
      try matches(of: #"[?:(]\s*\.([a-z][A-Za-z0-9]*)"#, in: $0)
    }
    return try Set(chosen + matches(of: call, in: source) + matches(of: located, in: source))
  }

  /// Returns what the group of a pattern matches.
  ///
  /// Swift's `Regex` would take fifteen times as long for all sources.
  private static func matches(of pattern: String, in text: String) throws -> [String] {
    let whole = NSString(string: text)
    return try NSRegularExpression(pattern: pattern)
      .matches(in: text, range: NSRange(location: 0, length: whole.length))
      .map { whole.substring(with: $0.range(at: 1)) }
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
    try CheckedOutFiles.expect("docs/reference/rules.md", toBe: Self.page)
  }

  /// The text of `docs/reference/rules.md`.
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
      them; a name that is not in this list is refused. The [glossary](../concepts/glossary.md)
      explains words such as *overlay* and *gate*. A test compares this page with the program.

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
