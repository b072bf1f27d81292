import ContentModel
import Diagnostics
import PropertyLists
import TestInputs
import TestServers
import Testing

@testable import TestCommands

/// The diagnostics in GitHub Actions, and those that go into a file.
@Suite struct ServiceDiagnosticsTests {
  private static let misspelled = (
    path: "content/entries/product/rose.yaml", text: "tittle: Rose\nprice: 3\n"
  )

  /// A sandbox and the variables of a step of GitHub Actions in it.
  private struct Step {
    let sandbox: Sandbox
    var variables: [String] {
      [
        "GITHUB_ACTIONS=true", "GITHUB_WORKSPACE=\(sandbox.root)",
        "GITHUB_STEP_SUMMARY=\(sandbox.root)/summary.md",
      ]
    }
    var summary: String? { sandbox.text("summary.md") }

    init(_ files: [(path: String, text: String)]) throws { sandbox = try Sandbox(files) }

    func run(_ arguments: String...) throws -> Outcome {
      try sandbox.run(Sandbox.binary, arguments, environment: variables)
    }
  }

  // MARK: GitHub

  @Test func annotatesInGitHubActionsBesideTheText() throws {
    let step = try Step(WorkedExample.building + [Self.misspelled])
    let text = try step.sandbox.run("check")
    let checked = try step.run("check")
    #expect(checked.status == 1 && checked.output == "")
    #expect(checked.errors.hasPrefix(text.errors))
    let commands = ActionsRunner.commands(in: checked.errors)
    #expect(commands.map(\.name) == ["error"])
    #expect(
      commands.first?.properties == [
        "file": "content/entries/product/rose.yaml", "line": "1", "endLine": "1", "col": "1",
        "endColumn": "7", "title": "unknown-field",
      ])
    #expect(commands.first?.data.hasSuffix("\nfix: write 'title' (at 1:1)") == true)
    #expect(step.summary == "### contentc: 1 error\n\n")
  }

  @Test func pathsBeginAtTheRootOfTheRepository() throws {
    let step = try Step(
      (WorkedExample.building + [Self.misspelled]).map { ("sites/shop/\($0.path)", $0.text) })
    let variables = step.variables.joined(separator: " ")
    let run = "cd sites/shop/content && \(variables) '\(Sandbox.binary)' check 2>&1"
    let log = try step.sandbox.shell(run).output
    let path = ActionsRunner.commands(in: log).first?.properties["file"]
    #expect(path == "sites/shop/content/entries/product/rose.yaml", "\(log)")
    let absolute = try step.run("check", "--content", "\(step.sandbox.root)/sites/shop/content")
    #expect(
      ActionsRunner.commands(in: absolute.errors).first?.properties["file"]
        == "sites/shop/content/entries/product/rose.yaml", "\(absolute.errors)")
  }

  @Test(arguments: DiagnosticFormat.allCases.filter { $0 != .github && !$0.isOfFile })
  func anotherFormatSwitchesAnnotationsOff(format: DiagnosticFormat) throws {
    let step = try Step(WorkedExample.building + [Self.misspelled])
    let plain = try step.sandbox.run("check", "--diagnostics", format.rawValue)
    let checked = try step.run("check", "--diagnostics", format.rawValue)
    #expect(checked.errors == plain.errors && checked.status == 1)
    #expect(step.summary == nil)
  }

  @Test func jsonStaysTheSameInGitHubActions() throws {
    let step = try Step(WorkedExample.building + [Self.misspelled])
    let plain = try step.sandbox.run("check", "--json")
    let checked = try step.run("check", "--json")
    #expect(
      checked.output == plain.output && checked.errors == plain.errors && checked.status == 1)
    // Annotations are on standard error, so standard output remains one object.
    let annotated = try step.run("check", "--json", "--diagnostics", "github")
    #expect(annotated.output == plain.output)
    #expect(ActionsRunner.commands(in: annotated.errors).count == 1)
  }

  @Test func fiveHundredErrorsGiveTenAnnotationsAndASummary() throws {
    let entries = (1...500).map {
      (path: "content/entries/product/p\($0).yaml", text: "title: P\nprice: 1\nfield\($0): 1\n")
    }
    let step = try Step(WorkedExample.building + entries)
    let checked = try step.run("check")
    #expect(checked.status == 1)
    let commands = ActionsRunner.commands(in: checked.errors)
    #expect(commands.map(\.name) == Array(repeating: "error", count: 10))
    let summary = try #require(step.summary)
    #expect(summary.hasPrefix("### contentc: 500 errors\n\n"), "\(summary.prefix(300))")
    #expect(summary.split(separator: "\n").count { $0.hasPrefix("- **error** ") } == 490)
  }

  @Test func theJobSummaryHasALineOfEachCommandThatSucceeds() throws {
    let step = try Step(WorkedExample.building)
    #expect(try step.run("check").status == 0)
    #expect(try step.run("build", "--quiet").status == 0)
    let summary = try #require(step.summary)
    #expect(summary.contains("### contentc check\n\nNo mistakes in "), "\(summary)")
    #expect(summary.contains("### contentc build\n\nBuilt `"), "\(summary)")
  }

  @Test func theJobSummaryHasTheWholeDifference() throws {
    let step = try Step(EditingShop.files)
    try step.sandbox.shell(
      "printf 'channels: {qa: {target: site}}\\n' >> content/content.yaml")
    try #require(try step.sandbox.run("publish", "qa").status == 0)
    for number in 1...30 {
      try step.sandbox.write("content/entries/product/n\(number).yaml", "title: \"`|<b>\"\n")
    }
    try step.sandbox.shell("sed -i 's/^title: .*/title: Rosa/' content/entries/product/rose.yaml")
    let compared = try step.run("diff", "qa")
    #expect(compared.status == 0 && compared.output.contains("more; --json lists all"))
    let summary = try #require(step.summary)
    #expect(summary.contains("### Changes for readers of `qa`\n\n"), "\(summary)")
    for number in 1...30 {
      #expect(summary.contains("- **added** `product/n\(number)` for `"))
    }
    #expect(summary.contains(#"  - `title`: `"Rose"` → `"Rosa"` for `"#), "\(summary)")
    #expect(summary.contains("`en` (`any`, `phone`, `tablet`)"), "\(summary)")
    #expect(!summary.contains("No room"))
  }

  @Test(arguments: ["/nowhere/summary.md", "."])
  func aSummaryThatCannotBeWrittenChangesNoStatus(path: String) throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let checked = try sandbox.run(
      "check", environment: ["GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=\(path)"])
    #expect(checked.status == 0)
    #expect(checked.errors.hasPrefix("note: the job summary cannot be written: the file cannot be"))
  }

  @Test(.timeLimit(.minutes(1))) func aPipeThatNobodyReadsIsNoSummary() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try sandbox.shell("mkfifo pipe")
    let checked = try sandbox.run(
      "check", environment: ["GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=pipe"])
    #expect(checked.status == 0)
    #expect(checked.errors.hasPrefix("note: the job summary cannot be written"))
  }

  @Test func aSummaryStaysWithinTheLimitOfTheStep() throws {
    let step = try Step(WorkedExample.building)
    try step.sandbox.write("summary.md", String(repeating: "x\n", count: 1 << 19))
    #expect(try step.run("check").status == 0)
    #expect(step.summary?.utf8.count == 1 << 20)
  }

  @Test func annotatesAnInvalidCommandLine() throws {
    let step = try Step([])
    let checked = try step.run("chekc")
    #expect(checked.status == 64)
    let command = ActionsRunner.commands(in: checked.errors).first
    #expect(command?.properties == ["title": "unknown-command"])
  }

  // MARK: Files

  @Test(arguments: ["sarif", "gitlab"])
  func replacesTheFileAlsoWithoutDiagnostics(format: String) throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.misspelled])
    let flags = ["--diagnostics", format, "--diagnostics-file", "found.json"]
    let text = try sandbox.run("check")
    let checked = try sandbox.run(Sandbox.binary, ["check"] + flags)
    #expect(checked.errors == text.errors && checked.status == 1)
    let found = try #require(sandbox.text("found.json"))
    #expect(found.contains("unknown field 'tittle'"))
    let built = try sandbox.run(Sandbox.binary, ["build"] + flags)
    #expect(built.status == 1 && sandbox.text("found.json") == found)
    try sandbox.shell("sed -i 's/tittle/title/' content/entries/product/rose.yaml")
    #expect(try sandbox.run(Sandbox.binary, ["build", "--quiet"] + flags).errors == "")
    let none = try #require(sandbox.text("found.json"))
    #expect(format == "gitlab" ? none == "[]\n" : none.contains(#""executionSuccessful": true"#))
    #expect(!none.contains("unknown"))
    #expect(sandbox.files().allSatisfy { !$0.hasSuffix(".tmp") })
    let failed = try sandbox.run(Sandbox.binary, ["check", "--content", "nowhere"] + flags)
    #expect(failed.status == 66)
    #expect(try #require(sandbox.text("found.json")).contains("nowhere"))
  }

  @Test(arguments: ["nowhere/found.sarif", "content"])
  func anUnwritableFileIsAnError(path: String) throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let flags = ["--diagnostics", "sarif", "--diagnostics-file", path]
    let checked = try sandbox.run(Sandbox.binary, ["check"] + flags)
    #expect(checked.status == 74 && checked.output.hasPrefix("No mistakes"))
    #expect(checked.errors.contains("[unwritable-file]"), "\(checked.errors)")
    try sandbox.write(Self.misspelled.path, Self.misspelled.text)
    let both = try sandbox.run(Sandbox.binary, ["check"] + flags)
    #expect(both.status == 1)
    #expect(both.errors.contains("[unknown-field]") && both.errors.contains("[unwritable-file]"))
    let failed = try sandbox.run(
      Sandbox.binary, ["check", "--content", "missing", "--json"] + flags)
    #expect(failed.status == 66 && failed.errors.contains("unwritable-file"))
  }

  @Test(arguments: ["sarif", "gitlab"]) func jsonStaysTheSameBesideAFile(format: String) throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.misspelled])
    let plain = try sandbox.run("check", "--json")
    let checked = try sandbox.run(
      "check", "--json", "--diagnostics", format, "--diagnostics-file", "found.json")
    #expect(checked.output == plain.output && checked.errors == plain.errors)
    #expect(checked.status == plain.status)
  }

  /// Columns are Unicode scalars: an emoji and a combining mark are one each.
  @Test func theColumnsOfSARIFMarkTheWordAfterEmojiAndCombiningMarks() throws {
    let line = "{title: \"\u{1F339}\u{1F3F3}\u{FE0F} e\u{301}\", tittle: 1, price: 3}"
    let sandbox = try Sandbox(
      WorkedExample.building + [(path: Self.misspelled.path, text: "\(line)\n")])
    _ = try sandbox.run("check", "--diagnostics", "sarif", "--diagnostics-file", "found.sarif")
    let run = try PropertyList.decode(sandbox.read("found.sarif") ?? [], as: .json).value["runs"][0]
    #expect(run["columnKind"] == "unicodeCodePoints")
    let region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    let columns = [region["startColumn"], region["endColumn"]].compactMap { $0?.number }
    try #require(columns.count == 2)
    let marked = Array(line.unicodeScalars)[(columns[0] - 1)..<(columns[1] - 1)]
    #expect(String(String.UnicodeScalarView(marked)) == "tittle")
  }

  /// Checks files with the schema of OASIS, which `Scripts/install-sarif-judge.sh` installs.
  @Test(.nightly) func sarifFilesSatisfyTheSchema() throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.misspelled])
    try sandbox.write("content/entries/product/caf\u{E9} \u{1F339}%.yaml", "title: [\u{202E}\n")
    let flags = ["--diagnostics", "sarif", "--diagnostics-file"]
    _ = try sandbox.run(Sandbox.binary, ["check"] + flags + ["found.sarif"])
    _ = try sandbox.run(Sandbox.binary, ["status", "nowhere"] + flags + ["failed.sarif"])
    _ = try sandbox.run(Sandbox.binary, ["rules"] + flags + ["none.sarif"])
    let script = "\(Sandbox.checkout)/Tests/TestCommands/Scripts/sarif-schema.py"
    let golden = ["report", "empty"].map {
      CheckedOutFiles.path("Tests/DiagnosticsTests/Golden/\($0).sarif")
    }
    let files = ["found.sarif", "failed.sarif", "none.sarif"] + golden
    let judged = try sandbox.run(Program.tool("sarif/bin/python3"), [script] + files)
    #expect(judged.status == 0, "\(judged)")
    // Proves that the judge can fail.
    try sandbox.shell("sed -i 's/unicodeCodePoints/columns/' found.sarif")
    #expect(
      try sandbox.run(Program.tool("sarif/bin/python3"), [script, "found.sarif"]).status == 1)
  }
}

extension Sandbox {
  /// Returns the text of a file, or `nil` if it does not exist.
  fileprivate func text(_ path: String) -> String? {
    read(path).map { String(decoding: $0, as: UTF8.self) }
  }
}
