/// A canonical locale in the form that matching compares.
///
/// The form has a script unless both the language and the region imply it, and uses `no` for
/// Bokmål.
struct ComparableLocale {
  let tag: LocaleTag
  let maximized: LocaleTag
  /// The locales to look for if this one is not declared, nearest first, in the same language.
  let ancestors: [LocaleTag]
  let parentInAnotherLanguage: LocaleTag?

  var language: String { tag.language }
  var script: String? { maximized.script }

  init(_ canonical: LocaleTag) {
    let tag = ComparableLocale.spelling(of: canonical)
    var ancestors: [LocaleTag] = []
    var next: LocaleTag? = tag
    while let locale = next, locale.language == tag.language {
      let standIn = ApplePreferences.standIn(for: locale)
      ancestors += [locale, standIn].compactMap(\.self).filter { $0 != tag }
      next = ComparableLocale.parent(of: locale)
    }
    self.tag = tag
    self.maximized = tag.maximized
    self.ancestors = ancestors
    self.parentInAnotherLanguage = next ?? ComparableLocale.written(tag.maximized)
  }

  /// Returns `true` if both have the same language and script.
  func isComparable(with other: ComparableLocale) -> Bool {
    language == other.language && script == other.script
  }

  private static func spelling(of tag: LocaleTag) -> LocaleTag {
    let language = tag.language == "nb" ? "no" : tag.language
    let likely = CLDR.likelyScript(of: language)
    let implied = CLDR.addLikely(language, script: nil, region: tag.region).script
    let script = tag.script ?? implied
    return LocaleTag(
      language: language, script: script == likely && script == implied ? nil : script,
      region: tag.region, variants: tag.variants)
  }

  /// Returns the locale of the written language with the same script and region: `zh-Hant-HK` for
  /// `yue`.
  private static func written(_ maximized: LocaleTag) -> LocaleTag? {
    ApplePreferences.writtenLanguage(of: maximized.language).map {
      LocaleTag(language: $0, script: maximized.script, region: maximized.region)
    }
  }

  private static func parent(of tag: LocaleTag) -> LocaleTag? {
    (ApplePreferences.parent(of: tag) ?? tag.parent).map(spelling)
  }
}
