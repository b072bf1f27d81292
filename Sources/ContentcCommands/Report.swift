import ContentModel
import ContentSource
import Diagnostics

/// What a command has to say once it is done.
struct Report {
  /// For a person.
  var text = ""
  /// For a program.
  var json = Members()
  /// Whether `text` is what was asked for, which `--quiet` leaves, or a summary, which it does not.
  var isResult = false
  /// True if the command has printed its result already, while it ran.
  var isPrinted = false
  /// What was found on the way; `ReportStyle.run` judges it by the flags.
  var diagnostics: [Diagnostic] = []
  /// What has changed for good, as in `release 3 of 'qa' is live`; a gate that closes after that
  /// says so.
  var lasting: String?
  /// What the process ends with, where the diagnostics alone do not say it; the text is printed all
  /// the same.
  var status: ExitStatus?
  /// Of a build: every date in its bundles, in order.
  var dates: [Instant] = []
  /// Where the diagnostics' files are read again, so that their lines can be shown.
  var sources = SourceTexts()
}
