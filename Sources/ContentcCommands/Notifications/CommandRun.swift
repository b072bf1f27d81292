import ContentModel
import ContentReleases
import Diagnostics
import System

/// A finished run of a `notify` command.
struct CommandRun: Sendable {
  let command: NotifyCommand
  let outcome: LimitedProcess.Outcome
  private let limits: LimitedProcess.Limits

  /// Runs a command.
  init(
    _ command: NotifyCommand, input: [UInt8], environment: ProgramEnvironment,
    limits: LimitedProcess.Limits
  ) {
    (self.command, self.limits) = (command, limits)
    guard let path = environment.path(of: command.program) else {
      let place = command.program.hasBytePrefix("/") ? "" : " in PATH"
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
  private var problem: String? { outcome.problem(limits: limits) }

  /// The error; `nil` if the program succeeded.
  var failure: Diagnostic? {
    guard let problem else { return nil }
    let lines = outcome.lastLines
    let last = lines.last.map { ": \($0)" } ?? ""
    return Diagnostic(
      .error, rule: .notifyFailed, at: command.location,
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

extension [ResultRow] {
  /// The keys of the `notify` commands that a command ran.
  static let notifications = [
    ResultRow(
      ["notify[].program?": .string, "notify[].line?": .integer],
      "each [`notify` command](publishing.md#notifications): its program, and its line in the "
        + "settings; with `--dry-run`, too"),
    ResultRow(
      ["notify[].ok?": .boolean, "notify[].seconds?": .number],
      "whether it succeeded, and how long it took"),
    ResultRow(
      ["notify[].status?": .integer, "notify[].problem?": .string],
      "its exit status, and the reason of a failure"),
  ]
}
