import Testing

@testable import ContentPurging
@testable import ContentReleases

/// The names of records and of purges, which begin with a number.
@Suite struct NumberedNameTests {
  private func name(_ text: String) -> NumberedName? { NumberedName(text[...].utf8) }

  private func purge(_ text: String) -> PurgeName? { PurgeName(text[...].utf8) }

  @Test func parsesNumbersAndHashes() throws {
    let plain = try #require(name("12"))
    #expect(plain.number == 12 && plain.hash == nil)
    let hashed = try #require(name("9007199254740992-0123456789abcdef"))
    #expect(hashed.number == 1 << 53 && hashed.hash == "0123456789abcdef")
    let record = try #require(ReleaseRecord.place(of: "qa/releases/7-0123456789abcdef.json"))
    #expect(record.channel == "qa" && record.number == 7)
    #expect(purge("12.plist")?.number == 12 && purge("7-0123456789abcdef/live")?.number == 7)
  }

  /// Names that contentc never writes, although Swift reads them as numbers or hexadecimal digits.
  @Test(arguments: [
    "", "0", "01", "+1", "-1", "1-", "1-0123456789ABCDEF", "1-0123456789abcde",
    "1-0123456789abcdef0", "1-0123456789abcde\u{FF46}", "\u{661}", "9007199254740993",
    "99999999999999999999", "1_0123456789abcdef", "1-0123456789abcdef-1",
  ])
  func refusesForeignNames(text: String) {
    #expect(name(text) == nil)
    #expect(purge("\(text).plist") == nil && purge("\(text)/live") == nil)
    #expect(ReleaseRecord.place(of: "qa/releases/\(text).plist") == nil)
  }

  @Test func refusesRecordsWithoutHashesAndOtherFolders() {
    #expect(ReleaseRecord.place(of: "qa/releases/7.plist") == nil)
    #expect(ReleaseRecord.place(of: "qa/purges/7-0123456789abcdef.plist") == nil)
    #expect(ReleaseRecord.place(of: "releases/7-0123456789abcdef.plist") == nil)
  }
}
