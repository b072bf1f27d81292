import ArgumentParser

/// The description of a release, and whether it is only a dry run.
struct ReleaseOptions: ParsableArguments {
  @Option(
    name: [.long, .short], help: "A description of the release, for 'history'. Default: none.")
  var message: String?
  @Option(help: Author.help)
  var by: String?
  @Flag(help: "Show what would change and be sent; change nothing.")
  var dryRun = false
}
