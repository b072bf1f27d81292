import ContentModel
import Testing

@Suite struct ValueTests {
  @Test func distinguishesCanonicallyEquivalentKeys() {
    let members = Members([("\u{E9}", 1), ("e\u{301}", 2)])
    #expect(members.count == 2)
    #expect(members["\u{E9}"] == 1)
    #expect(members["e\u{301}"] == 2)
    #expect(Value.string("\u{E9}") != Value.string("e\u{301}"))
  }

  @Test func sortsKeysByCodePoint() {
    let members = Members([("b", 1), ("\u{1F337}", 2), ("\u{FF41}", 3), ("a", 4), ("a", 5)])
    #expect(members.map(\.key) == ["a", "b", "\u{FF41}", "\u{1F337}"])
    #expect(members["a"] == 5)
  }

  @Test(arguments: [
    -62_135_596_800, -1, 0, 951_782_399, 951_782_400, 978_307_200, 1_767_225_599, 253_402_300_799,
  ])
  func convertsUnixTimeToCivilTimeAndBack(seconds: Int64) {
    #expect(CivilTime(secondsSince1970: seconds).secondsSince1970 == seconds)
  }

  @Test func knowsLeapDays() {
    #expect(CivilTime(year: 2024, month: 2, day: 29, hour: 0, minute: 0, second: 0) != nil)
    #expect(CivilTime(year: 2100, month: 2, day: 29, hour: 0, minute: 0, second: 0) == nil)
    #expect(
      CivilTime(year: 2001, month: 1, day: 1, hour: 0, minute: 0, second: 0)?.secondsSince1970
        == 978_307_200)
  }
}
