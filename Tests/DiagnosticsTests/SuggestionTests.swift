import Diagnostics
import Testing

@Suite struct SuggestionTests {
  @Test(arguments: [("tittle", "title"), ("lables", "labels"), ("colour", "color")])
  func suggestsTheNearestWord(typed: String, meant: String) {
    #expect(typed.nearest(among: ["title", "labels", "color", "height"]) == meant)
  }

  @Test func suggestsNothingWhereNothingIsNear() {
    #expect("price".nearest(among: ["title", "badges"]) == nil)
  }
}
