import ContentModel
import Testing

@testable import ContentPurging

@Suite struct ContentPathTests {
  /// Two normalization forms of one text, which are different names.
  private static let names = ["caf\u{E9}", "cafe\u{301}"]

  @Test func distinguishesNamesByTheirBytes() {
    let paths = Self.names.map { ContentPath([ExactString($0)]) }
    #expect(Set(paths).count == 2)
  }

  @Test(arguments: [0, 1]) func findsAnItemByTheBytesOfItsID(index: Int) throws {
    let items = Self.names.enumerated().map { number, name -> Value in
      ["id": .string(name), "number": .integer(Int64(number))]
    }
    let path = try #require(ContentPath("items.\(Self.names[index]).number"))
    #expect(path.value(in: ["items": .array(items)]) == .integer(Int64(index)))
  }

  @Test func findsANameThatBeginsWithACombiningMark() throws {
    let path = try #require(ContentPath("a.\u{301}b"))
    #expect(path.value(in: ["a": ["\u{301}b": 1]]) == 1)
  }
}
