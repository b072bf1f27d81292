package import ContentModel

/// A locale whose texts are those of the source locale, changed so that people can still read them.
package enum PseudoLocale: Sendable {
  /// `en-XA`: accents on all letters, brackets around each text, and words behind it that make it
  /// 40 % longer.
  case accented
  /// `ar-XB`: each word is shown from right to left.
  case mirrored

  /// The pseudo-locale with a tag; `nil` for another locale.
  package init?(_ locale: LocaleTag) {
    guard let place = LocaleTag.pseudoLocales.firstIndex(of: locale) else { return nil }
    self = place == 0 ? .accented : .mirrored
  }

  /// The tag.
  package var locale: LocaleTag { LocaleTag.pseudoLocales[self == .accented ? 0 : 1] }

  /// The forms of a text, the longest first; the last one has as many visible characters as the
  /// source.
  package enum Form: CaseIterable, Sendable {
    /// With all marks and words of the pseudo-locale.
    case full
    /// Without the words that make it longer.
    case bracketed
    /// Without brackets.
    case plain
  }
}

extension PseudoLocale {
  /// Returns a text of the source locale as the pseudo-locale shows it.
  package func text(_ source: String, as form: Form = .full) -> String {
    let bytes = Array(source.utf8)
    let changed = changed([bytes])[0]
    guard self == .accented, form != .plain else { return String(decoding: changed, as: UTF8.self) }
    // White space around a text, such as the line feed of a block, stays outside.
    guard let first = changed.firstIndex(where: { !$0.isWhitespace }),
      let last = changed.lastIndex(where: { !$0.isWhitespace })
    else { return source }
    let words = form == .full ? Self.words(lengthening: source.unicodeScalars.count) : ""
    let inner = "[" + String(decoding: changed[first...last], as: UTF8.self) + words + "]"
    return String(decoding: changed[..<first], as: UTF8.self) + inner
      + String(decoding: changed[(last + 1)...], as: UTF8.self)
  }

  /// Returns the categories of a plural, each with the category of the source whose text it gets.
  ///
  /// `source` contains the categories of the source. A `zero` of the source is kept, since catalogs
  /// may have it in every language.
  package func categories(
    for source: [PluralCategory]
  ) -> [(category: PluralCategory, source: PluralCategory)] {
    let own = PluralRules(locale).categories
    return PluralCategory.allCases.compactMap { category in
      if source.contains(category), own.contains(category) || category == .zero {
        return (category, category)
      }
      guard own.contains(category), let other = source.contains(.other) ? .other : source.last
      else { return nil }
      return (category, other)
    }
  }

  /// Returns words that make a text 40 % longer, each after a space.
  static func words(lengthening count: Int) -> String {
    let wanted = (count * 2 + 4) / 5
    var words = ""
    var place = 0
    while words.utf8.count < wanted {
      words += " " + numbers[place % numbers.count]
      place += 1
    }
    return words
  }

  private static let numbers = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
  ]

  /// Returns the parts of a text with accents, or with marks around each word.
  ///
  /// A placeholder may begin in one part and end in another one.
  func changed(_ parts: [[UInt8]]) -> [[UInt8]] {
    let isKept = KeptText(of: Array(parts.joined())).isKept
    var start = 0
    return parts.map { part in
      defer { start += part.count }
      let kept = isKept[start..<start + part.count]
      return self == .accented
        ? Self.accented(part, keeping: kept) : Self.mirrored(part, keeping: kept)
    }
  }

  private static func accented(_ text: [UInt8], keeping isKept: ArraySlice<Bool>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count * 2)
    for (byte, isKept) in zip(text, isKept) {
      if isKept || !byte.isLetter {
        result.append(byte)
      } else {
        result += accents[Int(byte | 0x20) - 0x61][byte & 0x20 == 0 ? 0 : 1]
      }
    }
    return result
  }

  /// The accented forms of each letter, the capital one first; all but those of `b`, `f`, `m`, `q`,
  /// `v` and `x` are Android's.
  private static let accents = [
    "Åå", "Ɓƀ", "Çç", "Ðð", "Éé", "Ƒƒ", "Ĝĝ", "Ĥĥ", "Îî", "Ĵĵ", "Ķķ", "Ļļ", "Ṁṁ", "Ññ", "Öö", "Þþ",
    "Ǫǫ", "Ŕŕ", "Šš", "Ţţ", "Ûû", "Ṽṽ", "Ŵŵ", "Ẋẋ", "Ýý", "Žž",
  ].map { $0.unicodeScalars.map { Array(String($0).utf8) } }

  private static func mirrored(_ text: [UInt8], keeping isKept: ArraySlice<Bool>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count * 3)
    var isInWord = false
    for (byte, isKept) in zip(text, isKept) {
      let isOfWord = !isKept && !byte.isWhitespace
      if isOfWord != isInWord { result += isOfWord ? wordStart : wordEnd }
      isInWord = isOfWord
      result.append(byte)
    }
    return isInWord ? result + wordEnd : result
  }

  /// A right-to-left mark and override, as Android puts before each word.
  private static let wordStart = Array("\u{200F}\u{202E}".utf8)
  /// The end of the override, and a right-to-left mark.
  private static let wordEnd = Array("\u{202C}\u{200F}".utf8)
}
