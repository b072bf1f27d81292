import ArgumentParser
import ContentcCommands
import Testing

@testable import TestCommands

/// Compares the lists of command lines that other suites try with the program's commands, so that a
/// new command is tried, too.
@Suite struct CommandListTests {
  /// A list of command lines, and the commands, or groups of commands, that it omits.
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
      omitted: ["convert", "init", "keys", "preview", "resign", "rules", "sign", "verify"]),
    List(
      suite: "TerminalSafetyTests", lines: TerminalSafetyTests.commands,
      omitted: [
        "init", "keys accept", "keys add", "keys drop", "keys init", "keys off", "keys on",
        "keys recover", "keys recovered", "keys remove", "keys renew", "keys replace", "keys sign",
        "preview", "rules", "sign",
      ]),
    // These suites try commands that change nothing, and commands that read files.
    List(
      suite: "HostileFolderTests", lines: HostileFolderTests.commands,
      omitted: [
        "build", "convert", "init", "keys accept", "keys add", "keys drop", "keys init", "keys off",
        "keys on", "keys recover", "keys recovered", "keys remove", "keys renew", "keys replace",
        "keys sign", "preview", "rules", "sign",
      ]),
    // `BrokenImportTests` has hostile files for `translations import`.
    List(
      suite: "HostileCommands", lines: hostileLines,
      omitted: [
        "init", "keys accept", "keys add", "keys drop", "keys init", "keys off", "keys on",
        "keys recover", "keys recovered", "keys remove", "keys renew", "keys replace", "keys sign",
        "rules", "sign", "translations import",
      ]),
  ]

  @Test(arguments: lists) func namesEachCommand(_ list: List) throws {
    let tried = Set(list.lines.compactMap(\.first))
      .union(list.lines.map { $0.prefix(2).joined(separator: " ") })
    #expect(tried.isDisjoint(with: list.omitted))
    let untried = try Sandbox.leafCommands().filter { command in
      let group = command.split(separator: " ").first.map { String($0) } ?? ""
      return !tried.contains(command) && list.omitted.isDisjoint(with: [command, group])
    }
    #expect(untried == [], "add these to \(list.suite)")
  }

  /// Commands about signed channels have suites of their own, `publish` needs content, and `preview`
  /// listens.
  private static let tried: Set<String> = ["preview", "promote", "publish", "resign", "verify"]

  /// The argument parser derives a missing name from the type, at each start and for each command,
  /// which takes a quarter of the time until a command begins.
  @Test func declaresTheNameOfEachCommand() {
    let groups = Contentc.configuration.subcommands
    let commands = groups + groups.flatMap { $0.configuration.subcommands }
    let unnamed = commands.filter { $0.configuration.commandName == nil }.map { "\($0)" }
    #expect(unnamed == [])
  }

  @Test func triesTheChannelOfEachCommand() throws {
    var (ofChannels, reading): (Set<String>, Set<String>) = ([], [])
    for command in try Sandbox.commands() where !Self.tried.contains(command) {
      let help = try Sandbox().run("help", command).output
      let isGroup = help.contains("SUBCOMMANDS:")
      if help.contains("--channel ") || command == "maintenance" { ofChannels.insert(command) }
      if help.contains("--channel "), !help.contains("--single-writer"), !isGroup {
        reading.insert(command)
      }
    }
    #expect(Set(UsageTests.ofChannels.compactMap(\.first)) == ofChannels)
    #expect(Set(UsageTests.reading.compactMap(\.first)) == reading)
  }

  /// The commands that `docs/security.md` calls safe run on hostile folders.
  @Test func triesEachCommandThatIsCalledSafe() throws {
    let page = try Sandbox.checkedOut("docs/security.md")
    let list = try #require(page.firstMatch(of: /are safe on any content folder: ([^.]*)\./)).1
    let names = list.matches(of: /`([^`]*)`/).map { $0.1.split(whereSeparator: \.isWhitespace) }
      .filter { !["build", "preview"].contains($0[0]) && !$0[0].hasPrefix("-") }
    #expect(names.count > 10)
    for name in names {
      let isTried = HostileFolderTests.commands.contains { line in
        name.allSatisfy { word in line.contains { $0 == word } }
      }
      #expect(isTried, "\(name)")
    }
  }
}
