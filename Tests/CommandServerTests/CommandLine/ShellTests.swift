import TestServers
import Testing

@testable import TestCommands

/// Completion by the Tab key in bash, zsh and fish.
@Suite("Tab in a shell", .needsServers) struct ShellTests {
  static let shells = ["bash", "zsh", "fish"]

  /// Types lines into a shell, presses Tab after each, and returns the completed words of each line.
  ///
  /// After a line that ends with a tab character, Tab is pressed twice, which lists the candidates;
  /// the result does not contain such a line.
  private func press(_ lines: [String], in shell: String, sandbox: Sandbox) throws -> [String] {
    let script = try sandbox.run("--generate-completion-script", shell)
    try #require(script.status == 0)
    let scripts = try Sandbox([(path: "completions", text: script.output)])
    let outcome = try sandbox.run(
      "/usr/bin/env",
      [
        "PATH=\(Sandbox.programs):/usr/bin:/bin", "python3",
        "\(Sandbox.checkout)/Tests/TestCommands/Scripts/press-tab.py", shell,
        "\(scripts.root)/completions",
      ] + lines)
    #expect(outcome.status == 0 && outcome.errors == "", "\(shell): \(outcome)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test(.timeLimit(.minutes(5)), arguments: shells)
  func completesCommandsOptionsAndNamesOfTheSample(shell: String) throws {
    let sandbox = try Sandbox()
    try sandbox.shell("cp -R '\(Sandbox.checkout)/content' content")
    let lines = [
      ("expl", "[explain]"), ("explain --dev", "[explain][--device]"),
      ("explain product/country-ch", "[explain][product/country-charm]"),
      ("explain product/bonsai --locale zh", "[explain][product/bonsai][--locale][zh-Hant]"),
      ("bake qa --bundle city", "[bake][qa][--bundle][city-stores]"),
      ("status pro", "[status][production]"),
      ("maintenance off q", "[maintenance][off][qa]"),
      ("purge qa florist/za/stellenbosch-1", "[purge][qa][florist/za/stellenbosch-1]"),
      ("coverage --datatype flo", "[coverage][--datatype][florist]"),
      ("translations export --to xc", "[translations][export][--to][xcstrings]"),
      ("keys show --channel q", "[keys][show][--channel][qa]"),
    ]
    let words = try press(
      lines.map { "contentc \($0.0)" }, in: shell, sandbox: sandbox)
    #expect(words == lines.map { "[contentc]\($0.1)" }, "\(shell)")
  }

  /// A repository's names must not run anything in the shell of a user who presses Tab.
  @Test(.timeLimit(.minutes(5)), arguments: shells)
  func hostileNamesRunNothing(shell: String) throws {
    let sandbox = try Sandbox(HostileNames.project)
    let before = sandbox.tree().map(\.path)
    let lists = HostileNames.lines.map { "contentc \($0.0.joined(separator: " "))\t" }
    let paths = [
      "contentc convert files/\t", "contentc convert files/x\t", "contentc init files/d\t",
      "contentc publish --settings files/\t", "contentc status --content $(touch pwned) \t",
    ]
    let words = try press(
      lists + paths + ["contentc explain product/ro"], in: shell, sandbox: sandbox)
    // The last line shows that the completions worked.
    #expect(words == ["[contentc][explain][product/rose]"], "\(shell)")
    #expect(sandbox.tree().map(\.path) == before, "\(shell)")
  }
}
