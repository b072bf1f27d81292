import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import Diagnostics

/// A build that was asked for, whatever read its flags.
struct BuildRequest {
  /// The content folder and the one to write, as they were typed.
  var content: String
  var out: String
  /// True if the content folder was named, not found.
  var isContentNamed = false
  var gzip: Bool
  var fresh: Bool
  var cache: String?
  /// The moment that it is made for; now unless told otherwise.
  var at: Instant?
  var style: ReportStyle

  var place: ContentPlace { ContentPlace(path: content) }
  var instant: Instant { at ?? Clock.now }

  /// Builds.
  func perform() throws -> Report {
    let folder = content.withoutTrailingSlashes
    guard out.withoutTrailingSlashes != folder, !out.hasPrefix("\(folder)/") else {
      throw Failure(
        .inputOutput, "output-in-content", "--out must not lie in the content folder, whose files are sources")
    }
    let watch = Stopwatch()
    let file = MemoryFile(content: content, out: out, flags: [gzip ? "gzip" : "no gzip"])
    let progress = Progress("Reading", isWanted: !style.quiet)
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
    let source = try ContentInput(place)
    progress.begin("Compiling")
    guard !style.judge(source.diagnostics).hasErrors else {
      opened?.discard()
      // No output folder is made for content that cannot be built.
      let compiled = try Compilation(source, at: instant, style) { _ in }
      return Report(diagnostics: compiled.diagnostics, sources: source.sources)
    }
    let session = try opened ?? BuildSession(folder: out, compresses: gzip, progress)
    var report = try built(consume source, session, progress, watch) { build, remembered, state in
      if let file, let stamps { file.remember(remembered, build, state, content: stamps) }
      shared?.store(build, remembered, state)
    }
    if let warning = shared?.finish() { report.diagnostics.append(warning) }
    return report
  }

  /// Compiles everything and puts it in place; what is to be kept of it is kept while nobody else can write there.
  private func built(
    _ source: consuming ContentInput, _ session: BuildSession, _ progress: Progress, _ watch: Stopwatch,
    keep: (Build, RememberedBuild, NamedState?) -> Void
  ) throws -> Report {
    let sources = source.sources
    let compiled = try session.telling(consume source) { source in
      try Compilation(source, at: instant, remembers: true, style) { try session.add($0) }
    }
    guard let build = compiled.build else {
      session.discard()
      return Report(diagnostics: compiled.diagnostics, sources: sources)
    }
    progress.begin("Writing")
    let state = Aside { build.state.map { NamedState($0.encoded) } }
    let summary = try session.telling {
      try session.commit(files: build.files, links: build.links, config: build.config)
    }
    let remembered = RememberedBuild(
      facts: BuildFacts(build, of: build.tree), summary: summary, diagnostics: compiled.found, state: nil)
    let named = state.value.flatMap(\.self)
    // The lock is held until then: nobody else's output is taken for this build's.
    withExtendedLifetime(session) { keep(build, remembered, named) }
    return report(remembered, summary, watch, sources)
  }

  /// What is told of a build that is done.
  func report(
    _ build: RememberedBuild, _ summary: BuildSummary, _ watch: Stopwatch, _ sources: SourceTexts
  ) -> Report {
    let outcome = BuildOutcome(
      facts: build.facts, summary: summary, folder: out.withoutTrailingSlashes, content: content,
      seconds: watch.seconds)
    // Words that nobody reads take a good part of a build that has nothing to do.
    return Report(
      text: style.quiet ? "" : outcome.text, json: style.json ? outcome.members : Members(),
      diagnostics: style.judge(build.diagnostics), dates: build.facts.dates, sources: sources)
  }
}
