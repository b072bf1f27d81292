package import ContentModel
package import Diagnostics

/// The translations from one language into another, in one of the formats.
package struct TranslationFile: Sendable {
  package var format: TranslationFormat
  package var sourceLocale: LocaleTag
  package var targetLocale: LocaleTag
  /// The units in their order in the file; ids occur once.
  package var units: [TranslationUnit]
  /// The number of units that were left out, each with an error; 0 unless the file was read.
  package var damaged = 0

  package init(
    _ format: TranslationFormat, from sourceLocale: LocaleTag, to targetLocale: LocaleTag,
    units: [TranslationUnit]
  ) {
    self.format = format
    (self.sourceLocale, self.targetLocale) = (sourceLocale, targetLocale)
    self.units = units
  }

  /// Returns the bytes of the file, or errors for units that the format cannot carry.
  ///
  /// The bytes depend on the units only.
  package func encoded() -> Diagnosed<[UInt8]> {
    let problems = duplicates + unwritable
    return problems.isEmpty
      ? Diagnosed(format.write(self)) : Diagnosed([], diagnostics: problems)
  }

  /// An error for each unit whose id another unit has.
  private var duplicates: [Diagnostic] {
    var known: Set<ExactString> = []
    return units.compactMap { unit in
      known.insert(unit.id).inserted
        ? nil
        : .error(
          .translationUnit, at: unit.place, message: "unit '\(unit.id)' must occur once")
    }
  }

  /// An error for each unit with a character that the format cannot carry.
  ///
  /// XML 1.0 has no form for these characters, and spreadsheets, whose files are XML, drop them. An
  /// escape of our own would reach translators as text, and count in lengths.
  private var unwritable: [Diagnostic] {
    guard let holder = format.onlyXMLCharactersIn else { return [] }
    let others = TranslationFormat.allCases.filter { $0.onlyXMLCharactersIn == nil }
    let advice = others.map { ", or export a \($0.title.lowercased()) (\($0.name))" }.joined()
    return units.compactMap { unit in
      let texts = [unit.id.text, unit.source, unit.target ?? "", unit.note ?? ""] + unit.whereUsed
      guard let scalar = texts.lazy.compactMap({ $0.unicodeScalars.first { !$0.isXML } }).first
      else { return nil }
      return .error(
        .translationText, at: unit.place,
        message: "unit '\(unit.id)' must not contain the character \(scalar.codePoint), "
          + "which \(holder) cannot hold",
        notes: [.init("remove the character from the text\(advice)")])
    }
  }
}

extension TranslationUnit {
  /// Returns an error for a character of the translation that most formats cannot hold.
  ///
  /// The next export into such a format would be refused. Characters of the source text, or of the
  /// translation that this one replaces, are allowed.
  package func unwritableCharacter(replacing current: String?) -> Diagnostic? {
    let allowed = source.unicodeScalars + (current ?? "").unicodeScalars
    guard let scalar = target?.unicodeScalars.first(where: { !$0.isXML && !allowed.contains($0) })
    else { return nil }
    let holders = TranslationFormat.allCases.compactMap(\.onlyXMLCharactersIn)
    return .error(
      .translationText, at: targetPlace ?? place,
      message: "the translation of '\(id)' must not contain the character \(scalar.codePoint), "
        + "which \(holders.joined(separator: " and ")) cannot hold",
      notes: [.init("remove the character from the translation")])
  }
}

extension Unicode.Scalar {
  /// The number of the character, such as `U+0000`.
  fileprivate var codePoint: String {
    let number = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - number.utf8.count)) + number
  }

  /// `true` for the characters of XML 1.0.
  var isXML: Bool {
    switch value {
    case 0x9, 0xA, 0xD: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
