import Testing

@testable import ContentModel

@Suite struct LocaleTagTests {
  @Test(arguments: [
    ("en", "en"), ("EN_us", "en-US"), ("kk-cyrl", "kk-Cyrl"), ("en_PH", "en-PH"),
    ("ZH-hANT-hk", "zh-Hant-HK"),
    ("es-419", "es-419"), ("ca-ES-VALENCIA", "ca-ES-valencia"), ("de-1901", "de-1901"),
    ("nb", "nb"), ("iw", "iw"),
    ("zh-TW", "zh-TW"), ("fil", "fil"),
  ])
  func normalizesCaseAndKeepsAliases(text: String, identifier: String) {
    #expect(LocaleTag(text)?.identifier == identifier)
  }

  @Test(arguments: [
    "", "root", "und", "und-US", "en-", "-en", "en--US", "e", "english", "en-USA", "en-US-US",
    "en-Latn-Latn", "en-a",
    "en-u-ca-gregory", "en.UTF-8", "dé", "en US", "*", "en-abcdefgh-abcdefgi-abcdefgj-abcdefgk",
    "de-1901-1901", "x-a",
    String(repeating: "a", count: 60),
  ])
  func refusesOtherTexts(text: String) {
    #expect(LocaleTag(text) == nil)
  }

  @Test(arguments: [
    ("en-US-u-ca-gregory", "en-US"), ("de-x-phonebk", "de"),
    ("zh-Hant-TW-u-hc-h12-x-a", "zh-Hant-TW"), ("fr", "fr"),
  ])
  func removesExtensionsOfRequests(text: String, identifier: String) {
    #expect(LocaleTag(requested: text)?.identifier == identifier)
  }

  @Test(arguments: ["en-u", "en-u-", "u-en", "en-u-ä", "en-u-abcdefghi"])
  func refusesMalformedExtensions(text: String) {
    #expect(LocaleTag(requested: text) == nil)
  }

  @Test(arguments: [
    ("iw", "he"), ("in", "id"), ("tl", "fil"), ("mo", "ro"), ("sh", "sr-Latn"),
    ("sh-BA", "sr-Latn-BA"), ("ji", "yi"),
    ("sr-YU", "sr-RS"), ("sr-Latn-YU", "sr-Latn-RS"), ("en-UK", "en-GB"), ("hy-SU", "hy-AM"),
    ("ru-SU", "ru-RU"),
    ("eng", "en"), ("cmn-TW", "zh-TW"), ("cnr", "sr-ME"), ("en-840", "en-US"), ("no-nynorsk", "nn"),
    ("zh-TW", "zh-TW"),
    ("no", "no"), ("nb", "nb"), ("prs", "fa-AF"), ("sgn-US", "ase"), ("es-419", "es-419"),
  ])
  func replacesAliases(text: String, canonical: String) throws {
    #expect(try #require(LocaleTag(text)).canonical.identifier == canonical)
  }

  @Test(arguments: [
    ("en", "en-Latn-US"), ("zh", "zh-Hans-CN"), ("zh-TW", "zh-Hant-TW"), ("zh-Hant", "zh-Hant-TW"),
    ("sr-ME", "sr-Latn-ME"), ("az-IR", "az-Arab-IR"), ("pa-PK", "pa-Arab-PK"), ("pt", "pt-Latn-BR"),
    ("es-419", "es-Latn-419"), ("en-Shaw", "en-Shaw-GB"), ("ca-valencia", "ca-Latn-ES-valencia"),
    ("qaa", "qaa"),
    ("zzj", "zzj-Hani-CN"), ("aa", "aa-Latn-ET"),
  ])
  func addsLikelySubtags(text: String, maximized: String) throws {
    #expect(try #require(LocaleTag(text)).maximized.identifier == maximized)
  }

  @Test(arguments: [
    ("fr-CA", "fr"), ("en-AU", "en-001"), ("en-GB", "en-001"), ("en-DE", "en-150"),
    ("en-150", "en-001"),
    ("en-001", "en"), ("en-US", "en"), ("es-MX", "es-419"), ("es-419", "es"), ("pt-AO", "pt-PT"),
    ("pt-PT", "pt"),
    ("nb", "no"), ("nn", "no"), ("zh-Hant-MO", "zh-Hant-HK"), ("zh-Hant-HK", "zh-Hant"),
    ("zh-Hans-SG", "zh-Hans"),
    ("zh-Hans", "zh"), ("hi-Latn", "en-IN"), ("ht", "fr-HT"), ("ca-ES-valencia", "ca-ES"),
    ("zh-SG", "zh"),
    ("zh-TW", "zh-Hant-TW"), ("sr-ME", "sr-Latn-ME"), ("az-IR", "az-Arab-IR"),
  ])
  func fallsBackToTheParent(text: String, parent: String) throws {
    #expect(try #require(LocaleTag(text)).parent?.identifier == parent)
  }

  @Test(arguments: [
    "en", "zh", "zh-Hant", "sr-Latn", "az-Cyrl", "uz-Cyrl", "pa-Arab", "en-Grek", "ru-Latn", "fil",
    "no",
  ])
  func hasNoParentBelowTheRoot(text: String) throws {
    #expect(try #require(LocaleTag(text)).parent == nil)
  }

  @Test func hasEveryExplicitParentOfCLDR() throws {
    let records = CLDR.parents.all
    #expect(records.count == 199)
    for (child, parent) in records {
      #expect(
        try #require(LocaleTag(child)).parent?.identifier == (parent == "und" ? nil : parent),
        "\(child)")
    }
  }

  @Test func neverFallsBackAcrossScripts() throws {
    let explicit = Set(CLDR.parents.all.map(\.key))
    for (key, _) in CLDR.likelyOfPair.all where !explicit.contains(key) {
      let tag = try #require(LocaleTag(key))
      let parent = tag.parent
      #expect(parent == nil || parent?.maximized.script == tag.maximized.script, "\(key)")
    }
  }

  @Test(arguments: [
    ("ar", true), ("he", true), ("iw", true), ("fa-AF", true), ("ur", true), ("dv", true),
    ("az-IR", true),
    ("pa-PK", true), ("ff-Adlm", true), ("en", false), ("az", false), ("mn-Mong", false),
    ("qaa", false),
  ])
  func derivesTheDirectionFromTheScript(text: String, isRightToLeft: Bool) throws {
    #expect(try #require(LocaleTag(text)).isRightToLeft == isRightToLeft)
  }
}

@Suite struct LocaleTablesTests {
  @Test func findsEveryRecordAndNoOther() {
    for table in [
      CLDR.parents, CLDR.likelyOfLanguage, CLDR.likelyOfPair, CLDR.languageAliases,
      CLDR.regionSplits,
    ] {
      for (key, value) in table.all {
        #expect(table[key] == value)
        #expect(table[key + "+"] == nil)
      }
      #expect(table[""] == nil)
    }
  }
}
