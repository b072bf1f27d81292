import ContentModel
import ContentSource
import YAML

/// The localized texts of an entry in one context, with the missing ones.
///
/// A text is missing if the schema requires it, or if the source locale has it at the same path. If
/// the source locale's list has more items than a translated list without ids, the texts of the
/// additional items are missing.
struct LocalizedTexts {
  /// One text.
  struct Text {
    /// The path in the form of `explain`.
    var path: String
    /// The node of the text; of a missing text, its node for the source locale, if any.
    var origin: YAMLNode?
    /// The locale that it was written for; `nil` if it is missing.
    var locale: LocaleTag?
    /// The categories of a plural; empty for a text of another kind.
    var categories: [PluralCategory] = []
  }

  private(set) var all: [Text] = []
  private let locales: LayerLocales
  private let includesFree: Bool
  private let circumstances: Circumstances?

  /// The texts of an entry's members, compared with its members for the source locale.
  ///
  /// `includesFree` adds texts that no schema declares, which may be codes rather than words. With
  /// `circumstances`, the items of lists count only if a reader in these circumstances gets them.
  init(
    of members: [Resolved.Member], beside source: [Resolved.Member] = [], shape: ObjectShape,
    locales: LayerLocales, includesFree: Bool = false, as circumstances: Circumstances? = nil
  ) {
    (self.locales, self.includesFree, self.circumstances) = (locales, includesFree, circumstances)
    visit(
      members, beside: source, shape: shape, in: Place(path: "", isLocalized: false))
  }

  /// The place of a value in the entry.
  private struct Place {
    var path: String
    /// `true` if the value can differ by locale.
    var isLocalized: Bool
    /// `true` for an item of a list, whose `id` is not a text.
    var isItem = false

    func key(_ key: ExactString, of field: Field) -> Place {
      Place(
        path: path.isEmpty ? key.text : "\(path).\(key)",
        isLocalized: isLocalized || field.isLocalized)
    }

    func item(_ id: String, of field: Field) -> Place {
      Place(path: "\(path)[\(id)]", isLocalized: isLocalized || field.isLocalized, isItem: true)
    }
  }

  private mutating func visit(
    _ members: [Resolved.Member], beside source: [Resolved.Member], shape: ObjectShape,
    in place: Place
  ) {
    visit(members, beside: source, in: place) {
      place.isItem && $0 == "id" ? nil : shape.field($0)
    }
    for field in shape.fields
    where field.isRequired && isText(field) && (place.isLocalized || field.isLocalized) {
      if members.value(field.name) == nil, source.value(field.name) == nil {
        addMissing(nil, at: place.key(field.name, of: field))
      }
    }
  }

  /// Walks both sides at once, since both are in order of keys.
  private mutating func visit(
    _ members: [Resolved.Member], beside source: [Resolved.Member], in place: Place,
    _ field: (ExactString) -> Field?
  ) {
    var rest = source[...]
    for member in members {
      while let other = rest.first, other.key < member.key {
        rest.removeFirst()
        addMissing(other, of: field(other.key), in: place)
      }
      let other = rest.first.flatMap { $0.key == member.key ? $0 : nil }
      if other != nil { rest.removeFirst() }
      if other == nil, isUnused(member, beside: source, of: field(member.key)) { continue }
      if let field = field(member.key) {
        visit(
          member.value, beside: other?.value, of: field, at: place.key(member.key, of: field))
      }
    }
    for other in rest { addMissing(other, of: field(other.key), in: place) }
  }

  private mutating func addMissing(
    _ member: Resolved.Member, of field: Field?, in place: Place
  ) {
    if let field { addMissing(member.value, of: field, at: place.key(member.key, of: field)) }
  }

  /// Returns `true` if a catalog's source locale does not have a key, so that no app asks for it.
  private func isUnused(
    _ member: Resolved.Member, beside source: [Resolved.Member], of field: Field?
  ) -> Bool {
    guard case .catalog? = field?.kind, !source.isEmpty else { return false }
    return !CatalogKinds.isPluralCategory(member.key.text)
      || !source.allSatisfy { CatalogKinds.isPluralCategory($0.key.text) }
  }

