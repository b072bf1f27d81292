package import ContentModel
package import Diagnostics

/// One node of a YAML file, and where it was written.
///
/// A handle of two words; the tree behind it is shared. An aliased node keeps the place of its
/// anchor.
package struct YAMLNode: Sendable {
  /// The kind of a node.
  package enum Kind: UInt8, Sendable { case scalar, sequence, mapping }

  let tree: YAMLTree
  let index: UInt32

  var row: YAMLRow { tree[Int(index)] }

  /// The identity of a node in memory; an alias has the identity of its anchor.
  package struct Identity: Hashable, Sendable {
    package let tree: ObjectIdentifier
    package let row: UInt32
  }

  /// The identity of the node: equal identities are the same place in the same file.
  package var identity: Identity { Identity(tree: ObjectIdentifier(tree), row: index) }

  /// `true` if a text of the file may have a placeholder.
  package var isInFileWithPlaceholders: Bool { tree.mayHavePlaceholders }
  /// `true` if a text of the file may have signs that texts for readers seldom have.
  package var isInFileWithOddSigns: Bool { tree.mayHaveOddSigns }
  /// The kind of the node.
  package var kind: Kind { row.kind }
  /// The path of the file, as given to the reader.
  package var path: ExactString { tree.path }
  /// The range of the node's text, without its tag and anchor.
  ///
  /// The range of a collection ends with its last child or its bracket.
  package var range: SourceRange { tree.range(of: tree.span(of: row)) }
  /// The file and the range.
  package var location: SourceLocation { SourceLocation(path: tree.path, range: range) }

  /// The decoded text of a scalar; empty for collections.
  package var text: String { withTextBytes { String(decoding: $0, as: UTF8.self) } }

  /// The decoded text as a key of dictionaries; empty for collections.
  package var textKey: YAMLTextKey { YAMLTextKey(tree: tree, range: tree.text(of: row)) }

  /// Calls a closure with the decoded text as UTF-8, which is valid only inside the closure; empty
  /// for collections.
  package func withTextBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(tree) {} }
    return try body(UnsafeBufferPointer(rebasing: tree.bytes[tree.text(of: row)]))
  }

  /// A Boolean value that indicates whether the schema decides what the scalar means: it has no
  /// quotes and no tag that makes it a string.
  package var isPlain: Bool {
    let row = row
    return row.kind == .scalar && row.isPlainStyle && !row.tag.makesText
  }

  /// The meaning of a scalar by the core schema of YAML 1.2 (section 10.3.2) and its tag; `text`
  /// for collections.
  package var scalar: YAMLScalar {
    let row = row
    guard row.kind == .scalar else { return .text }
    return withTextBytes { YAMLScalar($0, isPlain: row.isPlainStyle, tag: row.tag) ?? .text }
  }

  /// A Boolean value that indicates whether the node is a scalar that means null.
  package var isNull: Bool {
    let row = row
    guard row.kind == .scalar, row.isPlainStyle || row.tag != .none else { return false }
    let text = tree.text(of: row)
    if !text.isEmpty {
      let first = tree.bytes[text.lowerBound]
      guard first == UInt8(ascii: "~") || first | 0x20 == UInt8(ascii: "n") else { return false }
    }
    return scalar == .null
  }

  /// A Boolean value that indicates whether the node replaces an undefined alias, which was
  /// reported.
  package var isBrokenAlias: Bool { isStandIn(for: UInt8(ascii: "*")) }

  /// A Boolean value that indicates whether the node replaces a value that YAML reads as a comment.
  ///
  /// The comment was reported. The node has the location of the comment.
  package var isLostValue: Bool { isStandIn(for: UInt8(ascii: "#")) }

  /// Returns `true` if the node is empty and replaces source text that begins with a byte.
  private func isStandIn(for first: UInt8) -> Bool {
    let row = row
    guard row.hasDetails, row.kind == .scalar, tree.text(of: row).isEmpty else { return false }
    let span = tree.span(of: row)
    return !span.isEmpty && tree.bytes[span.lowerBound] == first && isNull
  }

  /// A Boolean value that indicates whether the first byte shows that the scalar is a text in the
  /// core schema.
  package var isSurelyText: Bool {
    let row = row
    guard row.kind == .scalar, row.tag == .none else { return false }
    let text = tree.text(of: row)
    if !row.isPlainStyle { return true }
    guard !text.isEmpty else { return false }
    switch tree.bytes[text.lowerBound] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      return false
    case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"),
      UInt8(ascii: "T"),
      UInt8(ascii: "f"), UInt8(ascii: "F"):
      return false
    default: return true
    }
  }

  /// Returns `true` if the text has the same bytes.
  package func hasText(_ text: StaticString) -> Bool {
    withTextBytes {
      $0.hasSameBytes(as: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
  }

  /// The items of a sequence; empty for others.
  package var items: YAMLItems {
    let row = row
    return YAMLItems(tree: tree, slots: row.kind == .sequence ? tree.slots(of: row) : 0..<0)
  }

  /// The members of a mapping in written order, each key once.
  ///
  /// The members that a merge key (`<<`) adds are at the position of the merge key.
  package var members: YAMLMembers {
    let row = row
    return YAMLMembers(tree: tree, slots: row.kind == .mapping ? tree.slots(of: row) : 0..<0)
  }

  /// The member whose key's text has the same bytes.
  package func member(_ key: String) -> (key: YAMLNode, value: YAMLNode)? {
    var key = key
    return key.withUTF8 { member($0) }
  }

  /// The member whose key's text has the same bytes.
  package func member(_ key: UnsafeBufferPointer<UInt8>) -> (key: YAMLNode, value: YAMLNode)? {
    let members = members
    return members.index(of: key).map { members[$0] }
  }

  /// The value of the member whose key's text has the same bytes.
  package subscript(key: String) -> YAMLNode? { member(key)?.value }
}

/// The items of a sequence.
package struct YAMLItems: RandomAccessCollection, Sendable {
  let tree: YAMLTree
  let slots: Range<Int>

  package var startIndex: Int { 0 }
  package var endIndex: Int { slots.count }
  package subscript(position: Int) -> YAMLNode {
    YAMLNode(tree: tree, index: UInt32(slots.lowerBound + position))
  }
}

/// The members of a mapping.
package struct YAMLMembers: RandomAccessCollection, Sendable {
  let tree: YAMLTree
  let slots: Range<Int>

  package var startIndex: Int { 0 }
  package var endIndex: Int { slots.count / 2 }
  package subscript(position: Int) -> (key: YAMLNode, value: YAMLNode) {
    let slot = UInt32(slots.lowerBound + 2 * position)
    return (YAMLNode(tree: tree, index: slot), YAMLNode(tree: tree, index: slot + 1))
  }

  /// The index of the member whose key's text has the same bytes.
  package func index(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    defer { withExtendedLifetime(tree) {} }
    return indices.first { position in
      let text = tree.text(of: tree[slots.lowerBound + 2 * position])
      guard text.count == key.count else { return false }
      return UnsafeBufferPointer(rebasing: tree.bytes[text]).hasSameBytes(as: key)
    }
  }
}

/// A text whose bytes are in the tree; the text keeps the tree.
package struct YAMLTextKey: Hashable, Sendable {
  fileprivate let tree: YAMLTree
  fileprivate let range: Range<Int>

  package static func == (a: YAMLTextKey, b: YAMLTextKey) -> Bool {
    withExtendedLifetime((a.tree, b.tree)) {
      UnsafeBufferPointer(rebasing: a.tree.bytes[a.range])
        .hasSameBytes(as: UnsafeBufferPointer(rebasing: b.tree.bytes[b.range]))
    }
  }

  package func hash(into hasher: inout Hasher) {
    withExtendedLifetime(tree) {
      hasher.combine(
        bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: tree.bytes[range])))
    }
  }
}

/// A node and the key above it, in two words.
package struct YAMLKeyedNode: Sendable {
  private let tree: YAMLTree
  private let nodeIndex: UInt32
  /// The index of the key; if the node has no key, that of the node.
  private let keyIndex: UInt32

  /// A node and its key, which is in the same tree.
  package init(_ node: YAMLNode, under key: YAMLNode?) {
    (tree, nodeIndex, keyIndex) = (node.tree, node.index, key?.index ?? node.index)
  }

  package var node: YAMLNode { YAMLNode(tree: tree, index: nodeIndex) }

  /// The key; `nil` for the root of a file.
  package var key: YAMLNode? {
    keyIndex == nodeIndex ? nil : YAMLNode(tree: tree, index: keyIndex)
  }
}
