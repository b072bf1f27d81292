/// A canonical locale in the one spelling in which matching compares.
///
/// The script stands there unless both the language and its region imply it, and Norwegian without
/// further qualification is Bokmål.
struct ComparableLocale {
  let tag: LocaleTag
  let maximized: LocaleTag
  /// What to look for when the locale itself is not declared, nearest first, in the same language
  /// and script.
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

  /// Whether a reader of one can read the other: the same language in the same script.
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
      region: tag.region,
      variants: tag.variants)
  }

  /// The same script and region in the language that readers of a spoken one read: `zh-Hant-HK` for
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
