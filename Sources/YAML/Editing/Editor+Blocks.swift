import ContentModel

/// New lines of a block collection, each after a line break.
struct BlockLines {
  var bytes: [UInt8] = []
  /// A Boolean value that indicates whether a line break must follow.
  var needsBreak = false
  var lineBreak: [UInt8]

  init(lineBreak: [UInt8]) { self.lineBreak = lineBreak }

  mutating func begin(column: Int) {
    bytes += lineBreak
    bytes += [UInt8](repeating: 0x20, count: column)
    needsBreak = false
  }

  mutating func append(_ text: String) { bytes += Array(text.utf8) }
}

// New members and items in block collections.
extension Editor {
  mutating func insert(members: [Int], in place: Int) {
    guard syntax.nodes[place].form == .blockMapping else {
      if syntax.nodes[place].children.isEmpty, syntax.nodes[place].parent == nil,
        layout.column(of: syntax.nodes[place].inner.lowerBound) == 0
      {
        return replaceEmptyRoot(place)
      }
      return insert(inFlow: members, in: place)
    }
    let end = beginInsertion(after: place)
    let column = layout.column(of: syntax.nodes[place].inner.lowerBound)
    var lines = BlockLines(lineBreak: layout.lineBreak(at: end))
    for member in members {
      lines.begin(column: column)
      appendMember(member, column: column, to: &lines)
    }
    splices.insert(lines.bytes, at: end, needsBreak: lines.needsBreak)
  }

  /// Returns the offset at which lines after a node are inserted.
  private mutating func beginInsertion(after place: Int) -> Int {
    let leaf = layout.lastLeaf(of: place)
    let point = layout.insertionPoint(afterLeaf: leaf)
    guard point == layout.bytes.count, syntax.nodes[leaf].form.isBlockScalar,
      !syntax.text(of: leaf).hasByteSuffix("\n"), finishedBlocks.insert(leaf).inserted
    else { return point }
    // The text ends with the file, without a line break. New lines would give it one, so the header
    // gets a `-`.
    let header = BlockPlace(of: leaf, in: layout).header
    let signs = layout.bytes[header].filter { !"+-".utf8.contains($0) }
    if !layout.bytes[header].contains(UInt8(ascii: "-")) {
      splices.replace(header, with: signs + [UInt8(ascii: "-")])
    }
    return point
  }

  mutating func insert(items: [Int], in place: Int) {
    guard syntax.nodes[place].form == .blockSequence else {
      return insert(inFlow: items, in: place)
    }
    let end = beginInsertion(after: place)
    let column = layout.column(of: syntax.nodes[place].inner.lowerBound)
    var lines = BlockLines(lineBreak: layout.lineBreak(at: end))
    for item in items {
      lines.begin(column: column)
      appendItem(item, column: column, to: &lines)
    }
    splices.insert(lines.bytes, at: end, needsBreak: lines.needsBreak)
  }

  /// Appends a key and its new value to a line that the caller has begun.
  private mutating func appendMember(_ target: Int, column: Int, to lines: inout BlockLines) {
    guard case .key(let key) = tree.nodes[target].step else { return }
    lines.append(InlineText.shortest(key.text, inFlow: false) + ":")
    appendValue(of: target, parentColumn: column, to: &lines)
  }

  /// Appends a new value behind its key or dash.
  mutating func appendValue(of target: Int, parentColumn: Int, to lines: inout BlockLines) {
    if let text = tree.text(of: target) {
      if !quotesAll, text.utf8.contains(0x0A),
        let block = newBlock(text, parentColumn: parentColumn, lineBreak: lines.lineBreak)
      {
        lines.append(" " + block.header)
        lines.bytes += block.body
        lines.needsBreak = block.needsBreak
      } else {
        lines.append(" " + inline(text))
      }
    } else if let copied = tree.copied(to: target) {
      lines.append(" " + flowCopy(of: copied, target: nil, isJSON: false))
    } else if let old = tree.nodes[target].old, !old.isNull {
      lines.append(" " + flowCopy(of: old, target: target, isJSON: false))
    } else {
      for child in tree.changes(of: target) {
        let isKey = tree.nodes[child].step.isKey
        let column = parentColumn + (isKey ? layout.step : layout.listStep)
        lines.begin(column: column)
        if isKey {
          appendMember(child, column: column, to: &lines)
        } else {
          appendItem(child, column: column, to: &lines)
        }
      }
    }
  }

  private func inline(_ text: String) -> String {
    quotesAll ? InlineText.doubleQuoted(text) : InlineText.shortest(text, inFlow: false)
  }

  /// Appends a dash and a new item to a line that the caller has begun.
  private mutating func appendItem(_ target: Int, column: Int, to lines: inout BlockLines) {
    lines.append("-")
    let children = tree.changes(of: target)
    guard tree.nodes[target].edit == nil,
      children.first.map({ tree.nodes[$0].step.isKey }) ?? false
    else {
      return appendValue(of: target, parentColumn: column, to: &lines)
    }
    lines.append(" ")
    var isFirst = true
    if let id = tree.missingID(of: target) {
      lines.append("id: " + InlineText.shortest(id, inFlow: false))
      isFirst = false
    }
    for child in children {
      if !isFirst { lines.begin(column: column + 2) }
      isFirst = false
      appendMember(child, column: column + 2, to: &lines)
    }
  }

  /// Writes the members or items of a file that has none.
  mutating func fillFile() {
    let offset = min(
      syntax.root.map { syntax.nodes[$0].inner.lowerBound } ?? layout.bytes.count,
      layout.bytes.count)
    var lines = rootLines()
    if offset == 0 || layout.bytes[offset - 1].breaksLine {
      lines.bytes = Array(lines.bytes.dropFirst(lines.lineBreak.count)) + lines.lineBreak
    }
    splices.insert(lines.bytes, at: offset, needsBreak: lines.needsBreak)
  }

  private mutating func rootLines() -> BlockLines {
    var lines = BlockLines(lineBreak: layout.lineBreak(at: layout.lineEnd(from: 0)))
    if tree.nodes[0].edit != nil {
      lines.begin(column: 0)
      appendValue(of: 0, parentColumn: 0, to: &lines)
    }
    for child in tree.changes(of: 0) {
      lines.begin(column: 0)
      if tree.nodes[child].step.isKey {
        appendMember(child, column: 0, to: &lines)
      } else {
        appendItem(child, column: 0, to: &lines)
      }
    }
    return lines
  }

  /// Replaces the `{}` of a file without members.
  private mutating func replaceEmptyRoot(_ place: Int) {
    let lines = rootLines()
    splices.replace(
      syntax.nodes[place].inner, with: Array(lines.bytes.dropFirst(lines.lineBreak.count)),
      needsBreak: lines.needsBreak)
  }
}

extension EditTree {
  /// The id that a new item of a list gets, unless an edit sets it.
  func missingID(of node: Int) -> String? {
    guard case .item(let id) = nodes[node].step else { return nil }
    return nodes[node].children.contains { nodes[$0].step == .member("id") } ? nil : id.text
  }
}
