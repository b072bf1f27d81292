import ContentModel

extension ServiceReport {
  /// The greatest number of annotations that GitHub makes of the errors of a step, and of its
  /// warnings.
  static let mostAnnotations = 10

  /// The greatest number of UTF-16 code units of a message that the runner passes on.
  static let longestMessage = 4_096

  /// The commands that make annotations of the first errors and warnings.
  ///
  /// Each file's first error comes before the others, so that many mistakes in one file do not hide
  /// those in others. The annotations have the order of the diagnostics.
  package var annotations: String {
    annotated.map { annotation(of: diagnostics[$0]).line }.joined()
  }

  /// The part of the job summary about the diagnostics: their numbers, and those without an
  /// annotation; `nil` if there are no diagnostics.
  package var summary: JobSummary? {
    guard !diagnostics.isEmpty else { return nil }
    let shown = annotated
    let isShown = Set(shown)
    let rest = diagnostics.indices.filter { !isShown.contains($0) }.map { diagnostics[$0] }
    let left =
      rest.isEmpty
      ? []
      : [
        "GitHub shows at most \(Self.mostAnnotations) errors and \(Self.mostAnnotations) warnings of "
          + "a step beside the lines of files. The others are:"
      ]
    return JobSummary(
      title: "contentc: \(diagnostics.summary)", paragraphs: left, items: rest.map(item))
  }

  /// The indices of the diagnostics that become annotations.
  private var annotated: [Int] {
    let chosen = [Diagnostic.Severity.error, .warning].flatMap { severity in
      let all = diagnostics.indices.filter { diagnostics[$0].severity == severity }
      var files: Set<ExactString?> = []
      let firsts = all.filter { files.insert(diagnostics[$0].location?.path).inserted }
      let isFirst = Set(firsts)
      return (firsts + all.filter { !isFirst.contains($0) }).prefix(Self.mostAnnotations)
    }
    return chosen.sorted()
  }

  private func annotation(of diagnostic: Diagnostic) -> WorkflowCommand {
    var properties: [(String, String)] = []
    if let location = diagnostic.location {
      properties.append(("file", path(location).harmless))
      if let range = location.range { properties += Self.properties(of: range) }
    }
    properties.append(("title", diagnostic.id))
    return WorkflowCommand(
      name: diagnostic.severity.rawValue, properties: properties,
      data: message(of: diagnostic).cut(to: Self.longestMessage))
  }

  /// Returns the lines and columns of a range; only the lines if there are several, because GitHub
  /// refuses columns then.
  private static func properties(of range: SourceRange) -> [(String, String)] {
    let (start, end) = (range.start, range.end)
    guard end.line > start.line else {
      return [
        ("line", "\(start.line)"), ("endLine", "\(start.line)"), ("col", "\(start.column)"),
        ("endColumn", "\(max(start.column, end.column))"),
      ]
    }
    // A range that ends before the first character of a line does not include the line.
    return [
      ("line", "\(start.line)"), ("endLine", "\(end.column > 1 ? end.line : end.line - 1)"),
    ]
  }

  /// Returns the message with its notes and the fix, each in a line.
  private func message(of diagnostic: Diagnostic) -> String {
    let notes = diagnostic.firstNotes.map { note in
      "note: \(note.message)" + (note.location.map { " (\(place($0)))" } ?? "")
    }
    let fix = diagnostic.fixIt.map { fixIt in
      "fix: \(fixIt.words) (at \(fixIt.range.start.line):\(fixIt.range.start.column))"
    }
    return ([diagnostic.message] + notes + (fix.map { [$0] } ?? [])).map(\.harmless)
      .joined(separator: "\n")
  }

  private func item(_ diagnostic: Diagnostic) -> String {
    let location = diagnostic.location.map { " \(place($0).markdownCode)" } ?? ""
    let fix = diagnostic.fixIt.map { ", fix: \($0.words.markdownCode)" } ?? ""
    return "**\(diagnostic.severity.rawValue)**\(location) \(diagnostic.message.markdownCode)\(fix)"
      + " (\(diagnostic.id.markdownCode))"
  }
}

extension String {
  /// Returns the text, or its beginning and `…` if it has more UTF-16 code units.
  fileprivate func cut(to most: Int) -> String {
    guard utf16.count > most else { return self }
    var text = ""
    var left = most - 1
    for scalar in unicodeScalars {
      left -= UTF16.width(scalar)
      guard left >= 0 else { break }
      text.unicodeScalars.append(scalar)
    }
    return text + "…"
  }
}
