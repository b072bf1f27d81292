import ContentModel
import Diagnostics
import TestInputs
import Testing
package import Translations

/// The locales and files of these tests.
enum Samples {
  static let english = LocaleTag("en") ?? LocaleTag.unknown
  static let french = LocaleTag("fr") ?? LocaleTag.unknown
  static let arabic = LocaleTag("ar") ?? LocaleTag.unknown
  static let locales = TranslationLocales(
    source: english, targets: [french, arabic, LocaleTag("pt-BR") ?? LocaleTag.unknown])

  /// Reads a file with the declared locales.
  static func decode(_ text: String, path: String = "in") -> Diagnosed<[TranslationFile]> {
    TranslationFile.decode(Array(text.utf8), path: path, locales: locales)
  }

  /// Units with each state, with plural categories, and with the characters of the formats.
  static let units: [TranslationUnit] = [
    TranslationUnit(
      id: "product/rose#title", source: "Roses & <Tulips>", target: "Roses & <tulipes>",
      state: .final, note: "The name, as on the label.", maximumLength: 24,
      whereUsed: ["Catalog", "Product page"]),
    TranslationUnit(id: "product/rose#care", source: "Keep cool.\nCut the stems."),
    TranslationUnit(
      id: "product/rose#badges.new.label", source: "\"New\"", target: "« Nouveau\u{A0}»",
      state: .needsReview),
    TranslationUnit(
      id: "product/rose#stock[one]", source: "%d item", target: "%d article", maximumLength: 20),
    TranslationUnit(
      id: "product/rose#stock[other]", source: "%d items", target: "%d articles",
      maximumLength: 20),
    TranslationUnit(id: "product/rose#discount", source: "-20\u{A0}%", target: "-20\u{202F}%"),
    TranslationUnit(id: "product/rose#formula", source: "=1+1", target: "'=1+1", state: .final),
    TranslationUnit(id: "product/rose#Title", source: "  two spaces  ", target: ""),
    TranslationUnit(id: "product/rose#path", source: #"C:\roses\new"#, target: "C:\\roses\t☃️"),
  ]

  /// The units that a format gives back for these units: string catalogs have no state `final`, no
  /// length and no places, and one comment for a key.
  static func returned(_ units: [TranslationUnit], by format: TranslationFormat)
    -> [TranslationUnit]
  {
    guard format == .xcstrings else { return units }
    return units.map {
      TranslationUnit(
        id: $0.id, source: $0.source, target: $0.target,
        state: $0.state == .final ? .translated : $0.state)
    }
  }

  /// Returns the units in the order of their ids, without the parts that a string catalog lacks.
  static func comparable(_ units: [TranslationUnit], in format: TranslationFormat)
    -> [TranslationUnit]
  {
    guard format == .xcstrings else { return units }
    return units.map {
      TranslationUnit(id: $0.id, source: $0.source, target: $0.target, state: $0.state)
    }.sorted { $0.id < $1.id }
  }
}

extension TranslationUnit: Equatable {
  /// Compares texts by bytes, and does not compare places.
  package static func == (a: TranslationUnit, b: TranslationUnit) -> Bool {
    a.id == b.id && a.state == b.state && a.maximumLength == b.maximumLength
      && a.texts == b.texts
  }

  private var texts: [ExactString?] {
    ([source, target, note] + whereUsed).map { text in text.map { ExactString($0) } }
  }
}

extension LocaleTag {
  /// A tag that no sample uses.
  fileprivate static var unknown: LocaleTag {
    LocaleTag(requested: "zxx").unsafelyUnwrapped
  }
}

extension SeededGenerator {
  /// A text of the kinds that files of translations damage.
  mutating func text() -> String {
    let parts = [
      "=1+1", "-", "+", "@", "'", "''", "\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "\r", " ", "  ",
      "\u{A0}", "\u{202F}", "&", "&amp;", "<b>", "]]>", "<![CDATA[", "\\", "\\n", "/", "e\u{301}",
      "é", "👩‍👩‍👧",
      "🇫🇷", "\u{202E}abc\u{202C}", "שלום", "مرحبا", "\u{200F}", "\u{2028}", "\u{85}",
      "\u{7F}", "\u{FEFF}", "\u{FFFD}", "\u{E000}", "\u{10FFFD}", "%d", "{name}", "sep=;", "ﬁ",
      "＝", "Wort", "a", "1", "#", "[one]", "{", "}",
    ]
    return (0..<below(7)).map { _ in
      guard once(in: 4) else { return one(of: parts) }
      let value = once(in: 2) ? UInt32(below(0x300)) : UInt32(below(0x11_0000))
      return Unicode.Scalar(value).map { $0.isXMLCharacter ? String($0) : "?" } ?? "?"
    }.joined()
  }

  /// Units whose ids are unique, some of them with plural categories.
  mutating func units(_ count: Int) -> [TranslationUnit] {
    var units: [TranslationUnit] = []
    for index in 0..<count {
      let id = "entry/\(index)#\(once(in: 3) ? text() : "title")"
      let categories: [PluralCategory?] =
        once(in: 4) ? [.zero, .one, .two, .few, .many, .other] : [nil]
      for category in categories {
        let state = one(of: TranslationUnit.State.allCases)
        units.append(
          TranslationUnit(
            id: ExactString(category.map { "\(id)[\($0.rawValue)]" } ?? id), source: text(),
            target: state == .new ? nil : text(), state: state, note: text(),
            maximumLength: once(in: 3) ? below(100) : nil,
            whereUsed: once(in: 3) ? ["Home", "Product page, \"top\""] : []))
      }
    }
    return units
  }
}

extension Unicode.Scalar {
  /// `true` for the characters that XML 1.0 has.
  var isXMLCharacter: Bool {
    value == 9 || value == 10 || value == 13 || value >= 0x20 && value != 0xFFFE && value != 0xFFFF
  }
}
