import ContentModel

/// The planner of the changes that carry out a file's edits.
struct Editor {
  let layout: Layout
  let tree: EditTree
  /// A Boolean value that indicates whether every new text is written in double quotes.
  let quotesAll: Bool
  var splices = Splices()
  private(set) var problems: [(node: Int, place: Int?, reason: YAMLEditProblem.Reason)] = []
  /// The aliases of collections with edits inside, and the tree nodes of these edits.
  var openedAliases: [(place: Int, target: Int)] = []
  /// The aliases that edits replace.
  var replacedAliases: Set<Int> = []
  /// The anchored nodes that edits change.
  var changedAnchors: [(place: Int, target: Int)] = []
  /// The block scalars whose headers have already been replaced.
  var finishedBlocks: Set<Int> = []
  /// The number of nodes that may still be copied.
  var copyBudget = 20_000

  var syntax: YAMLSyntax { layout.syntax }

  init(_ layout: Layout, tree: EditTree, quotesAll: Bool) {
    (self.layout, self.tree, self.quotesAll) = (layout, tree, quotesAll)
  }

  /// Plans all edits.
  mutating func run() {
    guard tree.nodes[0].isChange else { return }
    if let root = syntax.root, !isAbsent(root) {
      edit(root, target: 0)
    } else {
      fillFile()
    }
    openAliases()
  }

  /// The text after the edits; `nil` if they overlap.
  func result() -> [UInt8]? {
    splices.applied(to: layout.bytes, lineBreak: layout.lineBreak(at: layout.bytes.count))
  }

  mutating func refuse(_ target: Int, at place: Int?, as reason: YAMLEditProblem.Reason) {
    problems.append((target, place, reason))
  }

  /// Returns `true` for a node without a text, an anchor or a tag.
  func isAbsent(_ place: Int) -> Bool {
    let node = syntax.nodes[place]
    return node.form == .plain && node.outer.isEmpty
  }

  /// Plans the edits at a written node and below it.
  mutating func edit(_ place: Int, target: Int) {
    guard tree.nodes[target].isChange else { return }
    let node = syntax.nodes[place]
    if node.form == .alias {
      replacedAliases.insert(place)
      if tree.nodes[target].edit == nil {
        openedAliases.append((place, target))
      } else {
        setText(at: place, target: target)
      }
      return
    }
    if node.anchor != nil { changedAnchors.append((place, target)) }
    if tree.nodes[target].edit != nil {
      setText(at: place, target: target)
    } else if node.form.isMapping {
      editMapping(place, target: target)
    } else if node.form.isSequence {
      editSequence(place, target: target)
    } else {
      fillNull(place, target: target)
    }
  }

  private mutating func editMapping(_ place: Int, target: Int) {
    let children = syntax.nodes[place].children
    var own: [ExactString: (value: Int, count: Int)] = [:]
    for index in stride(from: 0, to: children.count - 1, by: 2) {
      let form = syntax.nodes[children[index]].form
      guard form.isScalar || form == .alias else { continue }
      let key = ExactString(syntax.text(of: children[index]))
      own[key] = (children[index + 1], (own[key]?.count ?? 0) + 1)
    }
    var created: [Int] = []
    for child in tree.changes(of: target) {
      guard case .key(let key) = tree.nodes[child].step else { continue }
      guard let member = own[key] else {
        created.append(child)
        continue
      }
      if member.count > 1 {
        refuse(child, at: member.value, as: .duplicateKey(key.text))
      } else {
        edit(member.value, target: child)
      }
    }
    if !created.isEmpty { insert(members: created, in: place) }
  }

  private mutating func editSequence(_ place: Int, target: Int) {
    let children = syntax.nodes[place].children
    var created: [Int] = []
    for child in tree.changes(of: target) {
      if let position = tree.nodes[child].position, position < children.count {
        edit(children[position], target: child)
      } else {
        created.append(child)
      }
    }
    if !created.isEmpty { insert(items: created, in: place) }
  }

  /// Returns `true` if a text can have the tag of a node.
  private func mayBeText(_ tag: String?) -> Bool {
    tag == nil || tag == "!" || tag == "tag:yaml.org,2002:str"
  }

  /// Replaces a scalar or an alias with a text.
  private mutating func setText(at place: Int, target: Int) {
    guard let text = tree.text(of: target) else { return }
    let node = syntax.nodes[place]
    guard mayBeText(node.tag) else {
      let name = node.tag.map {
        $0.hasBytePrefix("tag:yaml.org,2002:") ? "!!" + $0.dropping("tag:yaml.org,2002:") : $0
      }
      return refuse(target, at: place, as: .tagged(name ?? ""))
    }
    if node.form.isBlockScalar {
      replaceBlock(place, text: text)
    } else if node.inner.isEmpty {
      guard let slot = Slot(of: place, in: layout) else {
        return refuse(target, at: place, as: .notation)
      }
      write(text, at: slot.offset..<slot.offset, of: place, prefix: slot.prefix)
    } else {
      write(text, at: node.inner, of: place, prefix: "")
    }
  }

  /// Replaces a part of a line with a text.
  ///
  /// A text of several lines becomes a block scalar if possible: a header, and lines below.
  private mutating func write(_ text: String, at range: Range<Int>, of place: Int, prefix: String) {
    let node = syntax.nodes[place]
    let hasBreak = text.utf8.contains(0x0A)
    let mayBeBlock: Bool =
      switch node.form {
      case .doubleQuoted: !syntax.text(of: place).utf8.contains(0x0A)
      default: true
      }
    if hasBreak, mayBeBlock, !node.isInFlow, !quotesAll,
      let block = newBlock(
        text, parentColumn: layout.parentColumn(of: place),
        lineBreak: layout.lineBreak(at: layout.lineEnd(from: range.upperBound)))
    {
      let below = layout.lineEnd(from: range.upperBound)
      splices.replace(range, with: prefix + block.header)
      splices.insert(block.body, at: below, needsBreak: block.needsBreak)
      return
    }
    splices.replace(range, with: prefix + inline(text, like: node.form, inFlow: node.isInFlow))
  }

