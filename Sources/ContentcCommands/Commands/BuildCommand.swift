import ArgumentParser
import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import Diagnostics

/// Compiles the content folder into the output folder.
struct BuildCommand: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    // Parsed alone, it is not looked through for requests of completion scripts first: that is half of parsing.
    _superCommandName: "contentc",
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
  var out = Self.usualFolder
  @Flag(
    inversion: .prefixedNo,
    help: "Put a compressed copy beside each object that gets smaller by it, for web servers that send it as it is.")
  var gzip = true
  @Flag(help: "Build everything anew, whatever the last build remembers in '.contentc'.")
  var fresh = false
  @Option(
    help: ArgumentHelp(
      "Share builds with other machines through a server of Bazel's HTTP cache protocol; see docs/cache.md.",
      valueName: "url"))
  var cache: String?
  @OptionGroup var moment: InstantOptions
  @OptionGroup var common: CommonOptions

  /// Where a build goes unless told otherwise.
  static let usualFolder = "out"

  func perform() throws -> Report {
    let folder = input.content.withoutTrailingSlashes
    guard out.withoutTrailingSlashes != folder, !out.hasPrefix("\(folder)/") else {
      throw Failure(
        .inputOutput, "output-in-content", "--out must not lie in the content folder, whose files are sources")
    }
    let watch = Stopwatch()
    let file = MemoryFile(content: input.content, out: out, flags: [gzip ? "gzip" : "no gzip"])
    let progress = Progress("Reading", isWanted: !common.quiet)
    defer { progress.finish() }
    var continued = fresh ? nil : try file.flatMap { try ContinuedBuild(self, $0, progress, watch) }
    if let report = try continued?.report() { return report }
    let stamps = file?.contentStamps()
    let shared = try file.flatMap { file in
      try stamps.flatMap { try ExchangedBuild(self, file, content: $0, progress, watch) }
    }
    defer { _ = shared?.finish() }
    var opened = continued?.session
    if !fresh, let fetched = try shared?.report(in: &opened) { return fetched }
    let source = try ContentInput(input)
    progress.begin("Compiling")
    guard !common.judge(source.diagnostics).hasErrors else {
      opened?.discard()
      // No output folder is made for content that cannot be built.
      let compiled = try Compilation(source, at: moment.instant, common) { _ in }
      return Report(diagnostics: compiled.diagnostics, sources: source.sources)
    }
    let session = try opened ?? BuildSession(folder: out, compresses: gzip, progress)
    var report = try built(consume source, session, progress, watch) { build, remembered in
      if let file, let stamps { file.remember(remembered, build, of: build.tree, content: stamps) }
      shared?.store(build, remembered)
    }
    if let warning = shared?.finish() { report.diagnostics.append(warning) }
    return report
  }

  /// Compiles everything and puts it in place; what is to be kept of it is kept while nobody else can write there.
  private func built(
    _ source: consuming ContentInput, _ session: BuildSession, _ progress: Progress, _ watch: Stopwatch,
    keep: (Build, RememberedBuild) -> Void
  ) throws -> Report {
    let sources = source.sources
    let compiled = try session.telling(consume source) { source in
      try Compilation(source, at: moment.instant, remembers: true, common) { try session.add($0) }
    }
    guard let build = compiled.build else {
      session.discard()
      return Report(diagnostics: compiled.diagnostics, sources: sources)
    }
    progress.begin("Writing")
    let summary = try session.telling {
      try session.commit(files: build.files, links: build.links, config: build.config)
    }
    let remembered = RememberedBuild(
      facts: BuildFacts(build, of: build.tree), summary: summary, diagnostics: compiled.found, state: nil)
    // The lock is held until then: nobody else's output is taken for this build's.
    withExtendedLifetime(session) { keep(build, remembered) }
    return report(remembered, summary, watch, sources)
  }

  /// What is told of a build that is done.
  func report(
    _ build: RememberedBuild, _ summary: BuildSummary, _ watch: Stopwatch, _ sources: SourceTexts
  ) -> Report {
    let outcome = BuildOutcome(
      facts: build.facts, summary: summary, folder: out.withoutTrailingSlashes, content: input.content,
      seconds: watch.seconds)
    return Report(
      text: outcome.text, json: outcome.members, diagnostics: common.judge(build.diagnostics), sources: sources)
  }
}

extension [Diagnostic] {
  /// Whether an error is among them.
  var hasErrors: Bool { contains { $0.severity == .error } }
}
