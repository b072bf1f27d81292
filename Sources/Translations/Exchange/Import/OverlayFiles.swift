import ContentModel
import ContentSource
import YAML

/// The files of a content folder that translations are written into.
///
/// An existing translation is replaced in its file. A new translation goes into the overlay of its
/// entry or, for a string catalog, into the file that corresponds to the source's file. New
/// overlays follow the layout of the folder.
struct OverlayFiles {
  /// A mapping with the texts of an entry for a locale.
  struct Place {
    /// The path below the content folder.
    var path: String
    /// The steps from the file's root to the mapping.
    var steps: [YAMLEdit.Step] = []
  }

  private let folder: ContentFolder
  private let source: LocaleTag
  private let entries: [ExactString: Entry]
  private let layouts: Layouts
  private let files: Set<ExactString>

  init(of tree: ContentTree) {
    (folder, source) = (tree.folder, tree.project.locales.source)
    let all = tree.entries + (tree.maintenance.map { [$0] } ?? [])
    entries = Dictionary(firstOf: all.map { ($0.id.text, $0) })
    layouts = Layouts(of: tree.entries)
    files = Set(names: tree.sources.map(\.path))
  }

  /// Returns the place for the translation of a text, or of a category of a plural, into a locale.
  func place(
    of text: TranslatableText, in category: PluralCategory?, among translations: Translations
  ) -> Place {
    let locale = translations.locale
    if let layer = translations.layer(of: text, in: category) { return place(of: layer) }
    let layers = (entries[text.entry.text]?.layers ?? []).filter {
      $0.locale == locale && $0.device == text.device
    }
    if text.isOfCatalog { return catalog(of: text, in: locale, layers: layers) }
    return layers.first.map(place) ?? newOverlay(of: text, in: locale)
  }

  private func place(of layer: Layer) -> Place {
    Place(path: relative(layer.path), steps: layer.key.map { [.member($0.text)] } ?? [])
  }

  /// Returns the path below the content folder for a path in messages.
  private func relative(_ path: ExactString) -> String {
    path.text.dropping(folder.shownPath(""))
  }

  // MARK: Entries

  private func newOverlay(of text: TranslatableText, in locale: LocaleTag) -> Place {
    let suffix = ".\(locale)" + (text.device.map { "@\($0)" } ?? "")
    let ending = text.node.path.hasSuffix(".yml") ? ".yml" : ".yaml"
    guard text.entry != .maintenance else { return Place(path: "maintenance\(suffix)\(ending)") }
    let isShared = entries[text.entry.text]?.layers.first { $0.locale == nil }?.key != nil
    guard layouts.sharesFiles(text.entry.datatype, in: locale) ?? isShared else {
      return Place(path: "entries/\(text.entry)\(suffix)\(ending)")
    }
    let stem = "entries/\(text.entry.datatype)\(suffix)"
    let path = ["\(stem).yaml", "\(stem).yml"].first(where: files.contains) ?? stem + ending
    return Place(path: path, steps: [.member(text.entry.rest)])
  }

  // MARK: String catalogs

  private func catalog(
    of text: TranslatableText, in locale: LocaleTag, layers: [Layer]
  ) -> Place {
    let path = relative(text.node.path)
    let translated = translatedName(of: path, into: locale)
    if let same = layers.first(where: { relative($0.path).hasSameBytes(as: translated) }) {
      return place(of: same)
    }
    if let nearest = layers.max(by: { $0.depth(of: text.steps) < $1.depth(of: text.steps) }) {
      return place(of: nearest)
    }
    return Place(path: translated, steps: [.member(locale.identifier)])
  }

  /// Returns the path with the source locale in the file's name replaced by another locale.
  ///
  /// A file without a locale in its name holds the texts of all locales.
  private func translatedName(of path: String, into locale: LocaleTag) -> String {
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
    let parts = bytes[start...].split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    let name = parts.map { LocaleTag($0) == source ? locale.identifier : $0 }
    return String(path[..<start]) + name.joined(separator: ".")
  }
}

/// The layouts of overlays, by datatype and locale.
private struct Layouts {
  /// The numbers of overlays in files with one entry, and in files with many entries.
  private struct Count {
    var own = 0
    var shared = 0

    mutating func add(_ layer: Layer) {
      if layer.key == nil { own += 1 } else { shared += 1 }
    }
  }

  private var byLocale: [Key: Count] = [:]

  private struct Key: Hashable {
    var datatype: ExactString
    var locale: LocaleTag?
  }

  init(of entries: [Entry]) {
    for entry in entries {
      let datatype = ExactString(entry.id.datatype)
      for layer in entry.layers {
        guard let locale = layer.locale else { continue }
        byLocale[Key(datatype: datatype, locale: locale), default: Count()].add(layer)
        byLocale[Key(datatype: datatype), default: Count()].add(layer)
      }
    }
  }

  /// Returns `true` if most overlays of a datatype are in files with many entries.
  ///
  /// Counts the overlays of the locale or, if it has none, those of all locales. Returns `nil` if
  /// there are no overlays.
  func sharesFiles(_ datatype: String, in locale: LocaleTag) -> Bool? {
    let datatype = ExactString(datatype)
    let count =
      byLocale[Key(datatype: datatype, locale: locale)] ?? byLocale[Key(datatype: datatype)]
    return count.map { $0.shared > $0.own }
  }
}

extension Layer {
  /// Returns the number of leading steps that exist in the layer.
  fileprivate func depth(of steps: [YAMLEdit.Step]) -> Int {
    var node = node
    for (depth, step) in steps.enumerated() {
      guard case .key(let key) = step, let next = node[key.text] else { return depth }
      node = next
    }
    return steps.count
  }
}
