import ContentModel
import Diagnostics
import YAML

/// A translation from an imported file, and the unit of the content that it translates.
struct ImportedUnit {
  /// The unit of the file.
  let unit: TranslationUnit
  /// The current unit of the content.
  let current: LocatedUnit
  let locale: LocaleTag
  /// The translation of `unit`, which is never `nil` here.
  let target: String
  /// `true` if a changed translation of an outdated text counts as reviewed, whatever its state.
  ///
  /// Translators fill in the cells of a table, but leave the column of states alone.
  let isReviewed: Bool

  /// `true` if the content has another translation, or none.
  var isChange: Bool { !(current.unit.target?.hasSameBytes(as: target) ?? false) }

  /// `true` if the file was exported before the source text changed.
  var isOfOtherSource: Bool { !unit.source.hasSameBytes(as: current.unit.source) }

  /// The steps from the entry's mapping to the text.
  var steps: [YAMLEdit.Step] {
    current.text.steps + (current.category.map { [.member($0.rawValue)] } ?? [])
  }
}

extension TranslationUnit {
  /// Returns the unit with the line breaks that its texts have in the content.
  ///
  /// Spreadsheets and git write CRLF into texts of several lines. An import never changes line
  /// breaks alone, and a new translation gets the line breaks of its source.
  func withLineBreaks(of current: TranslationUnit) -> TranslationUnit {
    let texts = [source, target ?? "", current.source, current.target ?? ""]
    guard texts.contains(where: \.hasCarriageReturn) else { return self }
    let isSameSource = source.withLineFeeds.hasSameBytes(as: current.source.withLineFeeds)
    return with(
      source: isSameSource ? current.source : source,
      target: target.map { target in
        if let old = current.target, old.withLineFeeds.hasSameBytes(as: target.withLineFeeds) {
          return old
        }
        if !current.source.hasCarriageReturn { return target.withLineFeeds }
        if source.hasSameBytes(as: current.source) || !current.source.hasOnlyPairs { return target }
        return target.withLineFeeds.withCarriageReturns
      }, state: state)
  }
}

extension String {
  fileprivate var hasCarriageReturn: Bool { utf8.contains(0x0D) }

  /// The text with a line feed for each line break.
  fileprivate var withLineFeeds: String {
    guard hasCarriageReturn else { return self }
    var bytes: [UInt8] = []
    var isAfterReturn = false
    for byte in utf8 {
      if byte != 0x0A || !isAfterReturn { bytes.append(byte == 0x0D ? 0x0A : byte) }
      isAfterReturn = byte == 0x0D
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `true` if each line break is CRLF.
  fileprivate var hasOnlyPairs: Bool {
    withLineFeeds.withCarriageReturns.hasSameBytes(as: self)
  }

  /// The text with CRLF for each line feed.
  fileprivate var withCarriageReturns: String {
    String(decoding: utf8.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }, as: UTF8.self)
  }
}

extension ImportedUnit {
  /// The id and the locale that identify a translation.
  struct Key: Hashable {
    var id: ExactString
    var locale: LocaleTag
  }

  var key: Key { Key(id: unit.id, locale: locale) }

  /// The row of the lock after the import; `nil` to keep the present one.
  ///
  /// A translation that the file marks for a review stays or becomes outdated.
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
