import ContentModel
package import Diagnostics

/// An error that ends a command for a reason outside the content.
package struct Failure: Error {
  package var status: ExitStatus
  package var diagnostic: Diagnostic

  /// Creates a failure from a rule and its message; notes suggest a remedy.
  package init(
    _ status: ExitStatus, _ rule: Rule, _ message: String, at path: String? = nil,
    notes: [String] = []
  ) {
    self.status = status
    diagnostic = Diagnostic(
      .error, rule: rule, at: path.map { SourceLocation(path: $0) }, message: message,
      notes: notes.map { Diagnostic.Note($0) })
  }

  /// Creates a failure from a diagnostic.
  package init(_ status: ExitStatus, diagnostic: Diagnostic) {
    (self.status, self.diagnostic) = (status, diagnostic)
  }

  /// Creates the failure of an unknown name, with the most similar known one as a suggestion.
  package init(_ status: ExitStatus, unknown rule: Rule, _ word: String, known: [String]) {
    let isPseudo = rule == .unknownLocale && LocaleTag(word)?.isPseudo == true
    let nearest =
      switch rule {
      case .unknownLocale where isPseudo: String?.none
      case .unknownEntry: word.nearestID(among: known)
      case .unknownLocale: word.nearestLocale(among: known)
      default: word.meant(among: known)
      }
    self.init(
      status, rule,
      "unknown \(rule.noun) '\(word)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""),
      notes: [
        isPseudo ? "pseudo-locales are for the preview, and for builds with '--pseudo'" : nil,
        Self.list(known, near: word),
      ].compactMap(\.self))
  }

  /// Returns the known names, or those that are most like a word if there are many.
  private static func list(_ known: [String], near word: String) -> String? {
    guard known.count > 12 else {
      return known.isEmpty ? nil : "known: " + known.joined(separator: ", ")
    }
    let similar = word.mostSimilar(among: known, count: 12).joined(separator: ", ")
    return "the most similar of \(known.count.grouped): \(similar)"
  }
}

extension Failure {
  /// Returns the failure with one more note.
  package func noting(_ note: String) -> Failure {
    var failure = self
    failure.diagnostic.notes.append(Diagnostic.Note(note))
    return failure
  }
}

/// An error that ends a command because a gate is not met; nothing was changed.
package struct RaisedWarnings: Error, CustomStringConvertible {
  package let report: Report

  package init(_ report: Report) { self.report = report }

  package var description: String {
    report.diagnostics.filter { $0.severity == .error }.map(\.message).joined(separator: "; ")
  }
}
