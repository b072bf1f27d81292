import Diagnostics
import Testing

@testable import ContentSource

@Suite struct BadValueTests {
  /// A mistake in the value of a field `a`, whose datatype has only this field.
  private static func value(
    _ definition: String, _ value: String, _ id: String, _ message: String, fix: String? = nil,
    severity: Diagnostic.Severity = .error
  ) -> Mistake {
    Mistake(
      id, message, fix: fix, severity: severity, at: "entries/note/one.yaml", "a: \(value)\n",
      with: ["datatypes/note.yaml": "fields:\n  a: \(definition)\n"])
  }

  @Test func offersNoFixForAListWhoseItemsNeedQuotes() throws {
    let mistake = Self.value("{type: list, of: string}", "\n  • [Sale] now\n  • new", "", "")
    let found = try #require(mistake.diagnostics.first)
    #expect(found.message.hasSuffix("as in - \"[Sale] now\""))
    #expect(found.fixIt == nil)
  }

  @Test(arguments: [
    ("2026-12-24", true), ("24.12.2026", true), ("24. Dezember 2026", true),
    ("2026-12-24T18:00", false), ("2026-13-01T10:00:00Z", false), ("soon", false),
  ])
  func saysHowToDeclareADayWithoutATime(text: String, isDay: Bool) throws {
    let found = try #require(Self.value("date", text, "", "").diagnostics.first)
    #expect(found.notes.contains { $0.message.hasPrefix("a day without a time") } == isDay)
  }

