import ContentModel
import Testing

@Suite struct InstantTests {
  @Test(
    arguments: [
      ("2001-01-01T00:00:00Z", 0, "2001-01-01T00:00:00Z"),
      ("2001-01-01t02:00:00+02:00", 0, "2001-01-01T00:00:00Z"),
      ("2000-12-31T23:30:00.25-00:30", 0.25, "2001-01-01T00:00:00.25Z"),
      ("2026-12-24T18:00:00z", 819_828_000, "2026-12-24T18:00:00Z"),
      ("0001-01-01T00:00:00Z", -63_113_904_000, "0001-01-01T00:00:00Z"),
      ("2000-12-31T23:59:59.5Z", -0.5, "2000-12-31T23:59:59.5Z"),
    ])
  func readsAndWritesRFC3339(text: String, seconds: Double, canonical: String) throws {
    let instant = try #require(Instant(rfc3339: text))
    #expect(instant.secondsSinceReferenceDate == seconds)
    #expect(instant.rfc3339 == canonical)
  }

  @Test(
    arguments: [
      "", "2026-12-24", "2026-12-24T18:00:00", "2026-12-24 18:00:00Z", "2026-02-30T00:00:00Z",
      "2026-12-31T23:59:60Z", "2026-12-24T24:00:00Z", "2026-12-24T18:00:00.Z",
      "2026-12-24T18:00:00+0100", "2026-12-24T18:00:00+24:00", "2026-12-24T18:00:00Zx",
      "0000-01-01T00:00:00Z", "٢٠٢٦-12-24T18:00:00Z", "2026-12-24T18:00Z",
    ])
  func refusesOtherTexts(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test func clampsToTheYearsOfRFC3339() {
    #expect(Instant(secondsSinceReferenceDate: .infinity).rfc3339 == "9999-12-31T23:59:59Z")
    #expect(!Instant(secondsSinceReferenceDate: .nan).hasRFC3339)
    #expect(Instant(secondsSinceReferenceDate: -1e-20).rfc3339 == "2001-01-01T00:00:00Z")
  }
}
