import ContentModel
import TestInputs
import Testing

@testable import ContentCompiler

@Suite struct PseudoTextTests {
  @Test(arguments: [
    ("Fresh this morning", "[Ƒŕéšĥ ţĥîš ṁöŕñîñĝ one two]"), ("OK", "[ÖĶ one]"), ("7", "[7 one]"),
    ("", ""), (" \n", " \n"), ("Hello\n", "[Ĥéļļö one]\n"), ("花", "[花 one]"),
    ("Hello {name}!", "[Ĥéļļö {name}! one two]"), ("%{count} roses", "[%{count} ŕöšéš one two]"),
    ("%1$@ of %2$lld", "[%1$@ öƒ %2$lld one two]"), ("50 % off", "[50 % öƒƒ one]"),
    ("%d.%m.%Y", "[%d.%m.%Y one]"), ("50%off now", "[50%off ñöŵ one]"),
    (
      "{n, plural, one {# rose} other {# roses}} left",
      "[{n, plural, one {# rose} other {# roses}} ļéƒţ one two three four]"
    ),
    ("{open", "[{öþéñ one]"),
    ("<b>Bold</b> &amp; x < y", "[<b>Ɓöļð</b> &amp; ẋ < ý one two three]"),
    ("See https://a.example/b?c=d.", "[Šéé https://a.example/b?c=d. one two three]"),
  ])
  func accentsAndLengthensTexts(source: String, expected: String) {
    #expect(PseudoLocale.accented.text(source) == expected)
  }

  @Test(arguments: [
    ("Two words", "<<Two>> <<words>>"), ("Hi {name}!", "<<Hi>> {name}<<!>>"), ("", ""),
    ("50%d", "50%d"), ("{n, plural, other {a b}}", "{n, plural, other {a b}}"),
    (" x\n", " <<x>>\n"),
  ])
  func marksEachWord(source: String, expected: String) {
    let marked = expected.replacing("<<", with: "\u{200F}\u{202E}")
      .replacing(">>", with: "\u{202C}\u{200F}")
    #expect(PseudoLocale.mirrored.text(source) == marked)
  }

  @Test func accentsEveryLetterByOneOther() {
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "z")).filter(\.isLetter)
    let source = String(decoding: letters, as: UTF8.self)
    let accented = PseudoLocale.accented.text(source, as: .plain)
    #expect(accented.unicodeScalars.count == letters.count)
    #expect(Set(accented.unicodeScalars).count == letters.count)
    #expect(accented.utf8.allSatisfy { $0 >= 0x80 })
  }

  @Test(arguments: [1, 2, 7, 10, 50, 400, 3_000])
  func isAtLeast40PercentLonger(length: Int) {
    let source = String(repeating: "a", count: length)
    let count = PseudoLocale.accented.text(source).unicodeScalars.count - 2
    #expect(count * 10 >= length * 14)
    #expect(count < length * 14 / 10 + 12)
    #expect(PseudoLocale.accented.text(source, as: .bracketed).unicodeScalars.count == length + 2)
  }

  /// Pieces of placeholders, which random texts put together in ways that no author would.
  private static let pieces = [
    "%", "%d", "%@", "%1$@", "%.2f", "%m", "%%", "%-", "50", "5", "{", "}", "{name}", "%{n}", "$",
    "{n, plural, one {", "a", "off", "d ", " ", "\n", "é", "<b>", "<", "&amp;", "&", "://", ",",
    "#",
    "l", "@", "\u{301}", ".", "0",
  ]

  @Test(arguments: 0..<40)
  func keepsThePlaceholdersOfAnyText(seed: Int) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<250 {
      let source = (0..<random.below(14) + 1).map { _ in random.one(of: Self.pieces) }.joined()
      for locale in [PseudoLocale.accented, .mirrored] {
        let text = locale.text(source)
        let (found, wanted) = (Placeholders(in: text), Placeholders(in: source))
        #expect(
          found.all.map(\.spelling) == wanted.all.map(\.spelling),
          "\(source.debugDescription) \(text.debugDescription)")
        #expect(found.difference(from: wanted) == nil)
        #expect(locale.text(source) == text)
      }
    }
  }

  @Test func takesATimeInProportionToTheLength() {
    for piece in ["{", "%", "<a", "&", "://", "{{}", "1%"] {
      let source = String(repeating: piece, count: 100_000)
      #expect(PseudoLocale.accented.text(source, as: .plain).utf8.count >= source.utf8.count)
    }
  }

  @Test(
    arguments: [
      (.accented, [.one, .other], "one=one other=other"),
      (.accented, [.other], "one=other other=other"),
      (.accented, [.one, .few, .many, .other], "one=one other=other"),
      (.accented, [.zero, .one, .other], "zero=zero one=one other=other"),
      (.mirrored, [.one, .other], "zero=other one=one two=other few=other many=other other=other"),
      (.mirrored, [.one], "zero=one one=one two=one few=one many=one other=one"),
    ] as [(PseudoLocale, [PluralCategory], String)])
  func hasThePluralCategoriesOfItsLanguage(
    locale: PseudoLocale, source: [PluralCategory], expected: String
  ) {
    let found = locale.categories(for: source).map { "\($0.category)=\($0.source)" }
    #expect(found.joined(separator: " ") == expected)
  }
}
