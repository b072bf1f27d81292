/// The locales of a project and their fallback chains.
///
/// ```swift
/// let declared = ["en", "fr", "fr-CA"].compactMap { LocaleTag($0) }
/// let locales = LocaleSet(declared: declared, source: declared[0])
/// let chain = locales.chain(of: declared[2])  // fr-CA, fr, en
/// let match = locales.match(["fr-CH", "de"])
/// let served = match.locale ?? locales.source  // fr
/// ```
public struct LocaleSet: Sendable, Equatable {
  /// The declared locales in order.
  public let declared: [LocaleTag]
  /// The locale of files without a locale in their name, served if no preference matches.
  public let source: LocaleTag
  /// The chains that replace CLDR's; the children of a locale do not inherit its chain.
  public let fallback: [LocaleTag: [LocaleTag]]
  /// The declared locales without files, whose texts are made from those of the source locale.
  package internal(set) var generated: [LocaleTag] = []

  /// Creates a set of declared locales, a source locale and the chains that replace CLDR's.
  public init(declared: [LocaleTag], source: LocaleTag, fallback: [LocaleTag: [LocaleTag]] = [:]) {
    self.declared = declared
    self.source = source
    self.fallback = fallback
  }

  /// Returns the locales in which the value of a key is looked up, the locale itself first, each
  /// locale once.
  ///
  /// The chain in ``fallback``, if there is one, is complete. Otherwise, the chain consists of
  /// CLDR's parents, declared or not, and the source locale.
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

  /// The locales in the chains of all declared locales, each once, sorted by code point.
  public var reachable: [LocaleTag] {
    Set(declared.flatMap(chain(of:))).sorted()
  }
}

extension LocaleTag {
  /// The pseudo-locales: English with accents, and Arabic with texts of another language.
  package static let pseudoLocales = [
    LocaleTag(language: "en", region: "XA"), LocaleTag(language: "ar", region: "XB"),
  ]

  /// `true` for a pseudo-locale, which only a request for its own tag gets.
  package var isPseudo: Bool { Self.pseudoLocales.contains(self) }
}

extension LocaleSet {
  /// Returns the set with the pseudo-locales behind the declared locales.
  ///
  /// The chain of each is itself and the source locale. A declared pseudo-locale stays as it is.
  package func addingPseudoLocales() -> LocaleSet {
    let added = LocaleTag.pseudoLocales.filter { !declared.contains($0) }
    var chains = fallback
    for locale in added { chains[locale] = [locale, source] }
    var locales = LocaleSet(declared: declared + added, source: source, fallback: chains)
    locales.generated = added
    return locales
  }
}
