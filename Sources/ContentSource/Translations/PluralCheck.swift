import ContentModel
import Diagnostics
package import YAML

/// The check of plurals against the categories that a locale's language has.
struct PluralCheck {
  /// The locale that the plurals are written for.
  let locale: LocaleTag
  /// The categories of the locale's language.
  let categories: [PluralCategory]
  private let rules: PluralRules

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
    let members = Array(node.members)
    var problems = unused(among: members).map { category, key in unused(category, at: key) }
    let missing = missing(among: members)
    guard !missing.isEmpty else { return problems }
    problems.append(lacking(missing, named: name, at: node.place))
    return problems
  }

  private func lacking(
    _ missing: [PluralCategory], named name: String, at place: SourceLocation
  ) -> Diagnostic {
    let noun = missing.count == 1 ? "category" : "categories"
    return .error(
      .missingPlural, at: place,
      message: "'\(name)' must have the \(noun) \(list(missing)), \(use(of: missing))")
  }

  // MARK: Catalogs

  /// The members of a plural, perhaps of several files.
  typealias Members = [(key: YAMLNode, value: YAMLNode)]

  /// Returns `true` if single texts for plural categories are a plural of a string catalog: they
  /// have each category of the language, or one of them has a placeholder for the number.
  func isPlural(_ members: Members) -> Bool {
    let texts = members.filter { !$0.value.isNull }
    let isWhole = categories.allSatisfy { category in
      texts.contains { PluralCategory(of: $0.key) == category }
    }
    return isWhole || texts.contains { $0.value.hasCount }
  }

  /// Returns the warning for a mapping of plural categories that is no plural; `nil` if another
  /// mistake is why it lacks a category.
  func likelyPlural(
    _ members: Members, named name: String, at place: SourceLocation
  ) -> Diagnostic? {
    let missing = missing(among: members)
    guard !missing.isEmpty else { return nil }
    return Diagnostic.warning(
      .missingPlural, at: place,
      message:
        "'\(name)' is a mapping of texts that fall back one by one; if it is a plural, add \(list(missing)), \(use(of: missing)), or write the number as %{count}"
    ).breaking(
      Diagnostic.Declaration(
        at: nil,
        summary:
          "mappings of plural categories have no \(list(missing)) and no %{count}, so their texts fall back one by one"
      ))
  }

  /// A key that is a misspelt category.
  struct MisspeltCategory {
    let key: YAMLNode
    let meant: PluralCategory
  }

  /// Returns the misspelt category of a mapping that would be a plural of a string catalog without
  /// this mistake; `nil` for any other mapping.
  ///
  /// A mapping for genders can have `other` and words that are like categories, so a word is a
  /// misspelt category only if the mapping lacks nothing else.
  func misspeltCategory(among members: Members) -> MisspeltCategory? {
    let foreign = members.filter { PluralCategory(of: $0.key) == nil }
    guard foreign.count == 1, members.allSatisfy({ $0.value.kind == .scalar }) else { return nil }
    let key = foreign[0].key
    let known = members.compactMap { PluralCategory(of: $0.key) }
    let free = PluralCategory.allCases.filter { !known.contains($0) }.map(\.rawValue)
    guard let word = key.text.nearest(among: free), let meant = PluralCategory(rawValue: word),
      categories.allSatisfy({ $0 == meant || known.contains($0) })
        || members.contains(where: { $0.value.hasCount })
    else { return nil }
    return MisspeltCategory(key: key, meant: meant)
  }

  /// Returns the warning for a mapping with a misspelt category.
  func warning(of slip: MisspeltCategory, named name: String) -> Diagnostic {
    let word = slip.meant.rawValue
    return .warning(
      .missingPlural, at: slip.key.location,
      message:
        "'\(name)' is a mapping of texts that fall back one by one; if it is a plural, write '\(word)' instead of '\(slip.key.text)'",
      fixIt: Diagnostic.FixIt(slip.key.range, replacement: word))
  }

  /// Returns the problems of the categories of a plural in a string catalog: warnings, but an error
  /// without `other`.
  ///
  /// Only a plural of the source locale can lack `other` here, and readers would get no text.
  /// `zero` is Rails' own there, for the number 0 in every language.
  func problems(
    ofCatalog members: Members, named name: String, at place: SourceLocation
  ) -> [Diagnostic] {
    let unused = unused(among: members).filter { $0.category != .zero }.map { category, key in
      self.unused(category, at: key).breaking(
        Diagnostic.Declaration(
          at: nil, summary: "plurals have '\(category.rawValue)', which '\(locale)' does not use"))
    }
    let missing = missing(among: members)
    guard !missing.isEmpty else { return unused }
    guard members.haveOther else { return unused + [lacking(missing, named: name, at: place)] }
    let fault = "no \(list(missing)), \(use(of: missing)); readers get 'other' instead"
    return unused + [
      Diagnostic.warning(.missingPlural, at: place, message: "the plural has \(fault)").breaking(
        Diagnostic.Declaration(at: nil, summary: "plurals have \(fault)"))
    ]
  }

  /// The categories of the language that a plural lacks.
  private func missing(among members: Members) -> [PluralCategory] {
    // A misspelt key, and a value that a reported mistake hides, may be the missing category.
    let isExplained = members.contains { key, value in
      PluralCategory(of: key) == nil || value.isBrokenAlias || value.isLostValue
    }
    if isExplained { return [] }
    return categories.filter { category in
      members.allSatisfy { PluralCategory(of: $0.key) != category || $0.value.isNull }
    }
  }

  /// The categories of a plural that the language does not have, with their keys.
  private func unused(among members: Members) -> [(category: PluralCategory, key: YAMLNode)] {
    members.compactMap { key, value in
      guard let category = PluralCategory(of: key), !value.isNull, !categories.contains(category)
      else { return nil }
      return (category, key)
    }
  }

  private func unused(_ category: PluralCategory, at key: YAMLNode) -> Diagnostic {
    .warning(
      .unusedCategory, at: key.location,
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
  /// `true` for a mapping whose keys are plural categories, with single texts; `other` may be
  /// missing.
  package var isPartOfPlural: Bool {
    let members = members
    guard !members.isEmpty else { return false }
    return members.allSatisfy { PluralCategory(of: $0.key) != nil && $0.value.kind == .scalar }
  }

  /// `true` if the text has a placeholder for the number of a plural.
  fileprivate var hasCount: Bool { withTextBytes { Placeholders(in: $0).hasNumber } }
}

extension [(key: YAMLNode, value: YAMLNode)] {
  /// `true` if the category `other` has a text.
  var haveOther: Bool { contains { $0.key.hasText("other") && !$0.value.isNull } }
}
