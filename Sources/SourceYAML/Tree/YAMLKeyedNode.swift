/// A node and the key above it, in two words.
package struct YAMLKeyedNode: Sendable {
  private let tree: YAMLTree
  private let nodeIndex: UInt32
  /// The node's own index where it has no key.
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
