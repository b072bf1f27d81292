import ContentBuild
import ContentStore
import Diagnostics

/// Why a command gave up for a reason that is not in the content.
struct Failure: Error {
  var status: ExitStatus
  var diagnostic: Diagnostic

  /// A failure by the rule's name and its sentence; notes say what helps.
  init(
    _ status: ExitStatus, _ id: String, _ message: String, at path: String? = nil,
    notes: [String] = []
  ) {
    self.status = status
    diagnostic = Diagnostic(
      .error, id: id, at: path.map { SourceLocation(path: $0) }, message: message,
      notes: notes.map { Diagnostic.Note($0) })
  }

  /// Makes a failure of a diagnostic.
  init(_ status: ExitStatus, diagnostic: Diagnostic) {
    (self.status, self.diagnostic) = (status, diagnostic)
  }

  /// A word that names nothing, with the nearest that does.
  init(_ status: ExitStatus, unknown noun: String, _ word: String, known: [String]) {
    let nearest =
      switch noun {
      case "entry": word.nearestID(among: known)
      case "locale": word.nearestLocale(among: known)
      default: word.meant(among: known)
      }
    let list = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? ", …" : "")
    self.init(
      status, "unknown-\(noun)",
      "unknown \(noun) '\(word)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""),
      notes: known.isEmpty ? [] : ["known: \(list)"])
  }
}

extension Failure {
  /// The same with one more note.
  func noting(_ note: String) -> Failure {
    var failure = self
    failure.diagnostic.notes.append(Diagnostic.Note(note))
    return failure
  }

  /// Files of the output folder that cannot be written.
  init(_ error: StoreError) {
    self.init(
      error.kind == .busy ? .tryAgain : .inputOutput, diagnostic: Diagnostic(error))
  }
}

/// A gate that keeps a command from what it was about to do.
struct ClosedGate: Error, CustomStringConvertible {
  let report: Report

  init(_ report: Report) { self.report = report }

  var description: String {
    report.diagnostics.filter { $0.severity == .error }.map(\.message).joined(separator: "; ")
  }
}
