/// The requests for which a reader that only removes trailing subtags can get a wrong locale.
///
/// Regions that are in no table behave as their language, so they are not included.
struct LikelyRequests {
  /// The requests, those with fewer subtags first, then by code point.
  let tags: [LocaleTag]

  init(of declared: [LocaleTag]) {
    let known = declared + declared.map(\.canonical)
    let languages = Set(names: known.map(\.language)).names.flatMap(LikelyRequests.withRelatives)
    let replaced = LikelyRequests.namesByCurrentLanguage
    var tags: Set<LocaleTag> = []
    for language in Set(names: languages).names {
      let own = known.filter { $0.language == language }
      for name in [language] + (replaced[language] ?? []) {
        tags.formUnion(LikelyRequests.tags(name: name, language: language, declared: own))
      }
    }
    let counted = tags.map { (tag: $0, hyphens: $0.identifier.utf8.count { $0 == 45 }) }
    self.tags = counted.sorted {
      $0.hyphens == $1.hyphens ? $0.tag < $1.tag : $0.hyphens < $1.hyphens
    }.map(\.tag)
  }

  private static func tags(name: String, language: String, declared: [LocaleTag]) -> [LocaleTag] {
    let regions = regions(of: language, declared: declared)
    var tags = [LocaleTag(language: name)] + regions.map { LocaleTag(language: name, region: $0) }
    for script in scripts(of: language, declared: declared) {
      tags.append(LocaleTag(language: name, script: script))
      guard needsRegions(language, script: script, declared: declared) else { continue }
      tags += regions.map { LocaleTag(language: name, script: script, region: $0) }
    }
    for variant in Set(names: declared.flatMap(\.variants)).names {
      tags += tags.filter(\.variants.isEmpty).map {
        LocaleTag(language: $0.language, script: $0.script, region: $0.region, variants: [variant])
      }
    }
    return tags
  }

  /// Returns `true` if requests can combine a script with regions: the language's regions differ in
  /// script, or a declared locale has the script.
  private static func needsRegions(_ language: String, script: String, declared: [LocaleTag])
    -> Bool
  {
    declared.contains { $0.script == script }
      || pairs(of: language).contains { $0.subtag.utf8.count < 4 }
  }

  private static func scripts(of language: String, declared: [LocaleTag]) -> [String] {
    let tables =
      pairs(of: language).flatMap { [$0.subtag, $0.script] }
      + parents(of: language).compactMap(\.script)
    let all =
      tables + declared.compactMap(\.script) + [CLDR.likelyScript(of: language)].compactMap(\.self)
    return Set(names: all.filter { $0.utf8.count == 4 }).names
  }

  private static func regions(of language: String, declared: [LocaleTag]) -> [String] {
    let tables = pairs(of: language).map(\.subtag).filter { $0.utf8.count < 4 }
    let tabled = parents(of: language).compactMap(\.region) + ApplePreferences.regions(of: language)
    let world = declared.isEmpty ? nil : "001"
    let likely = [CLDR.likelyRegion(of: language), world].compactMap(\.self)
    let current = Set(
      names: tables + tabled + likely
        + declared.flatMap { [$0.region, $0.maximized.region].compactMap(\.self) })
    let own = CLDR.likelyRegion(of: language)
    let former = formerRegions.filter { former in
      let now = CLDR.currentRegion(former, language: language, script: nil)
      return now == own || former == "UK" && current.contains(now)
    }
    return current.union(Set(names: former)).names
  }

  /// Returns a language and those that fall back to it: `ht` for `fr`, `hi` for `en`, and every
  /// Norwegian language for each of them.
  private static func withRelatives(_ language: String) -> [String] {
    let norwegian = ["nb", "nn", "no"]
    if norwegian.contains(language) { return norwegian }
    return [language] + (childrenInOtherLanguages[language] ?? [])
      + ApplePreferences.languages(writtenAs: language)
  }

  private static let childrenInOtherLanguages: [String: [String]] = {
    var children: [String: [String]] = [:]
    for (key, value) in CLDR.parents.all {
      guard let child = LocaleTag(key), let parent = LocaleTag(value) else { continue }
      if child.language != parent.language {
        children[parent.language, default: []].append(child.language)
      }
    }
    return children
  }()

  private static func pairs(of language: String) -> [(subtag: String, script: String)] {
    CLDR.likelyOfPair.all(beginningWith: language + "-").map {
      (String($0.key.dropFirst(language.utf8.count + 1)), String($0.value.prefix(4)))
    }
  }

  private static func parents(of language: String) -> [LocaleTag] {
    CLDR.parents.all(beginningWith: language + "-").flatMap { [$0.key, $0.value] }
      .compactMap { LocaleTag($0) }.filter { $0.language == language }
  }

  /// The former codes of languages by the current one, such as `iw` for `he`.
  ///
  /// Three-letter codes of languages that have two letters are left out: no system requests them.
  private static let namesByCurrentLanguage: [String: [String]] = {
    var names: [String: [String]] = [:]
    for (former, _) in CLDR.languageAliases.all {
      names[LocaleTag(language: former).canonical.language, default: []].append(former)
    }
    return names
  }()

  /// The deprecated regions, and `UK`.
  private static let formerRegions: [String] =
    (CLDR.regionAliases.all + CLDR.regionSplits.all).map(\.key).filter { $0.utf8.count == 2 }
}
