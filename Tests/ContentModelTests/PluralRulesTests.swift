import SystemC
import TestInputs
import Testing

@testable import ContentModel

@Suite struct PluralRulesTests {
  @Test func knowsTheRulesOfLocales() throws {
    #expect(try rules("en").category(of: 1) == .one)
    #expect(try rules("en").category(of: 0) == .other)
    #expect(try rules("fr").category(of: 0) == .one)
    #expect(try rules("pl").category(of: 22) == .few)
    #expect(try rules("ar").categories == PluralCategory.allCases)
    #expect(try rules("ja").categories == [.other])
    #expect(try rules("pt-PT").category(of: 0) == .other)
    #expect(try rules("pt-BR").category(of: 0) == .one)
    #expect(try rules("iw").categories == rules("he").categories, "a former code")
    #expect(try rules("en").category(ofDecimal: "1.0") == .other)
    #expect(try rules("en").category(of: .min) == .other)
  }

  /// Each text with a number finds its rules: the table must not be read for each.
  @Test func findsTheRulesOfManyTextsQuickly() throws {
    let polish = try #require(LocaleTag("pl"))
    let start = processorSeconds()
    for number in 0..<5_000 { _ = PluralRules(polish).category(of: number) }
    #expect(processorSeconds() - start < 2)
  }

  /// Every sample of CLDR has the category under which it is listed.
  @Test func agreesWithTheSamples() throws {
    var count = 0
    for line in try Self.samples() {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let (locale, category, sample) = (parts[0], parts[1], parts[2])
      #expect(
        try rules(locale).category(ofDecimal: sample)?.rawValue == category,
        "\(locale) \(sample)")
      count += 1
    }
    #expect(count > 5_000, "\(count) samples")
  }

  @Test(arguments: ["", ".", "1.", ".5", "-1", "1c", "1c99", "x", "1.2.3", "1234567890123456"])
  func refusesOtherTexts(text: String) throws {
    #expect(try rules("en").category(ofDecimal: text) == nil)
  }

  private func rules(_ locale: String) throws -> PluralRules {
    PluralRules(try #require(LocaleTag(locale)))
  }

  /// Returns a line for each sample of Scripts/cldr/plurals.json: locale, category, number.
  private static func samples() throws -> [Substring] {
    let script = """
      import json, pathlib, re, sys
      data = json.loads(pathlib.Path(sys.argv[1]).read_text())["supplemental"]["plurals-type-cardinal"]
      for locale, rules in data.items():
          if locale == "und": continue
          for key, rule in rules.items():
              for sample in re.split("@integer|@decimal|,", rule[rule.find("@"):] if "@" in rule else ""):
                  for number in sample.strip().split("~"):
                      if re.fullmatch("[0-9.]+(c[0-9]+)?", number): print(locale, key.rsplit("-", 1)[1], number, sep="\\t")
      """
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard
      let pipe = popen("python3 -c '\(script)' '/\(path)/Scripts/cldr/plurals.json'", "r")
    else { return [] }
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
