import Testing

@testable import ContentModel

func locales(_ text: String) -> [LocaleTag] {
  text.split(separator: " ").compactMap { LocaleTag(String($0)) }
}

func localeSet(_ declared: String, source: String = "en") throws -> LocaleSet {
  LocaleSet(declared: locales(declared), source: try #require(LocaleTag(source)))
}

@Suite struct LocaleSetTests {
  @Test(arguments: [
    ("en", "en"), ("fr", "fr en"), ("fr-CA", "fr-CA fr en"), ("en-AU", "en-AU en-001 en"),
    ("nb", "nb no en"),
    ("es-MX", "es-MX es-419 es en"), ("zh-Hant-HK", "zh-Hant-HK zh-Hant en"),
    ("zh-Hant", "zh-Hant en"),
    ("zh-Hant-MO", "zh-Hant-MO zh-Hant-HK zh-Hant en"), ("pt-BR", "pt-BR pt en"),
    ("sr-Latn", "sr-Latn en"),
    ("hi-Latn", "hi-Latn en-IN en-001 en"), ("zh-TW", "zh-TW zh-Hant-TW zh-Hant en"),
    ("ht", "ht fr-HT fr en"),
  ])
  func followsTheParentsThenTheSource(locale: String, chain: String) throws {
    #expect(try localeSet("en").chain(of: try #require(LocaleTag(locale))) == locales(chain))
  }

  @Test func includesASourceWithParentsOnce() throws {
    let set = try localeSet("en-GB fr", source: "en-GB")
    #expect(set.chain(of: set.source) == locales("en-GB en-001 en"))
    #expect(set.chain(of: set.declared[1]) == locales("fr en-GB"))
  }

  @Test func usesADeclaredChainAsCompleteAndNotForChildren() throws {
    let all = locales("zh-Hant fr de")
    let set = LocaleSet(
      declared: locales("en zh-Hant zh-Hant-HK fr"), source: locales("en")[0],
      fallback: [all[0]: [all[0]], all[1]: [all[2], all[1], all[2]]])
    #expect(set.chain(of: all[0]) == [all[0]])
    #expect(set.chain(of: locales("zh-Hant-HK")[0]) == locales("zh-Hant-HK zh-Hant en"))
    #expect(set.chain(of: all[1]) == [all[1], all[2]])
  }

  @Test func listsEveryLocaleOfEveryChainOnce() throws {
    let set = try localeSet("en es-MX fr-CA zh-Hant-HK en-AU")
    #expect(set.reachable == locales("en en-001 en-AU es es-419 es-MX fr fr-CA zh-Hant zh-Hant-HK"))
  }
}
