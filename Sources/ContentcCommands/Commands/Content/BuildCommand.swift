import ArgumentParser
import ContentBuild

/// Compiles the content folder into the output folder.
struct BuildCommand: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Compile the content folder into property-list bundles.",
    discussion: help(
      """
      Writes the folder 'out': immutable objects named by their hashes, and \
      'preview/config.plist', which leads to them. The same content gives the same bytes on every \
      machine. If the content has mistakes, all of them are reported and 'out' does not change.
      """))

  static let examples = """
    contentc build
    contentc build --content content --out files
    contentc build --at 2026-12-24T18:00:00+01:00    # as on that evening
    contentc build --json --quiet                    # for scripts
    """
  static let reads: Set<CommandSource> = [.content, .output]
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.tryAgain, "another build still runs after 5 s: run the command again")
  ]
  static let result: [ResultRow] = [
    ResultRow(["app": .string], "the app's name"),
    ResultRow(["config": .string], "the path of the build's config"),
    ResultRow(
      ["entries": .integer, "bundles": .integer, "contexts": .integer, "objects": .integer],
      "how many there are"),
    ResultRow(
      [
        "objectsWritten": .integer, "objectsKept": .integer, "filesWritten": .integer,
        "filesKept": .integer, "straysRemoved": .integer,
      ],
      "what was done in the output folder"),
    ResultRow(
      ["bytes": .integer, "bytesGzipped": .integer, "bytesWritten": .integer],
      "sizes of all objects, and of what was written"),
    ResultRow(
      ["bounds.*.correction": .integer, "bounds.*.afterPurge": .integer],
      "by channel: seconds until the last reader has a correction, and has let go after a purge"),
    ResultRow(
      ["bounds.*.layers[].layer": .string, "bounds.*.layers[].seconds": .integer],
      "the shares of each layer"),
    ResultRow(["seconds": .number], "how long it took"),
  ]

  @OptionGroup var input: ContentOptions
  @OptionGroup var output: OutputOptions
  @Flag(inversion: .prefixedNo, help: "Write a .gz copy beside each object when it is smaller.")
  var gzip = true
  @Flag(help: "Build everything, without the memory of the last build in '.contentc'.")
  var fresh = false
  @Option(
    help: ArgumentHelp(
      "Share builds with other machines through a server with Bazel's HTTP cache protocol; see "
        + "docs/reference/cache.md. Default: none.", valueName: "url"))
  var cache: String?
  @Flag(help: .pseudoLocales)
  var pseudo = false
  @OptionGroup var moment: InstantOptions
  @OptionGroup var common: CommonOptions

  /// The name of the command, which is compared without creating the configuration.
  static let name = "build"

  func perform() throws -> Report { try call.perform() }

  /// The build that the flags describe.
  var call: BuildCall {
    let request = BuildRequest(
      content: input.content, out: output.folder(input), compresses: gzip, isFresh: fresh,
      cache: cache, at: moment.at,
      judgedBy: common.style.policy, hasPseudoLocales: pseudo)
    return BuildCall(request: request, style: common.style, isContentNamed: input.named != nil)
  }
}
