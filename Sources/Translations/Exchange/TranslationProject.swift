package import ContentModel
package import ContentSource
package import Diagnostics
package import YAML

/// The texts of a content tree, with the state of each translation.
package struct TranslationProject: Sendable {
  /// The locales that texts can be translated into: the declared ones and their parents.
  package let locales: TranslationLocales
  /// The texts.
  package let table: TextTable
  /// The source texts that translations were made from.
  ///
  /// It is `nil` without a lock file: then all translations count as current.
  package private(set) var lock: TranslationLock?
  private let project: Project

  /// The texts of a tree without errors.
  package init(of tree: ContentTree, lock: TranslationLock?) {
    (table, project) = (TextTable(of: tree), tree.project)
    self.lock = lock
    locales = TranslationLocales(
      source: tree.project.locales.source, targets: tree.project.locales.reachable)
    if lock?.hasAlternatives == true { self.lock = lockOfPresentTexts }
  }

  /// Returns the units of a locale, in the order of entries, files and lines.
  ///
  /// A plural has a unit for each category that the locale's language requires, and for each that
  /// its translation has. The plurals of string catalogs whose ids are in `zeros` also have `zero`.
  package func units(
    into locale: LocaleTag, withZeroOf zeros: Set<ExactString> = []
  ) -> [LocatedUnit] {
    let writer = UnitWriter(
      translations: table.translations(into: locale), inherited: inherited(by: locale),
      variantOf: locale.isRegionalVariant(of: locales.source) ? locales.source : nil,
      lock: lock, bundles: project.bundles, zeros: zeros)
    return table.texts.flatMap(writer.units)
  }

  /// The translations that readers of a locale get from its parents, nearest first.
  private func inherited(by locale: LocaleTag) -> [Translations] {
    project.locales.chain(of: locale).dropFirst().filter { $0 != locales.source }
      .map(table.translations)
  }

  /// The outdated values of each locale.
  ///
  /// A value is outdated if its source text has changed since, or if it needs a review.
  package var outdated: [LocaleTag: Set<YAMLNode.Identity>] {
    let nodes = locales.targets.map { ($0, outdatedNodes(in: $0)) }
    return Dictionary(uniqueKeysWithValues: nodes.filter { !$0.1.isEmpty })
  }

  private func outdatedNodes(in locale: LocaleTag) -> Set<YAMLNode.Identity> {
    guard lock != nil else { return [] }
    let translations = table.translations(into: locale)
    let writer = UnitWriter(
      translations: translations, inherited: [], variantOf: nil, lock: lock,
      bundles: [])
    return Set(
      table.texts.compactMap { text in
        writer.units(of: text).contains(where: \.isOutdated)
          ? translations.node(of: text)?.identity : nil
      })
  }
}

/// A unit of a locale, and its place in the content.
package struct LocatedUnit: Sendable {
  /// The unit as a file of translations has it.
  package var unit: TranslationUnit
  /// The text that the unit is a part of.
  package var text: TranslatableText
  /// The plural category; `nil` for a text that is no plural.
  package var category: PluralCategory?
  /// The text that readers get from a parent locale, and that locale.
  ///
  /// It is `nil` if the locale has a translation, or if readers get a text in a language that they
  /// may not understand.
  package var inherited: (text: String, locale: LocaleTag)?
  /// The place of the translation, or else of the source text.
  package var location: SourceLocation
  /// `true` if the translation was made from another source text, or needs a review.
  package var isOutdated: Bool { unit.state == .needsReview }

  /// `true` if a translator has work to do: readers get no translation, or an outdated one.
  package var isOpen: Bool { isOutdated || unit.target == nil && inherited == nil }
}

/// The units of single texts.
private struct UnitWriter {
  let translations: Translations
  let inherited: [Translations]
  /// The source locale if the target is a regional variant of it; otherwise `nil`.
  ///
  /// Readers of a regional variant understand the source texts.
  let variantOf: LocaleTag?
  let lock: TranslationLock?
  let bundles: [BundleDefinition]
  /// The ids of string-catalog plurals that get `zero` in every language.
  var zeros: Set<ExactString> = []

  func units(of text: TranslatableText) -> [LocatedUnit] {
    guard text.isPlural else {
      let node = translations.node(of: text)
      return [unit(text, source: text.node.text, target: node, in: nil)]
    }
    return categories(of: text).map { category in
      let target = translations.node(of: text, in: category)
      return unit(text, source: text.text(of: category) ?? "", target: target, in: category)
    }
  }

  /// The categories of the locale's language, and those that the translation has.
  ///
  /// In string catalogs, `zero` is for the number 0 in every language.
  private func categories(of text: TranslatableText) -> [PluralCategory] {
    let needed = PluralRules(translations.locale).categories
    return PluralCategory.allCases.filter { category in
      let isWritten = translations.node(of: text, in: category) != nil
      let isZero =
        category == .zero && text.isOfCatalog
        && (text.member(.zero) != nil || zeros.contains(text.id))
      return isWritten || isZero || needed.contains(category)
    }
  }

  private func unit(
    _ text: TranslatableText, source: String, target node: YAMLNode?, in category: PluralCategory?
  ) -> LocatedUnit {
    let target = node?.text
    let id = category.map { ExactString("\(text.id)[\($0.rawValue)]") } ?? text.id
    let parent = inheritedText(of: text, in: category) ?? variantOf.map { (source, $0) }
    var state = TranslationUnit.State.translated
    if target != nil, let row = lock?[id, translations.locale], row.isOutdated(source: source) {
      state = .needsReview
    }
    let unit = TranslationUnit(
      id: id, source: source, target: target, state: state, note: text.note,
      maximumLength: text.field.limits.maximumLength, whereUsed: uses(of: text))
    return LocatedUnit(
      unit: unit, text: text, category: category,
      inherited: target == nil ? parent : nil, location: (node ?? text.node).location)
  }

  private func inheritedText(
    of text: TranslatableText, in category: PluralCategory?
  ) -> (text: String, locale: LocaleTag)? {
    for translations in inherited {
      var value = translations.node(of: text, in: category)
      if value == nil, category != nil { value = translations.node(of: text, in: .other) }
      if let value, !value.isNull { return (value.text, translations.locale) }
    }
    return nil
  }

  /// The bundles with the text's entry.
  private func uses(of text: TranslatableText) -> [String] {
    let id = text.entry.text
    return bundles.filter { bundle in
      bundle.include.contains { $0.glob.matches(id) }
        && !bundle.exclude.contains { $0.glob.matches(id) }
    }.map { "bundle '\($0.name)'" }
  }
}
