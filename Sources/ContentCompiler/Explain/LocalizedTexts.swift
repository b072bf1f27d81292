import SourceYAML
import ContentModel
import ContentSource

/// The localized texts of an entry in one context, and those that it lacks: what its schema
/// requires, and what the source locale has in the same place.
///
/// A list's items are its own affair: one that is only in the source locale's list is not missed.
struct LocalizedTexts {
  /// One text.
  struct Text {
    /// As `explain` writes it.
    var path: String
    /// Where the text stands; of one that is missing, where the source locale has it, if it does.
    var origin: YAMLNode?
    /// For which locale it was written; `nil` where it is missing.
    var locale: LocaleTag?
  }

  private(set) var all: [Text] = []
  private let locales: LayerLocales
  private let includesFree: Bool
  private let circumstances: Circumstances?

  /// The texts of an entry's members; `source` has those of the same entry for the source locale.
  ///
  /// `includesFree` asks for those that no schema declares, too, which may be codes rather than
  /// words. In `circumstances`, only the items of lists that such a reader gets count; else all do.
  init(
    of members: [Resolved.Member], beside source: [Resolved.Member] = [], _ shape: ObjectShape,
    _ locales: LayerLocales,
    includesFree: Bool = false, as circumstances: Circumstances? = nil
  ) {
    (self.locales, self.includesFree, self.circumstances) = (locales, includesFree, circumstances)
    look(at: members, source, shape, Place(path: "", isLocalized: false))
  }

  /// Where a value stands.
  private struct Place {
    var path: String
    /// Whether it may differ by locale.
    var isLocalized: Bool
    /// Whether it is an item of a list, whose `id` is nobody's text.
    var isItem = false

    func key(_ key: String, _ field: Field) -> Place {
      Place(
        path: path.isEmpty ? key : "\(path).\(key)", isLocalized: isLocalized || field.isLocalized)
    }

    func item(_ id: String, _ field: Field) -> Place {
      Place(path: "\(path)[\(id)]", isLocalized: isLocalized || field.isLocalized, isItem: true)
    }
  }

  private mutating func look(
    at members: [Resolved.Member], _ source: [Resolved.Member], _ shape: ObjectShape, _ place: Place
  ) {
    look(at: members, source, place) { place.isItem && $0 == "id" ? nil : shape.field($0) }
    for field in shape.fields
    where field.isRequired && isText(field) && (place.isLocalized || field.isLocalized) {
      if members.value(field.name) == nil, source.value(field.name) == nil {
        miss(nil, place.key(field.name, field))
      }
    }
  }

  /// Goes through both sides at once: they stand in order of keys.
  private mutating func look(
    at members: [Resolved.Member], _ source: [Resolved.Member], _ place: Place,
    _ field: (String) -> Field?
  ) {
    var rest = source[...]
    for member in members {
      while let other = rest.first, other.key.precedesInBytes(member.key) {
        rest.removeFirst()
        if let field = field(other.key) { miss(other.value, field, place.key(other.key, field)) }
      }
      let other = rest.first.flatMap { $0.key.hasSameBytes(as: member.key) ? $0 : nil }
      if other != nil { rest.removeFirst() }
      if other == nil, isUnasked(member, beside: source, field(member.key)) { continue }
      if let field = field(member.key) {
        look(at: member.value, other?.value, field, place.key(member.key, field))
      }
    }
    for other in rest {
      if let field = field(other.key) { miss(other.value, field, place.key(other.key, field)) }
    }
  }

  /// True if a text of a string catalog has a key that the source locale does not have, so that no
  /// app asks for it.
  private func isUnasked(
    _ member: Resolved.Member, beside source: [Resolved.Member], _ field: Field?
  ) -> Bool {
    guard case .catalog? = field?.kind, !source.isEmpty else { return false }
    return !CatalogKeys.isPluralCategory(member.key)
      || !source.contains { CatalogKeys.isPluralCategory($0.key) }
  }

  private mutating func look(
    at value: Resolved, _ source: Resolved?, _ field: Field, _ place: Place
  ) {
    switch (value.shape, field.kind) {
    case (.object(let members), .object(let shape)):
      look(at: members, source?.members ?? [], shape, place)
    case (.object(let members), .map(let item)):
      look(at: members, source?.members ?? [], place) { _ in item }
    case (.object(let members), _):
      look(at: members, source?.members ?? [], place) { place.isItem && $0 == "id" ? nil : field }
    case (.list(let items), .list(let item)): look(at: items, source?.items ?? [], item, place)
    case (.list(let items), _): look(at: items, source?.items ?? [], field, place)
    case (.scalar(.string), _) where isText(field) && place.isLocalized: note(value, source, place)
    default: break
    }
  }

  private mutating func look(
    at items: [Resolved], _ source: [Resolved], _ field: Field, _ list: Place
  ) {
    var place = 0
    for (index, item) in items.enumerated() where circumstances?.admit(item.condition) ?? true {
      let id = item.origin.itemID
      let other =
        id.map { id in source.first { $0.origin.itemID == id } }
        ?? (index < source.count ? source[index] : nil)
      look(at: item, other, field, list.item(id ?? String(place), field))
      place += 1
    }
  }

  private mutating func note(_ value: Resolved, _ source: Resolved?, _ place: Place) {
    if let locale = locales.locale(of: value.origin) {
      all.append(Text(path: place.path, origin: value.origin, locale: locale))
    } else if let source, locales.locale(of: source.origin) != nil {
      // The schema's words take the place of the source locale's.
      miss(source.origin, place)
    }
  }

  /// Notes every text of a value that only the source locale has.
  private mutating func miss(_ value: Resolved, _ field: Field, _ place: Place) {
    switch (value.shape, field.kind) {
    case (.object(let members), .object(let shape)): look(at: [], members, shape, place)
    case (.object(let members), .map(let item)): look(at: [], members, place) { _ in item }
    case (.object(let members), _):
      look(at: [], members, place) { place.isItem && $0 == "id" ? nil : field }
    case (.list(let items), let kind):
      let item = if case .list(let item) = kind { item } else { field }
      for (index, value) in items.enumerated() {
        miss(value, item, place.item(value.origin.itemID ?? String(index), item))
      }
    case (.scalar(.string), _) where isText(field) && place.isLocalized:
      if locales.locale(of: value.origin) != nil { miss(value.origin, place) }
    default: break
    }
  }

  private mutating func miss(_ origin: YAMLNode?, _ place: Place) {
    all.append(Text(path: place.path, origin: origin, locale: nil))
  }

  /// Whether a text in a field is one for people.
  private func isText(_ field: Field) -> Bool {
    switch field.kind {
    case .string, .text, .catalog: true
    case .any: includesFree
    default: false
    }
  }
}

extension Resolved {
  fileprivate var members: [Member] { if case .object(let members) = shape { members } else { [] } }

  fileprivate var items: [Resolved] { if case .list(let items) = shape { items } else { [] } }
}

extension [Resolved.Member] {
  fileprivate func value(_ key: String) -> Resolved? {
    first { $0.key.hasSameBytes(as: key) }?.value
  }
}
