import ContentModel
import Diagnostics
import PropertyLists

/// A reader of Xcode's string catalogs.
struct StringCatalogReader {
  private var input: TextInput
  private var collection: TranslationCollection
  /// The languages that translate at least one key, in the order in which they occur.
  private var targets: [(tag: ExactString, locale: LocaleTag)] = []

  /// The texts of a key in one language: one without a category, or one for each category.
  private struct Localization {
    var place: SourceLocation
    var variants: [Variant]
    /// `true` if the key serves as the source text, because the source language has no text.
    var isKey = false

    /// `true` if the texts have categories.
    var isPlural: Bool { variants.contains { $0.category != nil } }
  }

  private struct Variant {
    var category: PluralCategory?
    var value: String
    var state: TranslationUnit.State
    var place: SourceLocation
  }

  static func read(_ input: TextInput, locales: TranslationLocales)
    -> Diagnosed<[TranslationFile]>
  {
    var reader = StringCatalogReader(
      input: input, collection: TranslationCollection(.xcstrings, locales: locales))
    do throws(TranslationProblem) {
      let catalog = try CatalogParsing.parse(input)
      reader.input = catalog.input
      for damage in catalog.damaged {
        reader.collection.reportDamage(damage.problem.diagnostic, of: damage.key)
      }
      try reader.read(catalog.root, without: Set(names: catalog.damaged.compactMap(\.key)))
    } catch {
      return Diagnosed([], diagnostics: reader.collection.diagnostics + [error.diagnostic])
    }
    return reader.collection.finished(path: input.path)
  }

  private init(input: TextInput, collection: TranslationCollection) {
    (self.input, self.collection) = (input, collection)
  }

  /// Reads the keys of a catalog, except keys that also occur in a damaged form.
  private mutating func read(
    _ root: JSONNode, without damaged: Set<ExactString>
  ) throws(TranslationProblem) {
    guard let source = root["sourceLanguage"], let tag = source.value.string,
      let strings = root["strings"], let entries = strings.value.members
    else {
      throw TranslationProblem(
        "a string catalog must have the texts 'sourceLanguage' and 'version', and the object"
          + " 'strings'", at: input.location(root.place))
    }
    guard let version = root["version"], version.value.string?.hasBytePrefix("1.") ?? false else {
      throw TranslationProblem(
        "a string catalog must have the version 1.0",
        at: input.location(root["version"]?.value.place ?? root.place))
    }
    guard collection.checkSource(tag, at: input.location(source.value.place)) else { return }
    findTargets(of: entries)
    for entry in entries where !collection.isFull && !damaged.contains(entry.key) {
      readEntry(entry)
    }
  }

  /// Finds the declared languages of all keys.
  ///
  /// A key that omits one of these languages lacks its translation.
  private mutating func findTargets(of entries: [JSONMember]) {
    for entry in entries {
      for member in entry.value["localizations"]?.value.members ?? []
      where !collection.locales.isSource(member.key.text) {
        let place = input.location(member.place)
        guard let locale = collection.open(member.key.text, at: place) else { continue }
        guard let known = targets.first(where: { $0.locale == locale }) else {
          targets.append((member.key, locale))
          continue
        }
        if known.tag != member.key {
          collection.report(
            "'\(member.key.text.shortened)' must be '\(known.tag)', as in other keys",
            of: entry.key.text,
            at: place)
        }
      }
    }
  }

  private mutating func readEntry(_ entry: JSONMember) {
    guard entry.value.members != nil else {
      return collection.report(
        "the value of a key must be an object", of: entry.key.text,
        at: input.location(entry.value.place))
    }
    // Xcode writes keys for all texts of an app, and marks keys that are not to be translated.
    if case .boolean(false)? = entry.value["shouldTranslate"]?.value.content { return }
    let localizations = entry.value["localizations"]
    if let localizations, localizations.value.members == nil {
      return collection.report(
        "'localizations' must be an object", of: entry.key.text,
        at: input.location(localizations.value.place))
    }
    let members = localizations?.value.members ?? []
    let source = members.first { collection.locales.isSource($0.key.text) }
    // Without a text in the source language, the key is that text.
    let place = input.location(entry.place)
    let key = Variant(category: nil, value: entry.key.text, state: .translated, place: place)
    var sources = Localization(place: place, variants: [key], isKey: true)
    if let source {
      guard let read = readLocalization(source, of: entry.key.text) else { return }
      sources = read
    }
    for target in targets {
      let member = members.first { $0.key == target.tag }
      guard let member else {
        add(entry, source: sources, target: nil, to: target.locale)
        continue
      }
      guard let read = readLocalization(member, of: entry.key.text) else { continue }
      add(entry, source: sources, target: read, to: target.locale)
    }
  }

