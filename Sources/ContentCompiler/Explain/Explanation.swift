package import ContentModel
package import ContentSource
package import Diagnostics

/// Where each value of an entry comes from, for one context.
package struct Explanation: Sendable {
  package var id: EntryID
  package var context: Context
  /// `nil` where a condition keeps the entry out of this context.
  package var fields: [Field]?
  /// The `when` that decides on the entry: what it says, and where.
  package var condition: (text: String, location: SourceLocation)?
  /// The layers that this context consults, in order.
  package var consulted: [LayerName]
  /// The entry's other layers.
  package var unconsulted: [LayerName]

  /// One value, or one key that null removed.
  package struct Field: Sendable {
    /// As in `badges[new].label`.
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

/// Explains one entry in one context; `nil` if there is no such entry.
package func explain(_ id: EntryID, in tree: ContentTree, context: Context) -> Explanation? {
  let entry = id == .maintenance ? tree.maintenance : tree.entries.first { $0.id == id }
  let order = LayerOrder(locales: tree.project.locales, devices: tree.project.devices)
  guard let entry, let index = order.contexts.firstIndex(of: context) else { return nil }
  let slots = order.slots(of: entry, in: index)
  let conditions = ConditionReader(locales: tree.project.locales, devices: tree.project.devices)
  var resolver = Resolver(context: context, conditions: conditions)
  let resolved = resolver.resolve(entry, slots)
  let layers = slots.map { entry.layers[$0.layer] }
  let others = entry.layers.indices.filter { index in !slots.contains { $0.layer == index } }
  var explainer = Explainer(layers: layers)
  if let resolved { explainer.explain(resolved.members, at: []) }
  return Explanation(
    id: id, context: context, fields: resolved.map { _ in explainer.fields },
    condition: layers.lazy.compactMap { $0.node["when"] }.first.map { ($0.conditionText, $0.location) },
    consulted: layers.map(\.name), unconsulted: others.map { entry.layers[$0].name })
}

/// Walks a resolved entry and asks each layer what it has to say on every leaf.
private struct Explainer {
  /// The consulted layers, in order.
  let layers: [Layer]
  private(set) var fields: [Explanation.Field] = []

  init(layers: [Layer]) { self.layers = layers }

  fileprivate enum Step {
    case key(String)
    case item(id: String?, index: Int)
  }

  mutating func explain(_ members: [Resolved.Member], at path: [Step]) {
    let keys = Set(members.map(\.key)).union(removedKeys(at: path)).sorted { $0.precedesInBytes($1) }
    for key in keys {
      let here = path + [.key(key)]
      if let member = members.first(where: { $0.key.hasSameBytes(as: key) }) {
        explain(member.value, at: here)
      } else if let (layer, node) = nodes(at: here).first, node.isNull {
        add(here, nil, node, layer.label)
      }
    }
  }

  /// Keys that some layer sets to null where the path leads.
  private func removedKeys(at path: [Step]) -> [String] {
    nodes(at: path).flatMap { _, node in
      node.members.filter { $0.value.isNull && $0.key.text != "when" }.map(\.key.text)
    }
  }

  private mutating func explain(_ value: Resolved, at path: [Step]) {
    switch value.shape {
    case .object(let members) where !members.isEmpty: explain(members, at: path)
    case .list(let items) where !items.isEmpty: explain(items, at: path)
    default:
      add(path, value.plainValue, value.origin, layers.first { $0.node.path == value.origin.path }?.label ?? "default")
    }
  }

  private mutating func explain(_ items: [Resolved], at path: [Step]) {
    for (index, item) in items.enumerated() {
      if item.condition != nil { addCondition(ofItem: path + [.item(id: item.origin.itemID, index: index)]) }
      explain(item, at: path + [.item(id: item.origin.itemID, index: index)])
    }
  }

  /// What locale and device leave undecided on an item: the reader's country and version, or the moment.
  private mutating func addCondition(ofItem path: [Step]) {
    let here = path + [.key("when")]
    guard let (layer, node) = nodes(at: here).first else { return }
    add(here, .string(node.conditionText), node, layer.label)
  }

  private mutating func add(_ path: [Step], _ value: Value?, _ origin: YAMLNode, _ decider: String) {
    let own = nodes(at: path)
    let passedOver = layers.compactMap { layer -> Explanation.PassedOver? in
      let node = own.first { $0.layer.name == layer.name }?.node
      guard node?.location != origin.location else { return nil }
      return Explanation.PassedOver(layer: layer.name, hidden: node?.location)
    }
    fields.append(
      Explanation.Field(
        path: path.text, value: value, location: origin.location, layer: decider, passedOver: passedOver))
  }

  /// Each layer's own node at a path, in order, where it has one.
  private func nodes(at path: [Step]) -> [(layer: Layer, node: YAMLNode)] {
    layers.compactMap { layer in
      var node: YAMLNode? = layer.node
      for step in path { node = node.flatMap { $0.child(step) } }
      return node.map { (layer, $0) }
    }
  }
}

extension YAMLNode {
  fileprivate func child(_ step: Explainer.Step) -> YAMLNode? {
    switch step {
    case .key(let key): kind == .mapping ? self[key] : nil
    case .item(let id?, _): items.first { $0.itemID == id }
    case .item(nil, let index): index < items.count ? items[index] : nil
    }
  }
}

extension YAMLNode {
  /// A condition as one line: `country: FR, from: 2030-01-01T00:00:00Z`.
  fileprivate var conditionText: String {
    switch kind {
    case .scalar: text
    case .sequence: "[" + items.map(\.conditionText).joined(separator: ", ") + "]"
    case .mapping: members.map { "\($0.key.text): \($0.value.conditionText)" }.joined(separator: ", ")
    }
  }
}

extension [Explainer.Step] {
  fileprivate var text: String {
    reduce("") { text, step in
      switch step {
      case .key(let key): text.isEmpty ? key : "\(text).\(key)"
      case .item(let id, let index): "\(text)[\(id ?? String(index))]"
      }
    }
  }
}

extension Layer {
  fileprivate var name: Explanation.LayerName { Explanation.LayerName(label: label, location: keyLocation) }
}

extension Resolved {
  /// A leaf as it was written: ids and asset paths as text.
  fileprivate var plainValue: Value {
    switch shape {
    case .scalar(let value): value
    case .link(let id): .string(id.text)
    case .address(let text): .string(text)
    case .asset(let path): .string(path)
    case .list: .array([])
    case .object: .dictionary([:])
    }
  }
}
