package import Diagnostics
package import Markdown
package import SourceYAML

extension YAMLNode {
  /// Returns the location of a part of a Markdown text; the whole scalar if its lines are not those
  /// of the file.
  package func location(of place: MarkdownPlace) -> SourceLocation {
    location(ofLine: place.position.line, column: place.position.column, length: place.length)
  }

  /// Returns the place of a part of a Markdown text, without the text.
  package func sourcePlace(of place: MarkdownPlace) -> SourcePlace {
    sourcePlace(
      ofLine: place.position.line, column: place.position.column, length: place.length)
  }
}

extension Diagnostic {
  /// The error for a part of a Markdown text that breaks a rule.
  static func markdown(_ problem: MarkdownProblem, in node: YAMLNode) -> Diagnostic {
    let location = node.location(of: problem.place)
    var diagnostic = Diagnostic.error("markdown", at: location, message: problem.message)
    if location == node.location, problem.place.position.line > 1 {
      let position = problem.place.position
      diagnostic.notes.append(
        Diagnostic.Note(
          "this is in line \(position.line), column \(position.column) of the text; write the text after '|' for exact places"
        ))
    }
    return diagnostic
  }
}
