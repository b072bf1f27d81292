package import ContentModel
package import ContentSource

/// The texts of one entry that another locale lends to a context.
package struct BorrowedTexts: Sendable {
  package var id: EntryID
  /// By path as `explain` writes it, with the locale that each was written for.
  package var texts: [(path: String, locale: LocaleTag)]
}

/// The localized texts that a context shows in another locale's words, by entry; entries without any are left out.
package func borrowedTexts(in tree: ContentTree, context: Context) -> [BorrowedTexts] {
  let locales = tree.project.locales
  guard context.locale != locales.source else { return [] }
  let order = LayerOrder(locales: locales, devices: tree.project.devices)
  guard let index = order.contexts.firstIndex(of: context) else { return [] }
  let conditions = ConditionReader(locales: locales, devices: tree.project.devices)
  return tree.entries.chunks(of: 64).concurrentValues { entries in
    entries.compactMap { entry in
      var resolver = Resolver(context: context, conditions: conditions)
      let slots = order.slots(of: entry, in: index)
      guard let resolved = resolver.resolve(entry, slots) else { return nil }
      var search = BorrowedTextSearch(
        own: context.locale, source: locales.source, layers: slots.map { entry.layers[$0.layer] })
      search.look(at: resolved.members, entry.datatype.shape, isLocalized: false, path: "")
      return search.found.isEmpty ? nil : BorrowedTexts(id: entry.id, texts: search.found)
    }
  }.flatMap(\.self)
}

/// Walks a resolved entry beside its schema, and asks of each text which locale's layer it is from.
private struct BorrowedTextSearch {
  let own: LocaleTag
  let source: LocaleTag
  let layers: [Layer]
  var found: [(path: String, locale: LocaleTag)] = []

  init(own: LocaleTag, source: LocaleTag, layers: [Layer]) {
    (self.own, self.source, self.layers) = (own, source, layers)
  }

  mutating func look(at members: [Resolved.Member], _ shape: ObjectShape, isLocalized: Bool, path: String) {
    for member in members {
      guard let field = shape.field(member.key) else { continue }
      look(at: member.value, field, isLocalized: isLocalized, path: path.isEmpty ? member.key : "\(path).\(member.key)")
    }
  }

  private mutating func look(at value: Resolved, _ field: Field, isLocalized: Bool, path: String) {
    let isLocalized = isLocalized || field.isLocalized
    switch (value.shape, field.kind) {
    case (.object(let members), .object(let shape)): look(at: members, shape, isLocalized: isLocalized, path: path)
    case (.object(let members), .map(let item)):
      for member in members { look(at: member.value, item, isLocalized: isLocalized, path: "\(path).\(member.key)") }
    case (.object(let members), _):
      for member in members { look(at: member.value, field, isLocalized: isLocalized, path: "\(path).\(member.key)") }
    case (.list(let items), .list(let item)): look(at: items, item, isLocalized: isLocalized, path: path)
    case (.list(let items), _): look(at: items, field, isLocalized: isLocalized, path: path)
    case (.scalar(.string), .string), (.scalar(.string), .text), (.scalar(.string), .any), (.scalar(.string), .catalog):
      if isLocalized { note(value, path) }
    default: break
    }
  }

  private mutating func look(at items: [Resolved], _ field: Field, isLocalized: Bool, path: String) {
    for (index, item) in items.enumerated() {
      look(at: item, field, isLocalized: isLocalized, path: "\(path)[\(item.origin.itemID ?? String(index))]")
    }
  }

  private mutating func note(_ value: Resolved, _ path: String) {
    // A default is no locale's.
    guard let layer = layers.first(where: { $0.path == value.origin.path }) else { return }
    let locale = layer.locale ?? source
    if locale != own { found.append((path, locale)) }
  }
}