  static let values: [Mistake] = [
    value("integer", "⟦many⟧", "wrong-type", "'a' must be an integer"),
    value("integer", "⟦1.5⟧", "wrong-type", "'a' must be an integer, such as 1300"),
    value(
      "integer", "⟦\"12\"⟧", "wrong-type", "'a' must be an integer without quotes; write 12",
      fix: "12"),
    value(
      "integer", "⟦1_000⟧", "wrong-type", "'a' must be an integer without '_'; write 1000",
      fix: "1000"),
    value(
      "integer", "⟦12 kg⟧", "wrong-type", "'a' must be an integer without 'kg'; write 12", fix: "12"
    ),
    value("integer", "⟦1,5⟧", "wrong-type", "'a' must be an integer, such as 1300"),
    value(
      "number", "⟦1,30⟧", "wrong-type",
      "'a' must be a number with a point instead of the comma; write 1.30",
      fix: "1.30"),
    value(
      "number", "⟦CHF 82.–⟧", "wrong-type", "'a' must be a number without 'CHF' and '.–'; write 82",
      fix: "82"),
    value(
      "number", "⟦82,-⟧", "wrong-type", "'a' must be a number without ',-'; write 82", fix: "82"),
    value(
      "number", "⟦82.- EUR⟧", "wrong-type", "'a' must be a number without 'EUR' and '.-'; write 82",
      fix: "82"),
    value(
      "number", "⟦1.200,–⟧", "wrong-type", "'a' must be a number without ',–'; write 1200",
      fix: "1200"),
    value("number", "⟦1.20,–⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦1.200.–⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦82.5.–⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦1,300⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦1.2.3⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦24.12.2026⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦10 12⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦1.300 EUR⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦10%⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦5 MAY⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦1990s⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦5k⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value("number", "⟦0170 123 456⟧", "wrong-type", "'a' must be a number, such as 1300 or 1.30"),
    value(
      "number", "⟦1 300⟧", "wrong-type", "'a' must be a number without spaces; write 1300",
      fix: "1300"),
    value(
      "{type: object, fields: {b: string}}", "⟦\"a:b\"⟧", "wrong-type", "'a' must be a mapping"),
    value(
      "number", "⟦€ 1.30⟧", "wrong-type", "'a' must be a number without '€'; write 1.30",
      fix: "1.30"),
    value(
      "number", "⟦-1.30 EUR⟧", "wrong-type", "'a' must be a number without 'EUR'; write -1.30",
      fix: "-1.30"),
    value(
      "number", "⟦1.000,50⟧", "wrong-type",
      "'a' must be a number with one point and no other separator; write 1000.50", fix: "1000.50"),
    value(
      "number", "⟦1.000.000⟧", "wrong-type",
      "'a' must be a number without '.' between thousands; write 1000000",
      fix: "1000000"),
    value(
      "{type: object, fields: {b: number}}", "{b: ⟦1,30⟧}", "wrong-type",
      "'b' must be a number with a point instead of the comma; write 1.30", fix: "1.30"),
    value(
      "string", "⟦{⟧en: Bread, de: Brot}", "wrong-type",
      "'a' must be one text; its translations are files of their own: write 'a: Brot' in one.de.yaml"
    ),
    value(
      "integer", "⟦9223372036854775808⟧", "out-of-range", "'a' must lie between -2^63 and 2^63 - 1"),
    value(
      "number", "⟦-9223372036854775809⟧", "out-of-range",
      "'a' must lie between -2^63 and 2^63 - 1, unless it has a point; write -9223372036854775809.0",
      fix: "-9223372036854775809.0"),
    value(
      "number", "⟦0xFFFFFFFFFFFFFFFFF⟧", "out-of-range",
      "'a' must lie between -2^63 and 2^63 - 1, unless it has a point"),
    value(
      "any", "⟦-9223372036854775809⟧", "out-of-range",
      "'a' must lie between -2^63 and 2^63 - 1; quotes make it a text"),
    value("any", "⟦.nan⟧", "out-of-range", "'a' must be finite; quotes make it a text"),
    value("{type: integer, max: 5}", "⟦6⟧", "out-of-range", "'a' must be at most 5"),
    value("{type: number, min: 0.5}", "⟦0.25⟧", "out-of-range", "'a' must be at least 0.5"),
    value("number", "⟦.nan⟧", "out-of-range", "'a' must be finite"),
    value("number", "⟦-.inf⟧", "out-of-range", "'a' must be finite"),
    value("number", "⟦1e999⟧", "out-of-range", "'a' must be finite"),
    value(
      "number", "⟦\u{A0}9.5⟧", "wrong-type",
      "'a' must be a number without a no-break space (U+00A0), which is invisible; write 9.5",
      fix: "9.5"),
    value("number", "⟦cheap⟧", "wrong-type", "'a' must be a number"),
    value(
      "percent", "⟦12.5⟧", "wrong-type", "'a' must be a percentage such as 12.5%; write 12.5%",
      fix: "12.5%"),
    value(
      "percent", "⟦12,5 %⟧", "wrong-type", "'a' must be a percentage such as 12.5%; write 12.5%",
      fix: "12.5%"),
    value(
      "percent", "⟦'%7'⟧", "wrong-type", "'a' must be a percentage such as 12.5%; write 7%",
      fix: "7%"),
    value("percent", "⟦1,300%⟧", "wrong-type", "'a' must be a percentage such as 12.5%"),
    value("percent", "⟦1e3%⟧", "wrong-type", "'a' must be a percentage such as 12.5%"),
    value("percent", "⟦'-%'⟧", "wrong-type", "'a' must be a percentage such as 12.5%"),
    value("percent", "⟦12 EUR⟧", "wrong-type", "'a' must be a percentage such as 12.5%"),
    value(
      "percent", "⟦1 300 %⟧", "wrong-type", "'a' must be a percentage such as 12.5%; write 1300%",
      fix: "1300%"),
    value("percent", "⟦10 20%⟧", "wrong-type", "'a' must be a percentage such as 12.5%"),
    value("percent", "⟦5\u{600}%⟧", "wrong-type", "'a' must be a percentage such as 12.5%"),
    value("percent", "⟦5%5⟧", "wrong-type", "'a' must be a percentage such as 12.5%"),
    value("percent", "⟦1 2⟧", "wrong-type", "'a' must be a percentage such as 12.5%"),
    value("percent", "⟦'%5%'⟧", "wrong-type", "'a' must be a percentage such as 12.5%"),
    value("{type: percent, max: 20%}", "⟦20.5%⟧", "out-of-range", "'a' must be at most 20%"),
    value("{type: percent, min: 0%}", "⟦-5%⟧", "out-of-range", "'a' must be at least 0%"),
    value("boolean", "⟦yes⟧", "wrong-type", "'a' must be true or false; write true", fix: "true"),
    value("boolean", "⟦Off⟧", "wrong-type", "'a' must be true or false; write false", fix: "false"),
    value("string", "⟦[⟧a]", "wrong-type", "'a' must be a single value of type string"),
    value(
      "{type: string, maxLength: 3}", "⟦Rosé!⟧", "out-of-range",
      "'a' must have at most 3 characters; it has 5"),
    value(
      "{type: text, minLength: 3}", "⟦a⟧", "out-of-range",
      "'a' must have at least 3 characters; it has 1"),
    value(
      "{type: string, pattern: '[a-z]+'}", "⟦abc1⟧", "pattern", "'a' must match the pattern [a-z]+"),
    value(
      "{type: choice, values: [left, right]}", "⟦rigth⟧", "not-a-choice",
      "'a' must be one of left, right; did you mean 'right'?", fix: "right"),
    value(
      "{type: choice, values: [left, right]}", "⟦up⟧", "not-a-choice",
      "'a' must be one of left, right"),
    value(
      "color", "⟦red⟧", "wrong-type", "'a' must be #RGB, #RGBA, #RRGGBB or #RRGGBBAA, in quotes"),
    value(
      "color", "⟦'#12345'⟧", "wrong-type",
      "'a' must be #RGB, #RGBA, #RRGGBB or #RRGGBBAA, in quotes"),
    value(
      "color", "⟦'#\u{301}abc'⟧", "wrong-type",
      "'a' must be #RGB, #RGBA, #RRGGBB or #RRGGBBAA, in quotes"),
    value(
      "url", "⟦www.example.com⟧", "wrong-type",
      "'a' must be an entry's id, or a URL with a scheme such as https: and no spaces; "
        + "write https://www.example.com", fix: "https://www.example.com"),
    value(
      "url", "⟦https://example.com/a b⟧", "wrong-type",
      "'a' must be an entry's id, or a URL with a scheme such as https: and no spaces"),
    value("data", "⟦A===⟧", "wrong-type", "'a' must be base64 (RFC 4648)"),
    value(
      "date", "⟦2026-12-24⟧", "wrong-type",
      "'a' must have a time and a zone, such as 2026-12-24T00:00 Europe/Paris"),
    value(
      "date", "⟦2026-12-24T18:00⟧", "wrong-type",
      "'a' must have a zone, such as 2026-12-24T18:00 Europe/Paris"),
    value(
      "date", "⟦2026-12-24 18:00 Europe/Paris⟧", "wrong-type",
      "'a' must have a 'T' before its time; write 2026-12-24T18:00 Europe/Paris",
      fix: "2026-12-24T18:00 Europe/Paris"),
    value(
      "date", "⟦2026-12-24T24:00:00Z⟧", "wrong-type", "'a' must have a time from 00:00 to 23:59"),
    value("date", "⟦2026-13-01T10:00:00Z⟧", "wrong-type", "'a' must have a month from 01 to 12"),
    value(
      "date", "⟦2026-02-30T10:00:00Z⟧", "wrong-type",
      "'a' must be a day that exists; February 2026 has 28 days"),
    value(
      "date", "⟦2028-02-30T10:00 Europe/Paris⟧", "wrong-type",
      "'a' must be a day that exists; February 2028 has 29 days"),
    value(
      "date", "⟦24.12.2026⟧", "wrong-type",
      "'a' must be year, month, day, time and zone, such as 2026-12-24T00:00 Europe/Paris"),
    value(
      "date", "⟦20. Juni 2026⟧", "wrong-type",
      "'a' must be year, month, day, time and zone, such as 2026-12-24T00:00 Europe/Paris"),
    value(
      "date", "⟦12/24/2026⟧", "wrong-type",
      "'a' must be year, month, day, time and zone, such as 2026-12-24T00:00 Europe/Paris"),
    value(
      "date", "⟦3/4/2026⟧", "wrong-type",
      "'a' must be year, month, day, time and zone, such as 2026-04-03T00:00 Europe/Paris or 2026-03-04T00:00 Europe/Paris"
    ),
    value(
      "date", "⟦2027-01-01T00:00Z⟧", "wrong-type",
      "'a' must have seconds before its offset; write 2027-01-01T00:00:00Z",
      fix: "2027-01-01T00:00:00Z"),
    value(
      "date", "⟦2027-01-01T00:00+01:00⟧", "wrong-type",
      "'a' must have seconds before its offset; write 2027-01-01T00:00:00+01:00",
      fix: "2027-01-01T00:00:00+01:00"),
    value("date", "⟦2026-12-24T18:00:00.5Z⟧", "wrong-type", "'a' must be a whole second"),
    value(
      "date", "⟦2026-12-24T18:00 Europe/Pariss⟧", "unknown-time-zone",
      "unknown time zone 'Europe/Pariss'; did you mean 'Europe/Paris'?",
      fix: "2026-12-24T18:00 Europe/Paris"),
    value(
      "date", "⟦2026-12-24T18:00 europe/paris⟧", "unknown-time-zone",
      "unknown time zone 'europe/paris'; did you mean 'Europe/Paris'?",
      fix: "2026-12-24T18:00 Europe/Paris"),
    value(
      "date", "⟦2026-12-24T18:00 Amerika/New_York⟧", "unknown-time-zone",
      "unknown time zone 'Amerika/New_York'; did you mean 'America/New_York'?",
      fix: "2026-12-24T18:00 America/New_York"),
    value(
      "date", "⟦2026-12-24T18:00 Asia/Calcuta⟧", "unknown-time-zone",
      "unknown time zone 'Asia/Calcuta'; did you mean 'Asia/Calcutta'?",
      fix: "2026-12-24T18:00 Asia/Calcutta"),
    value(
      "date", "⟦2026-12-24T18:00 us/pacific⟧", "unknown-time-zone",
      "unknown time zone 'us/pacific'; did you mean 'US/Pacific'?",
      fix: "2026-12-24T18:00 US/Pacific"),
    value(
      "date", "⟦2026-12-24T18:00 Zulu⟧", "unknown-time-zone",
      "unknown time zone 'Zulu'; did you mean 'UTC'?",
      fix: "2026-12-24T18:00 UTC"),
    value(
      "date", "⟦2026-12-24T18:00 utc⟧", "unknown-time-zone",
      "unknown time zone 'utc'; did you mean 'UTC'?",
      fix: "2026-12-24T18:00 UTC"),
    value(
      "date", "⟦2026-12-24T18:00 Etc/GMT+15⟧", "unknown-time-zone",
      "unknown time zone 'Etc/GMT+15'; write one such as Europe/Paris, or UTC"),
    value(
      "date", "⟦2026-12-24T18:00 EST5EDT⟧", "unknown-time-zone",
      "unknown time zone 'EST5EDT'; write one such as Europe/Paris, or UTC"),
    value(
      "date", "⟦2026-12-24T18:00 CET⟧", "unknown-time-zone",
      "unknown time zone 'CET'; write one such as Europe/Paris, or UTC"),
    value(
      "date", "⟦2026-03-29T02:30 Europe/Paris⟧", "ambiguous-time",
      "'a' must be a time that exists once: clocks in Europe/Paris skip this time; write 2026-03-29T03:30 Europe/Paris",
      fix: "2026-03-29T03:30 Europe/Paris"),
    value(
      "date", "⟦2026-10-25T02:30 Europe/Paris⟧", "ambiguous-time",
      "'a' must be a time that exists once: clocks in Europe/Paris show this time twice; write 2026-10-25T02:30:00+02:00, or for the second time 2026-10-25T02:30:00+01:00"
    ),
    value(
      "date", "⟦2026-11-01T01:30 America/New_York⟧", "ambiguous-time",
      "'a' must be a time that exists once: clocks in America/New_York show this time twice; write 2026-11-01T01:30:00-04:00, or for the second time 2026-11-01T01:30:00-05:00"
    ),
    value(
      "duration", "⟦1 hour 30 minutes⟧", "wrong-type",
      "'a' must be a duration such as 30s, 10m or 1d; write 1h30m", fix: "1h30m"),
    value(
      "duration", "⟦1.5h⟧", "wrong-type",
      "'a' must be a duration such as 30s, 10m or 1d; write 1h30m", fix: "1h30m"),
    value(
      "duration", "⟦30m1h⟧", "wrong-type",
      "'a' must be a duration such as 30s, 10m or 1d; write 1h30m", fix: "1h30m"),
    value(
      "duration", "⟦90⟧", "wrong-type",
      "'a' must be a duration such as 30s, 10m or 1d; write 90m or 90s"),
    value(
      "duration", "⟦soon⟧", "wrong-type",
      "'a' must be a duration such as 30s, 10m or 1d; the units are w, d, h, m and s, largest first, such as 1h30m"
    ),
    value(
      "duration", "⟦0.5s⟧", "wrong-type", "'a' must be in whole seconds, such as 30s, 10m or 1d"),
    value("duration", "⟦-5m⟧", "out-of-range", "'a' must not be negative"),
    value("duration", "⟦-90⟧", "out-of-range", "'a' must not be negative"),
    value(
      "duration", "⟦3551w⟧", "out-of-range", "'a' must be at most 2147483647s, about 68 years"),
    value(
      "duration", "⟦99999999999999999999s⟧", "out-of-range",
      "'a' must be at most 2147483647s, about 68 years"),
    value("{type: duration, min: 90m}", "⟦59m⟧", "out-of-range", "'a' must be at least 1h30m"),
    value("asset", "⟦rose.png⟧", "unknown-asset", "unknown asset 'rose.png'"),
    value(
      "reference", "⟦rose⟧", "wrong-type",
      "'a' must be an entry's id with its datatype; write product/rose",
      fix: "product/rose"),
    value(
      "reference", "⟦lily⟧", "wrong-type", "'a' must be an entry's id such as product/country-charm"
    ),
    value(
      "reference", "⟦Product/Rose⟧", "wrong-type",
      "'a' must be an entry's id, in small letters; write product/rose", fix: "product/rose"),
    value(
      "{type: reference, to: note}", "⟦rose⟧", "wrong-type",
      "'a' must be the id of a note, such as note/one"),
    value(
      "{type: reference, to: note}", "⟦product/rose⟧", "wrong-type",
      "'a' must lead to an entry of note"),
    value(
      "{type: list, of: string}", "⟦b⟧", "wrong-type", "'a' must be a list; write [b]", fix: "[b]"),
    value(
      "{type: list, of: string}", "⟦• @home⟧", "wrong-type",
      "'a' must be a list; write [\"@home\"]", fix: "[\"@home\"]"),
    value(
      "{type: list, of: string}", "⟦• \"A\" b⟧", "wrong-type",
      "'a' must be a list; write ['\"A\" b']", fix: "['\"A\" b']"),
    value(
      "{type: object, fields: {b: string}}", "⟦b:c⟧", "yaml-syntax",
      "a space must follow 'b:'; write b: c"
    ),
    value(
      "{type: object, fields: {b: string}}", "{⟦b:c⟧}", "yaml-syntax",
      "a space must follow 'b:'; write b: c",
      fix: "b: c"),
    value(
      "{type: object, fields: {b: string}}", "{⟦\u{A0}b⟧: c}", "unknown-field",
      "the name 'b' must not hold a no-break space (U+00A0), which is invisible; write b", fix: "b"),
    value("{type: object, fields: {b: string}}", "⟦[⟧b]", "wrong-type", "'a' must be a mapping"),
    value("{type: map, of: integer}", "{b: ⟦c⟧}", "wrong-type", "'b' must be an integer"),
    value(
      "{type: list, of: string}", "[b, ⟦~⟧]", "null-in-list",
      "a list must not hold null, which property lists do not have"),
    value(
      "{type: list, of: string}", "[⟦*b⟧]", "undefined-anchor",
      "'*b' needs an anchor '&b' before it"),
    value(
      "{type: object, fields: {title: string}}", "{⟦tittle⟧: b}", "unknown-field",
      "unknown field 'tittle' in 'a'; did you mean 'title'?", fix: "title"),
    value("any", "[{id: x}, {id: ⟦x⟧}]", "duplicate-item", "id 'x' must occur only once"),
    value("any", "[{id: ⟦[⟧x]}]", "wrong-type", "'id' must be a single text"),
  ]

  @Test(arguments: values)
  func reportsInvalidValues(_ mistake: Mistake) { expectOnly(mistake) }
}
