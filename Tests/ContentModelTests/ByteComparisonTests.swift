import ContentModel
import Testing

/// Comparisons by the bytes of strings, of optional strings and of exact strings.
@Suite struct ByteComparisonTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test func distinguishesCanonicallyEquivalentTexts() {
    let (text, other) = (Self.composed, Self.decomposed)
    #expect(text == other && !text.hasSameBytes(as: other) && text.hasSameBytes(as: text))
    #expect(other.precedesInBytes(text) && !text.precedesInBytes(other))
    #expect(!text.precedesInBytes(text) && "".precedesInBytes(text) && "".hasSameBytes(as: ""))
  }

  @Test func distinguishesCanonicallyEquivalentNames() {
    let (name, other) = (ExactString(Self.composed), ExactString(Self.decomposed))
    #expect(name != other && other < name && Set([name, other]).count == 2)
    #expect([name: 1][other] == nil && [name: 1][Self.composed] == 1)
  }

  @Test func comparesOptionalTexts() {
    let (text, none): (String?, String?) = (Self.composed, nil)
    #expect(text.hasSameBytes(as: Self.composed) && !text.hasSameBytes(as: Self.decomposed))
    #expect(!text.hasSameBytes(as: nil) && !none.hasSameBytes(as: "") && none.hasSameBytes(as: nil))
  }

  /// A combining mark after a slash, and a line feed after a carriage return, are parts of one
  /// character.
  @Test func findsPrefixesAndSuffixesInsideCharacters() {
    #expect(!"/\u{301}a".hasPrefix("/") && "/\u{301}a".hasBytePrefix("/"))
    #expect(!"a\r\n".hasSuffix("\n") && "a\r\n".hasByteSuffix("\n"))
    #expect(ExactString("/\u{301}a").hasPrefix("/") && ExactString("a\r\n").hasSuffix("\n"))
    #expect(!"a".hasBytePrefix("ab") && !"a".hasByteSuffix("ba") && "a".hasBytePrefix(""))
  }
}
