import ContentModel
import Diagnostics
import SourceYAML
import TranslationFiles
import YAMLEditing

/// A translation of an imported file, and the unit of the content that it is for.
struct ImportedUnit {
  /// The unit of the file.
  let unit: TranslationUnit
  /// The unit as the content has it now.
  let current: LocatedUnit
  let locale: LocaleTag
  /// The translation; not `nil` as that of `unit`.
  let target: String
  /// `true` if another translation of an outdated text is a reviewed one, whatever its state:
  /// translators fill in the cells of a table, and do not touch the column of states.
  let isReviewed: Bool

  /// `true` if the content has another translation, or none.
  var isChange: Bool { !(current.unit.target.map { $0 == target } ?? false) }

  /// `true` if the file was exported before the source text changed.
  var isOfOtherSource: Bool { !(unit.source == current.unit.source) }

  /// The way from the entry's mapping to the text.
  var steps: [YAMLEdit.Step] {
    current.text.steps + (current.category.map { [.member($0.rawValue)] } ?? [])
  }
}

extension ImportedUnit {
  /// The row of the lock after the import; `nil` to keep the present one.
  ///
  /// A translation that the file marks for a review stays outdated, or becomes so.
  var lockRow: TranslationLock.Row? {
    guard unit.state == .needsReview, !(isReviewed && isChange && current.isOutdated) else {
      return TranslationLock.Row(source: unit.source, target: target)
    }
    return current.isOutdated && !isChange
      ? nil : TranslationLock.Row(source: nil, target: target)
  }

  /// The place in the file for messages about the translation.
  var place: SourceLocation? { unit.targetPlace ?? unit.place }
}
