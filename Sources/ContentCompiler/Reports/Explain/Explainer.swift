import ContentModel
import ContentSource
import Diagnostics
import YAML

/// An explanation in progress: it walks a resolved entry, and compares the layers for each leaf.
struct Explainer {
  /// The consulted layers, in order.
  let layers: [Layer]
  let shape: ObjectShape
  /// `nil` for a catalog, which has no conditions: its key `when` is an ordinary text.
  let check: ConditionCheck?
  private(set) var fields: [Explanation.Field] = []
  private(set) var leftOut: [Explanation.LeftOut] = []

  init(layers: [Layer], shape: ObjectShape, check: ConditionCheck?) {
    (self.layers, self.shape, self.check) = (layers, shape, check)
  }

  /// One step from an entry to a value in it.
  enum Step {
    case key(ExactString)
    /// `place` is the index among the reader's items, and `source` the index in the file.
    case item(id: ExactString?, place: Int, source: Int)
  }

  mutating func explain(_ members: [Resolved.Member], at path: [Step]) {
    let keys = Set(members.map(\.key) + removedKeys(at: path)).sorted()
    for key in keys {
      let here = path + [.key(key)]
      if let member = members.first(where: { $0.key == key }) {
        explain(member.value, at: here)
      } else if let (layer, node) = nodes(at: here).first, node.isNull {
        add(here, value: nil, from: node, in: layer)
      }
    }
  }

  /// The keys that a layer sets to null at a path.
  private func removedKeys(at path: [Step]) -> [ExactString] {
    nodes(at: path).flatMap { _, node in
      node.members.filter { $0.value.isNull && $0.key.text != "when" }.map {
        ExactString($0.key.text)
      }
    }
  }

  private mutating func explain(_ value: Resolved, at path: [Step]) {
    switch value.shape {
    case .object(let members) where !members.isEmpty: explain(members, at: path)
    case .list(let items) where !value.origin.items.isEmpty:
      explain(items, of: value.origin, at: path)
    case .plural(let plural):
      explain(plural, from: value.origin, at: path)
    default:
      add(path, value: value.plainValue, from: value.origin)
    }
  }

  private mutating func explain(
    _ plural: ResolvedPlural, from origin: YAMLNode, at path: [Step]
  ) {
    let decider = layer(of: origin, among: nodes(at: path))
    for (key, text) in plural.members {
      let here = path + [.key(ExactString(key))]
      // Several files of a catalog may have texts of one plural.
      let own = nodes(at: here).first { $0.layer.label == decider?.label && !$0.node.isNull }
      // The file has no text for `locale`. The location of the plural stands for it.
      add(
        here, value: text, from: own?.node ?? origin[key] ?? origin, in: own?.layer ?? decider)
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
    // A list that is empty for this reader is a field, too.
    if place == 0 {
      add(path, value: .array([]), from: list)
    }
    addLeftOut(of: list, at: path, except: ids)
  }

  /// Notes the items of a list whose conditions the reader does not meet.
  ///
  /// If items have no ids, only the list of the deciding layer counts.
  private mutating func addLeftOut(
    of list: YAMLNode, at path: [Step], except shown: Set<ExactString>
  ) {
    guard let check else { return }
    let isMerged = list.hasIdentifiedItems
    let lists = isMerged ? nodes(at: path).map(\.node).filter(\.hasIdentifiedItems) : [list]
    var seen = shown
    for item in lists.reversed().flatMap(\.items) where item.kind == .mapping {
      let id = item.itemID
      if let id, !seen.insert(id).inserted { continue }
      let said =
        isMerged
        ? lists.lazy.compactMap { $0.items.first { $0.itemID == id }?["when"] }.first : item["when"]
      guard let condition = said.map({ check.condition($0) }), !condition.unmet.isEmpty else {
        continue
      }
      leftOut.append(
        Explanation.LeftOut(path: "\(path.text)[\(id?.text ?? "")]", condition: condition))
    }
  }

  /// Adds the condition of an item on country, version or time.
  private mutating func addCondition(ofItem path: [Step]) {
    let here = path + [.key("when")]
    guard let (layer, node) = nodes(at: here).first else { return }
    add(here, value: .string(node.conditionText), from: node, in: layer)
  }

  /// The layer that a value is from, which may be among those that have its path; `nil` for a
  /// default of the schema.
  private func layer(of origin: YAMLNode, among own: [(layer: Layer, node: YAMLNode)]) -> Layer? {
    // A file of a catalog may have layers of several locales.
    own.first { $0.node.location == origin.location }?.layer
      ?? layers.first { $0.node.path == origin.path }
  }

  /// Adds a value, the layer that decided it, and the layers that did not.
  ///
  /// Finds the deciding layer unless it is `known`.
  private mutating func add(
    _ path: [Step], value: Value?, from origin: YAMLNode, in known: Layer? = nil
  ) {
    let own = nodes(at: path)
    let decider = known ?? layer(of: origin, among: own)
    let isLocalized = hasLocalizedField(path)
    let passedOver = layers.compactMap { layer -> Explanation.PassedOver? in
      guard layer.name != decider?.name else { return nil }
      return Explanation.PassedOver(
        layer: layer.name, hidden: own.first { $0.layer.name == layer.name }?.node.location,
        mayHaveField: layer.locale == nil || isLocalized)
    }
    fields.append(
      Explanation.Field(
        path: path.text, value: value, location: origin.location,
        layer: decider?.label ?? "default", passedOver: passedOver))
  }

  /// `false` if no part of the entry's field at a path may differ by locale.
  private func hasLocalizedField(_ path: [Step]) -> Bool {
    guard case .key(let name)? = path.first, let field = shape.field(name) else { return true }
    return field.isLocalized || field.hasLocalizedParts
  }

  /// The nodes that layers have at a path, in order.
  private func nodes(at path: [Step]) -> [(layer: Layer, node: YAMLNode)] {
    layers.compactMap { layer in
      var node: YAMLNode? = layer.node
      for step in path { node = node.flatMap { $0.child(step) } }
      return node.map { (layer, $0) }
    }
  }
}

extension YAMLNode {
  /// The index of an item in this list, at or after an index; items before it may be left out.
  fileprivate func index(of item: Resolved, from index: Int) -> Int {
    items[min(index, items.count)...].firstIndex { $0.location == item.origin.location } ?? index
  }

  fileprivate func child(_ step: Explainer.Step) -> YAMLNode? {
    switch step {
    case .key(let key): kind == .mapping ? self[key.text] : nil
    case .item(let id?, _, _): items.first { $0.itemID == id }
    case .item(nil, _, let source): source < items.count ? items[source] : nil
    }
  }
}

extension [Explainer.Step] {
  fileprivate var text: String {
    reduce("") { text, step in
      switch step {
      case .key(let key): text.isEmpty ? key.text : "\(text).\(key)"
      case .item(let id, let place, _): "\(text)[\(id?.text ?? String(place))]"
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
    case .markdown(let markdown): .string(markdown.plain)
    case .plural(let plural): .dictionary(plural.members)
    case .list: .array([])
    case .object: .dictionary([:])
    }
  }
}
