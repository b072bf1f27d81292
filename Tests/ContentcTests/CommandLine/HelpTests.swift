import ArgumentParser
import ContentModel
import System
import TestServers
import Testing

@testable import ContentcCommands
@testable import TestCommands

@Suite("The help of the commands", .waiting)
struct HelpTests {
  /// Examples are lines that fit in a terminal with 80 columns.
  @Test func showsExamplesThatCanBeCopied() throws {
    for command in ListedCommand.all {
      let words = command.name.split(separator: " ").map(String.init)
      let help = try Sandbox().run(
        Sandbox.binary, words + ["--help"], environment: ["COLUMNS=40"])
      let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
      let shown = lines.drop { !$0.hasPrefix("Example") }.dropFirst().prefix { !$0.isEmpty }
      #expect(shown.map { $0.dropFirst(2) } == command.examples.map { $0[...] }, "\(command)")
      let own = command.name.prefix { $0 != " " }
      for line in command.examples { #expect(line.hasPrefix("contentc \(own)"), "\(line)") }
      for status in command.exitStatuses {
        let start = "  \(status.status.rawValue)"
        #expect(lines.contains { $0.hasPrefix(start) && $0.count <= 80 }, "\(command): \(status)")
      }
    }
    for group in Contentc.configuration.subcommands.map({ $0.configuration })
    where !group.subcommands.isEmpty {
      let lines = group.discussion.split(separator: "\n").drop { $0 != "Examples:" }.dropFirst()
      let start = "  contentc \(group.commandName ?? "") "
      #expect(
        !lines.isEmpty && lines.allSatisfy { $0.hasPrefix(start) && $0.count <= 80 }, "\(lines)")
    }
  }

  /// Runs every example of every command on the sample.
  ///
  /// Previews would listen, so they are only parsed.
  @Test(.timeLimit(.minutes(10))) func showsExamplesThatWorkOnTheSample() throws {
    let sandbox = try Sandbox()
    try sandbox.shell("cp -R '\(Sandbox.checkout)/content' content && mkdir empty")
    try #require(try sandbox.run("publish", "qa", "--quiet").status == 0)
    try sandbox.shell(
      "sed -i 's/^price: .*/price: 41.5/' content/entries/product/country-charm.yaml")
    try #require(try sandbox.run("publish", "qa", "--quiet").status == 0)
    try sandbox.shell("cp -a site saved")
    for command in ListedCommand.unsigned {
      for line in command.examples {
        if command.listens {
          let parsed = try sandbox.tour("\(line.prefix { $0 != "#" }) --port 70000")
          #expect(
            parsed.status == 64 && parsed.errors.contains("--port must be between"),
            "\(line): \(parsed)")
          continue
        }
        let words = Self.withComingTimes(line)
        let outcome = try sandbox.tour(command.name == "init" ? "cd empty && \(words)" : words)
        try Self.restore(in: sandbox, after: line)
        // The sample's production channel is a bucket, for which there are no credentials here.
        let isOffline = line.contains("production") && command.reads.contains(.target)
        #expect(outcome.status == (isOffline ? 69 : 0), "\(line): \(outcome)")
      }
    }
  }

