import ArgumentParser
import ContentBuild
import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import System

/// Compiles the content without writing a build.
struct Check: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Report mistakes in the content; write nothing.",
    discussion: help(
      """
      Does everything that 'build' does, except that it does not write 'out'. Reports every \
      mistake with its file, line and column. 'contentc rules' lists the rules.
      """))

  static let examples = """
    contentc check
    contentc check --warnings-as-errors      # as strict as before a release
    contentc check --error-on unread-file    # one rule's warnings as errors
    contentc check --diagnostics short       # one line each, for editors
    """
  static let reads: Set<CommandSource> = [.content]
  static let exitStatuses: [CommandStatus] = []
  static let result: [ResultRow] = [
    ResultRow(
      ["entries": .integer, "bundles": .integer, "contexts": .integer, "objects": .integer],
      "how many there are; only without errors")
  ]

  @OptionGroup var input: ContentOptions
  @Flag(help: .pseudoLocales)
  var pseudo = false
  @OptionGroup var moment: InstantOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let watch = Stopwatch()
    let progress = Progress("Checking", isWanted: !common.quiet)
    defer { progress.finish() }
    let source = try ContentInput.read(input, addingPseudoLocales: pseudo)
    let policy = common.style.policy
    let compiled = try Compilation.compiling(source, at: moment.instant, judgedBy: policy) { _ in }
    var report = Report(diagnostics: compiled.diagnostics, sources: source.sources)
    guard let build = compiled.build else { return report }
    let counts = build.counts
    report.json = counts.members
    let warnings = compiled.diagnostics.count
    let found = warnings == 0 ? "No mistakes" : "No errors, \(warnings.counted("warning"))"
    let sentence =
      "\(found) in \(counts.entries.counted("entry", plural: "entries")) and "
      + counts.contexts.counted("context")
    report.text = "\(sentence) (\(watch.seconds.rounded(toPlaces: 2)) s)\n"
    report.jobSummary = { JobSummary(title: "contentc check", paragraphs: [sentence]) }
    return report
  }
}
