import Foundation
import Testing

@testable import ContentSource

/// A comparison of all zones with those of the toolchain's Foundation, which are ICU's.
@Suite struct FoundationTimeZoneTests {
  /// Foundation's release of the database when `differences` was recorded.
  ///
  /// With our data of that release, there is no difference.
  private static let release = "2025b"

  /// The zones with other offsets than Foundation's: the release that changed them, the number of
  /// compared moments at which they differ, and the first and the last one.
  ///
  /// The releases were found by the same comparison with the data of each of them.
  private static let differences = """
    2025c America/Ensenada 18 1970-04-26T10:00:00Z 1975-10-26T08:59:59Z
    2025c America/Santa_Isabel 18 1970-04-26T10:00:00Z 1975-10-26T08:59:59Z
    2025c America/Tijuana 18 1970-04-26T10:00:00Z 1975-10-26T08:59:59Z
    2025c Mexico/BajaNorte 18 1970-04-26T10:00:00Z 1975-10-26T08:59:59Z
    2026a Europe/Chisinau 2868 2022-03-27T00:00:00Z 2499-10-25T00:59:59Z
    2026a Europe/Tiraspol 2868 2022-03-27T00:00:00Z 2499-10-25T00:59:59Z
    2026b America/Vancouver 1421 2026-11-01T09:00:00Z 2499-11-01T09:00:01Z
    2026b Canada/Pacific 1421 2026-11-01T09:00:00Z 2499-11-01T09:00:01Z
    2026c Africa/Casablanca 191 2026-09-20T01:00:00Z 2087-05-11T02:00:01Z
    2026c Africa/El_Aaiun 191 2026-09-20T01:00:00Z 2087-05-11T02:00:01Z
    2026c America/Edmonton 1421 2026-11-01T08:00:00Z 2499-11-01T08:00:01Z
    2026c America/Yellowknife 1421 2026-11-01T08:00:00Z 2499-11-01T08:00:01Z
    2026c Canada/Mountain 1421 2026-11-01T08:00:00Z 2499-11-01T08:00:01Z
    2026d America/Bogota 3 1992-05-02T05:00:00Z 1992-05-03T04:59:59Z
    2026d America/Inuvik 1421 2026-11-01T08:00:00Z 2499-11-01T08:00:01Z
    2026d Asia/Tehran 3 1979-05-25T20:30:00Z 1979-05-26T20:29:59Z
    2026d Iran 3 1979-05-25T20:30:00Z 1979-05-26T20:29:59Z
    2026e America/Rainy_River 1421 2026-11-01T07:00:00Z 2499-11-01T07:00:01Z
    2026e America/Winnipeg 1421 2026-11-01T07:00:00Z 2499-11-01T07:00:01Z
    2026e Canada/Central 1421 2026-11-01T07:00:00Z 2499-11-01T07:00:01Z
    2026f America/Havana 3 2026-11-01T05:00:00Z 2027-03-14T04:59:59Z
    2026f Cuba 3 2026-11-01T05:00:00Z 2027-03-14T04:59:59Z
    """

  private static let start = Date(timeIntervalSince1970: 0)
  private static let end = Date(timeIntervalSince1970: 16_725_225_600)  // 2500-01-01

  @Test(
    .enabled(
      if: TimeZone.timeZoneDataVersion == release,
      "the differences are those from another release of Foundation's data"))
  func differsFromFoundationByLaterReleasesOnly() throws {
    var found: [String] = []
    for name in TimeZoneDatabase.current.names {
      let zone = try #require(TimeZoneDatabase.current.zone(named: name))
      let judge = try #require(TimeZone(identifier: name), "Foundation lacks \(name)")
      let moments = Self.changes(zone, judge).flatMap { [$0 - 1, $0, $0 + 1] }
      let different = moments.filter { moment in
        let date = Date(timeIntervalSince1970: Double(moment))
        return zone.offset(at: moment) != Int64(judge.secondsFromGMT(for: date))
      }
      guard let first = different.first, let last = different.last else { continue }
      found.append("\(name) \(different.count) \(Self.text(first)) \(Self.text(last))")
    }
    let expected = Self.differences.split(separator: "\n").map { String($0.dropFirst(6)) }
    #expect(found == expected.sorted())
    // Each release is one after Foundation's, and not after ours.
    let releases = Self.differences.split(separator: "\n").map { $0.prefix(5) }
    #expect(releases.allSatisfy { $0 > Self.release && $0 <= TimeZoneDatabase.current.release })
  }

  @Test func knowsAllZonesThatFoundationLists() {
    let missing = TimeZone.knownTimeZoneIdentifiers.filter {
      TimeZoneDatabase.current.zone(named: $0) == nil
    }
    #expect(missing == [])
  }

  /// The moments at which either of them changes the offset, sorted.
  private static func changes(_ zone: TimeZoneRules, _ judge: TimeZone) -> [Int64] {
    var changes = Set(zone.transitions(through: 2499))
    var date = start
    while let next = judge.nextDaylightSavingTimeTransition(after: date), next > date, next < end {
      changes.insert(Int64(next.timeIntervalSince1970))
      date = next
    }
    let range = Int64(start.timeIntervalSince1970)..<Int64(end.timeIntervalSince1970)
    return changes.filter(range.contains).sorted()
  }

  private static func text(_ moment: Int64) -> String {
    Date(timeIntervalSince1970: Double(moment)).formatted(.iso8601)
  }
}
