package import ContentModel
package import Diagnostics

/// How many of the texts that readers see are in their language, by locale and datatype.
///
/// Each entry counts once per locale, as the device `any` sees it; one that a locale never sees
/// does not count there.
package struct Coverage: Sendable {
  package var source: LocaleTag
  /// Those that have localized texts, in order.
  package var datatypes: [String]
  /// In declared order.
  package var locales: [OfLocale]

  /// In whose words a text is.
  package enum State: String, Sendable {
    /// The locale's own.
    case translated
    /// Those of a locale in its chain that serves it: a parent, or the source locale itself for its
    /// regional variants.
    case inherited
    /// The source locale's, which readers of this one may not understand.
    case fallback
    /// Nobody's: required, or there for the source locale, but not here.
    case missing
  }

  /// How many texts are in which state.
  package struct Counts: Hashable, Sendable {
    package var translated = 0
    package var inherited = 0
    package var fallback = 0
    package var missing = 0

    package init() {}
  }

  /// One locale's.
  package struct OfLocale: Sendable {
    package var locale: LocaleTag
    /// Over all datatypes.
    package var total = Counts()
    /// Those that have localized texts here, in order.
    package var datatypes: [(name: String, counts: Counts)] = []
    /// What is not translated, in order of ids; empty unless it was asked for.
    package var entries: [EntryGaps] = []
  }

  /// What of one entry is not translated.
  package struct EntryGaps: Sendable {
    package var id: EntryID
    package var gaps: [Gap]
  }

  /// One text that is not translated.
  package struct Gap: Sendable {
    /// As `explain` writes it.
    package var path: String
    package var state: State
    /// Whose words are shown; `nil` where none are.
    package var from: LocaleTag?
    /// Where the text stands; of one that is missing, where the source locale has it, if it does.
    package var location: SourceLocation?
  }
}

extension Coverage.Counts {
  package var all: Int { translated + inherited + fallback + missing }

  /// From 0 to 1; 1 where there is nothing to translate.
  package var share: Double { all == 0 ? 1 : Double(translated + inherited) / Double(all) }

  /// Whether fewer than so many of a hundred are covered: exactly, not as it is shown.
  package func isUnder(percent: Double) -> Bool {
    Double(translated + inherited) * 100 < percent * Double(all)
  }

  package static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.translated += b.translated
    sum.inherited += b.inherited
    sum.fallback += b.fallback
    sum.missing += b.missing
    return sum
  }

  mutating func count(_ state: Coverage.State) {
    switch state {
    case .translated: translated += 1
    case .inherited: inherited += 1
    case .fallback: fallback += 1
    case .missing: missing += 1
    }
  }
}
