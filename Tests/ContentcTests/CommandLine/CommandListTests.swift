import ArgumentParser
import Testing

@testable import ContentcCommands
@testable import TestCommands

/// The members of commands agree with their options and their help.
@Suite struct CommandListTests {
  @Test func listsEveryCommand() {
    func parts(of group: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
      let members = group.configuration.subcommands
      return members.isEmpty ? [group] : members.flatMap { parts(of: $0) }
    }
    let others = parts(of: Contentc.self).filter { !($0 is any ContentcCommand.Type) }
    #expect(others.map { "\($0)" } == [])
    #expect(ListedCommand.all.count == parts(of: Contentc.self).count)
  }

  /// The argument parser derives a missing name from the type, at each start and for each command,
  /// which takes a quarter of the time until a command begins.
  @Test func declaresTheNameOfEachCommand() {
    let groups = Contentc.configuration.subcommands
    let commands = groups + groups.flatMap { $0.configuration.subcommands }
    let unnamed = commands.filter { $0.configuration.commandName == nil }.map { "\($0)" }
    #expect(unnamed == [])
  }

  @Test(arguments: ListedCommand.all) func describesEachCommand(_ command: ListedCommand) {
    #expect(!command.examples.isEmpty && !command.result.isEmpty)
    #expect(command.reads.contains(.content) == command.options.contains("--content"))
    #expect(command.reads.contains(.output) == command.options.contains("--out"))
    // `server` and `staleness` use the target's address, and read nothing there. The preview shows
    // the releases of all channels.
    let usesOnlyAddress = ["server", "staleness"].contains(command.name)
    let readsTarget = command.usesTarget && !usesOnlyAddress || command.name == "preview"
    #expect(command.reads.contains(.target) == readsTarget)
    #expect(command.changesChannel == command.options.contains("--single-writer"))
    for status in command.exitStatuses {
      #expect(status.meaning.first?.isUppercase == false && !status.meaning.hasSuffix("."))
    }
    let order = ContentcCommands.ExitStatus.allCases.filter { status in
      command.exitStatuses.contains { $0.status == status }
    }
    #expect(command.exitStatuses.map(\.status) == order)
  }

  /// The commands that `HostileCommands` and `TerminalSafetyTests` leave out.
  ///
  /// A new command belongs in `HostileCommands`, or in this list if hostile files cannot reach it
  /// without keys or a draft. `TerminalSafetyTests` leaves out all commands that need signers.
  @Test func namesTheCommandsThatHostileFilesDoNotReach() {
    let signed = [
      "keys init", "keys show", "keys add", "keys remove", "keys renew", "keys sign",
      "keys recover", "keys drop", "keys accept", "keys on", "keys off", "keys replace",
      "keys recovered", "sign folder", "sign export", "sign add", "sign import", "resign", "verify",
    ]
    #expect(ListedCommand.all.filter(\.needsSigners).map(\.name) == signed)
    let lines = HostileCommands.target + HostileCommands.output + HostileCommands.content
    let tried = lines.compactMap { line in
      ListedCommand.named(by: line.split(separator: " ").map(String.init))?.name
    }
    let untried = ListedCommand.all.map(\.name).filter { !tried.contains($0) }
    let rest = signed.filter { !["keys show", "resign", "verify"].contains($0) }
    #expect(untried == ["init"] + rest + ["rules"])
  }

  /// The commands that `docs/reference/security.md` calls safe run on hostile folders.
  @Test func triesEachCommandThatIsCalledSafe() throws {
    let page = try Sandbox.checkedOut("docs/reference/security.md")
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
