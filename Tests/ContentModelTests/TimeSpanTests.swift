import ContentModel
import Testing

@Suite struct TimeSpanTests {
  @Test(arguments: [
    ("0s", 0), ("30s", 30), ("10m", 600), ("1h30m", 5_400), ("1d", 86_400), ("2w", 1_209_600),
    ("1w1d1h1m1s", 694_861),
    ("90m", 5_400), ("007s", 7), ("2147483647s", 2_147_483_647),
  ])
  func readsNumbersWithUnits(text: String, seconds: Int) {
    #expect(TimeSpan(text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "0", "30", "s", "-1s", "+1s", "1.5h", "1 h", "10M", "10min", "1m1h", "1m1m", "1s ", " 1s",
    "１s", "٣m",
    "2147483648s", "3551w", "2147483647s1s", "24855d3h14m8s", "99999999999999999999s",
    "9223372036854775807w",
  ])
  func refusesOtherTexts(text: String) {
    #expect(TimeSpan(text) == nil)
  }

  @Test(arguments: [-1, Int(Int32.max) + 1, .min, .max])
  func refusesNegativeAndTooLongSpans(seconds: Int) {
    #expect(TimeSpan(seconds: seconds) == nil)
  }

  @Test(arguments: [0, 1, 59, 60, 61, 3_599, 86_400, 694_861, 930, 2_147_483_647])
  func readsItsDescription(seconds: Int) throws {
    let span = try #require(TimeSpan(seconds: seconds))
    #expect(TimeSpan(span.description) == span)
  }

  @Test func limitsSumsToTheLongestSpan() throws {
    let longest = try #require(TimeSpan(seconds: Int(Int32.max)))
    #expect(longest + longest == longest)
    #expect(.minutes(1) + .seconds(30) == TimeSpan("1m30s"))
    #expect(TimeSpan.days(1) > .minutes(1_439))
  }
}
