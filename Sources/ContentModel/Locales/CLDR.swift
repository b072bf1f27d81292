/// The Unicode Common Locale Data Repository; its tables are pinned, so that a build does not
/// depend on an ICU library.
package enum CLDR {
  /// Returns the likely script of a language, such as `Hans` for `zh`.
  static func likelyScript(of language: String) -> String? {
    likelyOfLanguage[language].map { String($0.prefix(4)) }
  }

  /// Returns the likely region of a language, such as `CN` for `zh`.
  static func likelyRegion(of language: String) -> String? {
    likelyOfLanguage[language].map { String($0.dropFirst(4)) }
  }

  /// Returns script and region, with the likely value for a missing one (UTS #35, “Likely
  /// Subtags”).
  static func addLikely(_ language: String, script: String?, region: String?) -> (
    script: String?, region: String?
  ) {
    if script != nil && region != nil { return (script, region) }
    let pair = (script ?? region).flatMap { likelyOfPair["\(language)-\($0)"] }
    guard let found = pair ?? likelyOfLanguage[language] else { return (script, region) }
    return (script ?? String(found.prefix(4)), region ?? String(found.dropFirst(4)))
  }

  /// Returns the current code of a region.
  ///
  /// For a region that was split, the result is the language's likely region if that is a
  /// successor, otherwise the first successor.
  static func currentRegion(_ region: String, language: String, script: String?) -> String {
    if let replacement = regionAliases[region] { return replacement }
    guard let successors = regionSplits[region]?.split(separator: " ").map(String.init) else {
      return region
    }
    let likely = addLikely(language, script: script, region: nil).region
    return successors.first { $0 == likely } ?? successors.first ?? region
  }

  /// Returns the current tag of a language, which can have a script or a region: `sr-Latn` for
  /// `sh`.
  static func currentLanguage(_ language: String) -> String? {
    languageAliases[language] ?? overlongLanguages[language]
  }

  /// The right-to-left scripts (ISO 15924 scripts with the bidirectional classes R and AL).
  static let rightToLeftScripts: Set<String> = [
    "Adlm", "Arab", "Aran", "Armi", "Avst", "Chrs", "Cprt", "Elym", "Gara", "Hatr", "Hebr", "Hung",
    "Khar", "Lydi", "Mand", "Mani", "Mend", "Merc", "Mero", "Narb", "Nbat", "Nkoo", "Orkh", "Ougr",
    "Palm", "Phli", "Phlp", "Phnx", "Prti", "Rohg", "Samr", "Sarb", "Sogd", "Sogo", "Syrc", "Syre",
    "Syrj", "Syrn", "Thaa", "Yezi",
  ]
}
