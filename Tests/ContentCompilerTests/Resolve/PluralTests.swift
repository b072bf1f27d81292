import Diagnostics
import Testing

@testable import ContentCompiler

/// Plurals of declared fields and of catalogs: always the categories of one file.
@Suite struct PluralTests {
  private static let fields = "{roses: {type: plural, localized: true}, note: string}"
  private static let base = #"roses: {one: A rose, other: "%{count} roses"}"#
  private static let french =
    #"roses: {one: Une rose, many: "%{count} de roses", other: "%{count} roses!"}"#

  @Test func areTakenWholeFromOneLocale() throws {
    let shop = try Shop(["item/a": Self.base, "item/a.fr": Self.french], fields: Self.fields)
    #expect(shop.findings == [])
    #expect(
      try shop.a("en") == #"{"roses":{"one":"A rose","other":"%{count} roses"}}"#)
    #expect(
      try shop.a("en-GB") == #"{"roses":{"locale":"en","one":"A rose","other":"%{count} roses"}}"#)
    #expect(
      try shop.a("fr")
        == #"{"roses":{"many":"%{count} de roses","one":"Une rose","other":"%{count} roses!"}}"#)
    #expect(
      try shop.a("fr-CA")
        == #"{"roses":{"locale":"fr","many":"%{count} de roses","one":"Une rose","other":"%{count} roses!"}}"#
    )
  }

  @Test func replaceThoseOfOtherDevicesWhole() throws {
    let shop = try Shop(
      [
        "item/a": Self.base, "item/a@phone": #"roses: {one: Rose, other: "%{count}"}"#,
        "item/a.fr": Self.french,
      ], fields: Self.fields)
    #expect(shop.findings == [])
    #expect(try shop.a("en/phone") == #"{"roses":{"one":"Rose","other":"%{count}"}}"#)
    #expect(try shop.a("fr/phone") == shop.a("fr/tablet"))
    let part = try Shop(
      ["item/a": Self.base, "item/a@phone": "roses: {one: Rose}"], fields: Self.fields)
    #expect(part.findings == ["error missing-plural 1:8"])
  }

  @Test func canBeRemovedAndHaveADefault() throws {
    let fields =
      "{roses: {type: plural, localized: true, default: {one: R, other: Rs}}, note: string}"
    let shop = try Shop(["item/a": "note: n", "item/a.fr": "roses: null"], fields: fields)
    #expect(shop.findings == [])
    #expect(try shop.a("en") == #"{"note":"n","roses":{"one":"R","other":"Rs"}}"#)
    #expect(try shop.a("en-GB") == #"{"note":"n","roses":{"locale":"en","one":"R","other":"Rs"}}"#)
    #expect(try shop.a("fr") == #"{"note":"n"}"#)
  }

  @Test func mayBeInOtherValues() throws {
    let fields = """
      {all: {type: object, fields: {n: {type: plural, localized: true}}},
       map: {type: map, of: {type: plural, localized: true}},
       list: {type: list, localized: true, of: plural}}
      """
    let shop = try Shop(
      [
        "item/a":
          "{all: {n: {one: a, other: b}}, map: {k: {one: c, other: d}}, list: [{one: e, other: f}]}",
        "item/a.fr": "{map: {k: {one: g, many: h, other: i}}}",
      ], fields: fields)
    #expect(shop.findings == [])
    #expect(
      try shop.a("fr")
        == #"{"all":{"n":{"locale":"en","one":"a","other":"b"}},"list":[{"locale":"en","one":"e","other":"f"}],"map":{"k":{"many":"h","one":"g","other":"i"}}}"#
    )
  }

  @Test func ofAFieldWithoutLocalizationAreThoseOfTheSourceLocale() throws {
    let shop = try Shop(
      ["item/a": Self.base], fields: "{roses: plural}", with: ["fallback": "{fr: [fr]}"])
    #expect(
      try shop.a("fr") == #"{"roses":{"locale":"en","one":"A rose","other":"%{count} roses"}}"#)
  }

  // MARK: Catalogs

  @Test func ofCatalogsAreTakenWhole() throws {
    let shop = try Shop([
      "strings/app.en.yml":
        "en: {a: {zero: none, one: x, other: y}, deep: {b: {one: z, other: w}}}",
      "strings/app.fr.yml": "fr: {a: {one: u, many: n, other: v}}",
      "strings/app.en-GB.yml": "en-GB: {a: {one: k, other: l}}",
    ])
    #expect(shop.findings == [])
    #expect(
      try shop.sees("strings/app", "en")
        == #"{"a":{"one":"x","other":"y","zero":"none"},"deep":{"b":{"one":"z","other":"w"}}}"#)
    #expect(
      try shop.sees("strings/app", "fr")
        == #"{"a":{"many":"n","one":"u","other":"v"},"deep":{"b":{"locale":"en","one":"z","other":"w"}}}"#
    )
    #expect(
      try shop.sees("strings/app", "en-GB")
        == #"{"a":{"one":"k","other":"l"},"deep":{"b":{"locale":"en","one":"z","other":"w"}}}"#)
    #expect(
      try shop.sees("strings/app", "fr-CA")
        == #"{"a":{"locale":"fr","many":"n","one":"u","other":"v"},"deep":{"b":{"locale":"en","one":"z","other":"w"}}}"#
    )
  }

  @Test func ofCatalogsWithoutOtherAreThoseOfTheNextLocale() throws {
    let shop = try Shop([
      "strings/app.en.yml": "en: {a: {one: x, other: y}, b: {one: step, two: step}}",
      "strings/app.fr.yml": "fr: {a: {one: u, other: ~}, b: {one: pas}}",
    ])
    #expect(shop.findings == ["warning missing-plural 1:32", "warning missing-plural 1:9"])
    #expect(
      try shop.sees("strings/app", "fr")
        == #"{"a":{"locale":"en","one":"x","other":"y"},"b":{"one":"pas","two":"step"}}"#)
  }

  @Test func areNoPartOfAnotherMappingOfACatalog() throws {
    let shop = try Shop([
      "strings/app.en.yml": "en: {b: {one: x, more: m}}",
      "strings/app.fr.yml": "fr: {b: {one: u, many: n, other: v}}",
    ])
    #expect(shop.findings == ["warning unknown-text 1:18", "warning unknown-text 1:27"])
    #expect(
      try shop.sees("strings/app", "fr")
        == #"{"b":{"many":"n","more":"m","one":"u","other":"v"}}"#)
  }

  /// Rails also has these keys in mappings that are no plurals.
  @Test(arguments: [
    "{one: x, other: [y]}", "{one: x, other: {y: z}}", "{one: x, next: y, other: z}",
  ])
  func ofCatalogsHaveOnlyCategoriesWithTexts(english: String) throws {
    let shop = try Shop([
      "strings/app.en.yml": "en: {a: \(english)}", "strings/app.fr.yml": "fr: {a: {one: u}}",
    ])
    #expect(shop.findings == [])
    let french = try #require(try shop.sees("strings/app", "fr"))
    #expect(french.contains(#""one":"u""#) && french.contains(#""other":"#))
    #expect(!french.contains("locale"))
  }

  @Test func shareTheirBundlesAmongForeignLocales() throws {
    let shop = try Shop(
      ["item/a": Self.base], fields: Self.fields, with: ["locales": "[en, en-GB, fr, de, pl]"])
    let variants = try ["en-GB", "fr", "de", "pl"].map { try shop.a($0) }
    #expect(Set(variants).count == 1)
    #expect(try shop.a("en") != variants[0])
    let bundles = shop.objects.values.filter {
      String(decoding: $0.bytes, as: UTF8.self).contains("A rose")
    }
    #expect(bundles.count == 2)
  }
}
