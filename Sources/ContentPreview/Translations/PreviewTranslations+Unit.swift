package import ContentModel
package import Translations

extension PreviewTranslations {
  /// A text of the content and its translation into one locale.
  package struct Unit: Sendable {
    /// The text that readers get in place of a missing translation.
    package struct Inherited: Sendable {
      package var text: String
      package var locale: LocaleTag

      package init(text: String, locale: LocaleTag) { (self.text, self.locale) = (text, locale) }
    }

    /// The entry and the field's path, such as `product/rose#badges.new.label`; with a plural
    /// category, such as `product/rose#stock[one]`.
    package var id: ExactString
    /// The entry's id, such as `product/rose`.
    package var entry: EntryID
    package var source: String
    /// The translation; `nil` if there is none.
    package var target: String?
    package var state: TranslationUnit.State
    /// `true` if the source text has changed since the translation.
    package var isOutdated: Bool
    /// The text that readers get now; `nil` if the text is translated.
    package var inherited: Inherited?
    /// The description of the field.
    package var note: String?
    /// The most Unicode scalars of the translation; of Markdown, without markup.
    package var maximumLength: Int?
    /// The places that show the text: ids of entries, or names.
    package var whereUsed: [String]
    package var isMarkdown: Bool
    /// The place of the translation, or else of the source text, such as
    /// `content/entries/product/rose.yaml:3:8`.
    package var location: String?
    /// The plural or the list that is written as a whole; `nil` for a single text.
    package var group: ExactString?

    package init(
      id: ExactString, entry: EntryID, source: String, target: String? = nil,
      state: TranslationUnit.State, isOutdated: Bool = false, inherited: Inherited? = nil,
      note: String? = nil,
      maximumLength: Int? = nil, whereUsed: [String] = [], isMarkdown: Bool = false,
      location: String? = nil, group: ExactString? = nil
    ) {
      self.group = group
      (self.id, self.entry, self.source, self.target) = (id, entry, source, target)
      (self.state, self.isOutdated, self.inherited) = (state, isOutdated, inherited)
      (self.note, self.maximumLength, self.whereUsed) = (note, maximumLength, whereUsed)
      (self.isMarkdown, self.location) = (isMarkdown, location)
    }
  }
}
