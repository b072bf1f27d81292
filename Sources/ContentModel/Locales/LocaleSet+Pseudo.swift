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
