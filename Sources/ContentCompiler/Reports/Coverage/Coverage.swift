package import ContentModel
package import Diagnostics

/// The number of texts that readers see in their own language, by locale and datatype.
///
/// Each entry counts once per locale, as the device `any` shows it. An entry that a locale never
/// shows does not count there.
package struct Coverage: Sendable {
  package var source: LocaleTag
  /// The datatypes with localized texts, in order.
  package var datatypes: [String]
  /// In declared order.
  package var locales: [OfLocale]

  /// The relation of a text to a locale.
  package enum State: String, Sendable {
    /// The text was written for the locale.
    case translated
    /// The text was written for a parent of the locale, or for the source locale of which it is a
    /// regional variant.
    case inherited
    /// The text was written for the source locale; readers of this one may not understand it.
    case fallback
    /// The text is translated or inherited, but its source text has changed since.
    case outdated
    /// There is no text, although the schema requires one or the source locale has one.
    case missing
  }

  /// The number of texts in each state.
  package struct Counts: Hashable, Sendable {
    package var translated = 0
    package var inherited = 0
    package var fallback = 0
    package var missing = 0
    /// The translated and inherited texts whose source text has changed since.
    package var outdated = 0

    package init() {}
  }

  /// The coverage of one locale.
  package struct OfLocale: Sendable {
    package var locale: LocaleTag
    /// The sum of all datatypes.
    package var total = Counts()
    /// The datatypes with localized texts in this locale, in order.
    package var datatypes: [(name: String, counts: Counts)] = []
    /// The texts that are not translated, in order of ids; empty unless the caller asked for them.
    package var entries: [EntryGaps] = []
  }

  /// The texts of one entry that are not translated.
  package struct EntryGaps: Sendable {
    package var id: EntryID
    package var gaps: [Gap]
  }

  /// One text that is not translated.
  package struct Gap: Sendable {
    /// The path in the form of `explain`.
    package var path: String
    package var state: State
    /// The locale of the text that is shown; `nil` if there is none.
    package var from: LocaleTag?
    /// The location of the text; if it is missing, that of the source locale's text, if any.
    package var location: SourceLocation?
  }
}

extension Coverage.Counts {
  package var all: Int { translated + inherited + fallback + missing }

  /// The translated share, from 0 to 1; 1 if there is nothing to translate.
  package var share: Double { all == 0 ? 1 : Double(translated + inherited) / Double(all) }

  /// Returns `true` if the exact share, not the rounded one, is below a percentage.
  package func isUnder(percent: Double) -> Bool {
    Double(translated + inherited) * 100 < percent * Double(all)
  }

  package static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.translated += b.translated
    sum.outdated += b.outdated
    sum.inherited += b.inherited
    sum.fallback += b.fallback
    sum.missing += b.missing
    return sum
  }

  mutating func count(_ state: Coverage.State) {
    switch state {
    case .translated: translated += 1
    case .outdated: break
    case .inherited: inherited += 1
    case .fallback: fallback += 1
    case .missing: missing += 1
    }
  }
}
