package import ContentBuild
import Diagnostics

/// A build as commands make it: the parameters of the build and the form of its report.
package struct BuildCall {
  package var request: BuildRequest
  package var style: ReportStyle
  /// `true` if a flag names the content folder.
  package var isContentNamed: Bool
  /// The time for which a command waits while another one builds.
  ///
  /// The builds of a running preview take less.
  package static let patience = Duration.seconds(5)

  package init(request: BuildRequest, style: ReportStyle, isContentNamed: Bool = false) {
    (self.request, self.style, self.isContentNamed) = (request, style, isContentNamed)
  }

  /// Builds, and returns the report.
  package func perform() throws -> Report {
    let progress = Progress("Reading", isWanted: !style.quiet)
    defer { progress.finish() }
    let outcome = try build(request, progress: progress, patience: Self.patience)
    var report = Report(diagnostics: outcome.diagnostics, sources: outcome.sources)
    guard let product = outcome.product else { return report }
    // Formatting the summary dominates a no-op build, so a quiet build skips it.
    if !style.quiet { report.text = BuildPage(product).text }
    report.jobSummary = { BuildPage(product).jobSummary }
    if style.json { report.json = product.members }
    report.dates = product.facts.dates
    return report
  }

  /// Builds, and prints the report.
  package func run() throws {
    try style.run(isProjectNamed: isContentNamed, perform)
  }
}

extension Progress: BuildProgress {
  package func begin(_ stage: BuildStage) {
    switch stage {
    case .waiting: begin("Waiting for another build")
    case .reading: begin("Reading")
    case .compiling: begin("Compiling")
    case .fetching: begin("Fetching")
    case .writing: begin("Writing")
    }
  }
}
