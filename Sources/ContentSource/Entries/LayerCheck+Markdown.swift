import ContentModel
import Diagnostics
package import Markdown
package import YAML

extension LayerCheck {
  /// Reports the problems of a Markdown text, and its missing assets.
  mutating func checkMarkdown(
    _ text: MarkdownText, with problems: [MarkdownProblem], at node: YAMLNode, of field: Field
  ) {
    // Finding the lines takes as long as the text, so problems and references share them.
    var lines: YAMLTextLines?
    for problem in problems {
      let known = lines ?? YAMLTextLines(node)
      lines = known
      let diagnostic = Diagnostic.markdown(
        problem, at: known.location(of: problem.place), in: node)
      if problem.isWarning {
        diagnostics.append(diagnostic)
      } else {
        report(diagnostic, excusing: field)
      }
    }
    for reference in text.references {
      guard case .asset(let path) = reference.target, !isUsable(path.text) else { continue }
      let known = lines ?? YAMLTextLines(node)
      lines = known
      checkAsset(path.text, at: known.location(of: reference.place), of: field)
    }
  }

  /// Returns `true` for an asset that exists and has a valid ending.
  private func isUsable(_ asset: String) -> Bool {
    names.assets.contains(asset) && Asset.fileExtension(of: asset) != nil
  }

  /// Reports an asset whose file has no valid ending, and notes a missing one.
  mutating func checkAsset(_ path: String, at location: SourceLocation, of field: Field) {
    if isUsable(path) { return }
    if names.assets.contains(path) {
      return report(.assetEnding(path, at: location), excusing: field)
    }
    missingAssets.append(MissingAsset(path: path, location: location))
    excusedFields.insert(field.name)
  }
}

/// An asset that content names and that `assets/` lacks.
struct MissingAsset: Sendable {
  let path: String
  let location: SourceLocation
}

extension LayerCheck.KnownNames {
  /// Returns the errors of missing assets, except for those that unreadable folders may have.
  ///
  /// Entries are checked on all processors, and each search for a similar name compares every asset.
  /// So that the same ones get a suggestion in every run, this comes after the check of all entries.
  func diagnostics(of missing: [MissingAsset]) -> [Diagnostic] {
    var suggestions = Suggestions { [assetList] in
      $0.nearest(among: assetList) ?? $0.onlyNamesake(among: assetList)
    }
    return missing.filter { !mayHaveAsset($0.path) }.map { asset in
      let nearest = suggestions.nearest(to: asset.path)
      return Diagnostic.unknown(
        "asset", named: asset.path, rule: .unknownAsset, known: assetList, nearest: nearest,
        at: asset.location
      ).breaking(declaration(ofMissing: asset.path, nearest: nearest))
    }
  }
}

extension YAMLTextLines {
  /// Returns the location of a part of a Markdown text; the whole scalar if its lines are not those
  /// of the file.
  func location(of place: MarkdownPlace) -> SourceLocation {
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
  fileprivate static func markdown(
    _ problem: MarkdownProblem, at location: SourceLocation, in node: YAMLNode
  ) -> Diagnostic {
    var diagnostic =
      problem.isWarning
      ? Diagnostic.warning(.unparsedMarkdown, at: location, message: problem.message)
      : Diagnostic.error(.markdown, at: location, message: problem.message)
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
