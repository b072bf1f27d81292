import ArgumentParser
import ContentDelivery
import ContentModel
import ContentStore
import Diagnostics
import PropertyLists

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A command that does its work in `perform`; running it prints the report and chooses the exit status.
protocol ContentcCommand: ParsableCommand {
  /// The flags of every command.
  var common: CommonOptions { get }

  /// Does the work.
  func perform() throws -> Report
}

extension ContentcCommand {
  /// Performs the command and prints what it reports: diagnostics to standard error, the result to standard output.
  func run() throws {
    // A reader of our output that goes away is no reason to leave a build half done.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
    // Whoever started us may have blocked the signal: it would wait, and be dropped when a build begins to listen.
    var interruption = sigset_t()
    sigemptyset(&interruption)
    sigaddset(&interruption, SIGINT)
    sigprocmask(SIG_UNBLOCK, &interruption, nil)
    do {
      let report = try performed()
      try common.print(report)
      let status = report.status ?? ExitStatus(after: report.diagnostics)
      if status != .done { throw status.code }
    } catch let failure as Failure {
      try? common.print(failure)
      throw failure.status.code
    }
  }

  private func performed() throws -> Report { try Failure.ofDelivery { try perform() } }
}

extension CommonOptions {
  fileprivate func print(_ report: Report) throws {
    try print(report.diagnostics, report.sources)
    if json {
      try printJSON(report.json, report.diagnostics)
    } else if report.status != nil || !report.diagnostics.hasErrors, report.isResult || !quiet {
      try Terminal.output.write(report.text)
    }
  }

  fileprivate func print(_ failure: Failure) throws {
    try print([failure.diagnostic], SourceTexts())
    if json { try printJSON(Members(), [failure.diagnostic]) }
  }

  private func print(_ found: [Diagnostic], _ sources: SourceTexts) throws {
    let form = diagnostics ?? (json ? .json : .human)
    guard !found.isEmpty || diagnostics == .json else { return }
    let printer = DiagnosticPrinter(format: form, color: Terminal.error.showsColor, source: sources.bytes)
    try Terminal.error.write(printer.print(found))
    if form == .human, found.count > 1 { try Terminal.error.write("\n\(found.summary)\n") }
  }

  /// One object in one line: the command's own members and how it went.
  private func printJSON(_ members: Members, _ found: [Diagnostic]) throws {
    let errors = found.count { $0.severity == .error }
    var members = members
    members["ok"] = .boolean(errors == 0)
    members["errors"] = .integer(Int64(errors))
    members["warnings"] = .integer(Int64(found.count - errors))
    let bytes = try PropertyList.encode(.dictionary(members), as: .json)
    try Terminal.output.write(bytes + [UInt8(ascii: "\n")])
  }
}
