import Testing

@testable import ContentModel

@Suite struct LocaleMatchingTests {
  static let requests: [(String, String, String)] = [
    // declared, requested, matched ("-": none)
    ("en fr", "fr", "fr"), ("en fr", "fr-CA", "fr"), ("en fr fr-CA", "fr_ca", "fr-CA"),
    ("en fi", "fil", "-"),
    ("en fil", "fi", "-"), ("en fil", "tl", "fil"), ("en he", "iw-IL", "he"), ("en iw", "he", "iw"),
    ("en id", "in", "id"), ("en ro", "mo", "ro"), ("en sr-Latn", "sh", "sr-Latn"),
    ("en sr", "sh", "-"),
    // scripts
    ("en zh zh-Hant", "zh-TW", "zh-Hant"), ("en zh zh-Hant", "zh-HK", "zh-Hant"),
    ("en zh zh-Hant", "zh-MO", "zh-Hant"), ("en zh zh-Hant zh-Hant-HK", "zh-MO", "zh-Hant-HK"),
    ("en zh zh-HK", "zh-MO", "zh-HK"), ("en zh", "zh-TW", "-"), ("en zh-Hant", "zh", "-"),
    ("en zh", "zh-Hans-SG", "zh"),
    ("en zh zh-Hant", "zh-Hans-HK", "zh"), ("en zh-Hans-HK zh-Hant", "zh-HK", "zh-Hant"),
    ("en zh-HK", "zh-Hans-HK", "-"),
    ("en sr sr-Latn", "sr-Cyrl-ME", "sr"),
    ("en zh-Hans", "zh-CN", "zh-Hans"), ("en zh-TW", "zh-Hant", "zh-TW"),
    ("en zh-TW", "zh-HK", "zh-TW"),
    ("en sr", "sr-ME", "-"), ("en sr sr-Latn", "sr-ME", "sr-Latn"), ("en az", "az-IR", "-"),
    ("en az az-Arab", "az-IR", "az-Arab"), ("en uz-Latn", "uz-Cyrl", "-"),
    ("en hi", "hi-Latn", "en"),
    // Apple's preferences
    ("en en-GB", "en-IN", "en-GB"), ("en en-001", "en-IN", "en-001"),
    ("en en-GB en-001", "en-IN", "en-GB"),
    ("en en-AU en-GB", "en-NZ", "en-AU"), ("en en-GB", "en-NZ", "en-GB"),
    ("en en-GB", "en-US", "en"),
    ("en en-GB", "en-CA", "en"), ("en en-GB", "en-DE", "en-GB"), ("en en-GB", "en-JP", "en"),
    ("en es es-419", "es-AR", "es-419"), ("en es es-MX", "es-AR", "es-MX"),
    ("en es es-419 es-MX", "es-CO", "es-419"),
    ("en es es-MX", "es-ES", "es"), ("en es es-MX", "es-GQ", "es"),
    ("en es es-419", "es-PR", "es-419"),
    ("en pt pt-PT", "pt-AO", "pt-PT"), ("en pt pt-PT", "pt-BR", "pt"),
    ("en pt-BR pt-PT", "pt", "pt-BR"),
    // siblings
    ("en pt-BR", "pt", "pt-BR"), ("en pt-BR", "pt-PT", "pt-BR"), ("en pt-PT", "pt", "pt-PT"),
    ("en de-AT de-DE", "de-CH", "de-DE"), ("en fr-CA fr-BE", "fr-CH", "fr-CA"),
    ("en-US fr", "en-GB", "en-US"),
    ("en-AU en-GB", "en-US", "en-GB"), ("fr en-NZ en-AU en-GB", "en-US", "en-GB"),
    ("fr en-AU en-GB", "en-NZ", "en-AU"),
    // spoken languages of Chinese and Arabic
    ("en zh zh-Hant", "yue-HK", "zh-Hant"), ("en zh zh-Hant", "yue-Hant", "zh-Hant"),
    ("en zh-Hant", "yue", "zh-Hant"),
    ("en zh zh-Hant zh-Hant-HK", "yue", "zh-Hant-HK"), ("en zh zh-Hant", "yue-Hans", "zh"),
    ("en zh", "yue-HK", "-"),
    ("en zh-Hant yue", "yue-HK", "yue"), ("en zh zh-Hant", "wuu", "zh"), ("en zh-Hant", "wuu", "-"),
    ("en ar", "ars", "ar"), ("en ar ar-SA", "ars", "ar-SA"), ("en yue", "zh-Hant", "-"),
    // Norwegian
    ("en no", "nb-NO", "no"), ("en nb", "no", "nb"), ("en nb no", "nb-NO", "nb"),
    ("en nb no", "no-NO", "no"),
    ("en nb", "nn", "nb"), ("en nn", "nb", "-"), ("en nn nb", "nn-NO", "nn"), ("en fr", "ht", "fr"),
    // skipped
    ("en fr", "root", "-"), ("en fr", "en-", "-"), ("en fr", "", "-"),
    ("en fr", "fr-u-nu-latn", "fr"),
    ("en-GB ca-valencia en", "ca-ES-valencia", "ca-valencia"), ("en en-GB", "en-UK", "en-GB"),
  ]

