package import ContentModel
package import Diagnostics

/// A text in two languages: that of the source, and its translation.
package struct TranslationUnit: Sendable {
  /// The progress of a translation.
  package enum State: String, CaseIterable, Sendable {
    /// There is no translation.
    case new
    /// The translation must be checked, for example because its source has changed.
    case needsReview
    /// The text is translated.
    case translated
    /// The translation is approved.
    case final
  }

  /// The entry and the field's path, such as `product/rose#badges.new.label`; with a plural
  /// category, such as `product/rose#stock[one]`.
  package let id: ExactString
  /// The text to translate.
  package let source: String
  /// The translation; `nil` if there is none.
  package let target: String?
  /// The progress; `new` if and only if there is no translation.
  package let state: State
  /// The description of the field, or the comment in a file; not empty.
  package let note: String?
  /// `true` if the file has the source text where the translation belongs.
  ///
  /// A text without a letter, such as a number, is the same in many languages and does not count.
  package let repeatsSource: Bool
  /// The greatest length of the translation.
  package var maximumLength: Int?
  /// The places that show the text.
  package var whereUsed: [String]
  /// The place of the unit's id in a file; `nil` if the unit was not read from a file.
  package var place: SourceLocation?
  /// The place of the translation in a file, or of the unit if there is none.
  package var targetPlace: SourceLocation?

  /// Creates a unit.
  ///
  /// Tools fill untranslated texts with their source, in state `new`: such a unit has no
  /// translation. A translation in state `new` that differs from its source needs a review.
  package init(
    id: ExactString, source: String, target: String? = nil, state: State = .translated,
    note: String? = nil, maximumLength: Int? = nil, whereUsed: [String] = []
  ) {
    (self.id, self.source) = (id, source)
    let isCopy = target?.hasSameBytes(as: source) ?? false
    let isMissing = state == .new && (isCopy || target == "")
    self.target = isMissing ? nil : target
    self.state = self.target == nil ? .new : state == .new ? .needsReview : state
    repeatsSource =
      isCopy && source.unicodeScalars.contains(where: \.properties.isAlphabetic)
    self.note = note == "" ? nil : note
    (self.maximumLength, self.whereUsed) = (maximumLength, whereUsed)
  }

  /// Returns the unit with another source text, translation and state.
  package func with(source: String, target: String?, state: State) -> TranslationUnit {
    var unit = TranslationUnit(
      id: id, source: source, target: target, state: state, note: note,
      maximumLength: maximumLength, whereUsed: whereUsed)
    (unit.place, unit.targetPlace) = (place, targetPlace)
    return unit
  }

  /// Returns the unit with a translation that equals its source counted as missing or as
  /// translated.
  ///
  /// If `meaning` is `nil`, the state in the file decides.
  package func counted(equalAs meaning: EqualMeaning?) -> TranslationUnit {
    guard repeatsSource, let meaning else { return self }
    switch meaning {
    case .missing: return with(source: source, target: nil, state: .new)
    case .translated:
      return with(source: source, target: source, state: target == nil ? .translated : state)
    }
  }

  /// The id without its plural category, and the category.
  package var plural: (text: ExactString, category: PluralCategory)? {
    // Searches bytes, because a `Character` can consist of the bracket and other scalars.
    let bytes = id.text.utf8
    guard bytes.last == UInt8(ascii: "]"), let bracket = bytes.lastIndex(of: UInt8(ascii: "["))
    else { return nil }
    let name = bytes[bracket...].dropFirst().dropLast()
    guard let category = PluralCategory(rawValue: String(Substring(name))) else { return nil }
    return (ExactString(String(Substring(bytes[..<bracket]))), category)
  }
}

/// The meaning of a translation that equals its source text.
package enum EqualMeaning: String, CaseIterable, Sendable {
  /// A tool has copied the source: there is no translation.
  case missing
  /// The text is the same in both languages, whatever its state is.
  case translated
}
