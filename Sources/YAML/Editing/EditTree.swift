import ContentModel

/// The edits of a file as a tree of their steps, with the values that they replace.
struct EditTree {
  /// A step of one or more edits.
  struct Node {
    var step: YAMLEdit.Step
    var parent: Int?
    var children: [Int] = []
    /// The index of the edit that ends here.
    var edit: Int?
    /// The value before the edits, whether written here or reached through an alias or merge key.
    var old: YAMLNode?
    /// The index of an item that exists.
    var position: Int?
    /// A Boolean value that indicates whether an edit here or below changes a text.
    var isChange = false
  }

  private struct Place: Hashable {
    var parent: Int
    var step: YAMLEdit.Step
  }

  let edits: [YAMLEdit]
  private(set) var nodes: [Node]
  /// The problems of edits; the value of `node` locates a problem.
  private(set) var problems: [(node: Int?, edit: Int, reason: YAMLEditProblem.Reason)] = []
  private var places: [Place: Int] = [:]

  /// Creates the tree of edits; `old` is the outermost value of the file, or `nil` without one.
  init(_ edits: [YAMLEdit], old: YAMLNode?, maximumDepth: Int) {
    self.edits = edits
    // The step of the outermost value has no meaning.
    nodes = [Node(step: .index(0))]
    for edit in edits.indices { add(edit, maximumDepth: maximumDepth) }
    _ = resolve(0, old: old)
  }

  /// The new text of a node; `nil` if no edit ends at the node, or if the edit copies a value.
  func text(of node: Int) -> String? {
    nodes[node].edit.flatMap { edits[$0].copied == nil ? edits[$0].text : nil }
  }

  /// The value that is copied to a node.
  func copied(to node: Int) -> YAMLNode? { nodes[node].edit.flatMap { edits[$0].copied } }

  /// The children of a node at or below which a text changes.
  func changes(of node: Int) -> [Int] { nodes[node].children.filter { nodes[$0].isChange } }

  /// The edits at a node and below it, in their order.
  func editsAt(_ node: Int) -> [Int] {
    var result: [Int] = []
    var waiting = [node]
    while let next = waiting.popLast() {
      if let edit = nodes[next].edit { result.append(edit) }
      waiting += nodes[next].children
    }
    return result.sorted()
  }

  private mutating func add(_ edit: Int, maximumDepth: Int) {
    guard edits[edit].path.count <= maximumDepth else {
      return problems.append((nil, edit, .pathTooDeep))
    }
    var node = 0
    for step in edits[edit].path {
      let place = Place(parent: node, step: step)
      if let known = places[place] {
        node = known
        continue
      }
      let isClash =
        nodes[node].edit != nil
        || nodes[node].children.first.map { nodes[$0].step.isKey != step.isKey } ?? false
      guard !isClash else { return problems.append((node, edit, .conflictingEdit)) }
      nodes.append(Node(step: step, parent: node))
      nodes[node].children.append(nodes.count - 1)
      places[place] = nodes.count - 1
      node = nodes.count - 1
    }
    if let other = nodes[node].edit, edits[other] == edits[edit] { return }
    guard nodes[node].edit == nil, nodes[node].children.isEmpty else {
      return problems.append((node, edit, .conflictingEdit))
    }
    nodes[node].edit = edit
  }

  private mutating func refuse(_ node: Int, as reason: YAMLEditProblem.Reason) {
    for edit in editsAt(node) { problems.append((node, edit, reason)) }
  }

  /// Notes the old values at a node and below it; returns `true` if a text changes there.
  private mutating func resolve(_ node: Int, old: YAMLNode?) -> Bool {
    nodes[node].old = old
    let isChange: Bool
    if let text = text(of: node) {
      isChange =
        !(old.map { !$0.isNull && $0.kind == .scalar && $0.text.hasSameBytes(as: text) } ?? false)
      if isChange, let old, old.kind != .scalar { refuse(node, as: .wrongKind(expected: .text)) }
    } else if let copied = copied(to: node) {
      isChange = !(old.map { Verification.areEqual($0, and: copied) } ?? false)
      if isChange, old != nil { refuse(node, as: .conflictingEdit) }
    } else if let first = nodes[node].children.first {
      isChange =
        nodes[first].step.isKey ? resolveKeys(of: node, old: old) : resolveItems(of: node, old: old)
    } else {
      isChange = false
    }
    nodes[node].isChange = isChange
    return isChange
  }

  private mutating func resolveKeys(of node: Int, old: YAMLNode?) -> Bool {
    var values: [ExactString: YAMLNode] = [:]
    if let old, !old.isNull {
      guard old.kind == .mapping else {
        refuse(node, as: .wrongKind(expected: .mapping))
        return false
      }
      values = [ExactString: YAMLNode](firstOf: old.members.lazy.map { ($0.key.text, $0.value) })
    }
    var isChange = false
    for child in nodes[node].children {
      guard case .key(let key) = nodes[child].step else { continue }
      if resolve(child, old: values[key]) { isChange = true }
    }
    return isChange
  }

  private mutating func resolveItems(of node: Int, old: YAMLNode?) -> Bool {
    var items: [YAMLNode] = []
    if let old, !old.isNull {
      guard old.kind == .sequence else {
        refuse(node, as: .wrongKind(expected: .list))
        return false
      }
      items = Array(old.items)
    }
    var positions: [ExactString: [Int]] = [:]
    for (position, item) in items.enumerated() where item.kind == .mapping {
      if let id = item["id"], id.kind == .scalar {
        positions[id.text, default: []].append(position)
      }
    }
    var isChange = false
    var count = items.count
    var taken: Set<Int> = []
    for child in nodes[node].children {
      var position = count
      switch nodes[child].step {
      case .key: continue
      case .index(let index):
        guard index >= 0, index <= count else {
          refuse(child, as: .missingItem(index: index, count: items.count))
          continue
        }
        position = index
      case .item(let id):
        let known = positions[id] ?? []
        if known.count > 1 {
          refuse(child, as: .duplicateID(id.text))
          continue
        }
        position = known.first ?? count
      }
      guard taken.insert(position).inserted else {
        refuse(child, as: .conflictingEdit)
        continue
      }
      if position < items.count { nodes[child].position = position } else { count += 1 }
      if resolve(child, old: position < items.count ? items[position] : nil) { isChange = true }
    }
    return isChange
  }
}

extension YAMLEdit.Step {
  var isKey: Bool { if case .key = self { true } else { false } }
}
