import Diagnostics
import Testing

/// Missing and removed values, defaults and required fields; `docs/reference/content.md`, "Datatypes".
@Suite struct DefaultTests {
  private static let fields = """
    {x: {type: integer, default: 7}, o: {type: object, fields: {d: {type: integer, default: 8}, e: integer}},
     l: {type: list, of: {type: object, fields: {id: string, d: {type: integer, default: 9}}}}}
    """

  @Test(arguments: [
    ("{}", #"{"x":7}"#), ("x: 1", #"{"x":1}"#), ("x: null", "{}"),
    ("o: {}", #"{"o":{"d":8},"x":7}"#),
    ("o: {d: null}", #"{"o":{},"x":7}"#), ("o: null", #"{"x":7}"#),
    ("o: {d: 1, e: 2}", #"{"o":{"d":1,"e":2},"x":7}"#),
    ("l: [{id: a}, {id: b, d: 1}]", #"{"l":[{"d":9,"id":"a"},{"d":1,"id":"b"}],"x":7}"#),
    ("l: []", #"{"l":[],"x":7}"#),
  ])
  func replaceMissingButNotRemovedValues(text: String, seen: String) throws {
    #expect(try Shop(["item/a": text], fields: Self.fields).a("en") == seen)
  }

  @Test func doNotReplaceAValueRemovedInOneContext() throws {
    let shop = try Shop(
      ["item/a": "o: {}", "item/a@tablet": "{x: null, o: {d: null}}", "item/a@ipad": "x: 2"],
      fields: Self.fields)
    #expect(try shop.a("en/phone") == #"{"o":{"d":8},"x":7}"#)
    #expect(try shop.a("en/tablet") == #"{"o":{}}"#)
    #expect(try shop.a("en/ipad") == #"{"o":{},"x":2}"#)
  }

  @Test func satisfyARequirement() throws {
    let shop = try Shop(
      ["item/a": "{}"], fields: "{x: {type: integer, required: true, default: 7}}")
    #expect(try shop.a("en") == #"{"x":7}"#)
  }

  @Test func canBeObjectsAndLists() throws {
    let shop = try Shop(
      ["item/a": "{}", "item/b": "o: {e: 1}"],
      fields:
        "{o: {type: object, default: {e: 5}, fields: {d: {type: integer, default: 8}, e: integer}}, l: {type: list, of: integer, default: [1]}}"
    )
    #expect(try shop.sees("item/a", "fr") == #"{"l":[1],"o":{"d":8,"e":5}}"#)
    #expect(try shop.sees("item/b", "fr") == #"{"l":[1],"o":{"d":8,"e":1}}"#)
  }

  @Test(arguments: [
    (["item/a": "{}"], 1), (["item/a": "x: null"], 1), (["item/a": "x: ''"], 0),
    (["item/a": "x: t", "item/a.fr": "x: null"], 1),
    (["item/a": "x: t", "item/a.fr@tablet": "x: null", "item/a.fr@ipad": "x: u"], 1),
    (["item/a": "{}", "item/a.fr": "x: t"], 1),
  ])
  func doNotHideMissingRequiredFields(files: [String: String], errors: Int) throws {
    let shop = try Shop(files, fields: "{x: {type: string, required: true, localized: true}}")
    #expect(shop.findings("missing-field").count == errors, "\(shop.findings)")
    #expect((!shop.isBuilt) == (errors > 0))
  }

  @Test func nameTheContextsWithoutAValue() throws {
    let shop = try Shop(
      ["item/a": "x: t", "item/a.fr@tablet": "x: null", "item/a.fr@ipad": "x: u"],
      fields: "{x: {type: string, required: true, localized: true}}")
    let message = try #require(shop.findings("missing-field").first?.message)
    #expect(
      message.contains("fr on tablet, fr-CA on tablet") && !message.contains("ipad"), "\(message)")
  }

  /// An item that lacks its id on one device lacks it in every locale.
  @Test func nameTheDeviceOfAnItemWithoutAnID() throws {
    let item = "{type: object, fields: {id: {type: string, required: true}, n: string}}"
    let shop = try Shop(
      ["item/a": "l: [{id: p}]", "item/a@ipad": "l: [{n: x}]"],
      fields: "{l: {type: list, of: \(item)}}")
    #expect(shop.findings == ["error missing-field 1:5"])
    let found = try #require(shop.diagnostics.first)
    #expect(found.message.hasSuffix("has no value for every locale on ipad"), "\(found.message)")
    // The chains of the locales do not explain it.
    #expect(found.notes.map(\.message) == ["'l[0].id' is declared here"])
  }

  @Test func requireNestedFieldsOnlyIfTheirObjectExists() throws {
    let fields = "{o: {type: object, fields: {r: {type: integer, required: true}}}}"
    #expect(try Shop(["item/a": "{}"], fields: fields).a("en") == "{}")
    #expect(try Shop(["item/a": "o: {}"], fields: fields).findings("missing-field").count == 1)
  }

  @Test func canHaveConditions() throws {
    let shop = try Shop(
      ["item/a": "{}"],
      fields:
        "{l: {type: list, default: [{id: p, when: {locale: fr}}, {id: q, when: {device: ipad}}, {id: r}]}}"
    )
    #expect(try shop.a("en") == #"{"l":[{"id":"r"}]}"#)
    #expect(try shop.a("fr-CA") == #"{"l":[{"id":"p"},{"id":"r"}]}"#)
    #expect(try shop.a("en-GB/ipad") == #"{"l":[{"id":"q"},{"id":"r"}]}"#)
  }
}
