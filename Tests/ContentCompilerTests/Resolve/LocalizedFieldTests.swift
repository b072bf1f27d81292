import Diagnostics
import Testing

/// The fields of a locale overlay, and the lookup of unlocalized fields.
@Suite struct LocalizedFieldTests {
  private static let fields = """
    {title: {type: string, localized: true}, price: integer,
     deep: {type: object, localized: true, fields: {a: string, n: integer}},
     mixed: {type: object, fields: {label: {type: string, localized: true}, size: integer}},
     badges: {type: list, of: {type: object, fields: {id: string, label: {type: string, localized: true}, height: integer}}},
     names: {type: map, of: {type: string, localized: true}}}
    """

  @Test(arguments: [
    "price: 2", "mixed: {size: 2}", "badges: [{id: new, height: 2}]", "price: null", "badges: []",
  ])
  func rejectsOtherFieldsInLocaleOverlays(overlay: String) throws {
    let base =
      "{title: T, price: 1, mixed: {label: L, size: 1}, badges: [{id: new, label: New, height: 1}]}"
    for name in ["item/a.fr", "item/a.fr@ipad"] {
      let shop = try Shop(["item/a": base, name: overlay], fields: Self.fields)
      #expect(!shop.isBuilt && shop.diagnostics.count == 1, "\(shop.findings)")
    }
    #expect(try Shop(["item/a": base, "item/a@ipad": overlay], fields: Self.fields).findings == [])
  }

  @Test func acceptsEverythingBelowALocalizedField() throws {
    let shop = try Shop(
      [
        "item/a": "{deep: {a: x, n: 1}, mixed: {label: L, size: 1}, names: {k: v}}",
        "item/a.fr": "{deep: {n: 2}, mixed: {label: M}, names: {k: w}}",
      ],
      fields: Self.fields)
    #expect(
      try shop.a("fr")
        == #"{"deep":{"a":"x","n":2},"mixed":{"label":"M","size":1},"names":{"k":"w"}}"#)
  }

  @Test func localizesLabelsInAnUnlocalizedList() throws {
    let shop = try Shop(
      [
        "item/a": "badges: [{id: new, label: New, height: 30}, {id: old, label: Old}]",
        "item/a@ipad": "badges: [{id: big, label: Big}, {id: old, height: 9}]",
        "item/a.fr": "badges: [{id: old, label: Vieux}, {id: big, label: Grand}]",
      ], fields: Self.fields)
    #expect(
      try shop.a("fr/ipad")
        == #"{"badges":[{"height":30,"id":"new","label":"New"},{"height":9,"id":"old","label":"Vieux"},{"id":"big","label":"Grand"}]}"#
    )
    #expect(
      try shop.a("fr/phone")
        == #"{"badges":[{"height":30,"id":"new","label":"New"},{"id":"old","label":"Vieux"}]}"#)
  }

  @Test func rejectsUnknownIDsInAnUnlocalizedList() throws {
    let shop = try Shop(
      [
        "item/a": "badges: [{id: new, label: New}]",
        "item/a.fr": "badges: [{id: nwe, label: Nouveau}]",
      ],
      fields: Self.fields)
    #expect(!shop.isBuilt && shop.diagnostics.count == 1, "\(shop.findings)")
    #expect(shop.diagnostics.first?.message.contains("new") == true)
  }

  @Test func resolvesOtherFieldsFromTheSourceLocale() throws {
    let shop = try Shop(
      ["item/a": "{title: T, price: 1}", "item/a@ipad": "price: 2", "item/a.fr": "title: F"],
      fields: Self.fields,
      with: ["locales": "[en, fr, de]", "fallback": "{fr: [fr], de: [de, fr]}"])
    #expect(try shop.a("fr/ipad") == #"{"price":2,"title":"F"}"#)
    #expect(try shop.a("de") == #"{"price":1,"title":"F"}"#)
    #expect(try shop.a("en") == #"{"price":1,"title":"T"}"#)
  }

  @Test func findsNoLocalizedValueOutsideTheChain() throws {
    let shop = try Shop(
      [
        "item/a":
          "{title: T, badges: [{id: new, label: New, height: 1}], mixed: {label: L, size: 1}}",
        "item/a.fr": "badges: [{id: new, label: Nouveau}]",
      ],
      fields: Self.fields, with: ["locales": "[en, fr, de]", "fallback": "{fr: [fr], de: [de]}"])
    #expect(
      try shop.a("fr")
        == #"{"badges":[{"height":1,"id":"new","label":"Nouveau"}],"mixed":{"size":1}}"#)
    #expect(try shop.a("de") == #"{"badges":[{"height":1,"id":"new"}],"mixed":{"size":1}}"#)
  }

  @Test func countsUndeclaredFieldsOfAnOpenDatatypeAsLocalized() throws {
    let shop = try Shop(
      [
        "datatypes/item.yaml": "{open: true, fields: {price: integer}}",
        "item/a": "{price: 1, free: {b: 1}}",
        "item/a.fr": "free: {b: 2}",
      ])
    #expect(try shop.a("fr") == #"{"free":{"b":2},"price":1}"#)
    let bad = try Shop(
      [
        "datatypes/item.yaml": "{open: true, fields: {price: integer}}", "item/a": "{price: 1}",
        "item/a.fr": "price: 2",
      ])
    #expect(!bad.isBuilt)
  }
}
