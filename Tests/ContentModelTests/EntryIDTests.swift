import ContentModel
import Testing

@Suite struct EntryIDTests {
  @Test(arguments: [
    ("product/country-charm", "product", "country-charm"), ("a/b/c", "a", "b/c"), ("0/0", "0", "0"),
    ("-/-", "-", "-"),
  ])
  func splitsAnIDIntoDatatypeAndRest(text: String, datatype: String, rest: String) throws {
    let id = try #require(EntryID(text))
    #expect((id.text, id.datatype, id.rest) == (text, datatype, rest))
  }

  @Test(arguments: [
    "", "product", "/product", "product/", "product//a", "Product/a", "product/A", "a/b_c", "a/b.c",
    "a/é", "a/b c", "a/b\n", "a/*", "maintenance",
  ])
  func refusesOtherTexts(text: String) {
    #expect(EntryID(text) == nil)
  }

  @Test func sortsByCodePoint() throws {
    let texts = ["a-b/c", "a/-", "a/0", "a/a", "a/a-b", "a/a/b", "b/a"]
    let ids = try texts.map { try #require(EntryID($0)) }
    #expect(ids.reversed().sorted() == ids)
  }
}
