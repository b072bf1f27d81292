import ContentModel
import Diagnostics
import SourceYAML

/// The check of a catalog's translated keys against those of the source locale.
package enum CatalogKeys {
  /// Returns `true` if a key is a plural category of CLDR; languages differ in their categories.
  package static func isPluralCategory(_ key: String) -> Bool {
    categories.contains { $0.hasSameBytes(as: key) }
  }

  /// The rule of these warnings, which also depend on files that they do not name: those of the
  /// source locale.
  package static let rule = "unknown-text"

  private static let categories = ["zero", "one", "two", "few", "many", "other"]

  /// The limit of suggestions, since the search for the nearest of many keys takes long.
  private static let mostSuggestions = 20

  /// Returns warnings of keys that the source locale lacks, so that no app asks for them.
  static func unknown(in entry: Entry) -> [Diagnostic] {
    let sources = entry.layers.filter { $0.locale == nil }.map(\.node)
    guard !sources.isEmpty else { return [] }
    let known = KnownKeys(sources)
    var diagnostics: [Diagnostic] = []
    for layer in entry.layers where layer.locale != nil {
      check(layer.node, knowing: known, of: entry.id.text, into: &diagnostics)
    }
    return diagnostics
  }

  private static func check(
    _ node: YAMLNode, knowing known: KnownKeys, of name: String,
    into found: inout [Diagnostic]
  ) {
    var known = known
    for (place, (key, value)) in node.members.enumerated() where !value.isNull {
      if let sources = known.values(of: key, near: place) {
        let mappings = sources.filter { $0.kind == .mapping }
        if value.kind == .mapping, !mappings.isEmpty {
          check(value, knowing: KnownKeys(mappings), of: name, into: &found)
        }
      } else if !isPluralCategory(key.text) || !known.hasPluralCategory {
        let free = found.count < mostSuggestions ? known.keys.filter { node[$0] == nil } : []
        found.append(unknown(key, free: free, of: name))
      }
    }
  }

  private static func unknown(_ key: YAMLNode, free: [String], of name: String) -> Diagnostic {
    let nearest = key.text.nearest(among: free)
    let advice = nearest.map { "did you mean '\($0)'?" } ?? "add it there, or delete it here"
    return .warning(
      rule, at: key.location,
      message: "the source locale's '\(name)' has no text '\(key.text)'; \(advice)",
      fixIt: nearest.map { Diagnostic.FixIt(key.range, replacement: $0) })
  }
}

/// The keys of one mapping in all files of the source locale.
private struct KnownKeys {
  private let sources: [YAMLNode]
  /// The values of each key, made for the first key that is not in the source locale's order.
  private var places: [YAMLTextKey: [YAMLNode]]?

  init(_ sources: [YAMLNode]) { self.sources = sources }

  lazy var keys = sources.flatMap { $0.members.map(\.key.text) }
  lazy var hasPluralCategory = keys.contains(where: CatalogKeys.isPluralCategory)

  /// Returns the values of a key; most translations have the keys in the same order.
  mutating func values(of key: YAMLNode, near place: Int) -> [YAMLNode]? {
    if sources.count == 1, place < sources[0].members.count {
      let member = sources[0].members[place]
      if member.key.textKey == key.textKey { return [member.value] }
    }
    let places = self.places ?? made()
    self.places = places
    return places[key.textKey]
  }

  private func made() -> [YAMLTextKey: [YAMLNode]] {
    var places: [YAMLTextKey: [YAMLNode]] = [:]
    for source in sources {
      for (key, value) in source.members { places[key.textKey, default: []].append(value) }
    }
    return places
  }
}
