import ContentModel
import Diagnostics

/// A writer of string catalogs with the spacing, escapes and order of Xcode.
struct StringCatalogWriter {
  private var output: [UInt8] = []

  /// A key of the catalog, and its units: one without a plural category, or several with one.
  private struct Entry {
    var key: String
    var order: CatalogOrder
    var units: [TranslationUnit]

    init(_ key: String, units: [TranslationUnit]) {
      (self.key, self.units) = (key, units)
      order = CatalogOrder(key)
    }
  }

  /// Returns the bytes of a file.
  mutating func write(_ file: TranslationFile) -> [UInt8] {
    output += "{".utf8
    member("sourceLanguage", value: file.sourceLocale.identifier, depth: 1)
    output += ",".utf8
    object("strings", of: Self.entries(of: file.units), depth: 1) { writer, entry in
      writer.write(entry, of: file)
    }
    output += ",".utf8
    member("version", value: "1.0", depth: 1)
    output += "\n}".utf8
    return output
  }

  /// Returns the entries in the order of their keys.
  private static func entries(of units: [TranslationUnit]) -> [Entry] {
    let plain = Set(names: units.filter { $0.plural == nil }.map(\.id))
    var entries: [Entry] = []
    var places: [ExactString: Int] = [:]
    for unit in units {
      // A text and plural categories with the same key are kept apart by their whole ids.
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

  private mutating func write(_ entry: Entry, of file: TranslationFile) {
    key(entry.key, depth: 2)
    output += "{".utf8
    if let comment = Self.comment(for: entry.units) {
      member("comment", value: comment, depth: 3)
      output += ",".utf8
    }
    // Tools drop keys that they take for stale; `manual` keys are the author's.
    member("extractionState", value: "manual", depth: 3)
    output += ",".utf8
    let isPlural = entry.key != entry.units.first?.id
    let locales = [
      (file.sourceLocale, sourceUnits(of: entry.units, in: file)),
      (file.targetLocale, targetUnits(of: entry.units)),
    ].sorted { CatalogOrder($0.0.identifier) < CatalogOrder($1.0.identifier) }
    object("localizations", of: locales, depth: 3) { writer, localization in
      writer.key(localization.0.identifier, depth: 4)
      writer.output += "{".utf8
      if isPlural {
        writer.object("variations", of: [localization.1], depth: 5) { writer, units in
          let sorted = units.sorted { $0.category < $1.category }
          writer.object("plural", of: sorted, depth: 6) { writer, unit in
            writer.key(unit.category, depth: 7)
            writer.output += "{".utf8
            writer.write(unit, depth: 8)
            writer.close(7)
          }
        }
      } else if let unit = localization.1.first {
        writer.write(unit, depth: 5)
      }
      writer.close(4)
    }
    close(2)
  }

  /// A string unit of a catalog.
  private struct StringUnit {
    /// The plural category; empty if there is none.
    var category: String
    var state: String
    var value: String
  }

  /// Returns the units of the source locale.
  ///
  /// A translation can need more categories than its source has: those repeat the source's `other`,
  /// and are left out.
  private func sourceUnits(of units: [TranslationUnit], in file: TranslationFile) -> [StringUnit] {
    let own = PluralRules(file.sourceLocale).categories
    let other = units.first { $0.plural?.category == .other }?.source
    return units.compactMap { unit in
      if let category = unit.plural?.category, category != .other, !own.contains(category),
        unit.source == other
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
        category: unit.plural?.category.rawValue ?? "", state: unit.state.inStringCatalog,
        value: unit.target ?? "")
    }
  }

  /// Returns the notes, the maximum length and the places of a key's units.
  private static func comment(for units: [TranslationUnit]) -> String? {
    var lines: [String] = []
    func add(_ line: String) { if !lines.contains(line) { lines.append(line) } }
    for unit in units { if let note = unit.note { add(note) } }
    for unit in units { if let length = unit.maximumLength { add("Maximum length: \(length)") } }
    for unit in units where !unit.whereUsed.isEmpty {
      add("Used in: " + unit.whereUsed.joined(separator: ", "))
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  // MARK: JSON

  private mutating func write(_ unit: StringUnit, depth: Int) {
    key("stringUnit", depth: depth)
    output += "{".utf8
    member("state", value: unit.state, depth: depth + 1)
    output += ",".utf8
    member("value", value: unit.value, depth: depth + 1)
    close(depth)
  }

  /// Appends an object with a member for each item, which the closure appends.
  private mutating func object<Item>(
    _ name: String, of items: [Item], depth: Int, body: (inout Self, Item) -> Void
  ) {
    key(name, depth: depth)
    output += "{".utf8
    for (index, item) in items.enumerated() {
      if index > 0 { output += ",".utf8 }
      body(&self, item)
    }
    // Xcode writes an empty line in an empty object.
    if items.isEmpty { output += "\n".utf8 }
    close(depth)
  }

  private mutating func indent(_ depth: Int) {
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { output += "  ".utf8 }
  }

  private mutating func close(_ depth: Int) {
    indent(depth)
    output.append(UInt8(ascii: "}"))
  }

  private mutating func key(_ name: String, depth: Int) {
    indent(depth)
    string(name)
    output += " : ".utf8
  }

  private mutating func member(_ name: String, value: String, depth: Int) {
    key(name, depth: depth)
    string(value)
  }

  private mutating func string(_ text: String) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): output += #"\""#.utf8
      case UInt8(ascii: "\\"): output += #"\\"#.utf8
      case 0x08: output += #"\b"#.utf8
      case 0x09: output += #"\t"#.utf8
      case 0x0A: output += #"\n"#.utf8
      case 0x0C: output += #"\f"#.utf8
      case 0x0D: output += #"\r"#.utf8
      case 0..<0x20:
        output += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
        output += String(byte, radix: 16).utf8
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}

extension TranslationUnit.State {
  /// The states of string catalogs; the first of several names is written.
  static let namesInStringCatalogs: [(name: String, state: TranslationUnit.State)] = [
    ("new", .new), ("needs_review", .needsReview), ("translated", .translated),
    ("translated", .final), ("stale", .needsReview),
  ]

  /// The name in a string catalog.
  var inStringCatalog: String {
    Self.namesInStringCatalogs.first { $0.state == self }?.name ?? "new"
  }

  /// Finds the state with a name of string catalogs.
  init?(stringCatalog name: String) {
    guard let known = Self.namesInStringCatalogs.first(where: { $0.name == name }) else {
      return nil
    }
    self = known.state
  }
}
