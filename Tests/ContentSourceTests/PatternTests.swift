import TestInputs
import Testing

@testable import ContentSource

/// Regular expressions of datatypes.
@Suite struct PatternTests {
  @Test(
    arguments: [
      ("[a-z]+", "abc", true), ("[a-z]+", "abc1", false), ("a|bc", "bc", true),
      ("(?:ab){2,3}", "ababab", true),
      ("(?:ab){2,3}", "ab", false), ("a{,2}", "", true), ("a{2,}", "aaaa", true),
      ("a{x}", "a{x}", true),
      ("^a$", "a", true), ("(?i)straße", "STRAßE", true), ("(?i:a)b", "AB", false),
      ("(?i)[a-c]+", "ABC", true),
      ("(?s).", "\n", true), (".", "\n", false), ("(?x) a b # spaces", "ab", true),
      (#"a\.b"#, "a.b", true),
      (#"\Qa.b\E+"#, "a.b+", false), (#"\x41\u00e9\u{1F337}"#, "Aé🌷", true),
      (#"\d{4}-\d\d"#, "2026-11", true),
      (#"[^\d]"#, "7", false), (#"\p{Lu}\p{Ll}+"#, "Ärger", true), (#"\P{L}"#, "1", true),
      (#"[[:alpha:]]+"#, "añb", true),
      ("[a-z&&[^aeiou]]+", "xyz", true), ("[a-z--[aeiou]]", "a", false), ("[a-]+", "a-a", true),
      (#"[\w-]+"#, "a-b", true),
      (#"\bab\b"#, "ab", true), (#"a\Bb"#, "ab", true), (#"\R"#, "\r\n", true), ("", "", true),
      ("a|", "", true),
      ("(a*)*", "aaab", false), ("(|a)+", "aa", true), ("(?<year>[0-9]+)", "2026", true),
      ("a+?b", "aab", true),
    ])
  func matchesTheWholeText(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try Pattern(pattern).matchesWhole(text) == isMatch, "\(pattern) \(text)")
  }

  @Test("counts scalars, and treats marks as parts of words")
  func matchesScalars() throws {
    #expect(try Pattern(".").matchesWhole("\u{E9}"))
    #expect(try !Pattern(".").matchesWhole("e\u{301}"))
    #expect(try !Pattern("\u{E9}").matchesWhole("e\u{301}"))
    #expect(try Pattern(#"\w+"#).matchesWhole("e\u{301}"))
    #expect(try Pattern(#"\w+"#).matchesWhole("नमस्ते"))
    #expect(try Pattern(#"\d"#).matchesWhole("٣"))
    #expect(try Pattern(#"\s"#).matchesWhole("\u{A0}"))
  }

  @Test(
    arguments: [
      ("(", "have a ')' for each '('", 0..<1), ("a)", "have a '(' for each ')'", 1..<2),
      ("[", "have something in '[]'; '\\]' is the character itself", 0..<1),
      ("[a", "have a ']' for each '['; '\\[' is the character itself", 0..<1),
      ("*a", "have something before '*' to repeat; '\\*' is the character itself", 0..<1),
      ("a**", "have something to repeat before '*'", 2..<3),
      ("ab(?=c)", "not use look-ahead: '(?=' is not supported", 2..<5),
      ("(?<!a)b", "not use look-behind: '(?<!' is not supported", 0..<4),
      (#"(a)\1"#, "not use backreferences: '\\1' is not supported", 3..<5),
      (#"(?<n>a)\k<n>"#, "not use backreferences: '\\k' is not supported", 7..<9),
      ("a++", "not use possessive quantifiers: '++' is not supported", 1..<3),
      ("(?>a)", "not use atomic groups: '(?>' is not supported", 0..<3),
      ("a{3,2}", "have the smaller number first in '{3,2}'", 1..<6),
      ("[z-a]", "have the smaller character first in 'z-a'", 1..<4),
      (#"\i"#, "not use the escape '\\i', which is not known", 0..<2),
      (#"\x4"#, "give a character's number in hexadecimal digits, as in '\\u{1F337}'", 0..<3),
      ("(?j)a", "not use the flag 'j'; there are i, m, s and x: '(?j' is not supported", 0..<3),
      (
        "(a{1000}){1000}",
        "be smaller: with its repetitions written out it has more than 5000 parts", 0..<15
      ),
    ])
  func isRefusedWithTheRangeOfTheMistake(pattern: String, rule: String, place: Range<Int>) {
    #expect(throws: PatternError(rule, at: place)) { try Pattern(pattern) }
  }

  @Test(
    "takes time in proportion to the text", .timeLimit(.minutes(5)),
    arguments: [
      "([a-z]+ ?)+", "(a|a)*b", "(a*)*b", "(?:a?){500}a{500}", "(.*)*x", "([a-z]+)*[0-9]",
    ])
  func isLinear(pattern: String) throws {
    #expect(try !Pattern(pattern).matchesWhole(String(repeating: "a", count: 20_000) + "!"))
  }

  @Test("matches as Swift's own engine does", arguments: 1...4 as ClosedRange<UInt64>)
  func matchesLikeSwift(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var matches = 0
    for _ in 0..<4_000 {
      let pattern = Self.pattern(depth: Int.random(in: 0...4, using: &random), &random)
      let text = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        ["a", "b", "c", " ", "A", "1", "\n"].randomElement(using: &random) ?? ""
      }.joined()
      let expected =
        try Regex(pattern).matchingSemantics(.unicodeScalar).wholeMatch(in: text) != nil
      if expected { matches += 1 }
      #expect(
        try Pattern(pattern).matchesWhole(text) == expected,
        "\(pattern.debugDescription) \(text.debugDescription)")
    }
    #expect(matches > 100)
  }

  /// Returns a random pattern in which no repeated part can match the empty text, because Swift
  /// ends such a loop at once.
  private static func pattern(depth: Int, _ random: inout SeededGenerator) -> String {
    func some(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
    let letter = some([
      "a", "b", "c", " ", ".", "[ab]", "[^a]", "[a-b-c]", "[b-c&&[^c]]", "[[:alpha:]]",
    ])
    guard depth > 0 else { return letter }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return some([#"\d"#, #"\w"#, #"\s"#, #"\S"#, #"\W"#, #"\p{L}"#, #"\x61"#])
    case 1: return "(" + pattern(depth: depth - 1, &random) + ")"
    case 2:
      return "(?:" + pattern(depth: depth - 1, &random) + "|" + pattern(depth: depth - 1, &random)
        + ")"
    case 3:
      return pattern(depth: depth - 1, &random) + some(["", "^", "$"])
        + pattern(depth: depth - 1, &random)
    case 4: return letter + some(["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?", "??"])
    case 5:
      return "(?:" + letter + pattern(depth: depth - 1, &random) + ")"
        + some(["*", "+", "?", "{2}", "{1,2}", "{2,}"])
    default: return some(["(?i)", "(?s)", "B", "1"]) + pattern(depth: depth - 1, &random)
    }
  }
}
