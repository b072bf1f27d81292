package import ContentModel

/// A plural in one context: the texts of its categories, all from one file.
///
/// A class, since few values are plurals, and it would enlarge all others.
package final class ResolvedPlural: Sendable {
  /// The text of a category.
  package struct Text: Sendable {
    package var category: PluralCategory
    package var text: String
  }

  /// The text of each category.
  package let texts: [Text]
  /// The locale that the texts were written for, if it is not the one of the context.
  package let foreignLocale: LocaleTag?

  /// The texts by category.
  ///
  /// `locale` beside them names the foreign locale, so that readers use the rules of the language of
  /// the texts. No category has this name.
  package var members: Members {
    var members = Members(texts.map { ($0.category.rawValue, .string($0.text)) })
    members["locale"] = foreignLocale.map { .string($0.identifier) }
    return members
  }

  /// The texts of a file for a locale, as a context shows them.
  init(_ texts: [Text], in locale: LocaleTag, for context: LocaleTag) {
    self.texts = texts
    foreignLocale = locale == context ? nil : locale
  }
}
