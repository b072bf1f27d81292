import ContentcCommands
import TestInputs
import Testing

@testable import TestCommands

/// Runs every command in GitHub Actions on content, records and arguments full of workflow commands.
@Suite struct WorkflowSafetyTests {
  private static let hostile =
    "::stop-commands::x\n::add-mask::e\n\u{A0}::set-output name=a::b ##[add-mask]f"
  private static let actions = ["GITHUB_ACTIONS=true"]
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      "printf 'channels: {qa: {target: site}, production: {target: live}}\\n' >> content/content.yaml"
    )
    try sandbox.write("content/entries/product/ash.yaml", Self.entry("Ash"))
    let published = try sandbox.run(
      "publish", "qa", "--message", Self.hostile, "--by", Self.hostile)
    try #require(published.status == 0, "\(published.errors)")
    try sandbox.write("content/entries/product/ash.yaml", Self.entry("Oak"))
  }

  private static func entry(_ name: String) -> String {
    let lines = hostile.split(separator: "\n").map { "  \($0)\n" }.joined()
    return "title: |-\n\(lines)  \(name)\nnote: \"##[add-matcher]/etc/passwd\"\n"
  }

  /// The examples of a command, and the first one with a hostile text as each word.
  private static func lines(of command: ListedCommand) -> [[String]] {
    let lines = command.lines(replacing: ListedCommand.places + [("country-charm", "ash")])
    let first = lines.first ?? []
    let places = first.indices.filter { !first[$0].hasPrefix("-") }
    return lines + places.map { Array(first[..<$0] + [hostile] + first[($0 + 1)...]) }
  }

  @Test(arguments: ListedCommand.all)
  func printsNoCommandButAnnotations(of command: ListedCommand) throws {
    for line in Self.lines(of: command) {
      for flags in [[], ["--json"]] {
        let outcome = try sandbox.run(Sandbox.binary, line + flags, environment: Self.actions)
        // Data go unchanged into the file that is standard output here.
        let data = ["convert", "translations export"].contains(command.name)
        requireAnnotations(outcome.errors + (data ? "" : outcome.output), line + flags)
      }
    }
  }

  @Test(arguments: [[], ["--json"], ["--diagnostics", "short"], ["--diagnostics", "github"]])
  func printsNoCommandOfInvalidContent(flags: [String]) throws {
    try sandbox.write(
      "content/entries/product/elm.yaml", "##[add-mask]x: 1\n\"::add-mask::x\": 1\n")
    try sandbox.write(
      "content/entries/product/oak.yaml", "::add-mask::x: [\n::error::y\n##[group]z\n")
    try sandbox.write("content/entries/product/::add-mask::x.yaml", "title: 1\n")
    let outcome = try sandbox.run(Sandbox.binary, ["check"] + flags, environment: Self.actions)
    #expect(outcome.status == 1)
    requireAnnotations(outcome.errors + outcome.output, ["check"] + flags)
  }

  /// Without the variable, the output has commands: the tests above can fail.
  @Test func theHostileTextsAreCommands() throws {
    let explained = try sandbox.run("explain", "product/ash")
    #expect(!ActionsRunner.commands(in: explained.output).isEmpty, "\(explained.output)")
    let inActions = try sandbox.run("explain", "product/ash", environment: Self.actions)
    #expect(inActions.output.contains("##\u{FFFD}add-matcher]"), "\(inActions.output)")
  }

  /// In a container, the variable may be missing.
  @Test func theOptionProtectsTheLogWithoutTheVariable() throws {
    let explained = try sandbox.run("explain", "product/ash", "--diagnostics", "github")
    requireAnnotations(explained.output + explained.errors, ["explain"])
  }

  @Test func jsonKeepsItsValues() throws {
    let plain = try sandbox.run("explain", "product/ash", "--json")
    let inActions = try sandbox.run("explain", "product/ash", "--json", environment: Self.actions)
    #expect(plain.output != inActions.output)
    #expect(plain.output == inActions.output.replacing(#"##\u005b"#, with: "##["))
  }

  @Test func dataWithACommandGoIntoAFileOnly() throws {
    let convert = "GITHUB_ACTIONS=true '\(Sandbox.binary)' convert content/entries/product/ash.yaml"
    let printed = try sandbox.shell("\(convert) --to xml 2>errors | cat; cat errors")
    #expect(printed.output.contains("[workflow-command]"), "\(printed.output)")
    #expect(printed.output.contains("'--output'"))
    requireAnnotations(printed.output, ["convert"])
    try sandbox.shell("\(convert) --to xml -o a.xml && \(convert) --to xml > b.xml")
    #expect(sandbox.read("a.xml") != nil && sandbox.read("a.xml") == sandbox.read("b.xml"))
    let rose = try sandbox.shell(
      "GITHUB_ACTIONS=true '\(Sandbox.binary)' convert content/entries/product/rose.yaml --to json | cat"
    )
    #expect(rose.output.contains("Rose"))
  }

  private func requireAnnotations(_ log: String, _ line: [String]) {
    for command in ActionsRunner.commands(in: log) {
      #expect(["error", "warning"].contains(command.name), "\(line) prints \(command)")
      #expect(command.properties["title"] != nil, "\(line) prints \(command)")
    }
  }
}
