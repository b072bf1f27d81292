/// The warnings that count as errors.
package struct WarningPolicy: Sendable {
  /// Whether every warning is an error.
  package var allAreErrors: Bool
  /// The rules whose warnings are errors.
  package var errorRules: [String]

  package init(allAreErrors: Bool = false, errorRules: [String] = []) {
    (self.allAreErrors, self.errorRules) = (allAreErrors, errorRules)
  }

  /// Diagnostics with these warnings raised, in a stable order, each once.
  package func judge(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let raised = diagnostics.map { diagnostic in
      var judged = diagnostic
      if allAreErrors || errorRules.contains(diagnostic.id) { judged.severity = .error }
      return judged
    }
    return raised.inStableOrder()
  }
}

extension [Diagnostic] {
  /// Whether an error is among them.
  package var hasErrors: Bool { contains { $0.severity == .error } }
}
