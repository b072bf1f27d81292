import ContentModel
import ContentSource
import YAML

// A plural has the texts of one locale, since the categories of two languages do not fit together.
extension Resolver {
  /// Returns `true` for a mapping of a string catalog that is a plural.
  func isPlural(_ node: YAMLNode) -> Bool { catalogKinds?.isPlural(node) == true }

  /// Returns the slots that together have the plural of a field, the deciding slot first; `nil` if
  /// the value is not a plural.
  ///
  /// In a catalog, several files of one locale may have parts of a plural.
  func plural(of field: Field, decidedBy first: Slot, among slots: [Slot]) -> [Slot]? {
    switch field.kind {
    case .plural: return [first]
    case .catalog where isPlural(first.node):
      let locale = locale(of: first)
      return slots.filter { isPlural($0.node) && self.locale(of: $0) == locale }
    case .catalog, .scalar, .any, .markdown, .object, .list, .map: return nil
    }
  }

  /// The first text of each category; null counts as absent.
  func plural(_ slots: [Slot]) -> Resolved {
    var texts: [ResolvedPlural.Text] = []
    for (key, value) in slots.flatMap(\.node.members)
    where value.kind == .scalar && !value.isNull {
      guard let category = PluralCategory(of: key),
        !texts.contains(where: { $0.category == category })
      else { continue }
      texts.append(ResolvedPlural.Text(category: category, text: value.text))
    }
    let plural = ResolvedPlural(texts, in: locale(of: slots[0]), for: context.locale)
    return Resolved(shape: .plural(plural), origin: slots[0].node)
  }

  /// The locale that the value of a slot was written for.
  private func locale(of slot: Slot) -> LocaleTag {
    slot.layer.flatMap { layers[$0].locale } ?? conditions.locales.source
  }
}
