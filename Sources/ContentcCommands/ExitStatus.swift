import ArgumentParser
import Diagnostics

/// The exit status, with the numbers of `sysexits.h` where they fit.
enum ExitStatus: Int32 {
  case done = 0
  /// Mistakes in the content, or in a file that was named.
  case contentErrors = 1
  /// A gate or a bound that was asked for is not met; there is no mistake.
  case gate = 2
  case usage = 64
  case missingInput = 66
  /// A target failed, is another app's, or is newer than this tool.
  case unavailable = 69
  case inputOutput = 74
  /// Another process was first; running again helps.
  case tryAgain = 75
  case interrupted = 130

  /// The form in which the argument parser carries it.
  var code: ExitCode { ExitCode(rawValue) }
}

extension ExitStatus {
  /// The status after a run with these diagnostics.
  init(after diagnostics: [Diagnostic]) {
    let ids = diagnostics.filter { $0.severity == .error }.map(\.id)
    if ids.isEmpty {
      self = .done
    } else if ids.allSatisfy({ $0 == "missing-project" }) {
      self = .missingInput
    } else if ids.allSatisfy({ Rule.named($0)?.group == .gate }) {
      self = .gate
    } else {
      self = ids.allSatisfy { $0 == "unreadable-file" } ? .inputOutput : .contentErrors
    }
  }
}
