import ContentModel
import Testing

@testable import ContentSource

/// Instants as a person types them.
@Suite struct InstantSyntaxTests {
  /// 10:00 in Paris on a winter day.
  private static let now = "2026-11-21T09:00:00Z"

  @Test(arguments: [
    ("10:30", "2026-11-21T09:30:00Z"), ("09:59", "2026-11-22T08:59:00Z"),
    ("10:00", "2026-11-22T09:00:00Z"),
    ("00:15:30", "2026-11-21T23:15:30Z"), ("2026-11-21T10:30", "2026-11-21T09:30:00Z"),
    ("2026-12-24T18:00:05", "2026-12-24T17:00:05Z"),
    ("2026-11-21T10:30:00+05:00", "2026-11-21T05:30:00Z"),
    ("2026-11-21T10:30 America/New_York", "2026-11-21T15:30:00Z"),
    ("10:30 UTC", "2026-11-21T10:30:00Z"),
    ("04:30 America/New_York", "2026-11-21T09:30:00Z"),
    ("03:30 America/New_York", "2026-11-22T08:30:00Z"),
    ("17:00 Asia/Tokyo", "2026-11-22T08:00:00Z"),
    ("2026-11-21T10:30 US/Pacific", "2026-11-21T18:30:00Z"),
    ("2026-11-21T10:30 Etc/GMT+5", "2026-11-21T15:30:00Z"),
    ("2026-11-21T10:30 America/Buenos_Aires", "2026-11-21T13:30:00Z"),
    ("2026-07-01T10:30 Europe/Dublin", "2026-07-01T09:30:00Z"),
    ("2400-07-01T10:30 Africa/Casablanca", "2400-07-01T10:30:00Z"),
  ])
  func parsesInstantsInAZone(text: String, expected: String) throws {
    let now = try #require(Instant(rfc3339: Self.now))
    #expect(try InstantSyntax.parse(text, after: now, in: "Europe/Paris").rfc3339 == expected)
  }

  @Test(
    arguments: [
      ("09:59", "2026-11-21T08:59:00Z", "2026-11-22T09:59"),
      ("10:00", "2026-11-21T09:00:00Z", "2026-11-22T10:00"),
      ("22:00:30", "2026-11-20T21:00:30Z", "2026-11-21T22:00:30"),
      (
        "03:30 America/New_York", "2026-11-21T08:30:00Z", "2026-11-22T03:30 America/New_York"
      ),
      ("10:30", nil, nil), ("22:00", nil, nil), ("21:59", nil, nil), ("2026-11-21T09:59", nil, nil),
      ("2026-11-21T08:59:00Z", nil, nil), ("soon", nil, nil),
    ] as [(String, String?, String?)])
  func findsATimeOfDayThatHasJustPassed(text: String, last: String?, next: String?) throws {
    let now = try #require(Instant(rfc3339: Self.now))
    let passed = InstantSyntax.passedTime(text, before: now, in: "Europe/Paris")
    #expect(passed?.instant.rfc3339 == last && passed?.next == next)
    if let next {
      let again = try InstantSyntax.parse(text, after: now, in: "Europe/Paris")
      #expect(try InstantSyntax.parse(next, after: now, in: "Europe/Paris") == again)
    }
  }

  @Test(arguments: [
    ("", InstantSyntax.Problem.noInstant), ("soon", .noInstant), ("25:00", .noInstant),
    ("10:3", .noInstant),
    ("10:30 Paris", .unknownZone("Paris")), ("10:30 Europe/Pariss", .unknownZone("Europe/Pariss")),
    ("2026-03-29T02:30", .notOnce("Europe/Paris", skipped: true)),
    ("2026-10-25T02:30", .notOnce("Europe/Paris", skipped: false)),
    ("2026-11-21T10:30:00.5Z", .fraction),
  ])
  func refusesInvalidInstants(text: String, problem: InstantSyntax.Problem) throws {
    let now = try #require(Instant(rfc3339: Self.now))
    #expect(throws: problem) { try InstantSyntax.parse(text, after: now, in: "Europe/Paris") }
  }

  @Test func readsTimesInAZoneWithoutANameOfAnArea() throws {
    let now = try #require(Instant(rfc3339: Self.now))
    #expect(
      try InstantSyntax.parse("10:30", after: now, in: "EST5EDT").rfc3339 == "2026-11-21T15:30:00Z")
  }

  @Test(arguments: [("2026-10-24T23:00:00Z", false), ("2026-03-28T23:00:00Z", true)])
  func refusesTimesSkippedOrRepeatedByClockChanges(now: String, skipped: Bool) throws {
    let now = try #require(Instant(rfc3339: now))
    #expect(throws: InstantSyntax.Problem.notOnce("Europe/Paris", skipped: skipped)) {
      try InstantSyntax.parse("02:30", after: now, in: "Europe/Paris")
    }
  }
}
