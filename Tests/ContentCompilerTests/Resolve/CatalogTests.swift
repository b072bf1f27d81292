import Diagnostics
import Testing

/// String catalogs; `docs/reference/content.md`, "String catalogs".
@Suite struct CatalogTests {
  @Test func keepEveryScalarsTextAsWritten() throws {
    let text = """
      en:
        1: one
        true: yes
        no: 010
        price: 1.10
        date: 2026-01-01
        hex: 0x1F
        flag: TRUE
        quoted: "null"
        empty: ''
        y: |
          two
          lines
        nested: {a: 1e3, ~: tilde}
      """
    let shop = try Shop(["strings/app.en.yml": text])
    #expect(
      try shop.sees("strings/app", "en")
        == #"{"1":"one","date":"2026-01-01","empty":"","flag":"TRUE","hex":"0x1F","nested":{"a":"1e3","~":"tilde"},"no":"010","price":"1.10","quoted":"null","true":"yes","y":"two\nlines\n"}"#
    )
    #expect(shop.findings == [])
  }

  @Test func treatNullInAMappingAsMissing() throws {
    let shop = try Shop([
      "strings/app.en.yml": "en: {a: A, b: B, c: {d: D, e: E}, f: }",
      "strings/app.fr.yml": "fr: {a: , b: ~, c: {d: null, e: F}}",
      "strings/app.fr-CA.yml": "fr-CA: {c: }",
    ])
    #expect(try shop.sees("strings/app", "fr") == #"{"a":"A","b":"B","c":{"d":"D","e":"F"}}"#)
    #expect(try shop.sees("strings/app", "fr-CA") == #"{"a":"A","b":"B","c":{"d":"D","e":"F"}}"#)
    #expect(shop.findings == [])
  }

  @Test func turnNullInAListIntoAnEmptyTextWithAWarning() throws {
    let shop = try Shop([
      "strings/app.en.yml": "en:\n  months: [~, January, 2, no]\n  lists: [[~, a], {b: ~}]"
    ])
    #expect(
      try shop.sees("strings/app", "en")
        == #"{"lists":[["","a"],{}],"months":["","January","2","no"]}"#)
    #expect(shop.findings == ["warning null-in-catalog 2:12", "warning null-in-catalog 3:12"])
  }

  @Test func replaceListsWholeEvenOnesWithIDs() throws {
    let shop = try Shop([
      "strings/app.en.yml": "en: {m: [~, A, B]}", "strings/app.fr.yml": "fr: {m: [~, C]}",
    ])
    #expect(try shop.sees("strings/app", "fr") == #"{"m":["","C"]}"#)
  }

  @Test func nameTheirEntriesAndTakeTheLocaleFromTheRootKey() throws {
    let shop = try Shop([
      "strings/en.yml": "en: {a: 1}", "strings/app.fr.yml": "fr: {a: 2}",
      "strings/shop.en.yaml": "en: {s: 1}",
      "strings/shop/cart.en.yml": "en: {c: 1}", "strings/shop/deep/more.fr.yml": "fr: {c: 2}",
      "strings/mixed.en.yml": "{en: {x: 1}, fr: {x: 2}}",
    ])
    #expect(
      try shop.recordedEntries.keys.sorted() == ["strings/app", "strings/mixed", "strings/shop"])
    #expect(try shop.sees("strings/app", "fr") == #"{"a":"2"}"#)
    #expect(try shop.sees("strings/shop", "en") == #"{"c":"1","s":"1"}"#)
    #expect(try shop.sees("strings/shop", "fr") == #"{"c":"2","s":"1"}"#)
    #expect(try shop.sees("strings/mixed", "fr-CA") == #"{"x":"2"}"#)
  }

  @Test func mergeFilesOfOneEntryAndLocaleKeyByKey() throws {
    let shop = try Shop([
      "strings/app/one.en.yml": "en: {a: 1, n: {x: 1}}",
      "strings/app/two.en.yml": "en: {b: 2, n: {y: 2}}",
    ])
    #expect(try shop.sees("strings/app", "en") == #"{"a":"1","b":"2","n":{"x":"1","y":"2"}}"#)
  }

  @Test func areOpenAndHaveNoConditions() throws {
    let shop = try Shop(["strings/app.en.yml": "en: {when: now, list: [{when: never, id: a}]}"])
    #expect(
      try shop.sees("strings/app", "en") == #"{"list":[{"id":"a","when":"never"}],"when":"now"}"#)
  }

  @Test func readSpellingsThatRailsProjectsUse() throws {
    let shop = try Shop([
      "strings/app.en.yml": "en: {a: 1}",
      "strings/app.fr_CA.yml": "\u{FEFF}fr_CA:\r\n  a: ! 'deux'\r\n",
    ])
    #expect(try shop.sees("strings/app", "fr-CA") == #"{"a":"deux"}"#)
  }

  @Test(arguments: ["en: text", "de: {a: 1}", "[en]", "en: {a: 1, a: 2}"])
  func rejectOtherShapes(text: String) throws {
    let shop = try Shop(["strings/app.en.yml": "en: {b: 1}", "strings/app/x.yml": text])
    #expect(!shop.isBuilt && shop.diagnostics.count == 1, "\(shop.findings)")
  }
}
