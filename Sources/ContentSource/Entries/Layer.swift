package import ContentModel
package import Diagnostics

/// One file's say on an entry, for a locale, a device, both or neither.
package struct Layer: Sendable {
  private let tree: YAMLTree
  private let nodeIndex: UInt32
  /// The key above the node; the node itself where it is a whole file.
  private let keyIndex: UInt32
  /// Whom it is for; equal ones are one object.
  package let scope: LayerScope

  /// A layer under a key, or the whole of a file.
  init(_ node: YAMLNode, under key: YAMLNode? = nil, for scope: LayerScope) {
    (tree, nodeIndex, keyIndex) = (node.tree, node.index, key?.index ?? node.index)
    self.scope = scope
  }

  /// `nil` in the base file and its device overlays.
  package var locale: LocaleTag? { scope.locale }
  /// `nil` where the file's name has none.
  package var device: String? { scope.device }
  /// A mapping.
  package var node: YAMLNode { YAMLNode(tree: tree, index: nodeIndex) }

  /// Where a message about the whole layer points.
  package var keyLocation: SourceLocation {
    keyIndex == nodeIndex ? node.location.firstLine : YAMLNode(tree: tree, index: keyIndex).location
  }

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
/// A class, so that a tree's many layers can share the few that there are, and tell them apart by identity.
package final class LayerScope: Sendable {
  /// `nil` for the source locale.
  package let locale: LocaleTag?
  /// `nil` for all devices.
  package let device: String?

  init(locale: LocaleTag?, device: String?) { (self.locale, self.device) = (locale, device) }
}
