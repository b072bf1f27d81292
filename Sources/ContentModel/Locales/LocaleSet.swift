/// The locales of a project: what is declared, and what each falls back to.
public struct LocaleSet: Sendable, Equatable {
  /// The declared locales, as written and in the order in which they are written.
  public let declared: [LocaleTag]
  /// The locale of the entries' own files, and what a reader gets when nothing matches.
  public let source: LocaleTag
  /// Chains that are written out in full; they are not inherited by a locale's children.
  public let fallback: [LocaleTag: [LocaleTag]]

  /// The declared locales, the source locale and the chains that replace CLDR's.
  public init(declared: [LocaleTag], source: LocaleTag, fallback: [LocaleTag: [LocaleTag]] = [:]) {
    self.declared = declared
    self.source = source
    self.fallback = fallback
  }

  /// Where the value of a key is looked up, in this order; the locale itself stands first, each
  /// locale once.
  ///
  /// A written-out chain is the whole chain. Otherwise: CLDR's parents, declared or not, then the
  /// source locale.
  public func chain(of locale: LocaleTag) -> [LocaleTag] {
    var chain = [locale]
    for next in fallback[locale] ?? (ancestors(of: locale) + [source]) where !chain.contains(next) {
      chain.append(next)
    }
    return chain
  }

  private func ancestors(of locale: LocaleTag) -> [LocaleTag] {
    Array(sequence(first: locale, next: \.parent).dropFirst())
  }

  /// Every locale that stands in some declared locale's chain, each once, by code point.
  public var reachable: [LocaleTag] {
    Set(declared.flatMap(chain(of:))).sorted()
  }
}
