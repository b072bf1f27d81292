package import ContentModel

/// The output formats of diagnostics.
package enum DiagnosticFormat: String, CaseIterable, Sendable {
  /// The message, the source line with a mark, and notes, for a terminal.
  case human
  /// One line for each diagnostic, which editors and continuous integration can parse.
  case short
  /// A JSON array of objects, for programs.
  case json
  /// The text of `human`, and annotations and a job summary in GitHub Actions.
  case github
  /// The text of `human`, and a file in SARIF 2.1.0.
  case sarif
  /// The text of `human`, and a file for the code quality reports of GitLab.
  case gitlab

  /// `true` if the format is one of a file.
  package var isOfFile: Bool { self == .sarif || self == .gitlab }
}

/// A formatter of diagnostics.
package struct DiagnosticPrinter: Sendable {
  let format: DiagnosticFormat
  let paint: Paint
  private let source: @Sendable (_ path: ExactString) -> [UInt8]?

  /// The greatest number of diagnostics printed: fewer for people than for editors and programs.
  var mostShown: Int { format == .short || format == .json ? 1_000 : 100 }

  /// Creates a printer that takes source lines from the bytes that `source` returns for a path.
  package init(
    format: DiagnosticFormat, color: Bool,
    source: @escaping @Sendable (_ path: ExactString) -> [UInt8]?
  ) {
    self.format = format
    paint = Paint(isOn: color)
    self.source = source
  }

  /// Returns the formatted diagnostics in the given order, ended by a line break unless empty.
  ///
  /// Of more than `mostShown` diagnostics, the last one counts those left out.
  package func text(of all: [Diagnostic]) -> TerminalText {
    let diagnostics = all.cut(to: mostShown)
    switch format {
    case .human, .github, .sarif, .gitlab: return human(diagnostics)
    case .short: return diagnostics.map { firstLine(of: $0) + "\n" }.joined()
    case .json: return TerminalText(page: diagnostics.json)
    }
  }

  /// Returns `text(of:)` as a string.
  package func print(_ diagnostics: [Diagnostic]) -> String { text(of: diagnostics).string }

  private func human(_ diagnostics: [Diagnostic]) -> TerminalText {
    var files: [SourceLocation: SourceLines] = [:]
    let blocks = diagnostics.map { diagnostic in
      if let file = diagnostic.location?.file, files[file] == nil {
        files[file] = SourceLines(source(file.path) ?? [])
      }
      return human(diagnostic, in: &files).map { $0 + "\n" }.joined()
    }
    return blocks.joined(separator: "\n")
  }

  private func human(_ diagnostic: Diagnostic, in files: inout [SourceLocation: SourceLines])
    -> [TerminalText]
  {
    let excerpt = diagnostic.location.flatMap { location in
      diagnostic.hidesSource
        ? nil
        : location.range.flatMap { range in
          SourceExcerpt(
            of: range, in: &files[location.file, default: SourceLines([])], fixIt: diagnostic.fixIt)
        }
    }
    let margin = TerminalText(line: String(repeating: " ", count: excerpt?.gutterWidth ?? 1))
    var shown = [firstLine(of: diagnostic)]
    shown += excerpt?.lines(paint, severity: diagnostic.severity) ?? []
    shown += diagnostic.firstNotes.map { margin + " = " + paint.cyan("note:") + " " + text(of: $0) }
    if let fixIt = diagnostic.fixIt, excerpt?.showsFixIt != true {
      shown.append(margin + " = " + text(of: fixIt))
    }
    return shown
  }

  /// Returns `path:line:column: severity: message [id]`.
  private func firstLine(of diagnostic: Diagnostic) -> TerminalText {
    let place = diagnostic.location.map { paint.bold("\($0.description):") + " " } ?? ""
    let severity = paint.color("\(diagnostic.severity.rawValue):", for: diagnostic.severity)
    return place + severity + " " + paint.bold("\(diagnostic.message)") + " [\(diagnostic.id)]"
  }

  private func text(of note: Diagnostic.Note) -> TerminalText {
    "\(note.message)" + (note.location.map { " (\($0.description))" } ?? "")
  }

  private func text(of fixIt: Diagnostic.FixIt) -> TerminalText {
    let place: TerminalText = "at \(fixIt.range.start.line):\(fixIt.range.start.column)"
    return paint.cyan("fix:") + " \(fixIt.words) (\(place))"
  }
}

extension SourceLocation: CustomStringConvertible {
  /// `path:line:column`, or the path alone for a whole file.
  package var description: String {
    range.map { "\(path):\($0.start.line):\($0.start.column)" } ?? path.text
  }
}

/// The colours of a terminal, or none.
struct Paint: Sendable {
  let isOn: Bool

  func bold(_ text: TerminalText) -> TerminalText { style(text, code: "1") }
  func cyan(_ text: TerminalText) -> TerminalText { style(text, code: "36") }
  func color(_ text: TerminalText, for severity: Diagnostic.Severity) -> TerminalText {
    style(text, code: severity == .error ? "1;31" : "1;33")
  }

  private func style(_ text: TerminalText, code: String) -> TerminalText {
    isOn ? text.styled(code) : text
  }
}
