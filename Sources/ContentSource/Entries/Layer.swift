import SourceYAML
package import ContentModel
package import Diagnostics

/// One file's say on an entry, for a locale, a device, both or neither.
package struct Layer: Sendable {
  private var content: Content
  /// Whom it is for; equal ones are one object within a datatype.
  package let scope: LayerScope

  private enum Content: Sendable {
    /// A node, and the key above it; the node itself where it is a whole file.
    case text(YAMLTree, node: UInt32, key: UInt32)
    /// Only where it stood is still known.
    case place(SourcePlace)
  }

  /// A layer under a key, or the whole of a file.
  init(_ node: YAMLNode, under key: YAMLNode? = nil, for scope: LayerScope) {
    content = .text(node.tree, node: node.index, key: key?.index ?? node.index)
    self.scope = scope
  }

  /// `nil` in the base file and its device overlays.
  package var locale: LocaleTag? { scope.locale }
  /// `nil` where the file's name has none.
  package var device: String? { scope.device }
  /// A mapping; not to be asked for once the text was let go.
  package var node: YAMLNode {
    guard case .text(let tree, let node, _) = content else {
      preconditionFailure("the layer's text was let go")
    }
    return YAMLNode(tree: tree, index: node)
  }

  /// The file, as messages name it.
  package var path: String {
    switch content {
    case .text(let tree, _, _): tree.path
    case .place(let place): place.path
    }
  }

  /// Where a message about the whole layer points; not to be asked for once the text was let go.
  package var keyLocation: SourceLocation {
    guard case .text(let tree, let node, let key) = content else {
      preconditionFailure("the layer's text was let go")
    }
    return key == node ? self.node.location.firstLine : YAMLNode(tree: tree, index: key).location
  }

  /// The same place, whether the text is at hand or not.
  package var keyPlace: SourcePlace {
    switch content {
    case .text(let tree, let node, let key):
      let place = YAMLNode(tree: tree, index: key).sourcePlace
      return key == node ? place.firstCharacter : place
    case .place(let place): return place
    }
  }

  /// Keeps of the layer only whom it is for and where it stood; a file's text goes with the last
  /// layer that is in it.
  mutating func letGo() { content = .place(keyPlace) }

  package var isBase: Bool { locale == nil && device == nil }

  /// How a person names it.
  package var label: String {
    switch (locale, device) {
    case (nil, nil): "base"
    case (let locale?, nil): locale.identifier
    case (nil, let device?): "@\(device)"
    case (let locale?, let device?): "\(locale)@\(device)"
    }
  }
}

/// Whom a layer is for.
///
/// A class, so that a tree's many layers can share the few that there are, and tell them apart by
/// identity.
package final class LayerScope: Sendable {
  /// `nil` for the source locale.
  package let locale: LocaleTag?
  /// `nil` for all devices.
  package let device: String?

  init(locale: LocaleTag?, device: String?) { (self.locale, self.device) = (locale, device) }
}
