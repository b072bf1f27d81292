import ContentModel
import Diagnostics
import YAML

// The check of plurals, whose categories depend on the locale of the layer.
extension LayerCheck {
  /// Checks the texts and the categories of a declared plural.
  mutating func checkPlural(_ node: YAMLNode, of field: Field) {
    let text = field.pluralText
    for (index, (key, value)) in node.members.enumerated() {
      guard PluralCategory(of: key) != nil else {
        refuseUnknownCategory(key, at: index, in: node, of: field)
        continue
      }
      if value.isNull || (value.kind == .scalar && FieldCheck.surelyFits(value, as: text)) {
        continue
      }
      checkValue(
        value, as: text.named(ExactString("\(field.name).\(key.text)")),
        at: Place(isLocalized: true, sources: [], isConditional: false))
      excusedFields.insert(field.name)
    }
    for problem in pluralCheck().problems(of: node, named: field.name.text) {
      if problem.severity == .error {
        report(problem, excusing: field)
      } else {
        diagnostics.append(problem)
      }
    }
  }

  private mutating func refuseUnknownCategory(
    _ key: YAMLNode, at index: Int, in node: YAMLNode, of field: Field
  ) {
    excusedFields.insert(field.name)
    let known = PluralCategory.allCases.map(\.rawValue)
    if let slip = cutText(at: index, in: node, known: known) {
      diagnostics += slip
    } else {
      let nearest = key.text.nearest(among: known.filter { node[$0] == nil })
      diagnostics.append(
        .unknownKey(key, in: "'\(field.name)'", known: known, nearest: nearest))
    }
  }

  /// The check of plurals for the locale of the layer.
  mutating func pluralCheck() -> PluralCheck {
    let locale = scope.locale ?? conditions.locales.source
    if let plurals, plurals.locale == locale { return plurals }
    let check = PluralCheck(locale)
    plurals = check
    return check
  }
}
