import SourceYAML
package import ContentModel
package import ContentSource
package import Diagnostics

/// Where each value of an entry comes from, for one context.
package struct Explanation: Sendable {
  package var id: EntryID
  package var context: Context
  /// What is left to know of the reader.
  package var circumstances: Circumstances
  /// `nil` where a condition keeps the entry from this reader.
  package var fields: [Field]?
  /// The items of lists that this reader does not get.
  package var leftOut: [LeftOut]
  /// The `when` that decides on the entry.
  package var condition: Condition?
  /// The layers that this context consults, in order.
  package var consulted: [LayerName]
  /// The entry's other layers.
  package var unconsulted: [LayerName]

  /// A `when`: what it says, where, and its parts that do not hold for this reader; `never` where
  /// it is `false`.
  ///
  /// An entry's own `from` and `until` do not keep it from readers, who apply them on time.
  package struct Condition: Sendable {
    package var text: String
    package var location: SourceLocation
    package var unmet: [String]
    /// When the embargo ends that keeps it out of every published file; `nil` where none does.
    package var embargo: Instant?
    /// True if the bundle holds it, and readers leave it out by its dates alone.
    package var isInBundle: Bool
  }

  /// An item that a reader does not get, since its condition does not hold.
  package struct LeftOut: Sendable {
    /// As in `badges[new]`, or `steps[]` for one without an id: the others are numbered without it.
    package var path: String
    package var condition: Condition
  }

  /// One value, or one key that null removed.
  package struct Field: Sendable {
    /// As in `badges[new].label`, or `steps[2].text`: items without ids are numbered as this reader
    /// gets them, from 0.
    package var path: String
    /// `nil` where null removed the key.
    package var value: Value?
    package var location: SourceLocation
    /// The layer that decided; `default` where the schema did.
    package var layer: String
    package var passedOver: [PassedOver]
  }

  /// A layer, and the place where it begins.
  package struct LayerName: Hashable, Sendable {
    package var label: String
    package var location: SourceLocation
  }

  /// A layer that was consulted and did not decide.
  package struct PassedOver: Sendable {
    package var layer: LayerName
    /// Where it has a value of its own, which a more specific layer hides; `nil` where it has none.
    package var hidden: SourceLocation?
  }
}

/// Explains one entry to one reader; `nil` if there is no such entry.
package func explain(
  _ id: EntryID, in tree: ContentTree, context: Context, _ circumstances: Circumstances
) -> Explanation? {
  let entry = id == .maintenance ? tree.maintenance : tree.entries.first { $0.id == id }
  let rules = ResolutionRules(of: tree.project)
  guard let entry, let index = rules.contexts.firstIndex(of: context) else { return nil }
  let slots = rules.order.slots(of: entry, in: index)
  var resolver = Resolver(context: context, conditions: rules.conditions)
  var resolved = resolver.resolve(entry, slots)
  if !circumstances.publish(resolved?.condition) { resolved = nil }
  let layers = slots.map { entry.layers[$0.layer] }
  let others = entry.layers.indices.filter { index in !slots.contains { $0.layer == index } }
  let reader = ConditionCheck(
    context: context, circumstances: circumstances, reader: rules.conditions)
  var explainer = Explainer(layers: layers, check: entry.datatype.shape.isCatalog ? nil : reader)
  if let resolved { explainer.explain(resolved.members, at: []) }
  let condition =
    entry.datatype.shape.isCatalog ? nil : layers.lazy.compactMap { $0.node["when"] }.first
  return Explanation(
    id: id, context: context, circumstances: circumstances,
    fields: resolved.map { _ in explainer.fields },
    leftOut: explainer.leftOut, condition: condition.map { reader.condition($0) },
    consulted: layers.map(\.name), unconsulted: others.map { entry.layers[$0].name })
}

extension Layer {
  var name: Explanation.LayerName { Explanation.LayerName(label: label, location: keyLocation) }
}
