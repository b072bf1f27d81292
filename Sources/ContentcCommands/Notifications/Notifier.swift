import ContentModel
package import ContentReleases
import Diagnostics
import System

/// The `notify` commands of a machine for one channel.
package struct Notifier: Sendable {
  let app: String
  let channel: String
  package let commands: [NotifyCommand]
  /// The mistakes of the settings file.
  let mistakes: [Diagnostic]
  var limits = LimitedProcess.Limits()
  var environment = ProgramEnvironment()

  /// The most programs that run at a time.
  private static let atOnce = 8

  /// Reads the commands for a channel of an app from a settings file.
  package init(_ file: SettingsFile?, app: String, channel: String) {
    let settings = file?.read() ?? Diagnosed(MachineSettings())
    (self.app, self.channel) = (app, channel)
    mistakes = settings.diagnostics
    commands =
      mistakes.hasErrors
      ? []
      : settings.output.notify.filter {
        $0.channel == channel && ($0.app.map { $0 == app } ?? true)
      }
  }

  /// The report of a command that changes nothing, because the settings have mistakes; `nil` if
  /// they have none.
  package var refusal: Report? {
    guard mistakes.hasErrors else { return nil }
    var report = Report(diagnostics: mistakes)
    if mistakes.contains(where: { $0.rule == .missingFile }) { report.status = .missingInput }
    return report
  }

  /// Returns a report that also names the programs that would run.
  package func planned(_ report: Report) -> Report {
    var report = report
    if let refusal {
      report.diagnostics += refusal.diagnostics
      report.status = report.status ?? refusal.status ?? .contentErrors
    }
    if commands.isEmpty { return report }
    report.text += commands.map { "  notify  would run \($0.title)\n" }.joined()
    report.json["notify"] = .array(commands.map { .dictionary($0.members) })
    return report
  }

  /// Runs the programs at the same time, and reports their failures.
  ///
  /// The release is live, and a failed program does not change that.
  ///
  /// - Parameters:
  ///   - kind: The command that made the release live.
  ///   - release: The number of the release.
  ///   - changed: The ids of the entries that changed; `nil` if they are unknown.
  ///   - report: The report to extend. If it has a status already, that status has priority.
  package func notify(
    _ kind: Notification.Kind, release: Int, changed: [String]?, reportingIn report: inout Report
  ) {
    let again = Diagnostic.Note(
      "release \(release) of '\(channel)' is live; 'contentc notify \(channel)' sends the notification again"
    )
    var failures = mistakes.filter { $0.severity == .error }.map { $0.noting(again) }
    report.diagnostics += mistakes.filter { $0.severity != .error }
    let notification = Notification(
      kind, app: app, channel: channel, release: release, changed: changed)
    let line = (try? notification.line()) ?? []
    // If a purge is finished, the same command sends no notification when it runs again. Therefore
    // the line names that command only for an unfinished purge. A gate that is not met leaves no
    // step to take: for example, content was published after the purge began.
    let isUnfinished = report.status.map { $0 != .gate } ?? report.diagnostics.hasErrors
    let lastLine: TerminalText =
      isUnfinished
      ? "Interrupted: release \(release) of '\(channel)' is live, but not finished; run the same command again, then 'contentc notify \(channel)'"
      : "Interrupted: release \(release) of '\(channel)' is live; its notification was interrupted; 'contentc notify \(channel)' sends the notification again"
    let runs = Terminal.withLastLine(lastLine) {
      commands.mapOverlapped(atOnce: Self.atOnce) { [environment, limits] command in
        CommandRun(command, input: line, environment: environment, limits: limits)
      }
    }
    failures += runs.compactMap { $0.failure?.noting(again) }
    if !runs.isEmpty {
      report.json["notify"] = .array(runs.map { .dictionary($0.members) })
      report.text += runs.map { "  notify  \($0.line)\n" }.joined()
    }
    if failures.isEmpty { return }
    if report.status == nil, !report.diagnostics.hasErrors { report.status = .notNotified }
    report.diagnostics += failures
  }
}

extension Diagnostic {
  fileprivate func noting(_ note: Note) -> Diagnostic {
    var diagnostic = self
    diagnostic.notes.append(note)
    return diagnostic
  }
}

extension NotifyCommand {
  /// The line of the command in the settings file.
  private var lineNumber: Int { location.range?.start.line ?? 0 }

  /// The program and its place, without arguments, which may have secrets.
  var title: String { "\(program.harmless) (\(location.path.text.harmless):\(lineNumber))" }

  /// The members of the JSON object.
  var members: Members {
    ["program": .string(program), "line": .integer(Int64(lineNumber))]
  }
}
