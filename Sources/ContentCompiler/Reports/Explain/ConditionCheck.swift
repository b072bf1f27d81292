import ContentModel
import ContentSource
import Diagnostics
import YAML

/// A check of conditions for one reader.
struct ConditionCheck {
  let context: Context
  let circumstances: Circumstances
  let reader: ConditionReader

  /// A `when`, with the parts that the reader does not meet.
  func condition(_ node: YAMLNode) -> Explanation.Condition {
    let (text, location) = (node.conditionText, node.location)
    switch reader.read(node).output {
    case .always:
      return Explanation.Condition(text: text, location: location, unmet: [], isInBundle: true)
    case .never:
      return Explanation.Condition(
        text: text, location: location, unmet: ["never"], isInBundle: false)
    case .condition(let condition):
      return Explanation.Condition(
        text: text, location: location, unmet: unmet(condition),
        embargo: condition.isWithheld(at: circumstances.instant) ? condition.from : nil,
        isInBundle: condition.admits(context, in: reader.locales)
          && circumstances.publish(condition))
    }
  }

  private func unmet(_ condition: Condition) -> [String] {
    let parts: [(name: String, keep: (inout Condition) -> Void)] = [
      ("locale", { $0.locales = condition.locales }),
      ("device", { $0.devices = condition.devices }),
      ("country", { $0.countries = condition.countries }),
      ("app", { $0.versions = condition.versions }),
      ("from", { $0.from = condition.from }), ("until", { $0.until = condition.until }),
    ]
    return parts.compactMap { name, keep in
      var part = Condition()
      keep(&part)
      return part.admits(context, in: reader.locales) && circumstances.admit(part) ? nil : name
    }
  }
}

extension YAMLNode {
  /// A condition as one line: `country: FR, from: 2030-01-01T00:00:00Z`.
  var conditionText: String {
    switch kind {
    case .scalar: text
    case .sequence: "[" + items.map(\.conditionText).joined(separator: ", ") + "]"
    case .mapping:
      members.map { "\($0.key.text): \($0.value.conditionText)" }.joined(separator: ", ")
    }
  }
}
