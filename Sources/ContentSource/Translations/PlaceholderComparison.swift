import ContentModel
import Diagnostics
import Markdown
import YAML

/// The comparison of the placeholders of translations with those of the source locale's texts.
struct PlaceholderComparison {
  /// The severity of a difference: an error in a declared field, a warning in a string catalog.
  let severity: Diagnostic.Severity
  /// The id of the entry.
  let entry: String

  /// Returns the problem of a translation, unless it has the placeholders of one of the source
  /// locale's texts.
  ///
  /// The source locale has several texts if devices differ. In the categories `zero`, `one` and
  /// `two` of a plural, the number may be missing.
  func problem(
    of node: YAMLNode, named name: String, in category: PluralCategory? = nil,
    sources: [YAMLNode], markdown: MarkdownOptions? = nil
  ) -> Diagnostic? {
    guard node.mayHavePlaceholders || sources.contains(where: \.mayHavePlaceholders) else {
      return nil
    }
    let own = node.placeholders(markdown)
    let mayLackCount = category.map { [.zero, .one, .two].contains($0) } ?? false
    var first: (difference: Placeholders.Difference, source: YAMLNode)?
    for source in sources where source.kind == .scalar && !source.isNull {
      let expected = source.placeholders(markdown)
      guard let difference = own.difference(from: expected, mayLackCount: mayLackCount) else {
        return nil
      }
      if first == nil { first = (difference, source) }
    }
    return first.map {
      problem($0.difference, of: node, named: name, in: category, source: $0.source)
    }
  }

  /// Returns the problems of a plural's categories, each compared with `other` of the source
  /// locale.
  func problems(ofPlural node: YAMLNode, named name: String, sources: [YAMLNode]) -> [Diagnostic] {
    let others = sources.compactMap { $0["other"] }
    return node.members.compactMap { key, value in
      guard let category = PluralCategory(of: key), value.kind == .scalar, !value.isNull else {
        return nil
      }
      return problem(
        of: value, named: name, in: category, sources: others)
    }
  }

  private func problem(
    _ difference: Placeholders.Difference, of node: YAMLNode, named name: String,
    in category: PluralCategory?, source: YAMLNode
  ) -> Diagnostic {
    let (missing, unknown) = (list(difference.missing), list(difference.unknown))
    let text = name + (category.map { ".\($0.rawValue)" } ?? "")
    let fault =
      missing.isEmpty
      ? "it has \(unknown), which that lacks"
      : unknown.isEmpty ? "it lacks \(missing)" : "it has \(unknown) instead of \(missing)"
    return Diagnostic(
      severity, rule: .placeholders, at: node.location,
      message: "'\(text)' must have the placeholders of the source locale's text: \(fault)",
      notes: [Diagnostic.Note("the source locale's text is here", at: source.location)]
    ).breaking(
      Diagnostic.Declaration(
        at: nil,
        summary:
          "translations of '\(name)' in '\(entry)' have other placeholders than their source text"
      ))
  }

  private func list(_ placeholders: [String]) -> String {
    let shown = 6
    return placeholders.prefix(shown).map { "'\($0)'" }.joined(separator: ", ")
      + (placeholders.count > shown ? " and \(placeholders.count - shown) more" : "")
  }
}

extension YAMLNode {
  fileprivate var mayHavePlaceholders: Bool {
    withTextBytes { Placeholders.mayOccur(in: $0) }
  }

  /// The placeholders of a scalar; of Markdown, those in the text without markup.
  fileprivate func placeholders(_ markdown: MarkdownOptions?) -> Placeholders {
    guard let markdown, mayHavePlaceholders else {
      return withTextBytes { Placeholders(in: $0) }
    }
    return Placeholders(in: MarkdownText.parse(text, options: markdown).0.plain)
  }
}
