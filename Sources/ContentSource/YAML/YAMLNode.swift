package import Diagnostics

/// One node of a YAML file, and where it was written.
///
/// A handle of two words; the tree behind it is shared. An aliased node keeps the place of its anchor.
package struct YAMLNode: Sendable {
  /// What a node is made of.
  package enum Kind: UInt8, Sendable { case scalar, sequence, mapping }

  let tree: YAMLTree
  let index: UInt32

  var row: YAMLRow { tree.nodes[Int(index)] }

  /// What the node is made of.
  package var kind: Kind { row.kind }
  /// The file, as the reader was told.
  package var path: String { tree.path }
  /// The node's own text without its tag and anchor; a collection's up to the end of its last child or its bracket.
  package var range: SourceRange { row.span.range }
  /// The file and the range.
  package var location: SourceLocation { SourceLocation(path: tree.path, range: range) }

  /// The decoded text of a scalar; empty for collections.
  package var text: String {
    String(decoding: textBytes, as: UTF8.self)
  }

  /// The decoded text as UTF-8; empty for collections.
  package var textBytes: ArraySlice<UInt8> {
    let row = row
    return row.kind == .scalar ? tree.texts[row.slots] : []
  }

  /// Whether it is a scalar without quotes that no tag makes a string, so that the schema decides what it means.
  package var isPlain: Bool {
    let row = row
    return row.kind == .scalar && row.isPlainStyle && !row.tag.makesText
  }

  /// What a scalar means by the core schema of YAML 1.2 (section 10.3.2) and its tag; `text` for collections.
  package var scalar: YAMLScalar {
    let row = row
    guard row.kind == .scalar else { return .text }
    return tree.texts[row.slots].withUnsafeBufferPointer {
      YAMLScalar($0, isPlain: row.isPlainStyle, tag: row.tag) ?? .text
    }
  }

  /// Whether it is a scalar that means null.
  package var isNull: Bool { kind == .scalar && scalar == .null }

  /// The items of a sequence; empty for others.
  package var items: YAMLItems {
    let row = row
    return YAMLItems(tree: tree, slots: row.kind == .sequence ? row.slots : 0..<0)
  }

  /// The members of a mapping in written order, each key once, with those that merge keys (`<<`) add where they stand.
  package var members: [(key: YAMLNode, value: YAMLNode)] {
    memberSlots.map(member(at:))
  }

  /// The member whose key's text is the same bytes.
  package func member(_ key: String) -> (key: YAMLNode, value: YAMLNode)? {
    let wanted = key.utf8
    return memberSlots.first { slot in
      let row = tree.nodes[Int(tree.children[slot])]
      return Int(row.count) == wanted.count && tree.texts[row.slots].elementsEqual(wanted)
    }.map(member(at:))
  }

  /// The value of the member whose key's text is the same bytes.
  package subscript(key: String) -> YAMLNode? { member(key)?.value }

  private var memberSlots: StrideTo<Int> {
    let row = row
    let slots = row.kind == .mapping ? row.slots : 0..<0
    return stride(from: slots.lowerBound, to: slots.upperBound, by: 2)
  }

  private func member(at slot: Int) -> (key: YAMLNode, value: YAMLNode) {
    (YAMLNode(tree: tree, index: tree.children[slot]), YAMLNode(tree: tree, index: tree.children[slot + 1]))
  }
}

/// The items of a sequence.
package struct YAMLItems: RandomAccessCollection, Sendable {
  let tree: YAMLTree
  let slots: Range<Int>

  package var startIndex: Int { 0 }
  package var endIndex: Int { slots.count }
  package subscript(position: Int) -> YAMLNode {
    YAMLNode(tree: tree, index: tree.children[slots.lowerBound + position])
  }
}