  @Test(arguments: requests)
  func matchesARequest(declared: String, request: String, expected: String) throws {
    let set = try localeSet(declared)
    #expect((set.match([request]).locale?.identifier ?? "-") == expected)
  }

  @Test(arguments: [
    ("en pt-BR es", "pt-PT es-ES", "es"), ("en pt-BR es", "pt-PT de", "pt-BR"),
    ("en pt-BR es", "pt-BR es", "pt-BR"),
    ("en fr zh", "zh-TW fr", "fr"), ("en fr", "root fr", "fr"), ("en fr", "de it", "-"),
  ])
  func prefersEveryOtherMatchToASibling(declared: String, requests: String, expected: String) throws
  {
    let match = try localeSet(declared).match(requests.split(separator: " ").map(String.init))
    #expect((match.locale?.identifier ?? "-") == expected)
  }

  @Test func explainsTheOutcomeOfEachRequest() throws {
    let match = try localeSet("en en-GB zh pt-BR").match([
      "zh-HK", "en-", "de", "pt-PT", "en-IN", "fr",
    ])
    #expect(match.locale?.identifier == "en-GB")
    #expect(
      match.steps.map(\.explanation) == [
        "zh-HK (zh-Hant-HK) is not declared, and zh is in another script, which is never crossed",
        "'en-' is not a language tag and was skipped",
        "de (de-Latn-DE) is not declared, nor is a parent of it",
        "pt-PT (pt-Latn-PT) could only get pt-BR, another region of its language; "
          + "a better match is later in the list",
        "en-IN (en-Latn-IN) gets en-GB: the nearest parent that is declared",
        "fr (fr-Latn-FR) was not needed",
      ])
  }

  @Test func explainsThatTheSourceIsServedIfNothingMatches() throws {
    let set = try localeSet("en fr")
    #expect(
      set.match(["fil"]).explanation(source: set.source) == [
        "fil (fil-Latn-PH) is not declared, nor is a parent of it",
        "nothing matches: the source locale en is served",
      ])
    #expect(
      set.match(["fr"]).explanation(source: set.source) == [
        "fr (fr-Latn-FR) gets fr: it is declared"
      ])
  }

  @Test(arguments: [
    ("en-XA", "en-XA"), ("ar-XB", "ar-XB"), ("ar", "fr"), ("ar-EG", "fr"), ("en", "fr"),
    ("en-AU", "fr"), ("en-XA-x-y", "en-XA"),
  ])
  func servesAPseudoLocaleOnlyForItsOwnTag(request: String, served: String) throws {
    let set = try localeSet("fr de", source: "fr").addingPseudoLocales()
    #expect(set.declared == locales("fr de en-XA ar-XB"))
    #expect((set.match([request]).locale ?? set.source).identifier == served)
    #expect(set.served([request]).identifier == served)
  }

  @Test func givesPseudoLocalesTheChainOfTheSource() throws {
    let set = try localeSet("en-GB fr", source: "en-GB").addingPseudoLocales()
    #expect(set.chain(of: locales("ar-XB")[0]) == locales("ar-XB en-GB"))
    #expect(set.generated == locales("en-XA ar-XB"))
    let declared = try localeSet("en en-XA").addingPseudoLocales()
    #expect(declared.declared == locales("en en-XA ar-XB"))
    #expect(declared.generated == locales("ar-XB"))
  }
}
