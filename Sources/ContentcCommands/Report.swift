import ContentModel
import ContentSource
import Diagnostics

/// The result of a command.
struct Report {
  /// For a person.
  var text = ""
  /// For a program.
  var json = Members()
  /// `true` if `text` is the requested result, which `--quiet` prints; `false` if it is a summary.
  var isResult = false
  /// True if the command has printed its result already, while it ran.
  var isPrinted = false
  /// The diagnostics, before `ReportStyle.run` applies the flags.
  var diagnostics: [Diagnostic] = []
  /// The permanent change, as in `release 3 of 'qa' is live`, for messages of a gate that fails
  /// afterwards.
  var lasting: String?
  /// The exit status, if diagnostics do not decide it; the text is printed all the same.
  var status: ExitStatus?
  /// Of a build: every date in its bundles, in order.
  var dates: [Instant] = []
  /// The texts of the diagnostics' files, from which lines are shown.
  var sources = SourceTexts()
}
