import Diagnostics
import Testing

/// The source locale of a string catalog decides which values are plurals; `docs/reference/content.md`,
/// "String catalogs".
@Suite struct CatalogKindTests {
  private func shop(
    _ english: String, french: String? = nil, locales: String = "[en, en-GB, fr, fr-CA]"
  ) throws -> Shop {
    var files = ["strings/app.en.yml": "en: {\(english)}"]
    files["strings/app.fr.yml"] = french.map { "fr: {\($0)}" }
    return try Shop(files, with: ["locales": locales])
  }

  // MARK: Mappings

  @Test func gendersWithAKeyOtherFallBackOneByOne() throws {
    let shop = try shop(
      "gender: {female: F, male: M, other: O}", french: "gender: {male: H, other: A}")
    #expect(shop.findings == [])
    #expect(
      try shop.sees("strings/app", "fr") == #"{"gender":{"female":"F","male":"H","other":"A"}}"#)
  }

  @Test func aMappingOfOnlyOtherInATranslationIsNoPlural() throws {
    let shop = try shop("gender: {female: F, male: M, other: O}", french: "gender: {other: A}")
    #expect(shop.findings == [])
    #expect(
      try shop.sees("strings/app", "fr") == #"{"gender":{"female":"F","male":"M","other":"A"}}"#)
  }

  @Test func aMappingDividedAmongFilesKeepsAllTexts() throws {
    let shop = try Shop([
      "strings/app/one.en.yml": "en: {gender: {other: O}}",
      "strings/app/two.en.yml": "en: {gender: {female: F}}",
    ])
    #expect(shop.findings == [])
    for locale in ["en", "fr"] {
      #expect(try shop.sees("strings/app", locale) == #"{"gender":{"female":"F","other":"O"}}"#)
    }
  }

  @Test func aMappingThatLooksLikeAPluralIsAWarning() throws {
    let shop = try shop("n: {other: Roses}", french: "n: {one: Une rose, other: Roses}")
    #expect(shop.findings == ["warning missing-plural 1:9"])
    #expect(try shop.sees("strings/app", "en-GB") == #"{"n":{"other":"Roses"}}"#)
    #expect(try shop.sees("strings/app", "fr") == #"{"n":{"one":"Une rose","other":"Roses"}}"#)
  }

  @Test func aMappingOfOneCategoryIsAWarning() throws {
    #expect(try shop("n: {one: One visit}").findings == ["warning missing-plural 1:9"])
  }

