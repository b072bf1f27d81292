import CommandReports
import ContentModel
import ContentSettings
import Diagnostics

/// A finished run of a `notify` command.
struct CommandRun: Sendable {
  let command: NotifyCommand
  let outcome: LimitedProcess.Outcome
  private let limits: LimitedProcess.Limits

  /// The most lines, and characters of a line, that a report shows of a program's output.
  private static let (mostLines, mostCharacters) = (5, 200)

  /// Runs a command.
  init(
    _ command: NotifyCommand, input: [UInt8], environment: ProgramEnvironment,
    limits: LimitedProcess.Limits
  ) {
    (self.command, self.limits) = (command, limits)
    guard let path = environment.path(of: command.program) else {
      let place = command.program.hasPrefix("/") ? "" : " in PATH"
      outcome = LimitedProcess.Outcome(
        end: .notStarted(reason: "there is no such program\(place)"))
      return
    }
    outcome = LimitedProcess(
      path: path, words: [command.program] + command.arguments, environment: environment,
      limits: limits
    ).run(input: input)
  }

  /// The reason of a failure; `nil` if the program succeeded.
  private var problem: String? {
    switch outcome.end {
    case .exited(status: 0): nil
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .tooLate: "was stopped after \(limits.seconds.rounded(toPlaces: 0)) s"
    case .notStarted(let reason): "cannot be started: \(reason)"
    }
  }

  /// The last lines of the program's errors, or else of its output.
  private var lastLines: [String] {
    let bytes = outcome.errors.contains { $0 > 0x20 } ? outcome.errors : outcome.output
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { !$0.allSatisfy(\.isWhitespace) }.suffix(Self.mostLines)
      .map { $0.count > Self.mostCharacters ? "\($0.prefix(Self.mostCharacters))…" : String($0) }
  }

  /// The error; `nil` if the program succeeded.
  var failure: Diagnostic? {
    guard let problem else { return nil }
    let lines = lastLines
    let last = lines.last.map { ": \($0)" } ?? ""
    return Diagnostic(
      .error, id: "notify-failed", at: command.location,
      message: "'\(command.program)' \(problem)\(last)",
      notes: lines.dropLast().map { Diagnostic.Note("it wrote: \($0)") })
  }

  /// The line of the text, such as `curl (settings.yaml:3) succeeded in 0.2 s`.
  var line: String {
    "\(command.title) \(problem == nil ? "succeeded" : "FAILED") in "
      + "\(outcome.seconds.rounded(toPlaces: 1)) s"
  }

  /// The members of the JSON object.
  var members: Members {
    var members = command.members
    members["ok"] = .boolean(problem == nil)
    members["seconds"] = .real(outcome.seconds)
    if case .exited(let status) = outcome.end { members["status"] = .integer(Int64(status)) }
    members["problem"] = problem.map(Value.string)
    return members
  }
}
