import Diagnostics
import Testing

@Suite struct TerminalTextTests {
  /// Control characters, and scalars that hide text or change its direction.
  static let harmful: [Unicode.Scalar] =
    ((0...0x1F).map(Unicode.Scalar.init) + (0x7F...0x9F).map(Unicode.Scalar.init)).compactMap(
      \.self)
    + [
      "\u{61C}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202B}",
      "\u{202C}", "\u{202D}", "\u{202E}", "\u{2060}", "\u{2066}", "\u{2067}", "\u{2068}",
      "\u{2069}", "\u{FEFF}", "\u{E0041}",
    ]

  @Test(arguments: harmful) func replacesHarmfulCharacters(_ scalar: Unicode.Scalar) {
    let foreign = "a\(scalar)b"
    let expected = scalar == "\t" ? "a b" : "a\u{FFFD}b"
    #expect(TerminalText(line: foreign).string == expected)
    let isKept = scalar == "\n" || scalar == "\t"
    #expect(TerminalText(page: foreign).string == (isKept ? foreign : expected))
    let interpolated: TerminalText = "<\(foreign)>"
    #expect(interpolated.string == "<\(expected)>")
    #expect(
      !foreign.harmlessJSON.unicodeScalars.contains { $0 == scalar && $0 != "\n" && $0 != "\t" })
  }

  @Test func keepsLettersJoinersAndEmoji() {
    let text = "Blüten, \u{645}\u{6CC}\u{200C}\u{62E}, 👩‍👩‍👧 e\u{301} 日本"
    #expect(TerminalText(line: text).string == text)
    #expect(text.harmlessJSON == text)
  }

  @Test func keepsTerminalTextThatIsInterpolatedAgain() {
    let own: TerminalText = "one\n\("two\u{1B}[31m")"
    let both: TerminalText = "\(own), \(3)"
    #expect(both.string == "one\ntwo\u{FFFD}[31m, 3")
  }

  @Test func escapesJSONWithoutChangingItsValue() {
    #expect(
      "{\"a\":\"\u{9B}\u{202E}\u{E0041}é\"}\n".harmlessJSON
        == "{\"a\":\"\\u009b\\u202e\\udb40\\udc41é\"}\n")
  }
}
