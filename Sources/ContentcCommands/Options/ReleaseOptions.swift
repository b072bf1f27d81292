import ArgumentParser

/// What a command says of the release that it makes, and whether it makes it at all.
struct ReleaseOptions: ParsableArguments {
  @Option(
    name: [.long, .short], help: "What the release is about, for 'history'. Default: nothing.")
  var message: String?
  @Option(help: Author.help)
  var by: String?
  @Flag(help: "Only show what would change and be sent.")
  var dryRun = false
}
