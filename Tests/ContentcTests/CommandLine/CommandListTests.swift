import Testing

@testable import TestCommands

/// Compares the lists of command lines that other suites try with the program's commands, so that a
/// new command is tried, too.
@Suite struct CommandListTests {
  /// A list of command lines, and the commands that it omits.
  struct List: CustomTestStringConvertible {
    var suite: String
    var lines: [[String]]
    var omitted: Set<String>

    var testDescription: String { suite }
  }

  private static let hostileLines =
    (HostileCommands.content + HostileCommands.output + HostileCommands.target)
    .map { $0.split(separator: " ").map(String.init) }

  static let lists = [
    List(
      suite: "UsageTests", lines: UsageTests.commands,
      // `SignedExampleTests` has those of signed channels.
      omitted: ["convert", "init", "keys", "preview", "resign", "rules", "verify"]),
    List(
      suite: "TerminalSafetyTests", lines: TerminalSafetyTests.commands,
      omitted: ["init", "preview", "rules"]),
    // These suites try commands that change nothing, and commands that read files.
    List(
      suite: "HostileFolderTests", lines: HostileFolderTests.commands,
      omitted: ["build", "convert", "init", "preview", "rules"]),
    List(suite: "HostileCommands", lines: hostileLines, omitted: ["init", "rules"]),
  ]

  @Test(arguments: lists) func namesEachCommand(_ list: List) throws {
    let commands = try Set(Sandbox.commands())
    let tried = Set(list.lines.compactMap(\.first)).intersection(commands)
    #expect(tried.isDisjoint(with: list.omitted))
    #expect(
      commands.subtracting(tried).subtracting(list.omitted).sorted() == [],
      "add these to \(list.suite)")
  }
}
