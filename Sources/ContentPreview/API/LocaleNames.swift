import ContentModel

/// The display names of locales.
///
/// A name has the form that ICU and Apple's systems use: the language, then script, region and
/// variants in parentheses. Differences are intended: a deprecated tag has the name of its current
/// one (`Serbian (Latin)` for `sh`), a code without a name is shown itself (`English (XX)`), and so
/// are variants (`català (valencia)`).
///
/// The table has English names of all codes of CLDR. In a language itself, it has the names of the
/// scripts and regions that occur in CLDR's locales of that language, and of the regions where CLDR
/// counts speakers: CLDR has no locale `de-FR`, but the name is `Deutsch (Frankreich)`. A name that
/// is missing in one script is taken from the language's usual script, and otherwise it is English
/// (`Deutsch (Thailand)`), which more editors can read than a code.
enum LocaleNames {
  /// Returns a locale's name in English, such as `French (Canada)`; a text that is not a tag as it
  /// is.
  static func english(_ tag: String) -> String { name(of: tag) { _ in LocaleTag("en") } }

  /// Returns a locale's name in its own language, such as `français (Canada)`; a text that is not a
  /// tag as it is.
  static func native(_ tag: String) -> String { name(of: tag) { $0 } }

  /// Returns the name of a tag in the locale that a function returns for its current tag.
  private static func name(of text: String, in display: (LocaleTag) -> LocaleTag?) -> String {
    guard let tag = LocaleTag(text)?.canonical, let display = display(tag) else { return text }
    // Names are inherited like all data of CLDR.
    let inherited = sequence(first: display, next: \.parent).map(\.identifier)
    let chain = inherited + [display.language, "en"]
    func part(_ code: String) -> String {
      bracketed(chain.lazy.compactMap { table["\($0) \(code)"] }.first ?? code)
    }
    let rest = (tag.region.map { [part($0)] } ?? []) + tag.variants
    let script = tag.script.map { [part($0)] } ?? []

    for locale in chain {
      // “Simplified Chinese” is usual; in most languages the script is a part in parentheses.
      if let code = tag.script, let name = table["\(locale) \(tag.language)-\(code)"] {
        return joined(name, rest, in: display)
      }
      if let name = table["\(locale) \(tag.language)"] {
        return joined(name, script + rest, in: display)
      }
    }
    return joined(tag.language, script + rest, in: display)
  }

  /// Returns a name without parentheses of its own, so that it can stand in parentheses: `Myanmar
  /// [Burma]`.
  private static func bracketed(_ name: String) -> String {
    let brackets: [Character: Character] = ["(": "[", ")": "]", "（": "［", "）": "］"]
    return String(name.map { brackets[$0] ?? $0 })
  }

  /// Joins a language's name and its parts with the punctuation of a language (CLDR's
  /// `localePattern` and `localeSeparator`).
  private static func joined(_ language: String, _ parts: [String], in display: LocaleTag) -> String
  {
    if parts.isEmpty { return language }
    return switch display.language {
    case "zh", "yue": "\(language)（\(parts.joined(separator: "，"))）"
    case "ko": "\(language)(\(parts.joined(separator: ", ")))"
    case "ja": "\(language)（\(parts.joined(separator: "、"))）"
    case "ar", "ug", "ur": "\(language) (\(parts.joined(separator: "، ")))"
    default: "\(language) (\(parts.joined(separator: ", ")))"
    }
  }
}
