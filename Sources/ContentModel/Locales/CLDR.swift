/// What the Unicode Common Locale Data Repository says; the tables are pinned, so that a build
/// depends on no ICU.
package enum CLDR {
  /// The likely script of a language alone, such as `Hans` for `zh`.
  static func likelyScript(of language: String) -> String? {
    likelyOfLanguage[language].map { String($0.prefix(4)) }
  }

  /// The likely region of a language alone, such as `CN` for `zh`.
  static func likelyRegion(of language: String) -> String? {
    likelyOfLanguage[language].map { String($0.dropFirst(4)) }
  }

  /// Fills in script and region (UTS #35, "Likely Subtags"); what is there already stays.
  static func addLikely(_ language: String, script: String?, region: String?) -> (
    script: String?, region: String?
  ) {
    if script != nil && region != nil { return (script, region) }
    let pair = (script ?? region).flatMap { likelyOfPair["\(language)-\($0)"] }
    guard let found = pair ?? likelyOfLanguage[language] else { return (script, region) }
    return (script ?? String(found.prefix(4)), region ?? String(found.dropFirst(4)))
  }

  /// A region's present code; one that fell apart becomes the language's own region, if that is a
  /// successor.
  static func currentRegion(_ region: String, language: String, script: String?) -> String {
    if let replacement = regionAliases[region] { return replacement }
    guard let successors = regionSplits[region]?.split(separator: " ").map(String.init) else {
      return region
    }
    let likely = addLikely(language, script: script, region: nil).region
    return successors.first { $0 == likely } ?? successors.first ?? region
  }

  /// A language's present code, as a tag that may bring a script or a region: `sr-Latn` for `sh`.
  static func currentLanguage(_ language: String) -> String? {
    languageAliases[language] ?? overlongLanguages[language]
  }

  /// Scripts that are written from right to left (ISO 15924 scripts with the bidirectional classes
  /// R and AL).
  static let rightToLeftScripts: Set<String> = [  // String keys: subtags are ASCII
    "Adlm", "Arab", "Aran", "Armi", "Avst", "Chrs", "Cprt", "Elym", "Gara", "Hatr", "Hebr", "Hung",
    "Khar", "Lydi",
    "Mand", "Mani", "Mend", "Merc", "Mero", "Narb", "Nbat", "Nkoo", "Orkh", "Ougr", "Palm", "Phli",
    "Phlp", "Phnx",
    "Prti", "Rohg", "Samr", "Sarb", "Sogd", "Sogo", "Syrc", "Syre", "Syrj", "Syrn", "Thaa", "Yezi",
  ]
}
