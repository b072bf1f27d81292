package import ContentModel
package import ContentSource
package import SourceYAML

/// The texts of a content tree, by their ids.
package struct TextTable: Sendable {
  /// The texts in the order of entries, files and lines.
  package let texts: [TranslatableText]
  private let places: [ExactString: Int]
  private let entries: [Entry]

  /// The texts of all entries, string catalogs and `maintenance.yaml`.
  package init(of tree: ContentTree) {
    entries = tree.entries + (tree.maintenance.map { [$0] } ?? [])
    var texts: [TranslatableText] = []
    var places: [ExactString: Int] = [:]
    for entry in entries {
      for layer in entry.layers where layer.locale == nil {
        for text in TextCollector(layer, of: entry).texts {
          // Of a key that occurs twice in a catalog, the last one counts.
          if let place = places[text.id] {
            texts[place] = text
          } else {
            places[text.id] = texts.count
            texts.append(text)
          }
        }
      }
    }
    (self.texts, self.places) = (texts, places)
  }

  /// Returns the text with an id; `nil` if there is none.
  package func text(_ id: String) -> TranslatableText? { places[id].map { texts[$0] } }

  /// Returns the translations that are written for a locale.
  package func translations(into locale: LocaleTag) -> Translations {
    var values: [ExactString: Translations.Value] = [:]
    for entry in entries {
      for layer in entry.layers where layer.locale == locale {
        for text in TextCollector(layer, of: entry).texts {
          values[text.id] = Translations.Value(node: text.node, layer: layer)
        }
      }
    }
    return Translations(locale: locale, values: values)
  }
}

/// The translations that are written for one locale.
package struct Translations: Sendable {
  /// The locale.
  package let locale: LocaleTag
  let values: [ExactString: Value]

  /// A translation, and the file that it is in.
  struct Value: Sendable {
    var node: YAMLNode
    var layer: Layer
  }

  /// Returns the value of a text in the locale: a scalar, or the mapping of a plural; `nil` if there
  /// is none.
  package func node(of text: TranslatableText) -> YAMLNode? {
    values[text.id].flatMap { $0.node.kind == text.node.kind ? $0.node : nil }
  }

  /// Returns the file and the mapping with the value of a text; `nil` if there is none.
  func layer(of text: TranslatableText) -> Layer? { values[text.id]?.layer }
}
