import Testing

@testable import Diagnostics

@Suite struct SuggestionTests {
  @Test(arguments: [("tittle", "title"), ("lables", "labels"), ("colour", "color")])
  func suggestsTheNearestWord(typed: String, meant: String) {
    #expect(typed.nearest(among: ["title", "labels", "color", "height"]) == meant)
  }

  @Test(arguments: [("usd", "USD"), ("GBp", "GBP"), ("EUR ", "EUR")])
  func suggestsTheSameWordInAnotherCase(typed: String, meant: String) {
    #expect(typed.nearest(among: ["GBR", "USD", "EUR", "GBP"]) == meant)
  }

  @Test func suggestsNothingForAWordThatIsNotNear() {
    #expect("price".nearest(among: ["title", "badges"]) == nil)
  }

  @Test(arguments: [
    ("product/roses", "category/roses"), ("product/bonsia", "product/bonsai"),
    ("prodct/rose", "product/rose"), ("country-charm", "product/country-charm"),
    ("product/lily", nil), ("step/send/crad", "step/send/card"), ("bonsia", nil),
  ])
  func suggestsTheNearestID(typed: String, meant: String?) {
    let ids = [
      "category/roses", "product/bonsai", "product/country-charm", "product/rose", "step/send/card",
    ]
    #expect(typed.nearestID(among: ids) == meant)
  }

  @Test(arguments: [
    ("product/brioche#title", nil), ("product/croisant#titel", "product/croissant#title"),
    ("Product/croissant#title", "product/croissant#title"), ("breads/bun.png", nil),
    ("bread/rey.png", "breads/rye.png"), ("breads/rye.jpg", nil), ("croissant#title", nil),
    ("tittle", "title"), ("crat.add", "cart.add"), ("cart.all", nil),
  ])
  func suggestsNoPathWithAnotherPart(typed: String, meant: String?) {
    let names = ["product/croissant#title", "breads/rye.png", "title", "cart.add"]
    #expect(typed.nearestPath(among: names) == meant)
  }

  @Test(arguments: [
    ("", "", 0), ("rose", "rose", 0), ("rose", "", 4), ("rose", "roses", 1), ("rose", "prose", 1),
    ("rose", "rsoe", 1), ("aab", "ab", 1), ("abab", "ab", 2), ("bab", "abab", 1),
    ("product/rose", "product/tulip", 5), ("kitten", "sitting", 3), ("aba", "baa", 1),
  ])
  func countsTheDifferencesBetweenWords(one: String, other: String, distance: Int) {
    #expect(one.editDistance(to: other) == distance)
    #expect(other.editDistance(to: one) == distance)
  }

  @Test(arguments: [
    ("es", nil), ("EN", "en"), ("fr_ca", "fr-CA"), ("fr-CH", "fr-CA"), ("de-CA", nil),
    ("eng", "en"), ("zh-Hnat", "zh-Hant"),
  ])
  func suggestsNoLocaleOfAnotherLanguage(typed: String, meant: String?) {
    #expect(typed.nearestLocale(among: ["en", "fr", "fr-CA", "zh-Hant"]) == meant)
  }

  @Test func listsTheMostSimilarOfManyNames() {
    let ids =
      (0..<50).map { "article/a\($0)" } + ["product/rosette", "product/rose", "store/rose"]
    #expect(
      "product/roze".mostSimilar(among: ids, count: 3)
        == ["product/rose", "product/rosette", "store/rose"])
    #expect("rosx".mostSimilar(among: ["lily", "rose"], count: 1) == ["rose"])
  }
}
