import ContentModel

// Values of aliases, and of anchors that aliases repeat.
extension Editor {
  /// Replaces each alias whose value has edits inside with a collection, and moves the anchors of
  /// edited values.
  ///
  /// The anchor of an edited value moves to the first alias that needs the old value. An anchor is
  /// removed if all its aliases are replaced, because readers warn of an unused anchor.
  mutating func openAliases() {
    guard !replacedAliases.isEmpty || !changedAnchors.isEmpty else { return }
    moveAnchors()
    removeUnusedAnchors()
    for (place, target) in openedAliases {
      guard let old = tree.nodes[target].old else { continue }
      let alias = syntax.nodes[place]
      if mergesAlias(of: place, target: target) {
        splices.replace(alias.inner, with: mergingMapping(of: place, target: target))
      } else {
        splices.replace(alias.inner, with: flowCopy(of: old, target: target, isJSON: false))
      }
    }
  }

  /// A mapping that merges the alias, and has the edited members itself.
  private mutating func mergingMapping(of place: Int, target: Int) -> String {
    let name = syntax.nodes[place].anchor ?? ""
    let own = flowCollection(tree.changes(of: target), isJSON: false)
    return "{<<: *\(name), " + own.dropping("{")
  }

  /// Returns `true` if the value of an edited alias can still merge the anchored mapping.
  private func mergesAlias(of place: Int, target: Int) -> Bool {
    guard tree.nodes[target].old?.kind == .mapping, let anchor = syntax.nodes[place].target else {
      return false
    }
    return !changedAnchors.contains { $0.place == anchor }
  }

  /// For each anchored node, the aliases that no edit replaces, in their order.
  private var keptAliases: [Int: [Int]] {
    var aliases: [Int: [Int]] = [:]
    for (index, node) in syntax.nodes.enumerated()
    where node.form == .alias && !replacedAliases.contains(index) {
      if let target = node.target { aliases[target, default: []].append(index) }
    }
    return aliases
  }

  private mutating func moveAnchors() {
    guard !changedAnchors.isEmpty else { return }
    let aliases = keptAliases
    for (place, target) in changedAnchors {
      guard let kept = aliases[place], let old = tree.nodes[target].old else { continue }
      let node = syntax.nodes[place]
      guard let name = node.anchor, let anchor = rangeOfAnchor(name, of: node) else {
        refuse(target, at: place, as: .notation)
        continue
      }
      splices.replace(anchor, with: [])
      let copy = flowCopy(of: old, target: nil, isJSON: false)
      let newAnchor = kept.count > 1 ? "&\(name) " : ""
      splices.replace(syntax.nodes[kept[0]].inner, with: newAnchor + copy)
    }
  }

  /// Removes the anchors whose aliases are all replaced.
  private mutating func removeUnusedAnchors() {
    let merging = openedAliases.filter { mergesAlias(of: $0.place, target: $0.target) }
    let used = Set(keptAliases.keys).union(merging.compactMap { syntax.nodes[$0.place].target })
    let replaced = replacedAliases.compactMap { syntax.nodes[$0].target }
    for anchor in Set(replaced).subtracting(used).sorted() {
      let node = syntax.nodes[anchor]
      // An empty value keeps its anchor.
      guard let name = node.anchor, !node.inner.isEmpty, let range = rangeOfAnchor(name, of: node)
      else { continue }
      splices.replace(range, with: [])
    }
  }

  /// The bytes of an anchor and of the space that separates it from the value or, if the value
  /// begins in another line, from the key.
  private func rangeOfAnchor(_ name: String, of node: YAMLSyntax.Node) -> Range<Int>? {
    let anchor = Array("&\(name)".utf8)
    let properties = node.outer.lowerBound..<max(node.outer.lowerBound, node.inner.lowerBound)
    guard
      let start = properties.first(where: { layout.bytes[$0...].starts(with: anchor) })
    else { return nil }
    let end = start + anchor.count
    let after = min(layout.skipSpace(from: end), max(end, node.inner.lowerBound))
    if after > end, after < layout.bytes.count, !layout.bytes[after].breaksLine {
      return start..<after
    }
    var before = start
    while before > 0, layout.bytes[before - 1].isBlank { before -= 1 }
    return before..<end
  }
}
