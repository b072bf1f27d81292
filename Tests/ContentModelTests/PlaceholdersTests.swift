import TestInputs
import Testing

@testable import ContentModel

@Suite struct PlaceholdersTests {
  @Test(
    arguments: [
      ("Hello {name}", ["{name}"]), ("%{count} of %{all}", ["%{count}", "%{all}"]),
      ("{0} {1} {0}", ["{0}", "{1}"]), ("{größe}", ["{größe}"]), ("{{name}}", ["{name}"]),
      ("%@ has %d", ["%@", "%d"]), ("%1$@ has %2$lld", ["%1$@", "%2$lld"]),
      ("%.2f %02d %5.1f %-5s %+d %'d", ["%.2f", "%02d", "%5.1f", "%-5s", "%+d", "%'d"]),
      ("%lu %hhd %zd %Lf %qi", ["%lu", "%hhd", "%zd", "%Lf", "%qi"]),
      ("%ds, %dpx", ["%d", "%d"]), ("%d%%", ["%d"]), ("%d%d", ["%d", "%d"]),
      ("5%{unit}", ["%{unit}"]),
      ("10%@", ["%@"]), ("10%1$d", ["%1$d"]), ("10%lld", ["%lld"]),
    ] as [(String, [String])])
  func findsPlaceholders(text: String, expected: [String]) {
    #expect(Placeholders(in: text).all.map(\.spelling) == expected)
  }

  @Test(arguments: [
    "", "100 %", "%", "50 % de réduction", "50 % d'articles", "100%%", "%%d", "%%@", "50%off",
    "100%ige",
    "%50den", "{", "}", "{}", "{ name }", "{\"a\": 1}", "body { color: red }", "%{", "%{}",
    "%{a b}",
    "%d.%m.%Y", "%-d. %B", "%H:%M", "%e %b", "%l:%M %p", "%n %u", "%0$d", "100$",
    "%123456789123$@x",
    "{count, plural, one {# rose} other {# roses}}",
    "{count, plural, =0 {none} one {a {name}} other {%d roses}}", "{ when , date, short }",
    "%{count, plural, other {x}}",
  ])
  func findsNoneInOtherText(text: String) {
    #expect(Placeholders(in: text).all.map(\.spelling) == [])
  }

  @Test func findsPlaceholdersBesideMessagesAndDates() {
    #expect(
      Placeholders(in: "{n, plural, other {x {y}}} {name}").all.map(\.spelling) == ["{name}"])
    #expect(Placeholders(in: "{hello, {name}").all.map(\.spelling) == ["{name}"])
    #expect(Placeholders(in: "%Y %{year} %d %2$@").all.map(\.spelling) == ["%{year}", "%2$@"])
  }

  @Test(arguments: [
    ("%@ has %d", "%2$d von %1$@"), ("%1$@ %2$@", "%2$@ %1$@"), ("{a} {b}", "{b} {a} {a}"),
    ("%d roses", "%i roses"), ("%.1f", "%.2f"), ("100%", "100 %"), ("x", "y"), ("%@", "« %@ »"),
  ])
  func findsNoDifferenceInEqualPlaceholders(source: String, translation: String) {
    #expect(difference(translation, from: source) == nil)
  }

  @Test(
    arguments: [
      ("{name}", "x", ["{name}"], []), ("x", "{name}", [], ["{name}"]),
      ("{name}", "{nom}", ["{name}"], ["{nom}"]), ("%{a}", "{a}", ["%{a}"], ["{a}"]),
      ("%@ has %d", "%d von %@", ["%@", "%d"], ["%d", "%@"]), ("%d", "%lld", ["%d"], ["%lld"]),
      ("%d", "%s", ["%d"], ["%s"]), ("%@ %@", "%@", ["%@"], []),
      ("{Name}", "{name}", ["{Name}"], ["{name}"]),
      ("{caf\u{E9}}", "{cafe\u{301}}", ["{caf\u{E9}}"], ["{cafe\u{301}}"]),
    ] as [(String, String, [String], [String])])
  func findsDifferences(
    source: String, translation: String, missing: [String], unknown: [String]
  ) throws {
    let found = try #require(difference(translation, from: source))
    #expect(found.missing == missing && found.unknown == unknown)
  }

  @Test(arguments: [
    ("%{count} roses of %{shop}", "A rose of %{shop}", true),
    ("{count} roses", "A rose", true), ("%lld roses", "A rose", true), ("%@ roses", "A rose", true),
    ("%{number} roses", "A rose", true), ("%1$@ has %2$d", "%1$@ has one", true),
    ("%{count} roses of %{shop}", "A rose", false), ("%@ of %@", "A rose", false),
    ("%{count} roses", "%{number} roses", false),
  ])
  func letsTheNumberOfAPluralBeMissing(source: String, translation: String, isFine: Bool) {
    #expect((difference(translation, from: source, mayLackCount: true) == nil) == isFine)
    #expect(difference(translation, from: source) != nil)
  }

  @Test(arguments: [
    "{", "{a", "{a,", "%{", "%{a", "{ ", "%", "%#", "%1$", "%-", "%9", "{a,}", "%d", "{a}{",
  ])
  func takesLinearTime(unit: String) {
    let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
    let start = processorSeconds()
    _ = Placeholders(in: text).all.count
    #expect(processorSeconds() - start < 10)
  }

  private func difference(
    _ translation: String, from source: String, mayLackCount: Bool = false
  ) -> Placeholders.Difference? {
    Placeholders(in: translation).difference(
      from: Placeholders(in: source), mayLackCount: mayLackCount)
  }
}