  private mutating func visit(
    _ value: Resolved, beside source: Resolved?, of field: Field, at place: Place
  ) {
    switch value.shape {
    case .object(let members):
      visit(members, beside: source?.members ?? [], of: field, in: place)
    case .list(let items):
      guard let item = field.item else { return }
      visit(items, beside: source?.items ?? [], of: item, in: place)
      addMissingItems(of: value, beside: source, of: item, in: place)
    case .scalar(.string) where isText(field) && place.isLocalized,
      .markdown where place.isLocalized, .plural where place.isLocalized:
      add(value, beside: source, at: place)
    case .scalar, .link, .address, .asset, .markdown, .plural: break
    }
  }

  private mutating func visit(
    _ members: [Resolved.Member], beside source: [Resolved.Member], of field: Field,
    in place: Place
  ) {
    switch field.kind {
    case .object(let shape): visit(members, beside: source, shape: shape, in: place)
    case .map(let item): visit(members, beside: source, in: place) { _ in item }
    case .any, .catalog:
      visit(members, beside: source, in: place) { place.isItem && $0 == "id" ? nil : field }
    case .scalar, .markdown, .list, .plural: break
    }
  }

  private mutating func visit(
    _ items: [Resolved], beside source: [Resolved], of field: Field, in list: Place
  ) {
    var place = 0
    for (index, item) in items.enumerated() where circumstances?.admit(item.condition) ?? true {
      let id = item.origin.itemID
      let other =
        id.map { id in source.first { $0.origin.itemID == id } }
        ?? (index < source.count ? source[index] : nil)
      visit(
        item, beside: other, of: field, at: list.item(id?.text ?? String(place), of: field))
      place += 1
    }
  }

  /// Adds the texts of the items that only the longer list of the source locale has.
  ///
  /// Items with ids are not missing, since they are merged with those of the source locale. A list
  /// that was not translated is not compared: conditions may leave fewer of its items here.
  private mutating func addMissingItems(
    of list: Resolved, beside source: Resolved?, of field: Field, in place: Place
  ) {
    guard let source, list.origin.identity != source.origin.identity else { return }
    for index in source.items.indices.dropFirst(list.items.count) {
      let item = source.items[index]
      guard !item.origin.isNull, item.origin.itemID == nil,
        item.origin["when"]?["locale"] == nil
      else { continue }
      addMissing(item, of: field, at: place.item(String(index), of: field))
    }
  }

  private mutating func add(_ value: Resolved, beside source: Resolved?, at place: Place) {
    if let locale = locales.locale(of: value.origin) {
      var text = Text(path: place.path, origin: value.origin, locale: locale)
      if case .plural(let plural) = value.shape { text.categories = plural.texts.map(\.category) }
      all.append(text)
    } else if let source, locales.locale(of: source.origin) != nil {
      // A default of the schema does not translate the source locale's text.
      addMissing(source.origin, at: place)
    }
  }

  /// Adds each text of a value that only the source locale has.
  private mutating func addMissing(_ value: Resolved, of field: Field, at place: Place) {
    switch value.shape {
    case .object(let members): visit([], beside: members, of: field, in: place)
    case .list(let items):
      guard let item = field.item else { return }
      for (index, value) in items.enumerated() {
        addMissing(
          value, of: item, at: place.item(value.origin.itemID?.text ?? String(index), of: item))
      }
    case .scalar(.string) where isText(field) && place.isLocalized,
      .markdown where place.isLocalized, .plural where place.isLocalized:
      if locales.locale(of: value.origin) != nil { addMissing(value.origin, at: place) }
    case .scalar, .link, .address, .asset, .markdown, .plural: break
    }
  }

  private mutating func addMissing(_ origin: YAMLNode?, at place: Place) {
    all.append(Text(path: place.path, origin: origin, locale: nil))
  }

  /// Returns `true` if a text in a field is meant for people.
  private func isText(_ field: Field) -> Bool {
    if case .any = field.kind { includesFree } else { field.isText }
  }
}

extension Resolved {
  fileprivate var members: [Member] { if case .object(let members) = shape { members } else { [] } }

  fileprivate var items: [Resolved] { if case .list(let items) = shape { items } else { [] } }
}

extension [Resolved.Member] {
  fileprivate func value(_ key: ExactString) -> Resolved? {
    first { $0.key == key }?.value
  }
}
