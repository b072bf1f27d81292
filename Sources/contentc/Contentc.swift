import ArgumentParser
import ContentModel

/// The command line: one subcommand per file in `Commands/`.
@main
struct Contentc: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contentc",
    abstract: "Compiles YAML content into property-list bundles, per locale and device.",
    discussion: """
      Begin with 'contentc init shop', which makes a small project, and 'cd shop && contentc build', which compiles its \
      folder 'content' into the folder 'out'. 'out' is plain files: any web server can serve them, and any language \
      that reads property lists can use them.

      Exit status: 0 done; 1 mistakes in the content, or a gate not passed; 64 usage; 66 missing input; 69 a target failed, is another \
      app's, or newer than this tool; 74 files cannot be read or written; 75 another build is running, or another \
      publisher was faster (run again); 130 interrupted.
      """,
    version: ContentcVersion.current,
    subcommands: [
      Init.self, BuildCommand.self, Check.self, Explain.self, Locales.self, Convert.self, Publish.self,
      Promote.self, Rollback.self, Status.self, History.self, Diff.self, PruneCommand.self,
    ])

  /// Runs the command that the arguments name.
  ///
  /// `build` runs on every save: its flags are tried alone first, which takes half as long as parsing all commands'.
  /// Whatever does not parse so, `--help` among it, is left to the whole parser and its messages.
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.first == BuildCommand.configuration.commandName,
      let build = try? BuildCommand.parse(Array(arguments.dropFirst()))
    else { return main(arguments) }
    do { try build.run() } catch { exit(withError: error) }
  }
}
