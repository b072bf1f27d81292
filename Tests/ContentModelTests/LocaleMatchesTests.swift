import Testing

@testable import ContentModel

/// Tests that readers of config, which only remove subtags, get the same locale as `match`.
@Suite struct LocaleMatchesTests {
  static let sets = [
    "en", "en en-GB fr fr-CA zh-Hant", "en zh", "en zh zh-Hant zh-Hant-HK", "en zh-CN zh-TW zh-HK",
    "en zh-Hans yue", "en sr az uz pa ms kk", "en sr-Latn sr az-Arab",
    "en en-GB en-AU en-001 en-150", "en-GB fr", "en-US en-AU", "en es es-419", "en es-ES es-MX",
    "en es-AR es-ES", "en pt pt-PT", "en pt-PT", "en pt-BR", "en pt-BR pt-PT", "en no",
    "en nb nn", "en nn", "en nb no", "en he id fil ro", "en iw in tl", "en fr", "en ht-HT fr",
    "en hi", "en hi hi-Latn", "de hi en-IN", "en ca-valencia", "en ca ca-ES-valencia", "en fi",
    "ar en fa-AF ku ku-Arab", "en fr-CA es-MX pt-BR zh-Hant ar ja de it ko", "en sh",
    "en fr-FR fr-BE", "zh-Hant en ja",
  ]

  @Test(arguments: sets) func servesTheSameLocalesAsMatch(declared: String) throws {
    let set = try localeSet(
      declared, source: String(try #require(declared.split(separator: " ").first)))
    let matcher = LocaleMatcher(set.declared)
    var reader = LocaleReader(declared: set.declared, source: set.source)
    for (requested, locale) in set.matches { reader.matches[requested] = locale }
    for request in LikelyRequests(of: set.declared).tags + Self.everyRequest(of: set.declared) {
      let right = matcher.best(for: request)?.locale ?? set.source
      #expect(reader.served([request.identifier]) == right, "\(request)")
    }
  }

  @Test(arguments: sets) func neverCrossesScripts(declared: String) throws {
    let tags = locales(declared)
    let matcher = LocaleMatcher(tags)
    for request in LikelyRequests(of: tags).tags {
      guard let found = matcher.best(for: request) else { continue }
      let scripts = [found.locale, request].map(\.canonical.maximized.script)
      #expect(scripts[0] == scripts[1], "\(request) \(found.locale)")
    }
  }

  /// Returns requests for every region with every declared language, also with every script if
  /// regions differ in script.
  static func everyRequest(of declared: [LocaleTag]) -> [LocaleTag] {
    let languages = Set(
      declared.map(\.canonical.language) + declared.map(\.language))
    return languages.sorted().flatMap { language in
      let pairs = CLDR.likelyOfPair.all(beginningWith: language + "-")
      let scripts =
        pairs.contains { $0.key.utf8.count - language.utf8.count < 5 }
        ? Set(pairs.map(\.value.script)) : []
      return (CLDR.regions.all.map(\.key) + ["UK", "ZZ"]).flatMap { region in
        let written: [String?] = [nil] + scripts.sorted() + (language == "zh" ? ["Hans"] : [])
        return written.map { LocaleTag(language: language, script: $0, region: region) }
      }
    }
  }

  @Test(arguments: [
    ("en", ""), ("en fr", "ht>fr"), ("en fi", ""), ("en de ja ko it", ""),
    ("en pt pt-PT", "pt-AO pt-CH pt-CV pt-FR pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-ST pt-TL"),
    ("en pt-BR", "pt>pt-BR"),
    ("en no", "nb>no nn>no"), ("en nb", "nn>nb no>nb"), ("en id", "in>id"),
  ])
  func includesNoMoreRequestsThanNeeded(declared: String, expected: String) throws {
    let names = try localeSet(declared).matches.map { "\($0.requested)>\($0.declared)" }
    let wanted = expected.split(separator: " ").map {
      $0.contains(">") ? String($0) : "\($0)>pt-PT"
    }
    #expect(names == wanted)
  }

  @Test func servesTheSourceInsteadOfAnotherScript() throws {
    let set = try localeSet("en zh sr az")
    for request in ["zh-TW", "zh-HK", "zh-Hant", "zh-Hant-TW", "sr-ME", "az-IR", "sr-Latn-RS"] {
      #expect(set.served([request]).identifier == "en", "\(request)")
    }
  }

  @Test func returnsTheSameSortedMatchesOnEveryCall() throws {
    let set = try localeSet("en en-GB fr fr-CA zh-Hant es es-419 pt-BR sr no")
    let first = set.matches.map { "\($0.requested) \($0.declared)" }
    #expect(first == first.sorted { $0.precedesInBytes($1) })
    for _ in 0..<3 { #expect(set.matches.map { "\($0.requested) \($0.declared)" } == first) }
  }

  @Test func servesTheFirstPreferenceThatLeadsToALocale() throws {
    let set = try localeSet("en fr pt-BR")
    #expect(set.served(["de", "fr-CA", "en"]).identifier == "fr")
    #expect(set.served(["pt-PT", "fr"]).identifier == "pt-BR")
    #expect(set.served([]).identifier == "en")
    #expect(set.served(["", "-", "root"]).identifier == "en")
  }
}

extension String {
  fileprivate var script: String { String(prefix(4)) }
}