  /// Runs the commands in the documentation's code blocks, which users copy.
  @Test(.timeLimit(.minutes(10))) func commandsInDocumentsWorkOnTheSample() throws {
    let sandbox = try Sandbox()
    try sandbox.shell("cp -R '\(Sandbox.checkout)/content' content")
    try #require(try sandbox.run("publish", "qa", "--quiet").status == 0)
    try sandbox.shell("cp -a site saved")
    for page in [
      "docs/reference/commands", "docs/reference/publishing", "docs/reference/emergencies",
      "docs/guides/preview", "docs/reference/preview", "docs/reference/servers",
    ] {
      for line in Self.commands(in: try Sandbox.checkedOut("\(page).md"))
      where !SignedExampleTests.isAboutSigning(line) {
        if line.hasPrefix("contentc preview") {
          let parsed = try sandbox.tour("\(line.prefix { $0 != "#" }) --port 70000")
          #expect(parsed.errors.contains("--port must be between"), "\(page): \(line): \(parsed)")
          continue
        }
        let outcome = try sandbox.tour(Self.withComingTimes(line))
        try Self.restore(in: sandbox, after: line)
        // Production has no credentials here, and a gate of 95 % fails.
        let expected: [Int32] =
          line.contains("production") ? [0, 69] : line.contains("95") ? [2] : [0]
        #expect(expected.contains(outcome.status), "\(page): \(line): \(outcome)")
      }
    }
  }

  /// Returns a line with the next hours as its times of day: those of an example may have just
  /// passed, which a command refuses.
  static func withComingTimes(_ line: String) -> String {
    var hours = 0.0
    return line.replacing(/\s\d\d:\d\d\b/) { _ -> String in
      hours += 1
      let seconds = Clock.now.secondsSinceReferenceDate + hours * 3_600
      let time = Instant(secondsSinceReferenceDate: seconds).rfc3339.dropFirst(11).prefix(5)
      return " '\(time) UTC'"
    }
  }

  /// Restores the published channel after a command that may have changed it.
  private static func restore(in sandbox: Sandbox, after line: String) throws {
    let commands = line.split(separator: ";").compactMap {
      ListedCommand.named(by: ListedCommand.words(of: String($0)))
    }
    guard commands.contains(where: { $0.changesChannel }) else { return }
    // The machine remembers later releases.
    try sandbox.shell("rm -rf site .contentc/signed.plist && cp -a saved site")
  }

  /// Returns the lines in a page's code blocks that begin with `contentc`, except for those about
  /// other machines and folders.
  static func commands(in page: String) -> [String] {
    let blocks = page.split(separator: "```", omittingEmptySubsequences: false).enumerated().filter
    {
      $0.offset % 2 == 1
    }
    let lines = blocks.flatMap {
      $0.element.split(separator: "\n").dropFirst($0.element.hasPrefix("\n") ? 0 : 1)
    }
    return lines.map(String.init).filter { line in
      line.hasPrefix("contentc ")
        && !["--cache", "../texts", "rollback qa", "/var/"].contains(where: line.contains)
    }
  }

  /// Commands with many options list them in groups.
  @Test(arguments: ["publish", "purge"]) func groupsTheOptions(command: String) throws {
    let help = try Sandbox().run("help", command).output
    let lines = help.split(separator: "\n").map(String.init)
    let titles = lines.filter { $0.hasSuffix(":") && $0 == $0.uppercased() }
    #expect(titles == ["ARGUMENTS:", "WHAT:", "HOW:", "SIGNATURES:", "OUTPUT:", "OPTIONS:"])
    // Only the options that all programs have are in no group.
    let rest = lines.drop { $0 != "OPTIONS:" }.dropFirst()
    #expect(
      rest.count == 2 && zip(rest, ["  --version", "  -h, --help"]).allSatisfy { $0.hasPrefix($1) })
  }

  /// Every option that is not required has a default.
  @Test func statesTheDefaultOfEachOption() throws {
    for command in ListedCommand.all {
      let words = command.name.split(separator: " ").map(String.init)
      let help = try Sandbox().run(Sandbox.binary, words + ["--help"]).output
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      var options: [String] = []
      var isOption = false
      for line in lines {
        if line.hasPrefix("  -") {
          options.append(line)
          isOption = true
        } else if isOption, line.hasPrefix("   ") {
          options[options.count - 1] += " " + line
        } else {
          isOption = false
        }
      }
      #expect(!options.isEmpty, "\(command)")
      let usage = lines.drop { !$0.hasPrefix("USAGE:") }.prefix { !$0.isEmpty }
        .flatMap { $0.split(separator: " ") }.joined(separator: " ")
      for option in options where option.contains("<") {
        let name = try #require(option.firstMatch(of: /--[a-z-]+/)).output
        let isRequired = usage.contains(" \(name) <") || option.contains(/[Rr]equired/)
        #expect(isRequired || option.contains(/[Dd]efault:/), "\(command): \(option)")
      }
      #expect(!lines.joined().contains("unless told"), "\(command)")
    }
  }
}
