package import ArgumentParser
package import Diagnostics

/// The exit status of a command; from 64 on, the numbers are those of `sysexits.h`.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// The command succeeded.
  case done = 0
  /// The content, or a file that was named, has mistakes.
  case contentErrors = 1
  /// A requested gate or bound is not met; there is no mistake.
  case gate = 2
  /// The change is live, but a `notify` command of the machine failed.
  case notNotified = 3
  /// The arguments are not valid.
  case usage = 64
  /// A named file, folder, entry or release does not exist.
  case missingInput = 66
  /// A target failed, belongs to another app, or is newer than this tool; or a release is refused.
  ///
  /// One status tells scripts that work is not done or not finished, without a mistake in the
  /// content.
  case unavailable = 69
  /// A file cannot be read or written.
  case inputOutput = 74
  /// Another process was faster; the command can be run again.
  case tryAgain = 75
  /// The user pressed Control-C: 128 plus the number of the signal.
  case interrupted = 130

  /// The status as an error that the argument parser understands.
  package var code: ExitCode { ExitCode(rawValue) }

  /// The meaning in the help of `contentc`.
  package var summary: String {
    switch self {
    case .done: "done"
    case .contentErrors: "mistakes in the content"
    case .gate: "a gate or limit is not met"
    case .notNotified: "the release is live, but a 'notify' command failed"
    case .usage: "usage"
    case .missingInput: "missing input"
    case .unavailable:
      "a target failed, belongs to another app or is newer than this tool, or a release is refused"
    case .inputOutput: "files cannot be read or written"
    case .tryAgain:
      "another build is running or another process was faster (run again)"
    case .interrupted: "interrupted"
    }
  }
}

extension ExitStatus {
  /// Chooses the status after a run with these diagnostics.
  package init(after diagnostics: [Diagnostic]) {
    let statuses = Set(diagnostics.filter { $0.severity == .error }.map { Self(of: $0.rule) })
    guard let first = statuses.first else {
      self = .done
      return
    }
    self = statuses.count == 1 ? first : .contentErrors
  }

  /// The status of a run that only this rule stops.
  package init(of rule: Rule) {
    self =
      switch rule.ending {
      case .mistake: .contentErrors
      case .gate: .gate
      case .missingInput: .missingInput
      case .unreadableInput: .inputOutput
      case .unavailableTarget: .unavailable
      }
  }
}
