import Diagnostics
import Foundation
import Testing

/// Compares the table of rules with the sources and with the documentation.
@Suite struct RuleTests {
  private static let checkout = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }
    .joined()

  @Test func listsEachRuleOnce() {
    let names = Rule.all.map(\.name)
    #expect(Set(names).count == names.count)
    for rule in Rule.all {
      #expect(rule.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(rule.name)")
      #expect(rule.summary.count > 10 && !rule.summary.hasSuffix("."), "\(rule.name)")
    }
    #expect(Rule.named("unknown-key")?.level == .error)
    #expect(Rule.named("unread-flie") == nil)
  }

  @Test func listsTheRulesOfTheSourcesAndNoOthers() throws {
    let (used, mentioned) = try Self.namesInSources()
    let known = Set(Rule.all.map(\.name))
    #expect(used.subtracting(known).sorted() == [], "Sources/Diagnostics/Rule+….swift lacks these")
    let composed: Set = [
      "diff-added", "diff-changed", "diff-removed", "unknown-bundle",
    ]
    #expect(
      known.subtracting(mentioned).subtracting(composed).sorted() == [], "no source has these")
  }

  @Test func declaresTheSeveritiesThatSourcesReport() throws {
    var compared: Set<String> = []
    try Self.forEachSource { text in
      for report in text.matches(of: /\.(error|warning)(?:,|\()\s*(?:id: )?"([a-z]+(?:-[a-z]+)*)"/)
      {
        guard let rule = Rule.named(String(report.2)) else { continue }
        compared.insert(rule.name)
        #expect(
          [String(report.1), "error or warning"].contains(rule.level.rawValue), "\(rule.name)")
      }
    }
    #expect(compared.count > 50)
  }

  @Test func findsANewRuleInASource() {
    let source = """
      Diagnostic(
        .warning, id: "brand-new", at: nil, message: "x")
      report("other-new", at: span, "y")
      .unknown("locale", text, id: "third-new", known: [])
      Failure(isBusy ? .tryAgain : .inputOutput, "fourth", "z")
      case .folder: ("fifth-new", "a folder")
      """
    #expect(
      Self.names(in: source).used == ["brand-new", "other-new", "third-new", "fourth", "fifth-new"])
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

  private static func namesInSources() throws -> (used: Set<String>, mentioned: Set<String>) {
    var (used, mentioned): (Set<String>, Set<String>) = ([], [])
    try forEachSource { text in
      let names = names(in: text)
      used.formUnion(names.used)
      mentioned.formUnion(names.mentioned)
    }
    return (used, mentioned)
  }

  /// Calls a closure with each source's text, but not with those that declare the rules.
  private static func forEachSource(_ body: (String) throws -> Void) throws {
    let files = FileManager.default.enumerator(atPath: "\(checkout)/Sources")
    while let path = files?.nextObject() as? String {
      guard path.hasSuffix(".swift"), !path.hasPrefix("Diagnostics/Rule"),
        !path.hasPrefix("ContentPreviewServer/")
      else { continue }
      try body(String(contentsOfFile: "\(checkout)/Sources/\(path)", encoding: .utf8))
    }
  }

  /// Returns the rule names that a source passes to diagnostics, and all literals that could be
  /// rule names.
  private static func names(in source: String) -> (used: [String], mentioned: [String]) {
    let text = source.replacing(/\/\/[^\n]*/, with: "")
    let patterns: [Regex<(Substring, Substring)>] = [
      #/
        \.(?:error|warning|contentErrors|gate|usage|missingInput|unavailable|inputOutput|tryAgain)
        ,\s*"([a-z-]+)"(?!:)
      /#,
      /\bid: (?:String = )?"([a-z-]+)"/,
      /\b(?:report|syntax|\.error|\.warning)\(\s*"([a-z]+(?:-[a-z]+)*)",/,
      /(?:\.|\b)(?:error|warning)\(\s*"([a-z]+(?:-[a-z]+)+)",/,
      /\blet rule = "([a-z-]+)"/,
      /case \.[A-Za-z]+(?:\([^\n]*\))?: \(?"([a-z]+(?:-[a-z]+)+)"/,
    ]
    let places = patterns.flatMap { text.matches(of: $0) }.sorted {
      $0.range.lowerBound < $1.range.lowerBound
    }
    var used: [String] = []
    // `Failure(_:unknown:)` composes the name.
    let unknown = text.matches(of: /\.(?:usage|missingInput), unknown: "([a-z]+)"/).map {
      "unknown-\($0.output.1)"
    }
    for name in places.map({ String($0.output.1) }) + unknown where !used.contains(name) {
      used.append(name)
    }
    let mentioned = text.matches(of: /"([a-z]+(?:-[a-z]+)*)"/).map { String($0.output.1) }
    return (used, mentioned + unknown)
  }
}
