import ArgumentParser
import ContentCompiler
import ContentStore
import Diagnostics

/// Compiles the content folder into the output folder.
struct BuildCommand: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Compile the content folder into property-list bundles.",
    discussion: """
      Writes the folder 'out': immutable objects named by their hashes, and 'preview/config.plist', which leads to them. \
      The same content gives the same bytes, on every machine. If there is a mistake in the content, all mistakes are \
      reported and 'out' stays as it was.

      Examples:
        contentc build
        contentc build --content shop/content --out shop/out
        contentc build --at 2026-12-24T18:00:00+01:00    as on that evening
        contentc build --json --quiet                    for scripts
      """)

  @OptionGroup var input: ContentOptions
  @Option(help: ArgumentHelp("The folder to write; only its changed files are touched.", valueName: "folder"))
  var out = "out"
  @Flag(
    inversion: .prefixedNo,
    help: "Put a compressed copy beside each object that gets smaller by it, for web servers that send it as it is.")
  var gzip = true
  @OptionGroup var moment: InstantOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let folder = input.content.withoutTrailingSlashes
    guard out.withoutTrailingSlashes != folder, !out.hasPrefix("\(folder)/") else {
      throw Failure(
        .inputOutput, "output-in-content", "--out must not lie in the content folder, whose files are sources")
    }
    let watch = Stopwatch()
    let progress = Progress("Reading", isWanted: !common.quiet)
    defer { progress.finish() }
    let source = try ContentInput(input)
    progress.begin("Compiling")
    guard !common.judge(source.diagnostics).hasErrors else {
      // No output folder is made for content that cannot be built.
      let compiled = try Compilation(source, at: moment.instant, common) { _ in }
      return Report(diagnostics: compiled.diagnostics, sources: source.sources)
    }
    let session = try BuildSession(folder: out, compresses: gzip, progress)
    let compiled = try session.telling {
      try Compilation(source, at: moment.instant, common) { try session.add($0) }
    }
    var report = Report(diagnostics: compiled.diagnostics, sources: source.sources)
    guard let build = compiled.build, let tree = source.tree else {
      session.discard()
      return report
    }
    progress.begin("Writing")
    let summary = try session.telling { try session.commit(build) }
    let outcome = BuildOutcome(
      tree: tree, build: build, summary: summary, folder: out.withoutTrailingSlashes,
      content: input.content, seconds: watch.seconds)
    (report.text, report.json) = (outcome.text, outcome.members)
    return report
  }
}

extension [Diagnostic] {
  /// Whether an error is among them.
  var hasErrors: Bool { contains { $0.severity == .error } }
}
