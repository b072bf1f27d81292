import ArgumentParser

/// A command that does its work in `perform`; running it prints the report and chooses the exit status.
protocol ContentcCommand: ParsableCommand {
  /// The flags of every command.
  var common: CommonOptions { get }

  /// Does the work.
  func perform() throws -> Report
}

extension ContentcCommand {
  /// Performs the command and prints what it reports: diagnostics to standard error, the result to standard output.
  func run() throws { try common.style.run { try perform() } }
}
