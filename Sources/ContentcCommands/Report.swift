import ContentModel
import ContentSource
import Diagnostics

/// The result of a command.
struct Report {
  /// The text for a person.
  var text = ""
  /// The members of the JSON object for a program.
  var json = Members()
  /// `true` if `text` is the requested result, which `--quiet` prints; `false` if it is a summary.
  var isResult = false
  /// `true` if the command has already printed its result.
  var isPrinted = false
  /// The diagnostics, before `ReportStyle.run` applies the flags.
  var diagnostics: [Diagnostic] = []
  /// A permanent change, such as `release 3 of 'qa' is live`, for the message of a gate that fails
  /// after it.
  var lasting: String?
  /// The exit status, if diagnostics do not decide it; the text is printed all the same.
  var status: ExitStatus?
  /// Every date in the bundles of a build, in order; empty for other commands.
  var dates: [Instant] = []
  /// The texts of the files in the diagnostics, whose lines are printed.
  var sources = SourceTexts()
}
