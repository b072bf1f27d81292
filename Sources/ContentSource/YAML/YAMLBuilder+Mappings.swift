import Diagnostics

extension YAMLBuilder {
  /// The rows of a mapping's members as they count: each key once, merge keys replaced by what they merge.
  mutating func effectiveMembers(_ rows: [UInt32]) -> [UInt32] {
    var pairs = stride(from: 0, to: rows.count - 1, by: 2).map { (key: rows[$0], value: rows[$0 + 1]) }
    for pair in pairs where nodes[Int(pair.key)].kind != .scalar {
      report("complex-key", at: nodes[Int(pair.key)].span, "a key must be a text, not a list or a mapping")
    }
    pairs.removeAll { nodes[Int($0.key)].kind != .scalar }
    pairs = withoutDuplicates(pairs)
    if pairs.contains(where: { isMergeKey($0.key) }) { pairs = merged(pairs) }
    return pairs.flatMap { [$0.key, $0.value] }
  }

  typealias Pair = (key: UInt32, value: UInt32)

  private mutating func withoutDuplicates(_ pairs: [Pair]) -> [Pair] {
    let order = pairs.indices.sorted { a, b in
      let (first, second) = (bytes(of: pairs[a].key), bytes(of: pairs[b].key))
      if first.lexicographicallyPrecedes(second) { return true }
      return a < b && first.elementsEqual(second)
    }
    var isDropped: [Int: Bool] = [:]
    var first = 0
    for step in order.indices.dropFirst() {
      guard bytes(of: pairs[order[first]].key).elementsEqual(bytes(of: pairs[order[step]].key)) else {
        first = step
        continue
      }
      refuseDuplicate(pairs[order[step]].key, of: pairs[order[first]].key)
      isDropped[order[step - 1]] = true
    }
    return isDropped.isEmpty ? pairs : pairs.indices.filter { isDropped[$0] == nil }.map { pairs[$0] }
  }

  private func bytes(of row: UInt32) -> ArraySlice<UInt8> { texts[nodes[Int(row)].slots] }

  private mutating func refuseDuplicate(_ key: UInt32, of first: UInt32) {
    let text = String(decoding: bytes(of: key), as: UTF8.self)
    var notes = [Diagnostic.Note("the first one is here", at: location(nodes[Int(first)].span))]
    if isMergeKey(key) { notes.append(.init("several mappings merge as '<<: [*a, *b]'")) }
    diagnostics.append(
      Diagnostic(
        reader.duplicateKeys, "duplicate-key", at: location(nodes[Int(key)].span),
        "'\(text)' must stand only once in a mapping", notes: notes))
  }

  private func isMergeKey(_ row: UInt32) -> Bool {
    let node = nodes[Int(row)]
    return node.isPlainStyle && node.tag == .none && bytes(of: row).elementsEqual("<<".utf8)
  }

  /// Own keys win over merged ones, and of merged ones the mapping that is named first.
  private mutating func merged(_ pairs: [Pair]) -> [Pair] {
    var taken = Set(pairs.map { Array(bytes(of: $0.key)) })
    var result: [Pair] = []
    for pair in pairs {
      guard isMergeKey(pair.key) else {
        result.append(pair)
        continue
      }
      for source in mergeSources(pair.value) {
        for member in members(of: source) where taken.insert(Array(bytes(of: member.key))).inserted {
          result.append(member)
        }
      }
    }
    return result
  }

  private mutating func mergeSources(_ row: UInt32) -> [UInt32] {
    let node = nodes[Int(row)]
    let rows = node.kind == .sequence ? Array(children[node.slots]) : [row]
    return rows.filter { row in
      let isMapping = nodes[Int(row)].kind == .mapping
      if !isMapping, !brokenAliases.contains(row) {
        report("bad-merge", at: nodes[Int(row)].span, "'<<' must merge a mapping or a list of mappings")
      }
      return isMapping
    }
  }

  private func members(of row: UInt32) -> [Pair] {
    let slots = nodes[Int(row)].slots
    return stride(from: slots.lowerBound, to: slots.upperBound, by: 2).map { (children[$0], children[$0 + 1]) }
  }
}