  @Test(arguments: [
    "{one: 1 day, othr: Days}", "{one: 1 day, Other: Days}", "{oen: 1 day, other: Days}",
    "{zero: None, one: 1 day, ohter: Days}", "{one: 1 day, few: '%{count} days', othr: Days}",
  ])
  func aPluralWithAMisspeltCategoryIsAWarning(_ english: String) throws {
    let shop = try shop("n: \(english)")
    let wrong = try #require(
      ["othr", "Other", "oen", "ohter"].first { english.contains("\($0):") })
    let start = try #require(english.firstRange(of: "\(wrong):")?.lowerBound)
    let column = 9 + english.distance(from: english.startIndex, to: start)
    #expect(shop.findings == ["warning missing-plural 1:\(column)"])
    #expect(try shop.sees("strings/app", "fr")?.contains("\"\(wrong)\"") == true)
  }

  @Test(arguments: [
    "{mother: M, other: O}", "{male: M, female: F, other: O}", "{one: 1, two: 2, three: 3}",
    "{on: On, off: Off, other: O}", "{one: {a: A}, othr: {a: B}}", "{othr: Days}", "{new: New}",
    "{one: 1 day, days: Days}",
  ])
  func otherMappingsWithKeysLikeCategoriesAreMeant(_ english: String) throws {
    #expect(try shop("n: \(english)").findings == [])
  }

  // MARK: Plurals

  @Test(arguments: [
    "{one: A rose, other: Roses}", "{zero: None, one: A rose, other: Roses}",
    "{one: '%{count} rose', other: '%{count} roses'}", "{one: '%d rose', other: '%d roses'}",
  ])
  func aWholeSetOfCategoriesIsAPlural(_ english: String) throws {
    let shop = try shop("n: \(english)")
    #expect(shop.findings == [])
    #expect(try shop.sees("strings/app", "fr")?.contains(#""locale":"en""#) == true)
  }

  @Test(arguments: ["{other: '{count} roses'}", "{other: '%{count} roses'}", "{other: '%d roses'}"])
  func aPlaceholderForTheNumberMakesAPlural(_ english: String) throws {
    let shop = try shop("n: \(english)")
    #expect(shop.findings == ["warning missing-plural 1:9"])
    #expect(try shop.sees("strings/app", "fr")?.contains(#""locale":"en""#) == true)
  }

  @Test func aPluralOfTheSourceWithoutOtherIsAnError() throws {
    let shop = try shop("n: {one: '%{count} rose'}", french: "n: {one: u, many: m, other: v}")
    #expect(shop.findings == ["error missing-plural 1:9"])
  }

  @Test func aPluralDividedAmongFilesKeepsAllCategories() throws {
    let shop = try Shop([
      "strings/app/one.en.yml": "en: {n: {one: A rose}}",
      "strings/app/two.en.yml": "en: {n: {other: '%{count} roses'}}",
      "strings/app/one.fr.yml": "fr: {n: {one: Une rose, many: '%{count} de roses'}}",
      "strings/app/two.fr.yml": "fr: {n: {other: '%{count} roses'}}",
    ])
    #expect(shop.findings == [])
    #expect(
      try shop.sees("strings/app", "en") == #"{"n":{"one":"A rose","other":"%{count} roses"}}"#)
    #expect(
      try shop.sees("strings/app", "en-GB")
        == #"{"n":{"locale":"en","one":"A rose","other":"%{count} roses"}}"#)
    #expect(
      try shop.sees("strings/app", "fr")
        == #"{"n":{"many":"%{count} de roses","one":"Une rose","other":"%{count} roses"}}"#)
  }

  @Test func aPluralOfALanguageWithOneCategoryIsOne() throws {
    let shop = try Shop(
      ["strings/ja.yml": "ja: {n: {other: バラ}}", "strings/en.yml": "en: {n: {one: a, other: b}}"],
      with: ["sourceLocale": "ja", "locales": "[ja, en, de]"])
    #expect(shop.findings == [])
    #expect(try shop.sees("strings/app", "en") == #"{"n":{"one":"a","other":"b"}}"#)
    #expect(try shop.sees("strings/app", "de") == #"{"n":{"locale":"ja","other":"バラ"}}"#)
  }

  @Test func valuesWithoutASourceKeepTheirOwnKind() throws {
    let shop = try shop("a: A", french: "n: {one: u, many: m, other: v}, g: {f: F, other: O}")
    #expect(shop.findings == ["warning unknown-text 1:6", "warning unknown-text 1:38"])
    #expect(
      try shop.sees("strings/app", "fr-CA")
        == #"{"a":"A","g":{"f":"F","other":"O"},"n":{"locale":"fr","many":"m","one":"u","other":"v"}}"#
    )
  }

  // MARK: Other kinds

  /// The kinds of a text differ between real translations of one app, which shows both.
  @Test func textsAndPluralsInPlaceOfEachOtherAreWarnings() throws {
    let shop = try shop(
      "n: {one: a, other: b}, t: text", french: "n: x, t: {one: u, many: m, other: v}")
    #expect(shop.findings == ["warning text-kind 1:9", "warning text-kind 1:15"])
    #expect(
      try shop.sees("strings/app", "fr") == #"{"n":"x","t":{"many":"m","one":"u","other":"v"}}"#)
  }

  @Test(arguments: [
    ("m: {a: A}", "m: x", "error text-kind 1:9"), ("m: {a: A}", "m: [x]", "error text-kind 1:9"),
    ("l: [a]", "l: x", "error text-kind 1:9"), ("l: [a]", "l: {a: x}", "error text-kind 1:9"),
    ("t: a", "t: [x]", "error text-kind 1:9"), ("t: a", "t: {a: x}", "error text-kind 1:9"),
    ("n: {one: a, other: b}", "n: [x]", "error text-kind 1:9"),
    ("n: {one: a, other: b}", "n: {one: x, othr: y}", "error unknown-key 1:18"),
    ("n: {one: a, other: b}", "n: {female: x, other: y}", "error unknown-key 1:10"),
    ("n: {one: a, other: b}", "n: {one: x, other: {a: y}}", "error text-kind 1:25"),
    ("l: [{a: A}, b]", "l: [x, y]", "error text-kind 1:10"),
    ("l: [a, b, c]", "l: [x, y]", "warning text-kind 1:9"),
  ])
  func otherKindsThanTheSourceAreReported(english: String, french: String, finding: String) throws {
    #expect(try shop("z: Z, \(english)", french: french).findings == [finding])
  }

  @Test(arguments: [
    ("m: {a: A}", "m: {a: }"), ("m: {a: A}", "m: "), ("n: {one: a, other: b}", "n: {}"),
    ("n: {one: a, other: b}", "n: {one: , other: }"), ("f: ", "f: [x]"), ("l: [~, a]", "l: [~, x]"),
    ("l: [~, a]", "l: [y, x]"),
  ])
  func missingValuesHaveNoKind(english: String, french: String) throws {
    let findings = try shop("z: Z, \(english)", french: french).findings
    #expect(findings.allSatisfy { $0.hasPrefix("warning null-in-catalog") }, "\(findings)")
  }
}
