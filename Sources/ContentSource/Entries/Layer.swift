package import SourceYAML
package import ContentModel
package import Diagnostics

/// One file's say on an entry, for a locale, a device, both or neither.
package struct Layer: Sendable {
  private var content: Content
  /// Whom it is for; equal ones are one object within a datatype.
  package let scope: LayerScope

  private enum Content: Sendable {
    /// A mapping, and the key above it unless it is a whole file.
    case text(YAMLKeyedNode)
    /// Only where it stood is still known.
    case place(SourcePlace)
  }

  /// A layer under a key, or the whole of a file.
  init(_ node: YAMLNode, under key: YAMLNode? = nil, for scope: LayerScope) {
    content = .text(YAMLKeyedNode(node, under: key))
    self.scope = scope
  }

  /// `nil` in the base file and its device overlays.
  package var locale: LocaleTag? { scope.locale }
  /// `nil` where the file's name has none.
  package var device: String? { scope.device }
  /// A mapping; not to be asked for once the text was let go.
  package var node: YAMLNode {
    text.node
  }

  private var text: YAMLKeyedNode {
    guard case .text(let text) = content else {
      preconditionFailure("the layer's text was let go")
    }
    return text
  }

  /// The file, as messages name it.
  package var path: String {
    switch content {
    case .text(let text): text.node.path
    case .place(let place): place.path
    }
  }

  /// Where a message about the whole layer points; not to be asked for once the text was let go.
  package var keyLocation: SourceLocation {
    text.key?.location ?? text.node.location.firstLine
  }

  /// The same place, whether the text is at hand or not.
  package var keyPlace: SourcePlace {
    switch content {
    case .text(let text): text.key?.sourcePlace ?? text.node.sourcePlace.firstCharacter
    case .place(let place): place
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
