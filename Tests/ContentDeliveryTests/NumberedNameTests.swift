import Testing

@testable import ContentPurging
@testable import ContentReleases

/// The names of records and of the manifests of purges.
@Suite struct NumberedNameTests {
  @Test func parsesNumbersAndHashes() throws {
    let finished = try #require(PurgeFile("qa/purges/12.plist"))
    #expect(finished.sequence == 12 && finished.record == nil)
    let pending = try #require(PurgeFile("qa/purges/9007199254740992-0123456789abcdef.plist"))
    #expect(pending.sequence == 1 << 53 && pending.record == "0123456789abcdef")
    let record = try #require(ReleaseRecord.place(of: "qa/releases/7-0123456789abcdef.json"))
    #expect(record.channel == "qa" && record.number == 7)
  }

  /// Names that contentc never writes, although Swift reads them as numbers or hexadecimal digits.
  @Test(arguments: [
    "", "0", "01", "+1", "-1", "1-", "1-0123456789ABCDEF", "1-0123456789abcde",
    "1-0123456789abcdef0", "1-0123456789abcde\u{FF46}", "\u{661}", "9007199254740993",
    "99999999999999999999", "1_0123456789abcdef", "1-0123456789abcdef-1",
  ])
  func refusesForeignNames(name: String) {
    #expect(PurgeFile("qa/purges/\(name).plist") == nil)
    #expect(ReleaseRecord.place(of: "qa/releases/\(name).plist") == nil)
  }

  @Test func refusesRecordsWithoutHashesAndOtherFolders() {
    #expect(ReleaseRecord.place(of: "qa/releases/7.plist") == nil)
    #expect(ReleaseRecord.place(of: "qa/purges/7-0123456789abcdef.plist") == nil)
    #expect(ReleaseRecord.place(of: "releases/7-0123456789abcdef.plist") == nil)
    #expect(PurgeFile("qa/purges/7.plist.old") == nil && PurgeFile("qa/purges/7") == nil)
  }
}
