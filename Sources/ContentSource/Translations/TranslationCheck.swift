import ContentModel
import Diagnostics
import YAML

/// The check of an entry's overlays for locales against its texts for the source locale.
struct TranslationCheck {
  private let comparison: PlaceholderComparison
  private(set) var diagnostics: [Diagnostic] = []

  init(of entry: Entry) {
    comparison = PlaceholderComparison(severity: .error, entry: entry.id.text)
  }

  /// Checks the members of an object.
  ///
  /// `sources` are the nodes at the same place in the source locale's files.
  mutating func check(_ node: YAMLNode, of shape: ObjectShape, sources: [YAMLNode]) {
    var known = KnownKeys(sources.filter { $0.kind == .mapping })
    for (place, (key, value)) in node.members.enumerated() where !value.isNull {
      guard let declared = shape.place(of: key), shape.fields[declared].mayHoldTexts else {
        continue
      }
      check(value, of: shape.fields[declared], sources: known.values(of: key, near: place) ?? [])
    }
  }

  private mutating func check(_ node: YAMLNode, of field: Field, sources: [YAMLNode]) {
    if sources.isEmpty { return }
    switch (field.kind, node.kind) {
    case (.scalar, .scalar) where field.isText: compare(node, of: field, sources: sources)
    case (.markdown(let rules), .scalar):
      compare(node, of: field, sources: sources, markdown: rules)
    case (.plural, .mapping) where !field.limits.allowsOtherPlaceholders:
      diagnostics += comparison.problems(
        ofPlural: node, named: field.name.text, sources: sources.filter { $0.kind == .mapping })
    case (.object(let shape), .mapping): check(node, of: shape, sources: sources)
    case (.map(let item), .mapping):
      var known = KnownKeys(sources.filter { $0.kind == .mapping })
      for (place, (key, value)) in node.members.enumerated() where !value.isNull {
        check(
          value, of: item.named(ExactString(key.text)),
          sources: known.values(of: key, near: place) ?? [])
      }
    case (.list(let item), .sequence): check(node, listOf: item, sources: sources)
    case (.scalar, _), (.any, _), (.markdown, _), (.plural, _), (.object, _), (.map, _), (.list, _),
      (.catalog, _):
      break
    }
  }

  private mutating func compare(
    _ node: YAMLNode, of field: Field, sources: [YAMLNode], markdown: Field.MarkdownRules? = nil
  ) {
    if field.limits.allowsOtherPlaceholders { return }
    let problem = comparison.problem(
      of: node, named: field.name.text, sources: sources, markdown: markdown?.options)
    if let problem { diagnostics.append(problem) }
  }

  /// Checks a list: items with the same `id`, or at the same place of a list of the same length.
  private mutating func check(_ node: YAMLNode, listOf item: Field, sources: [YAMLNode]) {
    let lists = sources.filter { $0.kind == .sequence }
    guard node.hasIdentifiedItems else {
      let equal = lists.filter { $0.items.count == node.items.count && !$0.hasIdentifiedItems }
      for (place, value) in node.items.enumerated() {
        check(value, of: item, sources: equal.map { $0.items[place] })
      }
      return
    }
    var known: [YAMLTextKey: [YAMLNode]] = [:]
    for value in lists.flatMap(\.items) {
      if let id = value.itemIDNode { known[id.textKey, default: []].append(value) }
    }
    for value in node.items {
      if let id = value.itemIDNode, let same = known[id.textKey] {
        check(value, of: item, sources: same)
      }
    }
  }
}

extension Field {
  /// `true` if a value can be or contain a text whose placeholders are compared.
  fileprivate var mayHoldTexts: Bool {
    switch kind {
    case .scalar: isText
    case .markdown, .plural, .object, .list, .map: true
    case .any, .catalog: false
    }
  }
}
