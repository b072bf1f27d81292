import ContentModel

// New members and items in flow collections, and copies in flow style.
extension Editor {
  /// Adds members or items to the end of a flow collection.
  mutating func insert(inFlow targets: [Int], in place: Int) {
    let node = syntax.nodes[place]
    let (bytes, open) = (layout.bytes, node.inner.lowerBound)
    // `[a: b]` has a mapping without brackets.
    guard open < bytes.count,
      bytes[open] == UInt8(ascii: node.form.isMapping ? "{" : "["), let first = targets.first
    else { return refuse(targets.first ?? 0, at: place, as: .notation) }
    guard let last = node.children.last else {
      let text = flowParts(targets, isJSON: false).joined(separator: ", ")
      let isSpaced = open + 1 < bytes.count && bytes[open + 1] == 0x20
      return splices.insert(Array(((isSpaced ? " " : "") + text).utf8), at: open + 1)
    }
    let sibling = node.form.isMapping ? node.children[node.children.count - 2] : last
    let parts = flowParts(targets, isJSON: syntax.nodes[sibling].form == .doubleQuoted)
    guard let end = endOfLastChild(last, sibling: sibling) else {
      return refuse(first, at: place, as: .notation)
    }
    let padding = bytes[end - 1] == UInt8(ascii: ":") && isAbsent(last) ? " " : ""
    let comma = layout.skipSpace(from: end)
    let hasComma = comma < bytes.count && bytes[comma] == UInt8(ascii: ",")
    let rest = layout.skipSpace(from: hasComma ? comma + 1 : end)
    let endsLine =
      rest == bytes.count || bytes[rest].breaksLine || bytes[rest] == UInt8(ascii: "#")
    guard endsLine, let margin = margin(before: syntax.nodes[sibling].outer.lowerBound, from: open)
    else {
      return splices.insert(
        Array((padding + parts.map { ", " + $0 }.joined()).utf8), at: end)
    }
    let lineEnd = layout.lineEnd(from: rest)
    if !hasComma { splices.insert(Array((padding + ",").utf8), at: end) }
    for (index, part) in parts.enumerated() {
      let separator = index < parts.count - 1 || hasComma ? "," : ""
      splices.insert(
        layout.lineBreak(at: lineEnd) + margin + Array((part + separator).utf8), at: lineEnd)
    }
  }

  private func endOfLastChild(_ last: Int, sibling: Int) -> Int? {
    guard isAbsent(last) else { return syntax.nodes[last].outer.upperBound }
    guard let slot = Slot(of: last, in: layout) else { return nil }
    return slot.prefix == " " ? slot.offset : syntax.nodes[sibling].outer.upperBound
  }

  /// The white space before a child, if the child begins a line; otherwise `nil`.
  private func margin(before start: Int, from open: Int) -> ArraySlice<UInt8>? {
    var lineStart = start
    while lineStart > open, layout.bytes[lineStart - 1].isBlank { lineStart -= 1 }
    guard lineStart > open, layout.bytes[lineStart - 1].breaksLine else { return nil }
    return layout.bytes[lineStart..<start]
  }

  /// New members or items in brackets.
  mutating func flowCollection(_ targets: [Int], isJSON: Bool) -> String {
    let parts = flowParts(targets, isJSON: isJSON).joined(separator: ", ")
    return targets.first.map { tree.nodes[$0].step.isKey } ?? true ? "{\(parts)}" : "[\(parts)]"
  }

  private mutating func flowParts(_ targets: [Int], isJSON: Bool) -> [String] {
    targets.map { target in
      let value = flowValue(of: target, isJSON: isJSON)
      guard case .key(let key) = tree.nodes[target].step else { return value }
      return flowText(key.text, isJSON: isJSON) + ": " + value
    }
  }

  private func flowText(_ text: String, isJSON: Bool) -> String {
    isJSON || quotesAll
      ? InlineText.doubleQuoted(text) : InlineText.shortest(text, inFlow: true)
  }

  private mutating func flowValue(of target: Int, isJSON: Bool) -> String {
    if let text = tree.text(of: target) { return flowText(text, isJSON: isJSON) }
    if let copied = tree.copied(to: target) {
      return flowCopy(of: copied, target: nil, isJSON: isJSON)
    }
    if let old = tree.nodes[target].old, !old.isNull {
      return flowCopy(of: old, target: target, isJSON: isJSON)
    }
    let children = tree.changes(of: target)
    guard let id = tree.missingID(of: target) else {
      return flowCollection(children, isJSON: isJSON)
    }
    let key = flowText("id", isJSON: isJSON) + ": " + flowText(id, isJSON: isJSON)
    return "{" + ([key] + flowParts(children, isJSON: isJSON)).joined(separator: ", ") + "}"
  }

  /// A copy of a value in one line, with the edits below a node of the tree.
  mutating func flowCopy(of node: YAMLNode, target: Int?, isJSON: Bool) -> String {
    copyBudget -= 1
    guard copyBudget >= 0 else {
      if copyBudget == -1 { refuse(target ?? 0, at: nil, as: .copyTooLarge) }
      return "null"
    }
    if let target, tree.nodes[target].edit != nil { return flowValue(of: target, isJSON: isJSON) }
    var changes = target.map { tree.changes(of: $0) } ?? []
    switch node.kind {
    case .scalar:
      return changes.isEmpty ? flowScalar(node) : flowCollection(changes, isJSON: isJSON)
    case .sequence:
      var parts: [String] = []
      var targets: [Int: Int] = [:]
      for change in changes {
        if let position = tree.nodes[change].position { targets[position] = change }
      }
      for (position, item) in node.items.enumerated() {
        parts.append(flowCopy(of: item, target: targets[position], isJSON: isJSON))
      }
      changes.removeAll { tree.nodes[$0].position != nil }
      return "[" + (parts + flowParts(changes, isJSON: isJSON)).joined(separator: ", ") + "]"
    case .mapping:
      var parts: [String] = []
      var targets: [ExactString: Int] = [:]
      for change in changes {
        if case .key(let key) = tree.nodes[change].step { targets[key] = change }
      }
      for (key, value) in node.members {
        let change = targets.removeValue(forName: key.text)
        parts.append(
          flowText(key.text, isJSON: isJSON) + ": "
            + flowCopy(of: value, target: change, isJSON: isJSON))
      }
      changes.removeAll {
        if case .key(let key) = tree.nodes[$0].step { targets[key] == nil } else { true }
      }
      return "{" + (parts + flowParts(changes, isJSON: isJSON)).joined(separator: ", ") + "}"
    }
  }

  private func flowScalar(_ node: YAMLNode) -> String {
    let text = node.text
    switch node.scalar {
    case .text: return flowText(text, isJSON: false)
    case .null: return "null"
    case .boolean, .integer, .integerOutOfRange: return text
    case .number:
      // The tag `!!float` can turn the text of an integer into a number.
      return text.utf8.contains { ".eE".utf8.contains($0) } ? text : "!!float " + text
    case .binary: return "!!binary " + InlineText.doubleQuoted(text)
    }
  }
}
