import Diagnostics
import Testing

/// What an editor did not mean must not pass in silence.
@Suite struct SilenceTests {
  @Test(arguments: [
    ("{when: {from: }}", "'from' in 'when' must have a value"),
    ("{when: {locale: ~}}", "'locale' in 'when' must have a value"),
    ("{when: {country: []}}", "'country' in 'when' must have a value"),
  ])
  func refusesConditionsThatSayNothing(entry: String, message: String) throws {
    let shop = try Shop(["item/a": entry])
    #expect(shop.findings("empty-condition").map(\.message) == [message])
    #expect(!shop.isBuilt)
  }

  @Test func warnsOfAConditionThatNoContextOfItsOverlayMeets() throws {
    let shop = try Shop(
      ["item/a": "x: [{id: b}]", "item/a@ipad": "x: [{id: b, when: {device: phone}}]"],
      with: ["devices": "{phone: {}, ipad: {}}"])
    #expect(shop.findings("unmet-condition").map(\.severity) == [.warning])
    let met = try Shop(
      ["item/a": "x: [{id: b}]", "item/a@ipad": "x: [{id: b, when: {device: ipad}}]"],
      with: ["devices": "{phone: {}, ipad: {}}"])
    #expect(met.diagnostics == [])
  }

  @Test func warnsOfAConditionThatStandsWhereItIsContent() throws {
    let shop = try Shop(["item/a": "x: {when: {country: FR}, y: 1}"])
    #expect(shop.findings("misplaced-condition").count == 1)
    #expect(shop.isBuilt)
  }

  @Test func takesALocaleWithoutTextsAsUntranslated() throws {
    let shop = try Shop(["strings/app.en.yml": "en: {hello: Hello}", "strings/app.fr.yml": "fr:", "item/a": "{}"])
    #expect(shop.diagnostics == [])
  }

  @Test func countsNoStepThatLeadsToItself() throws {
    let shop = try Shop(
      ["datatypes/step.yaml": "flow: true\nfields: {next: url}", "step/a": "next: step/a", "item/a": "{}"])
    #expect(shop.findings("dead-end").count == 1)
  }
}