  /// A text in one line, with the quotes of the old text if they can hold the new one.
  private func inline(_ text: String, like form: YAMLSyntax.Form, inFlow: Bool) -> String {
    switch form {
    case _ where quotesAll: InlineText.doubleQuoted(text)
    case .singleQuoted where InlineText.isSingleSafe(text): InlineText.singleQuoted(text)
    case .doubleQuoted: InlineText.doubleQuoted(text)
    default: InlineText.shortest(text, inFlow: inFlow)
    }
  }

  /// Returns a block scalar for a value that was missing or had another notation.
  ///
  /// Returns `nil` if no block scalar can hold the text, or if its end would depend on the blank
  /// lines that follow.
  func newBlock(_ text: String, parentColumn: Int, lineBreak: [UInt8]) -> BlockText? {
    guard !text.hasByteSuffix("\n\n") else { return nil }
    return BlockText(
      text,
      style: BlockText.Style(
        parentColumn: parentColumn, column: parentColumn + layout.step, lineBreak: lineBreak))
  }

  private mutating func replaceBlock(_ place: Int, text: String) {
    let node = syntax.nodes[place]
    let block = BlockPlace(of: place, in: layout)
    finishedBlocks.insert(place)
    let parentColumn = layout.parentColumn(of: place)
    let style = BlockText.Style(
      isFolded: node.form == .folded, parentColumn: parentColumn,
      column: block.column ?? parentColumn + layout.step, indicator: block.indicator,
      keeps: block.keeps, width: block.width, lineBreak: layout.lineBreak(at: block.start))
    guard !quotesAll, let new = BlockText(text, style: style) else {
      splices.replace(block.header, with: InlineText.quoted(text))
      return splices.replace(block.start..<block.end, with: [])
    }
    if !layout.bytes[block.header].elementsEqual(new.header.utf8) {
      splices.replace(block.header, with: new.header)
    }
    // With '+', the blank lines below are part of the text.
    let end = new.header.hasSuffix("+") ? block.blankEnd : block.end
    splices.replace(block.start..<end, with: new.body, needsBreak: new.needsBreak)
  }

  /// Adds members or items to a node that means null.
  private mutating func fillNull(_ place: Int, target: Int) {
    let node = syntax.nodes[place]
    guard node.tag == nil, let parent = node.parent else {
      return refuse(target, at: place, as: .notation)
    }
    let children = tree.changes(of: target)
    if node.isInFlow || !node.inner.isEmpty {
      let text = flowCollection(children, isJSON: false)
      if !node.inner.isEmpty { return splices.replace(node.inner, with: text) }
      guard let slot = Slot(of: place, in: layout) else {
        return refuse(target, at: place, as: .notation)
      }
      return splices.replace(slot.offset..<slot.offset, with: slot.prefix + text)
    }
    guard Slot(of: place, in: layout)?.prefix == " " else {
      return refuse(target, at: place, as: .notation)
    }
    let end = layout.lineEnd(from: node.inner.upperBound)
    let column = layout.column(of: syntax.nodes[parent].inner.lowerBound)
    var lines = BlockLines(lineBreak: layout.lineBreak(at: end))
    appendValue(of: target, parentColumn: column, to: &lines)
    splices.insert(lines.bytes, at: end, needsBreak: lines.needsBreak)
  }
}

/// The place at which the text of a missing value is inserted.
struct Slot {
  var offset: Int
  /// The bytes before the text.
  var prefix: String

  /// Finds the place for the text of an empty scalar; `nil` if no colon or dash precedes the
  /// scalar.
  init?(of place: Int, in layout: Layout) {
    let nodes = layout.syntax.nodes
    let node = nodes[place]
    if !node.outer.isEmpty {
      // The text follows the tag or the anchor.
      self.init(offset: node.inner.lowerBound, prefix: " ")
      return
    }
    var offset = min(node.inner.lowerBound, layout.bytes.count)
    while offset > 0, layout.bytes[offset - 1].isWhitespace { offset -= 1 }
    let before = offset > 0 ? layout.bytes[offset - 1] : 0
    guard let parent = node.parent else { return nil }
    if nodes[parent].form.isMapping {
      guard let key = Self.key(of: place, among: nodes[parent].children) else { return nil }
      let keyEnd = nodes[key].outer.upperBound
      if before == UInt8(ascii: ":"), offset > keyEnd {
        self.init(offset: offset, prefix: " ")
      } else if node.isInFlow, offset == keyEnd {
        self.init(offset: offset, prefix: ": ")
      } else {
        return nil
      }
    } else {
      guard nodes[parent].form == .blockSequence, before == UInt8(ascii: "-") else { return nil }
      self.init(offset: offset, prefix: " ")
    }
  }

  /// The child before a value, which is its key; `children` are sorted.
  private static func key(of place: Int, among children: [Int]) -> Int? {
    var (low, high) = (0, children.count)
    while low < high {
      let middle = (low + high) / 2
      if children[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? children[low - 1] : nil
  }

  private init(offset: Int, prefix: String) { (self.offset, self.prefix) = (offset, prefix) }
}