  // MARK: Units

  private mutating func add(
    _ entry: JSONMember, source: Localization, target: Localization?, to locale: LocaleTag
  ) {
    var target = target
    if let place = target?.place, source.isPlural != target?.isPlural, !source.isKey {
      // Xcode needs no variations for a language with one form, such as Korean.
      guard source.isPlural, PluralRules(locale).categories == [.other] else {
        return collection.report(
          "'\(entry.key.text.shortened)' must have plural categories in both languages or in neither",
          of: entry.key.text, at: place)
      }
      target?.variants[0].category = .other
    }
    let other = source.variants.first { $0.category == .other } ?? source.variants.last
    let note = entry.value["comment"]?.value.string
    let place = input.location(entry.place)
    for category in Self.categories(of: source.variants + (target?.variants ?? [])) {
      let target = target?.variants.first { $0.category == category }
      // A translation can have categories that its source lacks: they translate `other`.
      guard let source = source.variants.first(where: { $0.category == category }) ?? other else {
        continue
      }
      let id = category.map { "\(entry.key)[\($0.rawValue)]" } ?? entry.key.text
      var unit = TranslationUnit(
        id: ExactString(id), source: source.value, target: target?.value,
        state: target?.state ?? .new,
        note: note)
      unit.place = place
      unit.targetPlace = target?.place ?? place
      collection.add(unit, to: locale)
    }
  }

  /// Returns the categories of texts in CLDR's order, or a single `nil` for a text without one.
  private static func categories(of variants: [Variant]) -> [PluralCategory?] {
    let known = PluralCategory.allCases.filter { category in
      variants.contains { $0.category == category }
    }
    return known.isEmpty ? [nil] : known
  }

  // MARK: Localizations

  /// Reads the texts of a language, or reports a mistake and returns `nil`.
  private mutating func readLocalization(_ member: JSONMember, of key: String) -> Localization? {
    let node = member.value
    if let unsupported = node["substitutions"] ?? node["variations"]?.value["device"] {
      collection.report(
        "a text must not have '\(unsupported.key)'", of: key,
        at: input.location(unsupported.place),
        advice: "contentc keeps plural variations only")
      return nil
    }
    let place = input.location(member.place)
    if let unit = node["stringUnit"] {
      return readVariant(unit.value, of: key, category: nil).map {
        Localization(place: place, variants: [$0])
      }
    }
    guard let plural = node["variations"]?.value["plural"], let members = plural.value.members,
      !members.isEmpty
    else {
      collection.report(
        "a localization must have 'stringUnit', or 'plural' in 'variations'", of: key,
        at: place)
      return nil
    }
    var localization = Localization(place: place, variants: [])
    for member in members {
      guard let category = PluralCategory(rawValue: member.key.text) else {
        let names = PluralCategory.allCases.map(\.rawValue).joined(separator: ", ")
        collection.report(
          "plural category '\(member.key.text.shortened)' must be one of \(names)", of: key,
          at: input.location(member.place))
        return nil
      }
      guard let unit = member.value["stringUnit"] else {
        collection.report(
          "a plural category must have 'stringUnit'", of: key, at: input.location(member.place))
        return nil
      }
      guard let variant = readVariant(unit.value, of: key, category: category) else { return nil }
      localization.variants.append(variant)
    }
    return localization
  }

  private mutating func readVariant(
    _ node: JSONNode, of key: String, category: PluralCategory?
  ) -> Variant? {
    guard let value = node["value"], let text = value.value.string else {
      collection.report(
        "'stringUnit' must have the text 'value'", of: key,
        at: input.location(node["value"]?.value.place ?? node.place))
      return nil
    }
    let place = input.location(value.value.place)
    // Some tools leave the state out.
    guard let name = node["state"] else {
      return Variant(
        category: category, value: text, state: text.isEmpty ? .new : .translated,
        place: place)
    }
    guard let state = collection.format.state(named: name.value.string ?? "") else {
      collection.reportState(name.value.string ?? "", of: key, at: input.location(name.value.place))
      return nil
    }
    return Variant(category: category, value: text, state: state, place: place)
  }
}
