import ContentModel
import Testing

@testable import ContentSource

/// The rules for the time after a zone's last transition.
@Suite struct TimeZoneFooterTests {
  @Test(arguments: [
    ("UTC0", "2026-07-01T00:00:00Z", 0), ("<+0545>-5:45", "2026-07-01T00:00:00Z", 20_700),
    ("AAA3:30:15", "2026-07-01T00:00:00Z", -12_615), ("AAA+24", "2026-07-01T00:00:00Z", -86_400),
    // By month, week and weekday; 5 is the last week.
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 3_600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7_200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59Z", 7_200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 3_600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-12-31T23:59:59Z", 3_600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-01-01T00:00:00Z", 3_600),
    // The last Sunday is the fourth one.
    ("CET-1CEST,M2.5.0,M10.5.0/3", "2026-02-22T00:59:59Z", 3_600),
    ("CET-1CEST,M2.5.0,M10.5.0/3", "2026-02-22T01:00:00Z", 7_200),
    // South of the equator, daylight-saving time includes the new year.
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-12-31T12:00:00Z", 39_600),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2027-01-01T12:00:00Z", 39_600),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-04-04T15:59:59Z", 39_600),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-04-04T16:00:00Z", 36_000),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-01T00:00:00Z", 39_600),
    // Dublin's standard time is that of summer.
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-03-29T00:59:59Z", 0),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-03-29T01:00:00Z", 3_600),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-10-25T01:00:00Z", 0),
    // Times before and after the day: in Nuuk and Gaza.
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7_200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3_600),
    ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-27T23:59:59Z", 7_200),
    ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00:00Z", 10_800),
    // Days of a year: J60 is always March 1, and 59 is February 29 in a leap year.
    ("AAA0BBB,J60/0,J365/0", "2028-02-29T23:59:59Z", 0),
    ("AAA0BBB,J60/0,J365/0", "2028-03-01T00:00:00Z", 3_600),
    ("AAA0BBB,J60/0,J365/0", "2027-03-01T00:00:00Z", 3_600),
    ("AAA0BBB,J59/0,J365/0", "2028-02-28T00:00:00Z", 3_600),
    ("AAA0BBB,59/0,J365/0", "2028-02-28T23:59:59Z", 0),
    ("AAA0BBB,59/0,J365/0", "2028-02-29T00:00:00Z", 3_600),
    ("AAA0BBB,0/0,J365/0", "2028-01-01T00:00:00Z", 3_600),
    // Daylight-saving time that never ends (RFC 9636, section 3.3.1).
    ("EST5EDT,0/0,J365/25", "2027-01-01T04:59:59Z", -14_400),
    ("EST5EDT,0/0,J365/25", "2027-01-01T05:00:00Z", -14_400),
    ("EST5EDT,0/0,J365/25", "2028-12-31T23:00:00Z", -14_400),
    ("EST5EDT,0/0,J365/25", "2026-07-01T00:00:00Z", -14_400),
    // A change that belongs to the next year, and one that belongs to the last.
    ("AAA0BBB,J4/-153,M2.4.6", "2026-12-28T14:59:59Z", 0),
    ("AAA0BBB,J4/-153,M2.4.6", "2026-12-28T15:00:00Z", 3_600),
    ("AAA0BBB,M7.5.3,J365/167", "2027-01-06T21:59:59Z", 3_600),
    ("AAA0BBB,M7.5.3,J365/167", "2027-01-06T22:00:00Z", 0),
  ])
  func computesOffsets(footer: String, moment: String, offset: Int64) throws {
    let instant = try #require(Instant(rfc3339: moment))
    let seconds = Int64(instant.secondsSinceReferenceDate) + Instant.referenceDateInUnixTime
    #expect(Self.footer(footer)?.offset(at: seconds) == offset)
  }

  @Test(arguments: [
    "", "0", "CET", "CET-", "CET-25", "CET-1:60", "<+01", "<+01>", "CET-1x", "EST5EDT",
    "EST5EDT,M3.2.0", "EST5EDT,M3.2.0,", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.0.0,M11.1.0",
    "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,M3.2,M11.1.0",
    "EST5EDT,J0,J365", "EST5EDT,J366,J1", "EST5EDT,366,1", "EST5EDT,0/168,1", "EST5EDT,0/-168,1",
    "EST5EDT,M3.2.0,M11.1.0,", "EST5EDT,M3.2.0/,M11.1.0", "EST5EDT,9999999999999999999,1",
  ])
  func refusesOtherTexts(text: String) { #expect(Self.footer(text) == nil) }

  @Test(arguments: [Int64.min, -1 << 60, 1 << 60, .max])
  func survivesDistantMoments(moment: Int64) throws {
    let footer = try #require(Self.footer("CET-1CEST,M3.5.0,M10.5.0/3"))
    #expect([3_600, 7_200].contains(footer.offset(at: moment)))
  }

  private static func footer(_ text: String) -> TimeZoneFooter? {
    Array(text.utf8).withUnsafeBytes { TimeZoneFooter($0) }
  }
}
