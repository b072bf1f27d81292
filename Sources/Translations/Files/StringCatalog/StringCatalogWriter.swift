import ContentModel
import Diagnostics
import PropertyLists

/// A writer of string catalogs with the spacing, escapes and order of Xcode.
struct StringCatalogWriter {
  private let file: TranslationFile

  /// A key of the catalog, and its units: a single text, or one unit for each plural category.
  private struct Entry {
    var key: ExactString
    var order: CatalogOrder
    var units: [TranslationUnit]

    init(_ key: ExactString, units: [TranslationUnit]) {
      (self.key, self.units) = (key, units)
      order = CatalogOrder(key)
    }
  }

  init(_ file: TranslationFile) { self.file = file }

  /// Returns the bytes of the file.
  func encoded() -> [UInt8] {
    let entries = Self.entries(of: file.units).map(member)
    let catalog = JSONText.object([
      ("sourceLanguage", .string(file.sourceLocale.identifier)), ("strings", .object(entries)),
      ("version", .string("1.0")),
    ])
    return catalog.encoded(in: .xcode)
  }

  /// Returns the entries in the order of their keys.
  private static func entries(of units: [TranslationUnit]) -> [Entry] {
    let plain = Set(units.filter { $0.plural == nil }.map(\.id))
    var entries: [Entry] = []
    var places: [ExactString: Int] = [:]
    for unit in units {
      // If a text has the same key as plural categories, the categories keep their whole ids as
      // keys.
      guard let text = unit.plural?.text, !plain.contains(text) else {
        entries.append(Entry(unit.id, units: [unit]))
        continue
      }
      if let place = places[text] {
        entries[place].units.append(unit)
      } else {
        places[text] = entries.count
        entries.append(Entry(text, units: [unit]))
      }
    }
    return entries.sorted { $0.order < $1.order }
  }

  private func member(_ entry: Entry) -> JSONText.Member {
    var members: [JSONText.Member] = []
    if let comment = Self.comment(for: entry.units) {
      members.append(("comment", .string(comment)))
    }
    // `manual` marks a key as the author's; tools drop other keys that look stale.
    members.append(("extractionState", .string("manual")))
    let isPlural = entry.key != entry.units.first?.id
    let locales = [
      (file.sourceLocale, sourceUnits(of: entry.units)),
      (file.targetLocale, targetUnits(of: entry.units)),
    ].sorted { Self.order(of: $0.0) < Self.order(of: $1.0) }
    let localizations = locales.map { locale, units -> JSONText.Member in
      let texts = isPlural ? Self.variations(of: units) : units.prefix(1).map(\.member)
      return (locale.identifier, .object(texts))
    }
    members.append(("localizations", .object(localizations)))
    return (entry.key.text, .object(members))
  }

  private static func order(of locale: LocaleTag) -> CatalogOrder {
    CatalogOrder(ExactString(locale.identifier))
  }

  /// Returns the members of the localization of a text with plural categories.
  private static func variations(of units: [StringUnit]) -> [JSONText.Member] {
    let categories = units.sorted { $0.category < $1.category }.map { unit -> JSONText.Member in
      (unit.category, .object([unit.member]))
    }
    return [("variations", .object([("plural", .object(categories))]))]
  }

  /// A string unit of a catalog.
  private struct StringUnit {
    /// The plural category; empty if there is none.
    var category: String
    var state: String
    var value: String

    var member: JSONText.Member {
      ("stringUnit", .object([("state", .string(state)), ("value", .string(value))]))
    }
  }

  /// Returns the units of the source locale.
  ///
  /// A translation can need categories that the source locale lacks. Their source texts repeat the
  /// source's `other`, and are left out.
  private func sourceUnits(of units: [TranslationUnit]) -> [StringUnit] {
    let own = PluralRules(file.sourceLocale).categories
    let other = units.first { $0.plural?.category == .other }?.source
    return units.compactMap { unit in
      if let category = unit.plural?.category, category != .other, !own.contains(category),
        let other, unit.source.hasSameBytes(as: other)
      {
        return nil
      }
      return StringUnit(
        category: unit.plural?.category.rawValue ?? "", state: "translated", value: unit.source)
    }
  }

  private func targetUnits(of units: [TranslationUnit]) -> [StringUnit] {
    units.map { unit in
      StringUnit(
        category: unit.plural?.category.rawValue ?? "",
        state: TranslationFormat.xcstrings.name(of: unit.state),
        value: unit.target ?? "")
    }
  }

  /// Returns the notes, the maximum length and the places of a key's units.
  private static func comment(for units: [TranslationUnit]) -> String? {
    var lines: [String] = []
    func add(_ line: String) {
      if !lines.contains(where: { $0.hasSameBytes(as: line) }) { lines.append(line) }
    }
    for unit in units { if let note = unit.note { add(note) } }
    for unit in units { if let length = unit.maximumLength { add("Maximum length: \(length)") } }
    for unit in units where !unit.whereUsed.isEmpty {
      add("Used in: " + unit.whereUsed.joined(separator: ", "))
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
