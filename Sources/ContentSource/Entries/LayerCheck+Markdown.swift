import ContentModel
package import Diagnostics
package import Markdown
package import SourceYAML

extension LayerCheck {
  /// Reports the problems of a Markdown text, and its missing assets.
  mutating func checkMarkdown(
    _ text: MarkdownText, with problems: [MarkdownProblem], at node: YAMLNode, of field: Field
  ) {
    for problem in problems {
      if problem.isWarning {
        diagnostics.append(.markdown(problem, in: node))
      } else {
        report(.markdown(problem, in: node), excusing: field)
      }
    }
    for reference in text.references {
      if case .asset(let path) = reference.target {
        checkAsset(path.text, at: node.location(of: reference.place), of: field)
      }
    }
  }

  /// Reports a missing asset, and one whose file has no valid ending.
  mutating func checkAsset(_ path: String, at location: SourceLocation, of field: Field) {
    if names.assets.contains(path) {
      if Asset.fileExtension(of: path) == nil {
        report(.assetEnding(path, at: location), excusing: field)
      }
      return
    }
    let unknown = Diagnostic.unknown(
      "asset", named: path, id: "unknown-asset", known: names.assetList, at: location)
    let nearest = unknown.fixIt?.replacement
    report(unknown.breaking(names.declaration(ofMissing: path, nearest: nearest)), excusing: field)
  }
}

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
  /// The error or the warning for a part of a Markdown text that breaks a rule.
  static func markdown(_ problem: MarkdownProblem, in node: YAMLNode) -> Diagnostic {
    let location = node.location(of: problem.place)
    var diagnostic =
      problem.isWarning
      ? Diagnostic.warning("unparsed-markdown", at: location, message: problem.message)
      : Diagnostic.error("markdown", at: location, message: problem.message)
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
