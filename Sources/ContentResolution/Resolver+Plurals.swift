import ContentModel
import ContentSource
import SourceYAML

// A plural has the texts of one file, since the categories of two languages do not fit together.
extension Resolver {
  /// Returns the slot that has the whole plural of a field; `nil` if its value is none.
  ///
  /// In a catalog, a plural without `other` is passed over if a less specific file has a whole one.
  func plural(of field: Field, decidedBy first: Slot, among slots: [Slot]) -> Slot? {
    switch field.kind {
    case .plural: first
    case .catalog where first.node.isPartOfPlural:
      first.node.isPlural ? first : slots.first { $0.isInChain && $0.node.isPlural }
    default: nil
    }
  }

  /// The categories of one file; null removes one.
  func plural(_ slot: Slot) -> Resolved {
    let source = conditions.locales.source
    let locale = slot.layer.map { layers[$0].locale ?? source } ?? source
    let texts = slot.node.members.compactMap { key, value in
      PluralCategory(of: key).flatMap { category in
        value.kind == .scalar && !value.isNull
          ? ResolvedPlural.Text(category: category, text: value.text) : nil
      }
    }
    let plural = ResolvedPlural(texts, in: locale, for: context.locale)
    return Resolved(shape: .plural(plural), origin: slot.node)
  }
}
