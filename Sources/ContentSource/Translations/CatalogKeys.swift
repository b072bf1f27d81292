import ContentModel
import Diagnostics
import SourceYAML

/// The check of a catalog's translated keys and texts against those of the source locale.
package struct CatalogKeys {
  /// Returns `true` if a key is a plural category of CLDR; languages differ in their categories.
  package static func isPluralCategory(_ key: String) -> Bool {
    categories.contains { $0.hasSameBytes(as: key) }
  }

  /// The rules of these warnings, which also depend on files that they do not name: those of the
  /// source locale.
  package static let rules = ["unknown-text", "placeholders", "missing-plural"]

  private static let categories = ["zero", "one", "two", "few", "many", "other"]

  /// The limit of suggestions, since the search for the nearest of many keys takes long.
  private static let mostSuggestions = 20

  /// The id of the catalog's entry.
  private let name: String
  private let comparison: PlaceholderComparison
  private var comparesPlaceholders = true
  private var found: [Diagnostic] = []

  private init(of entry: Entry) {
    name = entry.id.text
    comparison = PlaceholderComparison(severity: .warning, entry: name)
  }

  /// Returns warnings of keys that the source locale lacks, so that no app asks for them, and of
  /// texts with other placeholders.
  ///
  /// `allowsOtherPlaceholders` returns `true` for a layer whose placeholders are not compared.
  static func problems(
    in entry: Entry, allowsOtherPlaceholders: (Layer) -> Bool
  ) -> [Diagnostic] {
    let sources = entry.layers.filter { $0.locale == nil }.map(\.node)
    guard !sources.isEmpty else { return [] }
    let known = KnownKeys(sources)
    var check = CatalogKeys(of: entry)
    for layer in entry.layers where layer.locale != nil {
      check.comparesPlaceholders = !allowsOtherPlaceholders(layer)
      check.check(layer.node, knowing: known)
    }
    return check.found
  }

  private mutating func check(_ node: YAMLNode, knowing known: KnownKeys) {
    var known = known
    for (place, (key, value)) in node.members.enumerated() where !value.isNull {
      if let sources = known.values(of: key, near: place) {
        check(value, under: key, sources: sources)
      } else if !Self.isPluralCategory(key.text) || !known.hasPluralCategory {
        let free = found.count < Self.mostSuggestions ? known.keys.filter { node[$0] == nil } : []
        found.append(unknown(key, free: free))
      }
    }
  }

  /// Checks a value against those of the source locale under the same key.
  private mutating func check(_ value: YAMLNode, under key: YAMLNode, sources: [YAMLNode]) {
    switch value.kind {
    case .scalar: compare(value, named: key.text, sources: sources)
    case .sequence:
      let lists = sources.filter {
        $0.kind == .sequence && $0.items.count == value.items.count
      }
      for (place, item) in value.items.enumerated() where item.kind == .scalar {
        compare(item, named: key.text, sources: lists.map { $0.items[place] })
      }
    case .mapping:
      let plurals = value.isPartOfPlural ? sources.filter(\.isPlural) : []
      if !plurals.isEmpty {
        if !value.isPlural { found.append(withoutOther(value)) }
        guard comparesPlaceholders else { return }
        found += comparison.problems(ofPlural: value, named: key.text, sources: plurals)
        return
      }
      let mappings = sources.filter { $0.kind == .mapping }
      if !mappings.isEmpty { check(value, knowing: KnownKeys(mappings)) }
    }
  }

  private mutating func compare(_ node: YAMLNode, named name: String, sources: [YAMLNode]) {
    guard comparesPlaceholders,
      let problem = comparison.problem(of: node, named: name, sources: sources)
    else { return }
    found.append(problem)
  }

  private func withoutOther(_ node: YAMLNode) -> Diagnostic {
    .warning(
      "missing-plural", at: node.place,
      message:
        "the plural has no 'other', which every language has; readers get that of another locale"
    )
  }

  private func unknown(_ key: YAMLNode, free: [String]) -> Diagnostic {
    let nearest = key.text.nearest(among: free)
    let advice = nearest.map { "did you mean '\($0)'?" } ?? "add it there, or delete it here"
    return .warning(
      "unknown-text", at: key.location,
      message: "the source locale's '\(name)' has no text '\(key.text)'; \(advice)",
      fixIt: nearest.map { Diagnostic.FixIt(key.range, replacement: $0) })
  }
}

/// The keys of one mapping in all files of the source locale.
struct KnownKeys {
  private let sources: [YAMLNode]
  /// The values of each key, made for the first key that is not in the source locale's order.
  private var places: [YAMLTextKey: [YAMLNode]]?

  /// The most keys for which a search is faster than a dictionary.
  private static let few = 12

  init(_ sources: [YAMLNode]) { self.sources = sources }

  lazy var keys = sources.flatMap { $0.members.map(\.key.text) }
  lazy var hasPluralCategory = keys.contains(where: CatalogKeys.isPluralCategory)

  /// Returns the values of a key; most translations have the keys in the same order.
  mutating func values(of key: YAMLNode, near place: Int) -> [YAMLNode]? {
    if sources.count == 1, place < sources[0].members.count {
      let member = sources[0].members[place]
      if member.key.textKey == key.textKey { return [member.value] }
    }
    if places == nil, sources.allSatisfy({ $0.members.count <= Self.few }) {
      let found = key.withTextBytes { key in sources.compactMap { $0.member(key)?.value } }
      return found.isEmpty ? nil : found
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
