package import ContentModel
package import Diagnostics
package import YAML

/// One file's values for an entry: for a locale, a device, both or neither.
package struct Layer: Sendable {
  private var content: Content
  /// The locale and device of the layer; equal scopes are one object within a datatype.
  package let scope: LayerScope

  private enum Content: Sendable {
    /// A mapping, and its key unless it is a whole file.
    case text(YAMLKeyedNode)
    /// The place of a discarded text.
    case place(SourcePlace)
  }

  /// A layer under a key, or the whole of a file.
  init(_ node: YAMLNode, under key: YAMLNode? = nil, for scope: LayerScope) {
    content = .text(YAMLKeyedNode(node, under: key))
    self.scope = scope
  }

  /// The locale; `nil` in the base file and its device overlays.
  package var locale: LocaleTag? { scope.locale }
  /// The device; `nil` if the file's name has none.
  package var device: String? { scope.device }
  /// The mapping.
  ///
  /// The text must not have been discarded.
  package var node: YAMLNode {
    text.node
  }

  /// The key of the mapping; `nil` if it is the whole of a file.
  ///
  /// The text must not have been discarded.
  package var key: YAMLNode? { text.key }

  private var text: YAMLKeyedNode {
    guard case .text(let text) = content else {
      preconditionFailure("the layer's text was discarded")
    }
    return text
  }

  /// The path of the file in messages.
  package var path: ExactString {
    switch content {
    case .text(let text): text.node.path
    case .place(let place): place.path
    }
  }

  /// The place for messages about the whole layer.
  ///
  /// The text must not have been discarded.
  package var keyLocation: SourceLocation {
    text.key?.location ?? text.node.location.firstLine
  }

  /// The same place, which is known even after the text is discarded.
  package var keyPlace: SourcePlace {
    switch content {
    case .text(let text): text.key?.sourcePlace ?? text.node.sourcePlace.firstCharacter
    case .place(let place): place
    }
  }

  /// Discards the text, and keeps the scope and the place.
  ///
  /// A file's text is freed with the last layer in it.
  mutating func discardText() { content = .place(keyPlace) }

  package var isBase: Bool { locale == nil && device == nil }

  /// The name of the layer in messages.
  package var label: String {
    switch (locale, device) {
    case (nil, nil): "base"
    case (let locale?, nil): locale.identifier
    case (nil, let device?): "@\(device)"
    case (let locale?, let device?): "\(locale)@\(device)"
    }
  }
}

/// The locale and device that a layer is for.
///
/// A class, so that the many layers of a tree share a few scopes and compare them by identity.
package final class LayerScope: Sendable {
  /// The locale; `nil` for the source locale.
  package let locale: LocaleTag?
  /// The device; `nil` for all devices.
  package let device: String?

  init(locale: LocaleTag?, device: String?) { (self.locale, self.device) = (locale, device) }
}
