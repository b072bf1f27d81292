import ContentModel
import Diagnostics
package import SourceYAML

/// The check of plurals against the categories that a locale's language has.
struct PluralCheck {
  /// The locale that the plurals are written for.
  let locale: LocaleTag
  private let rules: PluralRules
  private let categories: [PluralCategory]

  init(_ locale: LocaleTag) {
    self.locale = locale
    rules = PluralRules(locale)
    categories = rules.categories
  }

  /// Returns the problems of the categories of a declared plural: errors for missing ones, warnings
  /// for those that the language does not have.
  ///
  /// The check of the texts reports keys that are no categories.
  func problems(of node: YAMLNode, named name: String) -> [Diagnostic] {
    var problems = unused(in: node).map { category, key in unused(category, at: key) }
    let missing = missing(in: node)
    guard !missing.isEmpty else { return problems }
    let noun = missing.count == 1 ? "category" : "categories"
    problems.append(
      .error(
        "missing-plural", at: node.place,
        message: "'\(name)' must have the \(noun) \(list(missing)), \(use(of: missing))"))
    return problems
  }

  /// Returns warnings of the categories of a plural in a string catalog.
  ///
  /// `zero` is Rails' own there, for the number 0 in every language.
  func warnings(ofCatalog node: YAMLNode) -> [Diagnostic] {
    let unused = unused(in: node).filter { $0.category != .zero }.map { category, key in
      self.unused(category, at: key).breaking(
        Diagnostic.Declaration(
          at: nil, summary: "plurals have '\(category.rawValue)', which '\(locale)' does not use"))
    }
    let missing = missing(in: node)
    guard !missing.isEmpty else { return unused }
    let (names, use) = (list(missing), use(of: missing))
    let warning = Diagnostic.warning(
      "missing-plural", at: node.place,
      message: "the plural has no \(names), \(use); readers get 'other' instead")
    let summary = "plurals have no \(names), \(use); readers get 'other' instead"
    return unused + [warning.breaking(Diagnostic.Declaration(at: nil, summary: summary))]
  }

  /// The categories of the language that a plural lacks.
  private func missing(in node: YAMLNode) -> [PluralCategory] {
    // A misspelt key, and a value that a reported mistake hides, may be the missing category.
    let isExplained = node.members.contains { key, value in
      PluralCategory(of: key) == nil || value.isBrokenAlias || value.isLostValue
    }
    if isExplained { return [] }
    return categories.filter { category in
      node.members.allSatisfy { PluralCategory(of: $0.key) != category || $0.value.isNull }
    }
  }

  /// The categories of a plural that the language does not have, with their keys.
  private func unused(in node: YAMLNode) -> [(category: PluralCategory, key: YAMLNode)] {
    node.members.compactMap { key, value in
      guard let category = PluralCategory(of: key), !value.isNull, !categories.contains(category)
      else { return nil }
      return (category, key)
    }
  }

  private func unused(_ category: PluralCategory, at key: YAMLNode) -> Diagnostic {
    .warning(
      "unused-category", at: key.location,
      message: "'\(locale)' has no plural category '\(category.rawValue)'; delete it",
      notes: [
        Diagnostic.Note("'\(locale)' has \(categories.map(\.rawValue).joined(separator: ", "))")
      ])
  }

  private func list(_ categories: [PluralCategory]) -> String {
    let names = categories.map { "'\($0.rawValue)'" }
    return (names.count == 1 ? "" : names.dropLast().joined(separator: ", ") + " and ")
      + names[names.count - 1]
  }

  private func use(of categories: [PluralCategory]) -> String {
    let numbers = categories.compactMap(example)
    let last = numbers.last ?? ""
    let rest = numbers.dropLast().joined(separator: ", ")
    return "which '\(locale)' uses for numbers such as "
      + (rest.isEmpty ? last : "\(rest) and \(last)")
  }

  /// A number of a category: the least one, else a round one or a fraction.
  private func example(of category: PluralCategory) -> String? {
    let few = (0...200).first { rules.category(of: $0) == category }.map(String.init)
    return few
      ?? ["1000000", "0.1", "1.5", "0.5", "1.0", "0.0"].first {
        rules.category(ofDecimal: $0) == category
      }
  }
}

extension PluralCategory {
  /// The category that a key names; `nil` for another key.
  package init?(of key: YAMLNode) {
    let name = key.withTextBytes { bytes in
      Self.allCases.first { bytes.elementsEqual($0.rawValue.utf8) }
    }
    guard let name else { return nil }
    self = name
  }
}

extension YAMLNode {
  /// `true` for a plural of a string catalog: each key is a plural category, `other` among them,
  /// with single texts.
  package var isPlural: Bool {
    isPartOfPlural
      && members.contains { $0.key.hasText("other") && !$0.value.isNull }
  }

  /// `true` for a mapping whose keys are plural categories, with single texts; `other` may be
  /// missing.
  package var isPartOfPlural: Bool {
    let members = members
    guard !members.isEmpty else { return false }
    return members.allSatisfy { PluralCategory(of: $0.key) != nil && $0.value.kind == .scalar }
  }
}
