import ContentModel
import SourceYAML

// Values of aliases, and of anchors that aliases repeat.
extension Editor {
  /// Gives the collections of aliases that edits change values of their own, and moves the anchors
  /// of changed values to the first alias that needs the old value.
  mutating func openAliases() {
    guard !openedAliases.isEmpty || !changedAnchors.isEmpty else { return }
    moveAnchors()
    let changed = Set(changedAnchors.map(\.place))
    for (place, target) in openedAliases {
      guard let old = tree.nodes[target].old else { continue }
      let alias = syntax.nodes[place]
      let isChanged = alias.target.map { changed.contains($0) } ?? true
      if old.kind == .mapping, !isChanged {
        splices.replace(alias.inner, with: mergingMapping(of: place, target: target))
      } else {
        splices.replace(alias.inner, with: flowCopy(of: old, target: target, isJSON: false))
      }
    }
  }

  /// A mapping that merges the alias, with own members for the edits.
  private mutating func mergingMapping(of place: Int, target: Int) -> String {
    let name = syntax.nodes[place].anchor ?? ""
    let own = flowCollection(tree.changes(of: target), isJSON: false)
    return "{<<: *\(name), " + own.dropFirst()
  }

  private mutating func moveAnchors() {
    guard !changedAnchors.isEmpty else { return }
    var aliases: [Int: Int] = [:]
    for (index, node) in syntax.nodes.enumerated()
    where node.form == .alias && !replacedAliases.contains(index) {
      if let target = node.target, aliases[target] == nil { aliases[target] = index }
    }
    for (place, target) in changedAnchors {
      guard let alias = aliases[place], let old = tree.nodes[target].old else { continue }
      let node = syntax.nodes[place]
      guard let name = node.anchor, let anchor = rangeOfAnchor(name, of: node) else {
        refuse(target, at: place, as: .notation)
        continue
      }
      splices.replace(anchor, with: [])
      let copy = flowCopy(of: old, target: nil, isJSON: false)
      splices.replace(syntax.nodes[alias].inner, with: "&\(name) " + copy)
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
