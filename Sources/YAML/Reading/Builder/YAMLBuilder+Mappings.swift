import Diagnostics
import SystemC

extension YAMLBuilder {
  /// Returns `true` if the waiting members from an index on are plain: scalar keys, each once,
  /// without merge keys.
  ///
  /// It may return `false` for plain members, whose similar keys are compared later.
  mutating func isPlainMapping(from first: Int) -> Bool {
    signatures.removeAll(keepingCapacity: true)
    for index in stride(from: first, to: waiting.count - 1, by: 2) {
      let key = waiting[index]
      guard key.kind == .scalar else { return false }
      let signature = withText(of: key, \.signature)
      guard signature != mergeSignature else { return false }
      signatures.append(signature)
    }
    return signatures.count > 16 ? signatures.areDistinctWhenSorted : signatures.areDistinct
  }

  private var mergeSignature: UInt64 { 2 << 56 | 0x3C3C }

  /// Returns the effective members of a mapping: each key once, with merge keys replaced by their
  /// members.
  mutating func effectiveMembers(_ rows: [YAMLRow]) -> [YAMLRow] {
    var pairs = stride(from: 0, to: rows.count - 1, by: 2).map {
      (key: rows[$0], value: rows[$0 + 1])
    }
    for pair in pairs where pair.key.kind != .scalar {
      report(
        .complexKey, at: span(span(of: pair.key)),
        message: "a key must be a text, not a list or a mapping"
      )
    }
    pairs.removeAll { $0.key.kind != .scalar }
    pairs = withoutDuplicates(pairs)
    if pairs.contains(where: { isMergeKey($0.key) }) { pairs = merged(pairs) }
    return pairs.flatMap { [$0.key, $0.value] }
  }

  typealias Pair = (key: YAMLRow, value: YAMLRow)

  private mutating func withoutDuplicates(_ pairs: [Pair]) -> [Pair] {
    let keys = pairs.map { bytes(of: $0.key) }
    let order = keys.indices.sorted { a, b in
      if keys[a].lexicographicallyPrecedes(keys[b]) { return true }
      return a < b && keys[a] == keys[b]
    }
    var isDropped: [Int: Bool] = [:]
    // By duplicate: the first member with its key.
    var firsts: [Int: Int] = [:]
    var first = 0
    for step in order.indices.dropFirst() {
      guard keys[order[first]] == keys[order[step]] else {
        first = step
        continue
      }
      firsts[order[step]] = order[first]
      isDropped[order[step - 1]] = true
    }
    refuseDuplicates(firsts, in: pairs)
    return isDropped.isEmpty
      ? pairs : pairs.indices.filter { isDropped[$0] == nil }.map { pairs[$0] }
  }

  private func bytes(of row: YAMLRow) -> [UInt8] { withText(of: row) { Array($0) } }

  /// Reports duplicates by the first members with their keys.
  ///
  /// Different keys in a row, beginning with the first key of the mapping, probably belong to a
  /// mapping whose own key is missing, so they are reported once.
  private mutating func refuseDuplicates(_ firsts: [Int: Int], in pairs: [Pair]) {
    var rowEnd = 0
    for (place, first) in firsts.sorted(by: { $0.key < $1.key }) where place >= rowEnd {
      rowEnd = place + 1
      if first == 0 {
        while let next = firsts[rowEnd], let before = firsts[rowEnd - 1], next > before {
          rowEnd += 1
        }
      }
      refuseDuplicate(pairs[place].key, of: pairs[first].key, count: rowEnd - place)
    }
  }

  private mutating func refuseDuplicate(_ key: YAMLRow, of first: YAMLRow, count: Int) {
    let text = String(decoding: bytes(of: key), as: UTF8.self)
    var notes = [Diagnostic.Note("the first one is here", at: location(span(span(of: first))))]
    if isMergeKey(key) { notes.append(.init("several mappings merge as '<<: [*a, *b]'")) }
    let message =
      count == 1
      ? "'\(text)' must occur only once in a mapping; delete one of the two"
      : "\(count) keys from '\(text)' on must occur only once in a mapping; delete them, or write the key of their own mapping above"
    diagnostics.append(
      Diagnostic(
        reader.duplicateKeys, rule: .duplicateKey, at: location(span(span(of: key))),
        message: message, notes: notes))
  }

  private func isMergeKey(_ row: YAMLRow) -> Bool {
    row.isPlainStyle && row.tag == .none && withText(of: row) { $0.elementsEqual("<<".utf8) }
  }

  /// Merges pairs: own keys precede merged ones, and an earlier merged mapping precedes a later
  /// one.
  private mutating func merged(_ pairs: [Pair]) -> [Pair] {
    var taken = Set(pairs.map { bytes(of: $0.key) })
    var result: [Pair] = []
    for pair in pairs {
      guard isMergeKey(pair.key) else {
        result.append(pair)
        continue
      }
      for source in mergeSources(pair.value) {
        for member in members(of: source) where taken.insert(bytes(of: member.key)).inserted {
          result.append(member)
        }
      }
    }
    return result
  }

  private mutating func mergeSources(_ row: YAMLRow) -> [YAMLRow] {
    let rows = row.kind == .sequence ? Array(nodes[content(of: row)]) : [row]
    return rows.filter { row in
      let isMapping = row.kind == .mapping
      if !isMapping, !row.isBroken {
        report(
          .badMerge, at: span(span(of: row)),
          message: "'<<' must merge a mapping or a list of mappings")
      }
      return isMapping
    }
  }

  private func members(of row: YAMLRow) -> [Pair] {
    let slots = content(of: row)
    return stride(from: slots.lowerBound, to: slots.upperBound, by: 2).map {
      (nodes[$0], nodes[$0 + 1])
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A number that is equal for equal texts, and rarely for others.
  fileprivate var signature: UInt64 {
    guard let base = UnsafeRawPointer(baseAddress) else { return 0 }
    var hash = UInt64(count) << 56
    var offset = 0
    while offset < count {
      var word: UInt64 = 0
      memcpy(&word, base + offset, Swift.min(8, count - offset))
      if offset > 0 { hash = (hash ^ hash >> 29) &* 0x9E37_79B9_7F4A_7C15 }
      hash ^= UInt64(littleEndian: word)
      offset += 8
    }
    return hash
  }
}

extension [UInt64] {
  /// A Boolean value that indicates whether no number occurs twice; for short lists.
  fileprivate var areDistinct: Bool {
    for index in indices.dropFirst() where self[..<index].contains(self[index]) { return false }
    return true
  }

  /// A Boolean value that indicates whether no number occurs twice; sorts the numbers.
  fileprivate var areDistinctWhenSorted: Bool {
    mutating get {
      sort()
      for index in indices.dropFirst() where self[index] == self[index - 1] { return false }
      return true
    }
  }
}
