import ContentModel

/// The comparison of a file before and after its edits.
struct Verification {
  let tree: EditTree

  /// Returns `true` if the outermost value of the new file is the old one with the edits.
  func holds(for new: YAMLNode?) -> Bool {
    guard let new else { return tree.nodes[0].old == nil && !tree.nodes[0].isChange }
    return holds(at: 0, new: new)
  }

  private func holds(at target: Int, new: YAMLNode) -> Bool {
    let node = tree.nodes[target]
    guard node.isChange else { return node.old.map { Self.areEqual($0, and: new) } ?? false }
    if let text = tree.text(of: target) {
      return new.kind == .scalar && new.scalar == .text && new.text.hasSameBytes(as: text)
    }
    if let copied = tree.copied(to: target) { return Self.areEqual(copied, and: new) }
    let old = node.old.flatMap { $0.isNull ? nil : $0 }
    let changes = tree.changes(of: target)
    guard let first = changes.first else { return false }
    return tree.nodes[first].step.isKey
      ? keysHold(changes, at: target, old: old, new: new) : itemsHold(changes, old: old, new: new)
  }

  private func keysHold(_ changes: [Int], at target: Int, old: YAMLNode?, new: YAMLNode) -> Bool {
    guard new.kind == .mapping else { return false }
    var missing: [ExactString: Int] = [:]
    for change in changes {
      if case .key(let key) = tree.nodes[change].step { missing[key] = change }
    }
    // Members without edits keep their order. Members with edits may move, because an edited member
    // of the mapping replaces a merged one.
    var unchanged = old?.members.filter { missing[$0.key.text] == nil }.makeIterator()
    var id = old == nil ? tree.missingID(of: target) : nil
    for member in new.members {
      let key = member.key.text
      if let change = missing.removeValue(forName: key) {
        guard holds(at: change, new: member.value) else { return false }
      } else if let text = id, key == "id" {
        guard member.value.kind == .scalar, member.value.text.hasSameBytes(as: text) else {
          return false
        }
        id = nil
      } else {
        guard let before = unchanged?.next(), Self.areEqual(before.key, and: member.key),
          Self.areEqual(before.value, and: member.value)
        else { return false }
      }
    }
    return missing.isEmpty && id == nil && unchanged?.next() == nil
  }

  private func itemsHold(_ changes: [Int], old: YAMLNode?, new: YAMLNode) -> Bool {
    guard new.kind == .sequence else { return false }
    let oldItems = old.map { Array($0.items) } ?? []
    var byPosition: [Int: Int] = [:]
    var created: [Int] = []
    for change in changes {
      if let position = tree.nodes[change].position {
        byPosition[position] = change
      } else {
        created.append(change)
      }
    }
    guard new.items.count == oldItems.count + created.count else { return false }
    for (position, item) in new.items.enumerated() {
      if position >= oldItems.count {
        guard holds(at: created[position - oldItems.count], new: item) else { return false }
      } else if let change = byPosition[position] {
        guard holds(at: change, new: item) else { return false }
      } else {
        guard Self.areEqual(oldItems[position], and: item) else { return false }
      }
    }
    return true
  }

  /// Returns `true` if two values mean the same; the notation of nulls and of copied texts may
  /// differ.
  static func areEqual(_ a: YAMLNode, and b: YAMLNode) -> Bool {
    guard a.kind == b.kind else { return false }
    switch a.kind {
    case .scalar:
      if a.isNull || b.isNull { return a.isNull && b.isNull }
      let isSameText = a.withTextBytes { a in b.withTextBytes { a.hasSameBytes(as: $0) } }
      return isSameText && (a.scalar == b.scalar || (a.isPlain && b.isPlain))
    case .sequence:
      guard a.items.count == b.items.count else { return false }
      return zip(a.items, b.items).allSatisfy { areEqual($0, and: $1) }
    case .mapping:
      guard a.members.count == b.members.count else { return false }
      return zip(a.members, b.members).allSatisfy {
        areEqual($0.key, and: $1.key) && areEqual($0.value, and: $1.value)
      }
    }
  }
}
