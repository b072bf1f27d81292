package import ContentModel
import ContentSource
package import Markdown

/// A value of type `markdown` in one context.
///
/// A class, since few values are Markdown, and it would enlarge all others.
package final class ResolvedMarkdown: Sendable {
  /// The parsed text.
  package let text: MarkdownText
  /// The locale of the file that the text was taken from.
  package let locale: LocaleTag
  /// `true` if the text is also written as a web page.
  package let hasPage: Bool

  /// The text without markup.
  package var plain: String { text.plain }

  init(_ text: MarkdownText, in locale: LocaleTag, by rules: Field.MarkdownRules) {
    (self.text, self.locale, hasPage) = (text, locale, rules.hasPage)
  }

  /// Creates a value with another text for another locale.
  init(_ text: MarkdownText, like other: ResolvedMarkdown, in locale: LocaleTag) {
    (self.text, self.locale, hasPage) = (text, locale, other.hasPage)
  }
}
