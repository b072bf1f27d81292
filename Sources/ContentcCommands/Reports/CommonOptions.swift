public import ArgumentParser
public import ContentModel
package import Diagnostics

/// The flags that all commands have.
package struct CommonOptions: ParsableArguments {
  @Flag(help: "Print the result as one JSON object on standard output.")
  package var json = false

  @Flag(
    name: [.long, .customShort("q")],
    help: "Print only results and diagnostics: no summary, hints or progress.")
  package var quiet = false

  @Option(
    help: ArgumentHelp(
      "The format of errors and warnings. Default: json with --json, github in GitHub Actions, "
        + "else human.",
      valueName: "form"))
  package var diagnostics: DiagnosticFormat?

  @Option(
    help: ArgumentHelp(
      "The file for '--diagnostics sarif' or 'gitlab', which the command replaces. Default: none.",
      valueName: "file"), completion: .file())
  package var diagnosticsFile: String?

  @Flag(help: "Treat every warning as an error.")
  package var warningsAsErrors = false

  @Option(
    help: ArgumentHelp(
      "Treat the warnings of this rule as errors; may be repeated. Default: none.",
      valueName: "rule"), completion: .warnings)
  package var errorOn: [String] = []

  package init() {}

  package func validate() throws {
    if let diagnostics, diagnostics.isOfFile, diagnosticsFile == nil {
      throw ValidationError(
        "'--diagnostics \(diagnostics.rawValue)' needs a file: add '--diagnostics-file FILE'")
    }
    if let diagnosticsFile, diagnostics?.isOfFile != true {
      let forms = DiagnosticFormat.allCases.filter(\.isOfFile).map {
        "'--diagnostics \($0.rawValue)'"
      }
      throw ValidationError(
        "'--diagnostics-file \(diagnosticsFile)' needs \(forms.joined(separator: " or "))")
    }
    for name in errorOn where Rule(rawValue: name) == nil {
      let meant = name.meant(among: Rule.all.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
      throw ValidationError("unknown rule '\(name)'\(meant)\n'contentc rules' lists all rules.")
    }
  }

  /// The form of the output that the flags describe.
  package var style: ReportStyle {
    ReportStyle(
      json: json, quiet: quiet, diagnostics: diagnostics, diagnosticsFile: diagnosticsFile,
      policy: WarningPolicy(
        allAreErrors: warningsAsErrors, errorRules: errorOn.compactMap(Rule.init(rawValue:))))
  }

  /// `true` if a flag can raise warnings to errors.
  package var hasGate: Bool { warningsAsErrors || !errorOn.isEmpty }

  /// Returns the diagnostics in stable order, with some warnings raised to errors.
  package func judge(_ diagnostics: [Diagnostic]) -> [Diagnostic] { style.judge(diagnostics) }

  /// Returns the report of a command that changes nothing, because the flags raise one of the
  /// warnings to an error; `nil` if they raise none.
  package func refusal(for warnings: [Diagnostic]) -> Report? { style.refusal(for: warnings) }
}

extension ReportStyle {
  /// Returns the report of a command that changes nothing, because the policy raises one of the
  /// warnings to an error; `nil` if it raises none.
  func refusal(for warnings: [Diagnostic]) -> Report? {
    var judged = judge(warnings)
    guard judged.hasErrors else { return nil }
    for index in judged.indices where judged[index].severity == .error {
      judged[index].notes.append(Diagnostic.Note("nothing was changed"))
    }
    return Report(diagnostics: judged, status: .gate)
  }
}

extension DiagnosticFormat: ExpressibleByArgument {}
extension PropertyListFormat: ExpressibleByArgument {}
