import Diagnostics
import Testing

/// The merging of values; `docs/reference/content.md`, "Which value a reader gets".
@Suite struct MergeTests {
  /// The base, French, French on an iPad, and the result on a French iPad.
  @Test(arguments: [
    // Mappings, key by key.
    (
      "x: {a: 1, b: {c: 2, d: 3}}", "x: {b: {c: 4}}", "x: {e: 5}",
      #"{"x":{"a":1,"b":{"c":4,"d":3},"e":5}}"#
    ),
    // Lists, whole.
    ("x: [1, 2, 3]", "x: [4]", "{}", #"{"x":[4]}"#),
    ("x: [1, 2, 3]", "x: []", "{}", #"{"x":[]}"#),
    ("x: [{id: a, v: 1}]", "x: [{v: 2}]", "{}", #"{"x":[{"v":2}]}"#),
    ("x: [{v: 1}]", "x: [{id: a, v: 2}]", "{}", #"{"x":[{"id":"a","v":2}]}"#),
    ("x: [{id: a, v: 1}, 7]", "x: [{id: a, w: 2}]", "{}", #"{"x":[{"id":"a","w":2}]}"#),
    // Lists, by id: the base's order, then new ones in the overlay's.
    (
      "x: [{id: a, v: 1}, {id: b, v: 1}]", "x: [{id: d}, {id: b, v: 2}, {id: c}]",
      "x: [{id: c, v: 3}, {id: e}]",
      #"{"x":[{"id":"a","v":1},{"id":"b","v":2},{"id":"d"},{"id":"c","v":3},{"id":"e"}]}"#
    ),
    // Keys and ids are compared by bytes.
    (
      "x: {\u{E9}: 1, e\u{301}: 1}", "x: {e\u{301}: 2}", "{}",
      #"{"x":{"e\#u{301}":2,"\#u{E9}":1}}"#
    ),
    (
      "x: [{id: \u{E9}, v: 1}, {id: e\u{301}, v: 1}]", "x: [{id: e\u{301}, v: 2}]", "{}",
      #"{"x":[{"id":"\#u{E9}","v":1},{"id":"e\#u{301}","v":2}]}"#
    ),
    // `[]` empties, and an empty base merges with nothing.
    ("x: [{id: a, v: 1}]", "x: []", "{}", #"{"x":[]}"#),
    ("x: []", "x: [{id: a, v: 1}]", "{}", #"{"x":[{"id":"a","v":1}]}"#),
    ("x: [{id: a, v: 1}]", "x: []", "x: [{id: a, w: 2}]", #"{"x":[{"id":"a","w":2}]}"#),
    // A value of another kind replaces all layers below it.
    ("x: {a: 1}", "x: 2", "{}", #"{"x":2}"#), ("x: 1", "x: {a: 2}", "{}", #"{"x":{"a":2}}"#),
    ("x: [1]", "x: {a: 2}", "{}", #"{"x":{"a":2}}"#), ("x: {a: 1}", "x: [2]", "{}", #"{"x":[2]}"#),
    ("x: {a: 1}", "x: text", "x: {b: 2}", #"{"x":{"b":2}}"#),
    ("x: [{id: a, v: 1}]", "x: text", "x: [{id: a, w: 2}]", #"{"x":[{"id":"a","w":2}]}"#),
    // A mapping that loses all its keys remains, empty.
    ("x: {a: 1}", "x: {a: null}", "{}", #"{"x":{}}"#),
    ("x: {a: {b: 1}}", "x: {a: {b: null}}", "{}", #"{"x":{"a":{}}}"#),
    ("x: [{id: a, v: 1}]", "x: [{id: a, v: null}]", "{}", #"{"x":[{"id":"a"}]}"#),
    ("x: 1", "x: null", "{}", "{}"),
    // Null ends the lookup; a more specific layer can have a value again.
    ("x: 1", "x: null", "x: 2", #"{"x":2}"#),
    ("x: {a: 1}", "x: null", "x: {b: 2}", #"{"x":{"b":2}}"#),
    ("x: [{id: a, v: 1}]", "x: null", "x: [{id: a, w: 1}]", #"{"x":[{"id":"a","w":1}]}"#),
    ("x: {a: {b: 1, c: 1}}", "x: {a: null}", "x: {a: {c: 2}}", #"{"x":{"a":{"c":2}}}"#),
    ("x: null", "x: 1", "{}", #"{"x":1}"#), ("x: null", "y: 1", "{}", #"{"y":1}"#),
    // Missing, empty and removed values differ.
    ("{x: '', y: {}, z: []}", "{}", "{}", #"{"x":"","y":{},"z":[]}"#),
    ("x: full", "x: ''", "{}", #"{"x":""}"#),
    ("x: {a: 1}", "x: {}", "{}", #"{"x":{"a":1}}"#),
  ])
  func mergesLayers(base: String, french: String, tablet: String, seen: String) throws {
    let shop = try Shop(["item/a": base, "item/a.fr": french, "item/a.fr@tablet": tablet])
    #expect(try shop.a("fr/ipad") == seen, "\(shop.findings)")
  }

  @Test func mergesListsOfObjectsThatASchemaDeclares() throws {
    let shop = try Shop(
      [
        "item/a": "x: [{id: a, v: 1, w: 1}, {id: b}]", "item/a@ipad": "x: [{id: c}, {id: a, v: 2}]",
      ],
      fields: "{x: {type: list, of: {type: object, fields: {id: string, v: integer, w: integer}}}}")
    #expect(try shop.a("en/ipad") == #"{"x":[{"id":"a","v":2,"w":1},{"id":"b"},{"id":"c"}]}"#)
  }

  @Test func mergesMapsKeyByKey() throws {
    let shop = try Shop(
      [
        "item/a": "x: {a: 1, b: 2}", "item/a@ipad": "x: {b: 3, c: 4}",
        "item/a@tablet": "x: {a: null}",
      ],
      fields: "{x: {type: map, of: integer}}")
    #expect(try shop.a("en/ipad") == #"{"x":{"b":3,"c":4}}"#)
  }

  @Test func rejectsADuplicateIDInAList() throws {
    let shop = try Shop(["item/a": "x: [{id: a}, {id: b}, {id: a}]"])
    #expect(!shop.isBuilt)
    #expect(
      shop.findings.count == 1 && shop.findings[0].hasPrefix("error duplicate-"), "\(shop.findings)"
    )
  }

  @Test func comparesKeysAndIDsByTheirBytes() throws {
    let shop = try Shop([
      "item/a": "x: [{id: \"\\u00E9\", v: 1}]", "item/a.fr": "x: [{id: \"e\\u0301\", v: 2}]",
    ])
    let content = try Reader("fr").bundle("all", in: shop)?["entries"]?["item/a"]?["content"]
    #expect(content?["x"]?.items.count == 2)
  }

  @Test func distinguishesIDsWithDifferentBytes() throws {
    let fields =
      "{x: {type: list, of: {type: object, fields: {id: string, v: {type: string, localized: true}}}}}"
    let both = try Shop(["item/a": #"x: [{id: "\u00E9"}, {id: "e\u0301"}]"#], fields: fields)
    #expect(both.findings == [])
    let overlay = try Shop(
      ["item/a": #"x: [{id: "\u00E9"}]"#, "item/a.fr": #"x: [{id: "e\u0301", v: x}]"#],
      fields: fields)
    #expect(overlay.findings("unknown-item").count == 1)
  }
}
