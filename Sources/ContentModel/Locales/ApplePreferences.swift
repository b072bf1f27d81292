/// The parents of locales on Apple's systems where they differ from CLDR's.
///
/// The tables are measurements of `Locale.Language.parent` in Swift 6.3, whose ICU is Apple's. They
/// are pinned so that the result does not depend on the toolchain. Only matching uses them: the
/// chain of a key follows CLDR.
enum ApplePreferences {
  /// Returns Apple's parent of a locale if it differs from `LocaleTag.parent`.
  static func parent(of tag: LocaleTag) -> LocaleTag? {
    parents[tag.identifier]
  }

  /// Returns the locale that can replace another: `es-MX` for `es-419`.
  ///
  /// In CLDR's language matching, `es-MX` is nearer to `es-419` than `es`; Apple's systems
  /// prefer `es`.
  static func standIn(for tag: LocaleTag) -> LocaleTag? {
    tag.identifier == "es-419" ? LocaleTag(language: "es", region: "MX") : nil
  }

  /// Returns the written language for a spoken one: Chinese or Arabic for their spoken languages.
  static func writtenLanguage(of language: String) -> String? {
    spokenLanguages.first { $0.spoken.contains(language) }?.written
  }

  /// Returns the spoken languages for a written one.
  static func languages(writtenAs language: String) -> [String] {
    spokenLanguages.first { $0.written == language }?.spoken ?? []
  }

  /// The members of the macrolanguages `zh` and `ar` (ISO 639-3) that operating systems offer.
  private static let spokenLanguages: [(written: String, spoken: [String])] = [
    ("zh", ["gan", "hak", "hsn", "nan", "wuu", "yue"]), ("ar", ["apc", "ars", "ary", "arz"]),
  ]

  /// Returns the regions of a language in the tables.
  static func regions(of language: String) -> [String] {
    steps(of: language).flatMap { $0.regions.split(separator: " ").map(String.init) }
  }

  private static let parents: [String: LocaleTag] = {
    var parents: [String: LocaleTag] = [:]
    for language in ["en", "es"] {
      for (parent, regions) in steps(of: language) {
        for region in regions.split(separator: " ") {
          parents["\(language)-\(region)"] = LocaleTag(language: language, region: parent)
        }
      }
    }
    return parents
  }()

  private static func steps(of language: String) -> [(parent: String, regions: String)] {
    switch language {
    case "en": english
    case "es": spanish
    default: []
    }
  }

  private static let english: [(parent: String, regions: String)] = [
    ("AU", "CC CK CX NF NR NU NZ WS"),
    (
      "GB",
      """
      150 AI AU BB BD BM BN BS BW BZ DG DM FJ FK GD GG GH GI GM GY HK IE IM IN IO JE JM KE KI KN \
      KY LC LK LS MO MS MT MU MV MW MY NA NG PK SB SC SD SG SH SL SS SZ TC TO TT TV TZ UG VC VG \
      VU ZA ZM ZW
      """
    ),
    ("150", "AD AL BA BG BY CY FO GL GR HR IS LI LU MC MD ME MK RS RU VA"),
    (
      "001",
      """
      AF AM AO AR AW AX AZ BF BH BJ BL BO BQ BR CD CF CG CI CR CU CV DO DZ EC EG EH ET GA GF GN GP \
      GQ GT HN HT IC IQ JO KG KH KM KW KZ LA LB LY MA MF ML MM MN MQ MR MZ NC NE NI NP OM PE PF PM \
      PS QA RE SJ SM SN SO ST SV SY TD TF TG TH TJ TL TM TN UY UZ VE VN WF YE YT
      """
    ),
  ]

  /// The regions of the Caribbean, whose parent in CLDR is `es`.
  private static let spanish: [(parent: String, regions: String)] = [
    (
      "419",
      """
      AG AI AW BB BL BM BQ BS CA CW DM FK GD GF GL GP GY HT KN KY LC MF MQ MS PM SR SX TC TT VC VG \
      VI
      """
    )
  ]
}
