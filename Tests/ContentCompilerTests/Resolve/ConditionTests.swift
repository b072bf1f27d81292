import Diagnostics
import Testing

/// `when:` with locale and device, of entries and items; `docs/reference/content.md`, "Conditions".
@Suite struct ConditionTests {
  private static let seen: [(when: String, contexts: [String])] = [
    ("{locale: fr}", ["fr", "fr/ipad", "fr-CA", "fr-CA/ipad"]),
    ("{locale: fr-CA}", ["fr-CA", "fr-CA/ipad"]),
    ("{locale: en}", ["en", "en/ipad"]),
    ("{locale: [en, fr-CA]}", ["en", "en/ipad", "fr-CA", "fr-CA/ipad"]),
    ("{locale: en-001}", ["en-GB", "en-GB/ipad"]),
    ("{device: ipad}", ["en/ipad", "en-GB/ipad", "fr/ipad", "fr-CA/ipad"]),
    ("{device: tablet}", ["en/ipad", "en-GB/ipad", "fr/ipad", "fr-CA/ipad"]),
    (
      "{device: any}",
      ["en", "en/ipad", "en-GB", "en-GB/ipad", "fr", "fr/ipad", "fr-CA", "fr-CA/ipad"]
    ),
    ("{locale: fr, device: [tablet, phone]}", ["fr/ipad", "fr-CA/ipad"]), ("false", []),
    ("null", ["en", "en/ipad", "en-GB", "en-GB/ipad", "fr", "fr/ipad", "fr-CA", "fr-CA/ipad"]),
  ]
  private static let all = [
    "en", "en/ipad", "en-GB", "en-GB/ipad", "fr", "fr/ipad", "fr-CA", "fr-CA/ipad",
  ]

  @Test(arguments: seen)
  func showEntriesInMatchingContexts(when: String, contexts: [String]) throws {
    let shop = try Shop(["item/a": "{when: \(when), x: 1}", "item/b": "x: 2"])
    #expect(try Self.all.filter { try shop.a($0) == #"{"x":1}"# } == contexts)
    #expect(try Self.all.filter { try shop.a($0) == nil }.count == Self.all.count - contexts.count)
    #expect(try Self.all.allSatisfy { try shop.sees("item/b", $0) == #"{"x":2}"# })
  }

  @Test(arguments: seen)
  func showItemsInMatchingContexts(when: String, contexts: [String]) throws {
    let shop = try Shop([
      "item/a": "x: [{id: p, when: \(when)}, {id: q}]", "item/b": "x: [{v: 1, when: \(when)}]",
    ])
    for context in Self.all {
      let isThere = contexts.contains(context)
      #expect(
        try shop.a(context) == #"{"x":[\#(isThere ? #"{"id":"p"},"# : ""){"id":"q"}]}"#,
        "\(context)")
      #expect(
        try shop.sees("item/b", context) == #"{"x":[\#(isThere ? #"{"v":1}"# : "")]}"#, "\(context)"
      )
    }
  }

  @Test func areReplacedByAnOverlay() throws {
    let shop = try Shop([
      "item/a": "{when: {locale: fr, device: ipad}, x: 1}",
      "item/a@tablet": "when: {device: tablet}",
      "item/b": "{when: false, x: 1}",
      "item/b.fr": "when: null", "item/c": "x: 1", "item/c@ipad": "when: false",
      "item/c.fr@ipad": "when: {locale: fr}",
      "item/d": "x: [{id: p, when: false}]", "item/d.fr": "x: [{id: p, when: null}]",
      "item/d.fr-CA": "x: [{id: p, v: 1, when: {device: ipad}}]",
    ])
    #expect(
      try ["en/ipad", "en/tablet", "fr/any"].map { try shop.a($0) } == [
        #"{"x":1}"#, #"{"x":1}"#, nil,
      ])
    #expect(
      try ["en", "fr", "fr-CA/ipad"].map { try shop.sees("item/b", $0) } == [
        nil, #"{"x":1}"#, #"{"x":1}"#,
      ])
    #expect(
      try ["en", "en/ipad", "fr/ipad"].map { try shop.sees("item/c", $0) } == [
        #"{"x":1}"#, nil, #"{"x":1}"#,
      ])
    #expect(
      try ["en", "fr", "fr-CA", "fr-CA/ipad"].map { try shop.sees("item/d", $0) }
        == [#"{"x":[]}"#, #"{"x":[{"id":"p"}]}"#, #"{"x":[]}"#, #"{"x":[{"id":"p","v":1}]}"#])
  }

  @Test func belongToEntriesAndItemsOnly() throws {
    let free = try Shop(["item/a": "{x: {when: 1, y: {when: 2}}}"])
    #expect(try free.a("en") == #"{"x":{"when":1,"y":{"when":2}}}"#)
  }

  @Test func excuseRequiredFields() throws {
    let fields = "{x: {type: string, required: true}}"
    #expect(try Shop(["item/a": "when: false"], fields: fields).findings("missing-field") == [])
    let shop = try Shop(["item/a": "when: {device: ipad}"], fields: fields)
    #expect(
      shop.findings("missing-field").first?.message.contains("ipad") == true, "\(shop.findings)")
  }

  @Test(arguments: [
    ("{locale: de}", "unknown-locale"), ("{device: ipda}", "unknown-device"),
    ("{county: FR}", "unknown-key"),
    ("{country: fr}", "unknown-country"), ("{app: '>1'}", "wrong-type"),
    ("{app: '>=2 <2'}", "wrong-type"),
    ("{from: tomorrow}", "wrong-type"),
    ("{from: 2026-01-01T00:00:00Z, until: 2026-01-01T00:00:00Z}", "empty-condition"),
    ("soon", "wrong-type"),
  ])
  func areRejectedIfInvalid(when: String, id: String) throws {
    for text in ["{when: \(when), x: 1}", "x: [{id: p, when: \(when)}]"] {
      let shop = try Shop(["item/a": text])
      #expect(!shop.isBuilt)
      #expect(shop.diagnostics.map(\.id) == [id], "\(shop.findings)")
    }
  }
}
