package import ContentModel
package import ContentSource
package import Diagnostics
import System
import YAML

/// The origin of each value of an entry in one context.
package struct Explanation: Sendable {
  package var id: EntryID
  package var context: Context
  /// The reader's country and version, and the moment.
  package var circumstances: Circumstances
  /// The values; `nil` if the reader does not meet a condition of the entry.
  package var fields: [Field]?
  /// The items of lists whose conditions the reader does not meet.
  package var leftOut: [LeftOut]
  /// The `when` that applies to the entry.
  package var condition: Condition?
  /// The layers that the context consults, in order.
  package var consulted: [LayerName]
  /// The entry's other layers.
  package var unconsulted: [LayerName]

  /// A `when`, with the parts that the reader does not meet; `never` if it is `false`.
  ///
  /// `from` and `until` of an entry do not keep it out of bundles, since readers apply them.
  package struct Condition: Sendable {
    package var text: String
    package var location: SourceLocation
    package var unmet: [String]
    /// The end of the embargo that keeps the content unpublished; `nil` if there is none.
    package var embargo: Instant?
    /// `true` if the bundle includes the content, and only its dates hide it.
    package var isInBundle: Bool
  }

  /// An item of a list whose condition the reader does not meet.
  package struct LeftOut: Sendable {
    /// The path, as in `badges[new]`; `steps[]` for an item without an id, which has no number.
    package var path: String
    package var condition: Condition
  }

  /// One value, or one key that null removes.
  package struct Field: Sendable {
    /// The path, as in `badges[new].label` or `steps[2].text`.
    ///
    /// Items without ids have the numbers that the reader gets, from 0.
    package var path: String
    /// The value; `nil` if null removes the key.
    package var value: Value?
    package var location: SourceLocation
    /// The label of the deciding layer; `default` for a default of the schema.
    package var layer: String
    package var passedOver: [PassedOver]
  }

  /// A layer, and its location.
  package struct LayerName: Hashable, Sendable {
    package var label: String
    package var location: SourceLocation
  }

  /// A layer that the context consults, and that does not decide.
  package struct PassedOver: Sendable {
    package var layer: LayerName
    /// The location of this layer's value, which the value of a more specific layer hides; `nil`
    /// without a value.
    package var hidden: SourceLocation?
    /// `false` for an overlay of a locale if the field is not localized.
    package var mayHaveField: Bool
  }
}

/// Explains the values of one entry for one reader; returns `nil` for an unknown entry.
package func explain(
  _ id: EntryID, in tree: ContentTree, context: Context, circumstances: Circumstances
) -> Explanation? {
  let entry = id == .maintenance ? tree.maintenance : tree.entries.first { $0.id == id }
  let rules = ResolutionRules(of: tree.project)
  guard let entry, let index = rules.contexts.firstIndex(of: context) else { return nil }
  return rules.explain(entry, in: index, circumstances)
}

/// Explains the values of all entries for one reader, in the order of the tree; those of the
/// maintenance screen are last.
package func explanations(
  in tree: ContentTree, context: Context, circumstances: Circumstances
) -> [Explanation] {
  let rules = ResolutionRules(of: tree.project)
  guard let index = rules.contexts.firstIndex(of: context) else { return [] }
  let entries = tree.entries + [tree.maintenance].compactMap(\.self)
  return entries.chunks(of: 64).concurrentValues { entries in
    entries.map { rules.explain($0, in: index, circumstances) }
  }.flatMap(\.self)
}

extension ResolutionRules {
  fileprivate func explain(
    _ entry: Entry, in index: Int, _ circumstances: Circumstances
  ) -> Explanation {
    var resolved = resolve(entry, in: index)
    if !circumstances.publish(resolved?.condition) { resolved = nil }
    let consulted = layers(of: entry, in: index)
    let layers = consulted.map { entry.layers[$0] }
    let others = entry.layers.indices.filter { !consulted.contains($0) }
    let reader = ConditionCheck(
      context: contexts[index], circumstances: circumstances, reader: conditions)
    var explainer = Explainer(
      layers: layers, shape: entry.datatype.shape,
      check: entry.datatype.shape.isCatalog ? nil : reader)
    if let resolved { explainer.explain(resolved.members, at: []) }
    let condition =
      entry.datatype.shape.isCatalog ? nil : layers.lazy.compactMap { $0.node["when"] }.first
    return Explanation(
      id: entry.id, context: contexts[index], circumstances: circumstances,
      fields: resolved.map { _ in explainer.fields },
      leftOut: explainer.leftOut, condition: condition.map { reader.condition($0) },
      consulted: layers.map(\.name), unconsulted: others.map { entry.layers[$0].name })
  }
}

extension Layer {
  var name: Explanation.LayerName { Explanation.LayerName(label: label, location: keyLocation) }
}
