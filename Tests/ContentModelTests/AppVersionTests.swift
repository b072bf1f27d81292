import ContentModel
import Testing

@Suite struct AppVersionTests {
  @Test(arguments: [
    ("2", "2.0"), ("2.0.0", "2.0"), ("2.10.3", "2.10.3"), ("0", "0.0"), ("007.1", "7.1"),
  ])
  func printsAtLeastTwoParts(text: String, printed: String) {
    #expect(AppVersion(text)?.description == printed)
  }

  @Test(arguments: [
    "", ".", "2.", ".2", "2..1", "v2", "2.0-beta", "-1", "+1", " 2", "2 ", "٢", "1.2.3.4.5.6.7.8.9",
  ])
  func refusesOtherTexts(text: String) {
    #expect(AppVersion(text) == nil)
  }

  @Test func refusesPartsThatExceedAnInteger() {
    #expect(AppVersion("9223372036854775807") != nil)
    #expect(AppVersion("9223372036854775808") == nil)
  }

  @Test func comparesPartsAsIntegers() throws {
    let texts = ["0", "0.0.1", "1.9", "1.10", "2", "2.0.1", "2.1", "10"]
    let versions = try texts.map { try #require(AppVersion($0)) }
    #expect(versions.shuffled().sorted() == versions)
    #expect(AppVersion("2") == AppVersion("2.0.0"))
    #expect(AppVersion("0") == .zero)
  }

  @Test(arguments: [
    (">=2.0 <3.0", ["2", "2.9.9"], ["1.9", "3", "3.0.0"]), (">=2", ["2.0", "99"], ["1.99"]),
    ("<3", ["0", "2.99"], ["3", "3.1"]), ("<3.0 >=2.0", ["2.5"], ["3"]),
    ("  >=1   <2 ", ["1"], ["2"]),
  ])
  func containsTheVersionsBetweenItsBounds(text: String, inside: [String], outside: [String]) throws
  {
    let range = try #require(VersionRange(text))
    for version in inside { #expect(range.contains(try #require(AppVersion(version)))) }
    for version in outside { #expect(!range.contains(try #require(AppVersion(version)))) }
  }

  @Test(arguments: [
    "", " ", "2.0", ">2.0", "<=3.0", "=2", ">= 2.0", ">=2 >=3", "<2 <3", ">=3 <2", ">=2 <2.0",
    ">=v2",
  ])
  func refusesOtherRanges(text: String) {
    #expect(VersionRange(text) == nil)
  }
}
