import SourceYAML
import ContentModel
import ContentSource
import Diagnostics

/// Walks a resolved entry and asks each layer what it has to say on every leaf.
struct Explainer {
  /// The consulted layers, in order.
  let layers: [Layer]
  /// `nil` where there are no conditions: a catalog's key `when` is a text like any other.
  let check: ConditionCheck?
  private(set) var fields: [Explanation.Field] = []
  private(set) var leftOut: [Explanation.LeftOut] = []

  init(layers: [Layer], check: ConditionCheck?) { (self.layers, self.check) = (layers, check) }

  /// One step from an entry to a value in it.
  enum Step {
    case key(String)
    /// `place` counts what the reader gets, `source` what is written.
    case item(id: String?, place: Int, source: Int)
  }

  mutating func explain(_ members: [Resolved.Member], at path: [Step]) {
    let keys = Set(names: members.map(\.key) + removedKeys(at: path)).names
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
    case .list(let items) where !value.origin.items.isEmpty:
      explain(items, of: value.origin, at: path)
    default:
      add(
        path, value.plainValue, value.origin,
        layers.first { $0.node.path == value.origin.path }?.label ?? "default")
    }
  }

  private mutating func explain(_ items: [Resolved], of list: YAMLNode, at path: [Step]) {
    var (place, source) = (0, 0)
    var ids: Set<ExactString> = []
    for item in items where check?.circumstances.admit(item.condition) ?? true {
      let id = item.origin.itemID
      if let id { ids.insert(id) } else { source = list.index(of: item, from: source) }
      let here = path + [.item(id: id, place: place, source: source)]
      if item.condition != nil { addCondition(ofItem: here) }
      explain(item.withoutDates, at: here)
      (place, source) = (place + 1, source + 1)
    }
    // A list that this reader gets as an empty one has its place, too.
    if place == 0 {
      add(path, .array([]), list, layers.first { $0.node.path == list.path }?.label ?? "default")
    }
    leaveOut(of: list, at: path, but: ids)
  }

  /// Notes the items of a list whose conditions do not hold; those without ids belong to the list
  /// that decides alone.
  private mutating func leaveOut(of list: YAMLNode, at path: [Step], but shown: Set<ExactString>) {
    guard let check else { return }
    let isMerged = list.hasIdentifiedItems
    let lists = isMerged ? nodes(at: path).map(\.node).filter(\.hasIdentifiedItems) : [list]
    var seen = shown
    for item in lists.reversed().flatMap(\.items) where item.kind == .mapping {
      let id = item.itemID
      if let id, !seen.insert(id) { continue }
      let said =
        isMerged
        ? lists.lazy.compactMap { $0.items.first { $0.itemID == id }?["when"] }.first : item["when"]
      guard let condition = said.map({ check.condition($0) }), !condition.unmet.isEmpty else {
        continue
      }
      leftOut.append(Explanation.LeftOut(path: "\(path.text)[\(id ?? "")]", condition: condition))
    }
  }

  /// What locale and device leave undecided on an item: the reader's country and version, or the
  /// moment.
  private mutating func addCondition(ofItem path: [Step]) {
    let here = path + [.key("when")]
    guard let (layer, node) = nodes(at: here).first else { return }
    add(here, .string(node.conditionText), node, layer.label)
  }

  private mutating func add(_ path: [Step], _ value: Value?, _ origin: YAMLNode, _ decider: String)
  {
    let own = nodes(at: path)
    let passedOver = layers.compactMap { layer -> Explanation.PassedOver? in
      let node = own.first { $0.layer.name == layer.name }?.node
      guard node?.location != origin.location else { return nil }
      return Explanation.PassedOver(layer: layer.name, hidden: node?.location)
    }
    fields.append(
      Explanation.Field(
        path: path.text, value: value, location: origin.location, layer: decider,
        passedOver: passedOver))
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
  /// Where an item stands in this list, at an index or after it: those before it may have been left
  /// out.
  fileprivate func index(of item: Resolved, from index: Int) -> Int {
    items[min(index, items.count)...].firstIndex { $0.location == item.origin.location } ?? index
  }

  fileprivate func child(_ step: Explainer.Step) -> YAMLNode? {
    switch step {
    case .key(let key): kind == .mapping ? self[key] : nil
    case .item(let id?, _, _): items.first { $0.itemID == id }
    case .item(nil, _, let source): source < items.count ? items[source] : nil
    }
  }
}

extension [Explainer.Step] {
  fileprivate var text: String {
    reduce("") { text, step in
      switch step {
      case .key(let key): text.isEmpty ? key : "\(text).\(key)"
      case .item(let id, let place, _): "\(text)[\(id ?? String(place))]"
      }
    }
  }
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
