import ContentModel
import ContentSource
import Diagnostics
import YAML

/// The locales that the values of an entry were written for.
struct LayerLocales {
  private let layers: [(path: ExactString, locale: LocaleTag, range: SourceRange?)]

  init(of entry: Entry, source: LocaleTag) {
    layers = entry.layers.map { layer in
      // A string catalog may have several locales in one file.
      let isAlone = entry.layers.count { $0.path == layer.path } == 1
      return (layer.path, layer.locale ?? source, isAlone ? nil : layer.node.range)
    }
  }

  /// The locale of the layer that has a value; `nil` for a default of the schema.
  func locale(of node: YAMLNode) -> LocaleTag? {
    let path = node.path
    guard let first = layers.first(where: { $0.path == path }) else { return nil }
    guard first.range != nil else { return first.locale }
    let start = node.range.start
    // The node of an alias is elsewhere in the file.
    return (layers.first { $0.path == path && $0.range?.contains(start) == true } ?? first).locale
  }
}

extension SourceRange {
  fileprivate func contains(_ position: SourcePosition) -> Bool {
    start <= position && position < end
  }
}
