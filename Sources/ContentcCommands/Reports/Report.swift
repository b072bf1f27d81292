package import ContentModel
package import ContentSource
package import Diagnostics

/// The result of a command.
package struct Report {
  /// The text for a person.
  package var text = ""
  /// The members of the JSON object for a program.
  package var json = Members()
  /// `true` if `text` is the requested result, which `--quiet` prints; `false` if it is a summary.
  package var isResult = false
  /// `true` if the command has already printed its result.
  package var isPrinted = false
  /// The diagnostics, before `ReportStyle.run` applies the flags.
  package var diagnostics: [Diagnostic] = []
  /// A permanent change, such as `release 3 of 'qa' is live`.
  ///
  /// If a gate fails after the change, its message names the change.
  package var lasting: String?
  /// The exit status, if diagnostics do not decide it; the text is printed all the same.
  package var status: ExitStatus?
  /// Returns the section of the job summary in GitHub Actions; `nil` for commands without one.
  package var jobSummary: (@Sendable () -> JobSummary)?
  /// Every date in the bundles of a build, in order; empty for other commands.
  package var dates: [Instant] = []
  /// The texts of the files that diagnostics point into, to print their lines.
  package var sources = SourceTexts()

  package init(
    text: String = "", json: Members = Members(), isResult: Bool = false, isPrinted: Bool = false,
    diagnostics: [Diagnostic] = [], status: ExitStatus? = nil, sources: SourceTexts = SourceTexts()
  ) {
    (self.text, self.json, self.isResult, self.isPrinted) = (text, json, isResult, isPrinted)
    (self.diagnostics, self.status, self.sources) = (diagnostics, status, sources)
  }
}

extension Report {
  /// Creates the report of a command that refuses mistakes in content.
  package init(_ mistakes: ContentMistakes) {
    self.init(
      diagnostics: mistakes.diagnostics, status: ExitStatus(after: mistakes.diagnostics),
      sources: mistakes.sources)
  }
}
