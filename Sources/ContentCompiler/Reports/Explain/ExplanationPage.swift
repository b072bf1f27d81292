package import ContentModel
import Diagnostics
import PropertyLists

/// The text and the JSON of an explanation.
package struct ExplanationPage {
  private let explanation: Explanation

  package init(_ explanation: Explanation) { self.explanation = explanation }

  /// Each field with its value, its place, and the layers that were passed over.
  package var text: String {
    let context = explanation.context
    let layers = explanation.consulted.map(\.label).joined(separator: " → ")
    var head =
      "\(explanation.id) for \(context.locale) on \(context.device)\(circumstances)\n"
      + "asked: \(layers.isEmpty ? "nothing" : layers)\n"
    if let condition = explanation.condition {
      head += text(of: condition)
    }
    guard let fields = explanation.fields else {
      return head + "\nThis reader does not get the entry, because of this condition.\n"
    }
    let leftOut = explanation.leftOut.map {
      "\n\($0.path.harmless): left out\n" + text(of: $0.condition, indent: "    ")
    }
    return head + fields.map { "\n" + text(of: $0) }.joined() + leftOut.joined()
  }

  /// The known circumstances of the reader besides locale and device.
  private var circumstances: String {
    let known = [
      explanation.circumstances.country.map { "in \($0)" },
      explanation.circumstances.version.map { "app \($0)" },
    ]
    return known.compactMap(\.self).map { ", \($0)" }.joined()
  }

  private func text(of condition: Explanation.Condition, indent: String = "") -> String {
    let unmet = condition.unmet.filter { $0 != "never" }
    let why = unmet.isEmpty ? "" : " (does not hold: \(unmet.joined(separator: ", ")))"
    let head = "\(indent)when: \(condition.text)\(why)\n    from \(condition.location)\n"
    if let embargo = condition.embargo {
      return head + "    no published file contains it before \(embargo.rfc3339)\n"
    }
    guard condition.isInBundle, !unmet.isEmpty else { return head }
    return head + "    the bundle contains it, and readers omit it outside these dates\n"
  }

  private func text(of field: Explanation.Field) -> String {
    var lines = [
      "\(field.path.harmless): \(field.value.map(\.asJSON) ?? "removed, by null")",
      "    from \(field.location) (\(field.layer))",
    ]
    if !field.passedOver.isEmpty {
      let layers = field.passedOver.map { layer in
        let reason =
          layer.hidden.map { "at \($0)" } ?? (layer.mayHaveField ? "has none" : "not localized")
        return "\(layer.layer.label) (\(reason))"
      }
      lines.append("    passed over: \(layers.joined(separator: ", "))")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The members of the JSON output.
  package var members: Members {
    let context = explanation.context
    var members = Members([
      ("id", .string(explanation.id.text)), ("locale", .string(context.locale.identifier)),
      ("device", .string(context.device)), ("isPresent", .boolean(explanation.fields != nil)),
      ("consulted", .array(explanation.consulted.map { .string($0.label) })),
      ("unconsulted", .array(explanation.unconsulted.map { .string($0.label) })),
    ])
    if let condition = explanation.condition {
      members["when"] = .dictionary(condition.members)
    }
    members["country"] = explanation.circumstances.country.map { .string($0) }
    members["app"] = explanation.circumstances.version.map { .string($0.description) }
    if !explanation.leftOut.isEmpty {
      members["leftOut"] = .array(
        explanation.leftOut.map { item in
          .dictionary(
            Members([("path", .string(item.path)), ("when", .dictionary(item.condition.members))]))
        })
    }
    if let fields = explanation.fields { members["fields"] = .array(fields.map(\.json)) }
    return members
  }
}

extension Explanation.Condition {
  fileprivate var members: Members {
    var members: Members = ["text": .string(text), "location": .string(location.description)]
    if !unmet.isEmpty { members["unmet"] = .array(unmet.map { .string($0) }) }
    members["embargoUntil"] = embargo.map { .string($0.rfc3339) }
    if isInBundle, !unmet.isEmpty { members["inBundle"] = true }
    return members
  }
}

extension Explanation.Field {
  fileprivate var json: Value {
    var members = Members([
      ("path", .string(path)), ("location", .string(location.description)),
      ("layer", .string(layer)),
      ("removed", .boolean(value == nil)),
      (
        "passedOver",
        .array(
          passedOver.map { layer in
            var members = Members([("layer", .string(layer.layer.label))])
            if let hidden = layer.hidden { members["hidden"] = .string(hidden.description) }
            return .dictionary(members)
          })
      ),
    ])
    if let value { members["value"] = value }
    return .dictionary(members)
  }
}

extension Value {
  /// The value as JSON in one line; in Swift's notation if JSON cannot represent it.
  fileprivate var asJSON: String {
    (try? PropertyList.encode(self, as: .json)).map { String(decoding: $0, as: UTF8.self) }
      ?? "\(self)"
  }
}
