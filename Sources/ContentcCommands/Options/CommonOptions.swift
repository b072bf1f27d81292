public import ArgumentParser
public import ContentModel
package import Diagnostics

/// The flags that every command has.
struct CommonOptions: ParsableArguments {
  @Flag(help: "Print the result as one JSON object on standard output.")
  var json = false

  @Flag(name: [.long, .customShort("q")], help: "Print results and diagnostics only: no summary, hint or progress.")
  var quiet = false

  @Option(
    help: ArgumentHelp(
      "How to print what is wrong: human, short or json; json under --json, else human.", valueName: "form"))
  var diagnostics: DiagnosticFormat?

  @Flag(help: "Treat every warning as an error.")
  var warningsAsErrors = false

  @Option(
    help: ArgumentHelp(
      "Treat the warnings of one rule, by its name in brackets, as errors; may be repeated.", valueName: "rule"))
  var errorOn: [String] = []

  /// Diagnostics as these flags want them: warnings raised, in a stable order, each once.
  func judge(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let raised = diagnostics.map { diagnostic in
      var judged = diagnostic
      if warningsAsErrors || errorOn.contains(diagnostic.id) { judged.severity = .error }
      return judged
    }
    return raised.inStableOrder()
  }
}

extension DiagnosticFormat: ExpressibleByArgument {}
extension PropertyListFormat: ExpressibleByArgument {}
