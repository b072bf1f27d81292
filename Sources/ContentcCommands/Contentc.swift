package import ArgumentParser
import ContentModel
import Diagnostics
import System

/// The command line, with one file in `Commands/` for each subcommand.
package struct Contentc: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "contentc",
    abstract: "Compiles YAML content into property-list bundles for each locale and device.",
    discussion: """
      'contentc init shop' makes a small project. 'cd shop && contentc build' compiles its folder \
      'content' into the folder 'out'. The output is plain files: any web server can deliver them, \
      and any language that reads property lists can use them. Commands work on the project in the \
      current folder, or on the nearest project above it.

      Exit status: \(exitStatuses).
      """,
    version: ContentcVersion.current,
    subcommands: [
      Init.self, BuildCommand.self, PreviewCommand.self, Check.self, Explain.self,
      CoverageCommand.self, TranslationsCommand.self,
      Locales.self, Convert.self, Publish.self, Promote.self, Rollback.self, RolloutCommand.self,
      Status.self,
      History.self, Diff.self,
      PruneCommand.self, Bake.self, Notify.self, Keys.self, Sign.self, Resign.self, Verify.self,
      PurgeCommand.self, Maintenance.self, Staleness.self, Server.self, Rules.self,
    ])

  package init() {}

  /// All exit statuses in one sentence.
  private static var exitStatuses: String {
    ExitStatus.allCases.map { "\($0.rawValue) \($0.summary)" }.joined(separator: "; ")
  }

  /// Each command without subcommands, with its words after `contentc`, such as `keys init`.
  package static var commands: [(words: String, type: any ContentcCommand.Type)] {
    func commands(
      of group: any ParsableCommand.Type, named words: [String]
    ) -> [(words: String, type: any ContentcCommand.Type)] {
      if let type = group as? any ContentcCommand.Type {
        return [(words.joined(separator: " "), type)]
      }
      return group.configuration.subcommands.flatMap {
        commands(of: $0, named: words + [$0._commandName])
      }
    }
    return commands(of: Contentc.self, named: [])
  }

  /// The command as the user gave it, but without `--dry-run`, as a line for a shell: a message adds
  /// options to it.
  ///
  /// After `--`, words are no options, and a terminal shows control characters as others: then the user
  /// adds the options.
  static var given: String {
    let words = CommandLine.arguments.dropFirst().filter { $0 != "--dry-run" }
    if words.contains(where: { $0 == "--" || !$0.hasSameBytes(as: $0.harmless) }) {
      return "the same command with"
    }
    return (["contentc"] + words.map(\.shellWord)).joined(separator: " ")
  }

  /// Runs the command that the arguments name.
  ///
  /// The flags of `build` are read in three ways, from the fastest to the most general:
  ///
  /// 1. `BuildCall(plain:)` reads plain flags without the argument parser, whose start takes longer
  ///    than a build without changes.
  /// 2. The argument parser parses `build` alone, which takes half as long as to consider all
  ///    commands.
  /// 3. The argument parser considers all commands. It prints help and all errors.
  package static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let flags = arguments.dropFirst()
    do {
      if arguments.first != BuildCommand.name {
        try parseAndRun(arguments)
      } else if let call = BuildCall(plain: flags) {
        try call.run()
      } else if let build = BuildCommand(parsing: flags) {
        try build.run()
      } else {
        try parseAndRun(arguments)
      }
    } catch {
      end(with: error, arguments)
    }
  }
}
