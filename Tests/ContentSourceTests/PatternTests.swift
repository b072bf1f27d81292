import TestInputs
import Testing

@testable import ContentSource

/// A regular expression, texts that it matches as a whole, and texts that it does not match.
struct PatternCase: CustomTestStringConvertible, Sendable {
  let pattern: String
  let texts: [String]
  let others: [String]
  var testDescription: String { pattern }

  init(_ pattern: String, _ texts: [String], not others: [String]) {
    (self.pattern, self.texts, self.others) = (pattern, texts, others)
  }
}

/// Regular expressions of datatypes.
@Suite struct PatternTests {
  static let sequences: [PatternCase] = [
    PatternCase("", [""], not: ["a"]),
    PatternCase("abc", ["abc"], not: ["", "ab", "abcd", "xabc"]),
    PatternCase("a|bc", ["a", "bc"], not: ["abc", "b", ""]),
    PatternCase("a|", ["a", ""], not: ["b"]),
    PatternCase("a||b", ["a", "", "b"], not: ["ab"]),
    PatternCase("(a|b)(c|d)", ["ac", "bd"], not: ["ab", "a", "acd"]),
    PatternCase("(?:ab){2,3}", ["abab", "ababab"], not: ["ab", "abababab"]),
    PatternCase("(?<year>[0-9]+)-(?P<m>1|2)(?'d'x)", ["2026-1x"], not: ["2026", "-1x"]),
    PatternCase("a(?#a comment (with a bracket)b", ["ab"], not: ["a"]),
    PatternCase(".", ["a", "é", "🌷", " "], not: ["", "\n", "\r", "\u{85}", "\u{2028}", "ab"]),
  ]
  static let repetitions: [PatternCase] = [
    PatternCase("a*", ["", "a", "aaa"], not: ["b", "ab"]),
    PatternCase("a+", ["a", "aaa"], not: ["", "ba"]),
    PatternCase("a?b", ["b", "ab"], not: ["aab", "a"]),
    PatternCase("a{2}", ["aa"], not: ["a", "aaa"]),
    PatternCase("a{2,}", ["aa", "aaaaa"], not: ["a"]),
    PatternCase("a{2,3}", ["aa", "aaa"], not: ["a", "aaaa"]),
    PatternCase("a{,2}", ["", "a", "aa"], not: ["aaa"]),
    PatternCase("a{0}b", ["b"], not: ["ab"]),
    PatternCase("a*?b+?c??d{1,2}?", ["bd", "aabbcdd"], not: ["d", "bddd"]),
    PatternCase("a{x}", ["a{x}"], not: ["a"]),
    PatternCase("{a{,}", ["{a{,}"], not: ["a"]),
    PatternCase("(a*)*", ["", "aaa"], not: ["aab"]),
    PatternCase("(|a)+", ["", "aa"], not: ["b"]),
    PatternCase("(a|ab)(c|bcd)(d*)", ["abcd", "acdd", "abcdd"], not: ["abd"]),
    PatternCase("^*a", ["a"], not: ["", "aa"]),
  ]
  static let classes: [PatternCase] = [
    PatternCase("[abc]", ["a", "c"], not: ["d", "", "ab"]),
    PatternCase("[a-c]", ["a", "b", "c"], not: ["d", "-", "A"]),
    PatternCase("[^a-c]", ["d", "\n", "🌷"], not: ["a", ""]),
    PatternCase("[a-]+", ["a-a"], not: ["b"]),
    PatternCase("[a-b-c]", ["a", "-", "c"], not: ["d"]),
    PatternCase(#"[\w-.]+"#, ["a-b.c"], not: ["a b"]),
    PatternCase(#"[\d\s]+"#, ["1 2"], not: ["a"]),
    PatternCase("[^^]", ["a"], not: ["^"]),
    PatternCase(#"[\]\\\-\^]+"#, [#"]\-^"#], not: ["a"]),
    PatternCase("[.*+?{}()|$]+", [".*+?{}()|$"], not: ["a"]),
    PatternCase("[[a-c][x-z]]+", ["ax"], not: ["d"]),
    PatternCase("[a-z&&[^aeiou]]+", ["xyz"], not: ["a", "X"]),
    PatternCase("[a-z--[aeiou]]+", ["xyz"], not: ["e"]),
    PatternCase("[a-c~~[b-d]]+", ["ad"], not: ["b", "c"]),
    // Operations are applied from the left.
    PatternCase("[a-e&&b-f--c~~a]+", ["abde"], not: ["c", "f"]),
    PatternCase("[^a-z&&[aeiou]]+", ["xyz1"], not: ["a"]),
    PatternCase("[[:alpha:]]+", ["añb"], not: ["1"]),
    PatternCase("[[:^alpha:]]", ["1"], not: ["a"]),
    PatternCase("[[:xdigit:]]+", ["09afAF"], not: ["g", "٣"]),
  ]
  static let escapes: [PatternCase] = [
    PatternCase(#"a\.b"#, ["a.b"], not: ["axb"]),
    PatternCase(#"\t\n\r\f\e\a"#, ["\t\n\r\u{C}\u{1B}\u{7}"], not: ["tnrfea"]),
    PatternCase(#"[\b]"#, ["\u{8}"], not: ["b"]),
    PatternCase(#"\x41\u00e9\u{1F337}\U0001F337\x{42}\0103"#, ["Aé🌷🌷BC"], not: ["A"]),
    PatternCase(#"\d{4}-\d\d"#, ["2026-11", "٢٠٢٦-11"], not: ["2026-1", "202a-11"]),
    PatternCase(#"\D"#, ["a"], not: ["7"]),
    PatternCase(#"\w+"#, ["aé_9", "नमस्ते", "e\u{301}"], not: ["a-b", "²"]),
    PatternCase(#"\W"#, ["-", "²"], not: ["a", "_"]),
    PatternCase(#"\s\S"#, ["\u{A0}a"], not: ["aa", "\u{200B}a"]),
    PatternCase(#"\h\H"#, ["\u{3000}a"], not: ["\na"]),
    PatternCase(#"\v\V"#, ["\u{2029}a"], not: [" a"]),
    PatternCase(#"\R"#, ["\r\n", "\n", "\r", "\u{2028}"], not: ["\n\n", "\n\r"]),
    PatternCase(#"\p{Lu}\p{Ll}+"#, ["Ärger"], not: ["ärger", "ÄR"]),
    PatternCase(#"\P{L}"#, ["1"], not: ["a"]),
    PatternCase(#"\p{Uppercase_Letter}\p{gc=Nd}\p{Is Sc}"#, ["A1€"], not: ["a1€"]),
    PatternCase(#"\p{Emoji}\p{Ideographic}\p{White_Space}"#, ["🌷花 "], not: ["aaa"]),
    PatternCase(#"\Q(a.b\E+"#, ["(a.b", "(a.bb"], not: ["(axb", "(a.b(a.b"]),
    PatternCase(#"\Q\w"#, [#"\w"#], not: ["a"]),
  ]
  static let positions: [PatternCase] = [
    PatternCase("^a$", ["a"], not: ["a\n", "\na"]),
    PatternCase(#"\Aa\z"#, ["a"], not: ["a\n"]),
    PatternCase(#"a\Z\n?"#, ["a", "a\n"], not: ["a\n\n"]),
    PatternCase(#"a\Z\R"#, ["a\u{2028}"], not: ["a"]),
    PatternCase(#"a^b|a$b"#, [], not: ["ab"]),
    PatternCase("(?m)a$\n^b", ["a\nb"], not: ["ab"]),
    PatternCase("(?m)a$\\R^b", ["a\nb", "a\r\nb", "a\u{85}b"], not: ["ab"]),
    PatternCase("a$\n^b", [], not: ["a\nb"]),
    PatternCase(#"\bab\b.\B!?"#, ["ab ", "ab !"], not: ["ab", "abc", "ab c"]),
    PatternCase(#"a\Bb"#, ["ab"], not: ["a b"]),
    PatternCase(#"\ba\u0301\b"#, ["a\u{301}"], not: ["a"]),
  ]
  static let flagged: [PatternCase] = [
    PatternCase("(?i)straße", ["STRAßE", "straße"], not: ["strasse"]),
    PatternCase("(?i:a)b", ["Ab", "ab"], not: ["AB"]),
    PatternCase("a(?i)b|c", ["aB", "C"], not: ["AB"]),
    PatternCase("(?:a(?i)b)c", ["aBc"], not: ["aBC"]),
    PatternCase("(?i)a(?-i)b", ["Ab"], not: ["AB"]),
    PatternCase("(?i)[a-c]+", ["ABC", "abc"], not: ["d"]),
    PatternCase("(?i)[^a-c]", ["D"], not: ["A", "a"]),
    PatternCase("(?i)[a-z&&[^aeiou]]", ["B", "b"], not: ["E", "e"]),
    PatternCase("(?i)Σ", ["σ", "ς", "Σ"], not: ["s"]),
    PatternCase("(?s).", ["\n"], not: [""]),
    PatternCase("(?s-s:.)", ["a"], not: ["\n"]),
    PatternCase("(?x) a b # a comment\n c", ["abc"], not: ["a b"]),
    PatternCase("(?x) a {2} \\  b", ["aa b"], not: ["aab"]),
    PatternCase("(?ms)^.$", ["\n"], not: ["ab"]),
  ]
  /// A scalar is one unit, and canonically equivalent texts differ.
  static let scalars: [PatternCase] = [
    PatternCase("..", ["e\u{301}", "🇫🇷", "\u{1100}\u{1161}"], not: ["\u{E9}"]),
    PatternCase("\u{E9}", ["\u{E9}"], not: ["e\u{301}"]),
    PatternCase("e\u{301}?", ["e", "e\u{301}"], not: ["\u{E9}"]),
    PatternCase("[e\u{301}]+", ["\u{301}e", "ee"], not: ["\u{E9}"]),
    PatternCase("k", ["k"], not: ["\u{212A}"]),
    PatternCase("[\u{1F337}-\u{1F33F}]", ["\u{1F338}"], not: ["\u{1F340}", "\u{D7FF}"]),
    PatternCase(#"[\u{0}-\u{10FFFF}]"#, ["\0", "\u{10FFFF}"], not: [""]),
  ]

  @Test(
    arguments: sequences + repetitions + classes + escapes + positions + flagged + scalars)
  func matchesTheWholeText(of test: PatternCase) throws {
    let pattern = try Pattern(test.pattern)
    for text in test.texts { #expect(pattern.matchesWhole(text), "\(text.debugDescription)") }
    for text in test.others { #expect(!pattern.matchesWhole(text), "\(text.debugDescription)") }
  }

  private static let character = "is the character itself"
  private static let number = "give a character's number in hexadecimal digits, as in '\\u{1F337}'"

  @Test(
    arguments: [
      ("(", "have a ')' for each '('", 0..<1), ("a)", "have a '(' for each ')'", 1..<2),
      ("a(?:b", "have a ')' for each '('", 1..<2), ("(?#a", "have a ')' for each '('", 0..<1),
      ("(?i", "have flags such as '(?i)'", 0..<3),
      ("(?<>a)", "give the group a name", 0..<3), ("(?<n", "give the group a name", 0..<4),
      ("(?j)a", "not use the flag 'j'; there are i, m, s and x: '(?j' is not supported", 0..<3),
      ("ab(?=c)", "not use look-ahead: '(?=' is not supported", 2..<5),
      ("(?!a)", "not use look-ahead: '(?!' is not supported", 0..<3),
      ("(?<=a)b", "not use look-behind: '(?<=' is not supported", 0..<4),
      ("(?<!a)b", "not use look-behind: '(?<!' is not supported", 0..<4),
      ("(?>a)", "not use atomic groups: '(?>' is not supported", 0..<3),
      ("(?|a)", "not use branch resets: '(?|' is not supported", 0..<3),
      ("(?(1)a)", "not use conditions: '(?(' is not supported", 0..<3),
      ("(?R)", "not use recursion: '(?R' is not supported", 0..<3),
      ("(?P>n)", "not use recursion: '(?P>' is not supported", 0..<4),
      ("(?&n)", "not use recursion: '(?&' is not supported", 0..<3),
      ("(?P=n)", "not use backreferences: '(?P=' is not supported", 0..<4),
      (#"(a)\12"#, "not use backreferences: '\\12' is not supported", 3..<6),
      (#"(?<n>a)\k<n>"#, "not use backreferences: '\\k' is not supported", 7..<9),
      (#"\g{1}"#, "not use backreferences: '\\g' is not supported", 0..<2),
      ("a++", "not use possessive quantifiers: '++' is not supported", 1..<3),
      ("a{2}+", "not use possessive quantifiers: '{2}+' is not supported", 1..<5),
      ("*a", "have something before '*' to repeat; '\\*' \(character)", 0..<1),
      ("|?", "have something before '?' to repeat; '\\?' \(character)", 1..<2),
      ("é(?i)+", "have something before '+' to repeat; '\\+' \(character)", 5..<6),
      ("a**", "have something to repeat before '*'", 2..<3),
      ("a{2}{3}", "have something to repeat before '{3}'", 4..<7),
      ("a{3,2}", "have the smaller number first in '{3,2}'", 1..<6),
      ("[", "have something in '[]'; '\\]' \(character)", 0..<1),
      ("[^]", "have something in '[]'; '\\]' \(character)", 0..<3),
      ("[a&&]", "have something in '[]'; '\\]' \(character)", 0..<5),
      ("a[b", "have a ']' for each '['; '\\[' \(character)", 1..<2),
      ("[z-a]", "have the smaller character first in 'z-a'", 1..<4),
      (#"[a-\d]"#, "have one character at each end of 'a-\\d'", 1..<5),
      (
        "[[:nope:]]", "have the name of a class between '[:' and ':]', such as [:alpha:]", 1..<9
      ),
      (#"🌷\"#, "not end in '\\'; '\\\\' \(character)", 1..<2),
      (#"[\i]"#, "not use the escape '\\i', which is not known", 1..<3),
      (#"\x4"#, number, 0..<3), (#"\x{}"#, number, 0..<3), (#"\x{110000}"#, number, 0..<10),
      (#"\u{D800}"#, number, 0..<8), (#"\U0001F33"#, number, 0..<9),
      (#"\pL"#, "have a property's name in braces after '\\p', as in '\\p{L}'", 0..<2),
      (#"\p{L"#, "have a '}' for each '{'", 0..<2),
      (
        #"\p{Greek}"#,
        "not use the property 'Greek': general categories such as L, Lu and Nd are known; for a "
          + "script, write a range such as [\\u0400-\\u04FF]", 0..<9
      ),
      (
        "\\p{gc=\u{301}Nd}",
        "not use the property 'gc=\u{301}Nd': general categories such as L, Lu and Nd are known; "
          + "for a script, write a range such as [\\u0400-\\u04FF]", 0..<10
      ),
      (
        "(a{1000}){1000}",
        "be smaller: with its repetitions written out it has more than 5000 parts", 0..<15
      ),
      (
        "b[\(String(repeating: "a", count: 5001))]",
        "be smaller: its classes have more than 5000 members", 1..<5002
      ),
      (String(repeating: "(", count: 101), "not nest groups deeper than 100", 100..<100),
      (String(repeating: "[", count: 101), "not nest classes deeper than 100", 100..<101),
    ])
  func refusesAPatternAtTheRangeOfItsMistake(pattern: String, rule: String, place: Range<Int>) {
    #expect(throws: PatternError(rule, at: place)) { try Pattern(pattern) }
  }

  @Test func acceptsPatternsUpToTheLimits() throws {
    let groups = String(repeating: "(", count: 99) + "a" + String(repeating: ")", count: 99)
    let classes = String(repeating: "[", count: 100) + "a" + String(repeating: "]", count: 100)
    for pattern in [groups, classes] { #expect(try Pattern(pattern).matchesWhole("a")) }
    let text = String(repeating: "a", count: 1666)
    #expect(try Pattern("a{1666}").matchesWhole(text))
    #expect(try Pattern("[\(String(repeating: "a", count: 5000))]{1666}").matchesWhole(text))
  }

  /// Patterns whose matching takes exponential or quadratic time by backtracking.
  @Test(arguments: [
    "([a-z]+ ?)+", "(a|a)*b", "(a*)*b", "(?:a?){500}a{500}", "(.*)*x", "([a-z]+)*[0-9]",
    "(a|aa)+$b", "(a+)+b", "(.*a){20}b", "(?i)(a|A|[a-z])*b", "((a*)*)*b", "(?:a|b|ab)*c",
  ])
  func matchesInLinearTime(pattern: String) throws {
    let pattern = try Pattern(pattern)
    // The first match fills tables.
    _ = pattern.matchesWhole("a!")
    func seconds(_ count: Int) -> Double {
      let text = String(repeating: "a", count: count) + "!"
      let start = processorSeconds()
      #expect(!pattern.matchesWhole(text))
      return processorSeconds() - start
    }
    let (short, long) = (seconds(2_000), seconds(20_000))
    // The text is ten times as long; in quadratic time, the match would take a hundred times as
    // long.
    #expect(long < 40 * short + 0.05, "\(short) s, then \(long) s")
  }

  /// Classes with very many members and operations, which third-party schemas may have.
  @Test(arguments: [
    "[" + Array(repeating: "a", count: 4_000).joined(separator: "~~") + "]",
    "[" + Array(repeating: "[a-ž]", count: 2_000).joined(separator: "&&") + "]*",
    "[" + Array(repeating: "a", count: 4_000).joined(separator: "--") + "]",
    "(?:[" + String(String.UnicodeScalarView((0..<4_000).map { scalar in cjk(scalar) }))
      + "]?){1000}",
    "(?i)(?:[" + String(String.UnicodeScalarView((0..<4_000).map { scalar in cjk(scalar) }))
      + "]?){1000}",
    "(?i)" + String(repeating: "ж?", count: 1_600),
  ])
  func boundsTheTimeOfLargeClasses(pattern: String) throws {
    let text = String(repeating: "\u{9FFF}ш", count: 1_000)
    let start = processorSeconds()
    #expect(try !Pattern(pattern).matchesWhole(text))
    #expect(processorSeconds() - start < 10)
  }

  private static func cjk(_ number: Int) -> Unicode.Scalar {
    Unicode.Scalar(0x4E00 + UInt32(number)) ?? "?"
  }

  @Test("matches as Swift's own engine does", arguments: 1...8 as ClosedRange<UInt64>)
  func matchesLikeSwift(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (compared, matches) = (0, 0)
    for _ in 0..<2_500 {
      let pattern = Self.pattern(depth: random.below(5), &random)
      let text = (0..<random.below(6)).map { _ in
        random.one(of: ["a", "b", "c", " ", "A", "1", "\n", "é", "É", "🌷", ".", "\t", "\u{2028}"])
      }.joined()
      // Swift refuses a name that occurs twice, and a repetition of ignored spaces.
      guard let regex = try? Regex(pattern).matchingSemantics(.unicodeScalar) else { continue }
      compared += 1
      let expected = try regex.wholeMatch(in: text) != nil
      if expected { matches += 1 }
      #expect(
        try Pattern(pattern).matchesWhole(text) == expected,
        "\(pattern.debugDescription) \(text.debugDescription)")
    }
    #expect(compared > 2_400 && matches > 100, "\(compared) \(matches)")
  }

  /// Returns a random pattern in which no repeated part can match the empty text, because Swift
  /// ends such a loop at once.
  ///
  /// Two differences from Swift cannot occur. Swift's `[^\w]` also matches digits beside non-ASCII
  /// characters; no pattern has it. Swift's `\W` matches a carriage return together with the line
  /// feed after it; no text has a carriage return.
  private static func pattern(depth: Int, _ random: inout SeededGenerator) -> String {
    func some(_ choices: [String]) -> String { random.one(of: choices) }
    func part() -> String { pattern(depth: depth - 1, &random) }
    let letter = some([
      "a", "b", "c", " ", ".", "é", "🌷", "[ab]", "[^a]", "[a-b-c]", "[b-c&&[^c]]",
      "[[:alpha:]]", "[a-c--b]", "[a-c~~[bc1]]", "[^a-c&&[bA]]", "[[a-b][1-9]]", "[[:^alpha:]]",
      "[à-ü🌷]", #"[\da]"#, #"[a\-c]"#, "[a-c&&b-c--b~~1]",
    ])
    guard depth > 0 else { return letter }
    switch random.below(9) {
    case 0:
      return some([
        #"\d"#, #"\w"#, #"\s"#, #"\S"#, #"\W"#, #"\p{L}"#, #"\P{Lu}"#, #"\x61"#, #"\u{e9}"#,
        #"\h"#, #"\v"#, #"\R"#, #"\."#, #"\Qa.\E"#, "(?#c)b",
      ])
    case 1: return some(["(", "(?<n>", "(?:", "(?i:", "(?s:", "(?m:"]) + part() + ")"
    case 2: return "(?:" + part() + "|" + part() + ")"
    case 3: return part() + some(["", "^", "$", #"\A"#, #"\z"#, #"\Z"#]) + part()
    case 4:
      return letter
        + some([
          "*", "+", "?", "{0}", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?", "??", "{1,2}?",
        ])
    case 5:
      return "(?:" + letter + part() + ")"
        + some(["*", "+", "?", "{2}", "{1,2}", "{2,}", "{1,3}?"])
    case 6: return part() + "|" + part()
    case 7: return "(?m)" + some(["^", "$", ""]) + part() + some(["^", "$", ""])
    default: return some(["(?i)", "(?s)", "(?x) ", "B", "1"]) + part()
    }
  }
}
