/// The forms in which diagnostics are told.
package enum DiagnosticFormat: String, CaseIterable, Sendable {
  /// With the lines of source, marks and notes, for a terminal.
  case human
  /// One line each, as editors and continuous integration parse it.
  case short
  /// An array of objects, for programs.
  case json
}

/// Turns diagnostics into text.
package struct DiagnosticPrinter: Sendable {
  let format: DiagnosticFormat
  let paint: Paint
  private let source: @Sendable (_ path: String) -> [UInt8]?

  /// How many diagnostics are printed: as many as a person can use, or a program that shows them
  /// beside the source.
  package var mostShown: Int { format == .human ? 100 : 1_000 }

  /// A printer that shows lines of the files whose bytes `source` returns.
  package init(
    format: DiagnosticFormat, color: Bool, source: @escaping @Sendable (_ path: String) -> [UInt8]?
  ) {
    self.format = format
    paint = Paint(isOn: color)
    self.source = source
  }

  /// The diagnostics in the given order, with a line break at the end unless there is nothing to
  /// tell.
  ///
  /// More than `mostShown` are cut: the last one says how many are left.
  package func text(of all: [Diagnostic]) -> TerminalText {
    let diagnostics = all.cut(to: mostShown)
    switch format {
    case .human: return human(diagnostics)
    case .short: return diagnostics.map { firstLine(of: $0) + "\n" }.joined()
    case .json: return TerminalText(page: JSONText.array(diagnostics.map(\.json)).lines)
    }
  }

  /// The same as a string.
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
      location.range.flatMap { range in
        SourceExcerpt(
          &files[location.file, default: SourceLines([])], range, fixIt: diagnostic.fixIt)
      }
    }
    let margin = TerminalText(line: String(repeating: " ", count: excerpt?.gutterWidth ?? 1))
    var shown = [firstLine(of: diagnostic)]
    shown += excerpt?.lines(paint, severity: diagnostic.severity) ?? []
    shown += diagnostic.notes.map { margin + " = " + paint.cyan("note:") + " " + told($0) }
    if let fixIt = diagnostic.fixIt, excerpt?.showsFixIt != true {
      shown.append(margin + " = " + told(fixIt))
    }
    return shown
  }

  /// `path:line:column: severity: message [id]`.
  private func firstLine(of diagnostic: Diagnostic) -> TerminalText {
    let place = diagnostic.location.map { paint.bold("\($0.description):") + " " } ?? ""
    let severity = paint.severity(diagnostic.severity, "\(diagnostic.severity.rawValue):")
    return place + severity + " " + paint.bold("\(diagnostic.message)") + " [\(diagnostic.id)]"
  }

  private func told(_ note: Diagnostic.Note) -> TerminalText {
    "\(note.message)" + (note.location.map { " (\($0.description))" } ?? "")
  }

  private func told(_ fixIt: Diagnostic.FixIt) -> TerminalText {
    let place: TerminalText = "at \(fixIt.range.start.line):\(fixIt.range.start.column)"
    let change: TerminalText =
      fixIt.replacement.isEmpty ? "remove what is marked" : "write '\(fixIt.replacement)'"
    return paint.cyan("fix:") + " \(change) (\(place))"
  }
}

extension SourceLocation: CustomStringConvertible {
  /// `path:line:column`, or the path alone where the whole file is meant.
  package var description: String {
    range.map { "\(path):\($0.start.line):\($0.start.column)" } ?? path
  }
}

/// Colours for a terminal, or none.
struct Paint: Sendable {
  let isOn: Bool

  func bold(_ text: TerminalText) -> TerminalText { wrapped(text, "1") }
  func cyan(_ text: TerminalText) -> TerminalText { wrapped(text, "36") }
  func severity(_ severity: Diagnostic.Severity, _ text: TerminalText) -> TerminalText {
    wrapped(text, severity == .error ? "1;31" : "1;33")
  }

  private func wrapped(_ text: TerminalText, _ code: String) -> TerminalText {
    isOn ? text.styled(code) : text
  }
}
