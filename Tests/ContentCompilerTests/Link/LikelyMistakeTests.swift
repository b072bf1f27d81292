import Diagnostics
import Testing

/// Diagnostics of content that an editor probably did not mean.
@Suite struct LikelyMistakeTests {
  @Test(arguments: [
    ("{when: {from: }}", "'from' in 'when' must have a value"),
    ("{when: {locale: ~}}", "'locale' in 'when' must have a value"),
    ("{when: {country: []}}", "'country' in 'when' must have a value"),
  ])
  func rejectsEmptyConditions(entry: String, message: String) throws {
    let shop = try Shop(["item/a": entry])
    #expect(shop.findings("empty-condition").map(\.message) == [message])
    #expect(!shop.isBuilt)
  }

  @Test func warnsAboutAConditionThatItsOverlayNeverMeets() throws {
    let shop = try Shop(
      ["item/a": "x: [{id: b}]", "item/a@ipad": "x: [{id: b, when: {device: phone}}]"],
      with: ["devices": "{phone: {}, ipad: {}}"])
    #expect(shop.findings("unmet-condition").map(\.severity) == [.warning])
    let met = try Shop(
      ["item/a": "x: [{id: b}]", "item/a@ipad": "x: [{id: b, when: {device: ipad}}]"],
      with: ["devices": "{phone: {}, ipad: {}}"])
    #expect(met.diagnostics == [])
  }

  @Test func warnsAboutAMisplacedCondition() throws {
    let shop = try Shop(["item/a": "x: {when: {country: FR}, y: 1}"])
    #expect(shop.findings("misplaced-condition").count == 1)
    #expect(shop.isBuilt)
  }

  @Test func reportsTheLocationOfTextsThatXMLCannotRepresent() throws {
    let files = ["item/a": #"{x: "a\u0001", y: ["\uFFFE"]}"#, "item/b": #"{"k\u0002": ok}"#]
    let shop = try Shop(files, with: ["format": "xml"])
    #expect(shop.findings("unencodable").map { $0.location?.range?.start.column } == [5, 20, 2])
    #expect(
      shop.findings("unencodable").first?.message
        == "a text of 'item/a' must not hold U+0001, which XML 1.0 cannot carry")
    #expect(!shop.isBuilt)
    #expect(try Shop(files).isBuilt)
  }

  @Test func appliesConditionsOfItemsThatAreMaps() throws {
    let shop = try Shop(
      ["item/a": "x: [{a: 1, when: {device: phone}}, {a: 2, when: {device: ipad}}]"],
      fields: "{x: {type: list, of: {type: map, of: integer}}}",
      with: ["devices": "{phone: {}, ipad: {}}"])
    #expect(shop.diagnostics == [])
    #expect(try shop.a("en/phone") == #"{"x":[{"a":1}]}"#)
  }

  @Test func acceptsALocaleWithoutTexts() throws {
    let shop = try Shop([
      "strings/app.en.yml": "en: {hello: Hello}", "strings/app.fr.yml": "fr:", "item/a": "{}",
    ])
    #expect(shop.diagnostics == [])
  }

  @Test func reportsAStepThatLinksOnlyToItself() throws {
    let shop = try Shop(
      [
        "datatypes/step.yaml": "flow: true\nfields: {next: url}", "step/a": "next: step/a",
        "item/a": "{}",
      ])
    #expect(shop.findings("dead-end").count == 1)
  }
}
