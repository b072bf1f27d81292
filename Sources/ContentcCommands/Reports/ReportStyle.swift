import ArgumentParser
package import ContentModel
import ContentSource
package import Diagnostics
import PropertyLists
import SystemC

/// The form of a command's output, and its policy for warnings.
package struct ReportStyle: Sendable {
  /// `true` if the result is one JSON object.
  package var json = false
  /// `true` to omit summaries, hints and progress.
  package var quiet = false
  /// The format of diagnostics; `nil` for the default.
  package var diagnostics: DiagnosticFormat?
  /// The path of the file for diagnostics in the formats `sarif` and `gitlab`.
  package var diagnosticsFile: String?
  /// The warnings that count as errors.
  package var policy = WarningPolicy()

  package init(
    json: Bool = false, quiet: Bool = false, diagnostics: DiagnosticFormat? = nil,
    diagnosticsFile: String? = nil, policy: WarningPolicy = WarningPolicy()
  ) {
    (self.json, self.quiet, self.policy) = (json, quiet, policy)
    (self.diagnostics, self.diagnosticsFile) = (diagnostics, diagnosticsFile)
  }

  /// Returns the diagnostics in stable order, with some warnings raised to errors.
  package func judge(_ diagnostics: [Diagnostic]) -> [Diagnostic] { policy.judge(diagnostics) }

  /// Returns a report with some warnings raised to errors, and the status that follows from them.
  ///
  /// A raised warning is a gate that is not met, unless it is about the content. If the command has
  /// already changed something, each raised warning has a note about that.
  package func judge(_ report: Report) -> Report {
    var judged = report
    judged.diagnostics = judge(report.diagnostics)
    guard report.status == nil, !report.diagnostics.hasErrors, judged.diagnostics.hasErrors else {
      return judged
    }
    let raised = judged.diagnostics.indices.filter { judged.diagnostics[$0].severity == .error }
    let rules = raised.map { judged.diagnostics[$0].rule }
    if rules.contains(where: { $0.ending == .unavailableTarget }) {
      judged.status = .unavailable
    } else if rules.allSatisfy({ $0.group != .content }) {
      judged.status = .gate
    }
    guard let lasting = report.lasting else { return judged }
    let note = Diagnostic.Note("\(lasting): this was found only after the change")
    for index in raised { judged.diagnostics[index].notes.append(note) }
    return judged
  }
}

extension ReportStyle {
  /// Performs a command, and prints the diagnostics to standard error and the result to standard
  /// output.
  ///
  /// - Throws: an `ExitCode` unless the command succeeds.
  package func run(_ perform: () throws -> Report) throws {
    // If the reader of a pipe exits, the command continues.
    signal(SIGPIPE, SIG_IGN)
    Terminal.handleInterruption(isTold: textForm == .human)
    if form == .github { Terminal.expectRunner() }
    // The parent process may have blocked the signal. A blocked signal would stay pending, and be
    // dropped when a build starts to handle the signal.
    var interruption = sigset_t()
    sigemptyset(&interruption)
    sigaddset(&interruption, SIGINT)
    sigprocmask(SIG_UNBLOCK, &interruption, nil)
    var isReported = false
    do {
      var report = judge(try perform())
      var status = report.status ?? ExitStatus(after: report.diagnostics)
      isReported = true
      if let failure = writeFile(report.diagnostics, sources: report.sources) {
        if status == .done { status = failure.status }
        report.status = status
        report.diagnostics.append(failure.diagnostic)
      }
      try show(report, status: status)
      if status != .done { throw status.code }
    } catch let failure as Failure {
      // If only printing failed, the file already has the diagnostics of the report.
      try? show(failure, writesFile: !isReported)
      throw failure.status.code
    }
  }

  private var form: DiagnosticFormat {
    diagnostics ?? (json ? .json : GitHubActions.isRunning ? .github : .human)
  }

  /// The format of the diagnostics on standard error.
  private var textForm: DiagnosticFormat {
    switch form {
    case .human, .short, .json: form
    case .github: .human
    case .sarif, .gitlab: json ? .json : .human
    }
  }

  private func show(_ report: Report, status: ExitStatus) throws {
    try show(report.diagnostics, sources: report.sources, summary: report.jobSummary)
    if report.isPrinted { return }
    if json {
      try showJSON(report.json, found: report.diagnostics, status: status)
    } else if report.status != nil || !report.diagnostics.hasErrors, report.isResult || !quiet {
      try Terminal.output.write(report.text)
    }
  }

  /// Prints the reason why a command failed.
  package func show(_ failure: Failure) throws { try show(failure, writesFile: true) }

  private func show(_ failure: Failure, writesFile: Bool) throws {
    var found = [failure.diagnostic]
    if writesFile, let unwritten = writeFile(found, sources: SourceTexts()) {
      found.append(unwritten.diagnostic)
    }
    try show(found, sources: SourceTexts())
    if json { try showJSON(Members(), found: found, status: failure.status) }
  }

  private func show(
    _ found: [Diagnostic], sources: SourceTexts, summary: (() -> JobSummary)? = nil
  ) throws {
    if !found.isEmpty || diagnostics == .json {
      let printer = DiagnosticPrinter(
        format: textForm, color: Terminal.error.showsColor, source: sources.bytes)
      let text = printer.text(of: found)
      if textForm == .json {
        try Terminal.error.write(json: Array(text.string.utf8))
      } else {
        try Terminal.error.write(text)
      }
      if textForm == .human, found.count > 1 {
        try Terminal.error.write("\n\(found.summary)\n")
      }
    }
    if form == .github {
      let report = report(of: found, sources: sources)
      try Terminal.error.write(workflowCommands: report.annotations)
      GitHubActions.append([summary?(), report.summary].compactMap(\.self))
    }
  }

  private func report(of found: [Diagnostic], sources: SourceTexts) -> ServiceReport {
    let root = RepositoryRoot()
    return ServiceReport(found, source: sources.bytes, relative: root.path)
  }

  /// Writes the file for diagnostics if there is one, and returns the reason why that failed.
  private func writeFile(_ found: [Diagnostic], sources: SourceTexts) -> Failure? {
    guard let diagnosticsFile, form.isOfFile else { return nil }
    let report = report(of: found, sources: sources)
    let bytes =
      form == .sarif ? report.sarif(version: ContentcVersion.current) : report.codeQuality
    do { try NamedOutput(diagnosticsFile).write(bytes) } catch {
      return Failure(writing: diagnosticsFile, error)
    }
    return nil
  }

  /// Prints a JSON object in one line: the members of the command, and those that every result has.
  package func showJSON(
    _ members: Members, found: [Diagnostic] = [], status: ExitStatus = .done
  ) throws {
    var members = members
    members.conclude(found, status: status)
    let bytes = try PropertyList.encode(.dictionary(members), as: .json)
    try Terminal.output.write(json: bytes + [UInt8(ascii: "\n")])
  }
}

extension Members {
  /// Adds the members that every result has: the number of errors and of warnings, and the exit
  /// status.
  package mutating func conclude(_ found: [Diagnostic] = [], status: ExitStatus = .done) {
    let errors = found.count { $0.severity == .error }
    self["ok"] = .boolean(errors == 0)
    self["errors"] = .integer(Int64(errors))
    self["warnings"] = .integer(Int64(found.count - errors))
    self["exitStatus"] = .integer(Int64(status.rawValue))
  }
}
