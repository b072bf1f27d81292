package import ContentModel
package import ContentSource
package import YAML

/// The texts of a content tree, by their ids.
package struct TextTable: Sendable {
  /// The texts in the order of entries, files and lines.
  package let texts: [TranslatableText]
  private let places: [ExactString: Int]
  private let allEntries: [Entry]

  /// The ids of the entries with texts or translations.
  package var entries: [EntryID] { allEntries.map(\.id) }

  /// The texts of all entries, string catalogs and `maintenance.yaml`.
  package init(of tree: ContentTree) {
    let entries = tree.entries + (tree.maintenance.map { [$0] } ?? [])
    var texts: [TranslatableText] = []
    var places: [ExactString: Int] = [:]
    let source = tree.project.locales.source
    for entry in entries where entry.isTranslated(from: source) {
      // If the source locale has an overlay, its readers get the texts of the overlay.
      for layer in entry.layers(of: nil) + entry.layers(of: source) {
        for text in TextCollector(layer, of: entry).texts {
          // If a key occurs twice in a catalog, the last one counts.
          if let place = places[text.id] {
            texts[place] = text.isPlural ? text.after(texts[place]) : text
          } else {
            places[text.id] = texts.count
            texts.append(text)
          }
        }
      }
    }
    (self.texts, self.places, allEntries) = (texts, places, entries)
  }

  /// Returns the text with an id; `nil` if there is none.
  package func text(_ id: ExactString) -> TranslatableText? { places[id].map { texts[$0] } }

  /// Returns the translations that are written for a locale.
  package func translations(into locale: LocaleTag) -> Translations {
    var translations = Translations(locale: locale)
    for entry in allEntries {
      for layer in entry.layers where layer.locale == locale {
        for text in TextCollector(layer, of: entry).texts {
          translations.add(text, of: layer)
          if let list = text.list { translations.lists[list.id] = list.node }
        }
      }
    }
    return translations
  }
}

extension Entry {
  fileprivate func layers(of locale: LocaleTag?) -> [Layer] {
    layers.filter { $0.locale == locale }
  }

  /// `false` for an entry that no reader of the source locale gets: it is written in the language
  /// of its readers.
  fileprivate func isTranslated(from source: LocaleTag) -> Bool {
    guard let condition = layers.first(where: \.isBase)?.node["when"], !datatype.shape.isCatalog
    else { return true }
    if condition.kind == .scalar { return condition.isNull }
    guard let locales = condition["locale"] else { return true }
    let names = locales.kind == .scalar ? [locales.text] : locales.items.map(\.text)
    return names.contains { LocaleTag($0) == source }
  }
}

/// The translations that are written for one locale.
package struct Translations: Sendable {
  /// The locale.
  package let locale: LocaleTag
  /// The values of each text; an earlier value takes precedence over a later one.
  ///
  /// A catalog's plural can have its categories in several files.
  private var parts: [ExactString: [Part]] = [:]
  /// The lists that a translation replaces as a whole.
  fileprivate(set) var lists: [ExactString: YAMLNode] = [:]

  fileprivate init(locale: LocaleTag) { self.locale = locale }

  /// A translation, or a plural's part in one file, with the file.
  private struct Part: Sendable {
    var node: YAMLNode
    var layer: Layer
  }

  fileprivate mutating func add(_ text: TranslatableText, of layer: Layer) {
    let earlier = text.isPlural ? parts[text.id] ?? [] : []
    parts[text.id] =
      [Part(node: text.node, layer: layer)] + earlier.filter { $0.node.kind == .mapping }
  }

  /// Returns the value of a text in the locale; `nil` if there is none.
  ///
  /// The value is a scalar, or the mapping of a plural in the last file that has one.
  package func node(of text: TranslatableText) -> YAMLNode? {
    nodes(of: text).first
  }

  /// Returns the mappings of a plural, the last file's first, or the value of another text.
  func nodes(of text: TranslatableText) -> [YAMLNode] {
    let nodes = (parts[text.id] ?? []).map(\.node)
    return nodes.first?.kind == text.node.kind ? nodes : []
  }

  /// Returns the value of a plural category from the last file that has it; without a category,
  /// returns the value of the text.
  func node(of text: TranslatableText, in category: PluralCategory?) -> YAMLNode? {
    guard let category else { return node(of: text) }
    return nodes(of: text).compactMap { $0[category.rawValue] }.first { !$0.isNull }
  }

  /// Returns the layer with the value of a text or of a plural category.
  ///
  /// If no layer has the category, returns the last layer with another category of the plural.
  /// Returns `nil` if there is no translation.
  func layer(of text: TranslatableText, in category: PluralCategory?) -> Layer? {
    let parts = parts[text.id] ?? []
    let written = category.flatMap { category in
      parts.first { $0.node[category.rawValue]?.isNull == false }
    }
    return (written ?? parts.first)?.layer
  }
}
