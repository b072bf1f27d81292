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

  /// Clocks skipped these days.
  @Test(arguments: ["2011-12-30T12:00 Pacific/Apia", "1993-08-21T12:00 Pacific/Kwajalein"])
  func refusesTimesOnSkippedDays(text: String) throws {
    let zone = String(text.split(separator: " ")[1])
    #expect(throws: InstantSyntax.Problem.notOnce(zone, skipped: true)) {
      try InstantSyntax.parse(text)
    }
  }

  /// No zone changes its offset twice in such a short time that three offsets are possible.
  @Test func readsLocalTimesAroundEachChangeAsTheMomentsAtWhichClocksShowThem() throws {
    var wrong: [String] = []
    for name in TimeZoneDatabase.current.names {
      let zone = try #require(TimeZoneDatabase.current.zone(named: name))
      // The first change in some files is the beginning of the universe.
      let changes = zone.transitions(through: 2040).filter { $0 > -10_000_000_000 }
      let offsets = Set(changes.flatMap { [zone.offset(at: $0 - 1), zone.offset(at: $0)] })
      for change in changes {
        let (before, after) = (zone.offset(at: change - 1), zone.offset(at: change))
        for offset in [before - 1, before, after - 1, after, (before + after) / 2] {
          let local = change + offset
          let moments = offsets.map { local - $0 }.filter { $0 + zone.offset(at: $0) == local }
          let expected = moments.count == 1 ? moments[0] : nil
          if Self.moment(local, in: zone) != expected { wrong.append("\(name) \(local)") }
        }
      }
    }
    #expect(wrong == [])
  }

  /// Returns the moment at which clocks in a zone show a time, if that is one.
  private static func moment(_ local: Int64, in zone: TimeZoneRules) -> Int64? {
    let time = CivilTime(secondsSince1970: local)
    return (try? InstantSyntax.instant(of: time, in: zone)).map {
      Int64($0.secondsSinceReferenceDate) + Instant.referenceDateInUnixTime
    }
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
