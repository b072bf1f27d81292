import ContentModel
import Diagnostics
import YAML

/// The check of a string catalog: its source texts decide the kind of each value, and translations
/// are compared with them.
struct CatalogCheck {
  /// The kind of a value.
  enum Kind: String { case text, list, mapping, plural }

  /// The limit of suggestions, since the search for the nearest of many keys takes long.
  private static let mostSuggestions = 20

  /// The id of the catalog's entry.
  private let name: String
  private let comparison: PlaceholderComparison
  /// The check of plurals for the locale whose files are checked.
  private var plurals: LazyPluralCheck
  /// The files of the locale whose placeholders are not compared.
  private var uncomparedFiles: [ExactString] = []
  private var found: [Diagnostic] = []
  private var kinds = CatalogKinds()
  /// The misspelt categories of the source locale's mappings, which translations may spell correctly.
  private var misspeltCategories: [YAMLNode.Identity: PluralCheck.MisspeltCategory] = [:]

  private init(of entry: Entry, source: LocaleTag) {
    name = entry.id.text
    comparison = PlaceholderComparison(severity: .warning, entry: name)
    plurals = LazyPluralCheck(source)
  }

  /// Returns the kinds of a catalog's values, and the problems of its plurals and translations.
  ///
  /// `allowsOtherPlaceholders` returns `true` for a layer whose placeholders are not compared.
  static func check(
    _ entry: Entry, source: LocaleTag, allowsOtherPlaceholders: (Layer) -> Bool
  ) -> Diagnosed<CatalogKinds> {
    var check = CatalogCheck(of: entry, source: source)
    let sources = entry.layers.filter { $0.locale == nil }.map(\.node)
    check.decide(sources, isSource: true)
    // The files of one locale merge, so a plural may be divided among them.
    let translations = entry.layers.filter { $0.locale != nil }
    let files = Dictionary(grouping: translations) { ObjectIdentifier($0.scope) }
    for layer in translations {
      let files = files[ObjectIdentifier(layer.scope)] ?? []
      guard files[0].node.identity == layer.node.identity, let locale = layer.locale else {
        continue
      }
      check.plurals = LazyPluralCheck(locale)
      check.uncomparedFiles = files.filter(allowsOtherPlaceholders).map(\.path)
      check.check(files.map(\.node), against: sources)
    }
    return Diagnosed(check.kinds, diagnostics: check.found)
  }

  // MARK: Kinds

  /// Decides the kinds of values by themselves: those of the source locale, or of keys that it
  /// lacks.
  ///
  /// `nodes` are the mappings at one place in the files of a locale.
  private mutating func decide(_ nodes: [YAMLNode], isSource: Bool) {
    forEachCollection(in: nodes) { check, key, _, parts in
      check.decide(parts, under: key, isSource: isSource)
    }
  }

  private mutating func decide(_ parts: [YAMLNode], under key: YAMLNode, isSource: Bool) {
    for item in parts.flatMap(\.items) where item.kind != .scalar {
      decide([item], under: key, isSource: isSource)
    }
    let mappings = parts.filter { $0.kind == .mapping }
    guard !mappings.isEmpty else { return }
    guard mappings.allSatisfy(\.isPartOfPlural) else {
      if isSource { warnOfMisspeltCategory(in: mappings, named: key.text) }
      return decide(mappings, isSource: isSource)
    }
    let members = mappings.flatMap(\.members)
    guard isSource ? plurals.check.isPlural(members) : members.haveOther else {
      kinds.addMappings(mappings)
      if isSource, members.contains(where: { !$0.value.isNull }),
        let problem = plurals.check.likelyPlural(
          members, named: key.text, at: mappings[0].place)
      {
        found.append(problem)
      }
      return
    }
    kinds.addPlurals(mappings)
    found += plurals.check.problems(ofCatalog: members, named: key.text, at: mappings[0].place)
  }

  private mutating func warnOfMisspeltCategory(in mappings: [YAMLNode], named name: String) {
    let count = mappings.reduce(0) { $0 + $1.members.count }
    guard count > 1, count <= PluralCategory.allCases.count else { return }
    let members = mappings.flatMap(\.members)
    // Most mappings have no category, and need no rules of plurals.
    guard members.contains(where: { PluralCategory(of: $0.key) != nil }),
      let slip = plurals.check.misspeltCategory(among: members)
    else { return }
    found.append(plurals.check.warning(of: slip, named: name))
    for mapping in mappings { misspeltCategories[mapping.identity] = slip }
  }

  /// A value of the source locale.
  private struct Source {
    var kind: Kind
    var node: YAMLNode
  }

  /// The first of the source locale's values at one place; `nil` if it has none.
  private func kind(ofFirst sources: [YAMLNode]) -> Source? {
    guard let node = sources.first(where: { !$0.isNull }) else { return nil }
    let kind: Kind =
      switch node.kind {
      case .scalar: .text
      case .sequence: .list
      case .mapping: kinds.isPlural(node) ? .plural : .mapping
      }
    return Source(kind: kind, node: node)
  }

  // MARK: Translations

  /// Checks the mappings at one place in the files of a locale against those of the source locale.
  private mutating func check(_ nodes: [YAMLNode], against sources: [YAMLNode]) {
    var known = KnownKeys(sources)
    let slip =
      misspeltCategories.isEmpty
      ? nil : sources.compactMap { misspeltCategories[$0.identity] }.first
    for node in nodes {
      for (place, (key, value)) in node.members.enumerated() where !value.isNull {
        guard let sources = known.values(of: key, near: place) else {
          let isCorrectCategory = slip != nil && PluralCategory(of: key) != nil
          if !isCorrectCategory, !known.mayLack(key) {
            reportUnknown(key, in: node, knowing: &known, whereSourceHas: slip)
          }
          continue
        }
        if value.kind == .scalar { checkText(value, named: key.text, sources: sources) }
      }
    }
    forEachCollection(in: nodes) { check, key, place, parts in
      let sources = known.values(of: key, near: place) ?? []
      guard let source = check.kind(ofFirst: sources) else {
        return check.decide(parts, under: key, isSource: false)
      }
      check.check(parts, named: key.text, as: source, sources: sources)
    }
  }

  private mutating func checkText(_ value: YAMLNode, named name: String, sources: [YAMLNode]) {
    guard let source = kind(ofFirst: sources) else { return }
    switch source.kind {
    case .text: compare(value, named: name, sources: sources)
    case .plural: warnOfText(value, named: name, for: source.node)
    case .list, .mapping: refuse([value], .text, named: name, as: source)
    }
  }

  /// Checks a collection: its parts in the files of a locale.
  private mutating func check(
    _ parts: [YAMLNode], named name: String, as source: Source, sources: [YAMLNode]
  ) {
    switch (source.kind, parts[0].kind) {
    case (.list, .sequence):
      for part in parts { checkList(part, named: name, sources: sources) }
    case (.mapping, .mapping):
      if parts.allSatisfy(\.isPartOfPlural) { kinds.addMappings(parts) }
      check(
        parts.filter { $0.kind == .mapping }, against: sources.filter { $0.kind == .mapping })
    case (.plural, .mapping):
      checkPlural(parts, named: name, sources: sources, source.node)
    case (.text, .mapping)
    where parts.allSatisfy(\.isPartOfPlural) && parts.flatMap(\.members).haveOther:
      kinds.addPlurals(parts)
      warnOfPlural(parts[0], named: name, for: source.node)
    default:
      refuse(parts, parts[0].kind == .sequence ? .list : .mapping, named: name, as: source)
    }
  }

  private mutating func checkPlural(
    _ parts: [YAMLNode], named name: String, sources: [YAMLNode], _ source: YAMLNode
  ) {
    let members = parts.flatMap(\.members)
    let text = Source(kind: .text, node: source)
    var isFitting = true
    for (key, value) in members where !value.isNull {
      if PluralCategory(of: key) == nil {
        found.append(foreign(key, in: parts, named: name, source))
      } else if value.kind != .scalar {
        let kind: Kind = value.kind == .sequence ? .list : .mapping
        found.append(otherKind(value, kind, named: "\(name).\(key.text)", as: text))
      } else {
        continue
      }
      isFitting = false
    }
    guard isFitting, members.haveOther else {
      if isFitting, members.contains(where: { !$0.value.isNull }) {
        found.append(withoutOther(parts[0]))
      }
      return kinds.refuse(parts)
    }
    kinds.addPlurals(parts)
    found += plurals.check.problems(ofCatalog: members, named: name, at: parts[0].place)
    for part in parts where comparesPlaceholders(of: part) {
      found += comparison.problems(ofPlural: part, named: name, sources: sources)
    }
  }

  private mutating func checkList(_ list: YAMLNode, named name: String, sources: [YAMLNode]) {
    let lists = sources.filter { $0.kind == .sequence }
    let equal = lists.filter { $0.items.count == list.items.count }
    guard !equal.isEmpty else {
      found.append(otherLength(list, named: name, lists[0]))
      return decide([list], under: list, isSource: false)
    }
    for (place, item) in list.items.enumerated() where !item.isNull {
      let sources = equal.map { $0.items[place] }
      if item.kind == .scalar {
        checkText(item, named: name, sources: sources)
      } else if let source = kind(ofFirst: sources) {
        check([item], named: name, as: source, sources: sources)
      } else {
        decide([item], under: item, isSource: false)
      }
      // Without one of its items, the others would be in other places.
      if kinds.isRefused(item) { kinds.refuse([list]) }
    }
  }

  /// Returns `true` unless the file of a translation may have other placeholders.
  private func comparesPlaceholders(of node: YAMLNode) -> Bool {
    uncomparedFiles.isEmpty || !uncomparedFiles.contains(node.path)
  }

  private mutating func compare(_ node: YAMLNode, named name: String, sources: [YAMLNode]) {
    guard comparesPlaceholders(of: node),
      let problem = comparison.problem(of: node, named: name, sources: sources)
    else { return }
    found.append(problem)
  }

  /// Calls back for each key with a collection, its place in the mapping, and the parts of the
  /// collection in the files of a locale.
  private mutating func forEachCollection(
    in nodes: [YAMLNode],
    _ body: (inout Self, _ key: YAMLNode, _ place: Int, _ parts: [YAMLNode]) -> Void
  ) {
    var own = nodes.count > 1 ? KnownKeys(nodes) : nil
    for node in nodes {
      for (place, (key, value)) in node.members.enumerated() where value.kind != .scalar {
        let parts = own?.values(of: key, near: place)?.filter { $0.kind != .scalar } ?? [value]
        if parts[0].identity == value.identity { body(&self, key, place, parts) }
      }
    }
  }

  // MARK: Messages

  private mutating func refuse(
    _ parts: [YAMLNode], _ own: Kind, named name: String, as source: Source
  ) {
    kinds.refuse(parts)
    found.append(otherKind(parts[0], own, named: name, as: source))
  }

  private func otherKind(
    _ node: YAMLNode, _ own: Kind, named name: String, as source: Source
  ) -> Diagnostic {
    .error(
      .textKind, at: node.place,
      message:
        "'\(name)' must be a \(source.kind.rawValue), as in the source locale, not a \(own.rawValue)",
      notes: [Diagnostic.Note("the source locale's value is here", at: source.node.place)])
  }

  private mutating func warnOfText(
    _ node: YAMLNode, named name: String, for source: YAMLNode
  ) {
    let forms = plurals.check.categories.map { "\($0.rawValue): …" }.joined(separator: ", ")
    let problem = Diagnostic.warning(
      .textKind, at: node.location,
      message:
        "'\(name)' should be a plural, as in the source locale; readers get this text for every number, so write {\(forms)}",
      notes: [Diagnostic.Note("the source locale's plural is here", at: source.place)])
    let summary = "texts of '\(self.name)' are plurals in the source locale"
    found.append(problem.breaking(Diagnostic.Declaration(at: nil, summary: summary)))
  }

  private mutating func warnOfPlural(
    _ node: YAMLNode, named name: String, for source: YAMLNode
  ) {
    let problem = Diagnostic.warning(
      .textKind, at: node.place,
      message:
        "'\(name)' should be one text, as in the source locale; an app that gives no number for it shows nothing",
      notes: [Diagnostic.Note("the source locale's text is here", at: source.location)])
    let summary = "plurals of '\(self.name)' are single texts in the source locale"
    found.append(problem.breaking(Diagnostic.Declaration(at: nil, summary: summary)))
  }

  private func otherLength(
    _ list: YAMLNode, named name: String, _ source: YAMLNode
  ) -> Diagnostic {
    .warning(
      .textKind, at: list.place,
      message:
        "'\(name)' should have \(source.items.count) items, as in the source locale; it has \(list.items.count)",
      notes: [Diagnostic.Note("the source locale's list is here", at: source.place)])
  }

  private func foreign(
    _ key: YAMLNode, in parts: [YAMLNode], named name: String, _ source: YAMLNode
  ) -> Diagnostic {
    let known = PluralCategory.allCases.map(\.rawValue)
    let free = known.filter { name in parts.allSatisfy { $0[name] == nil } }
    var problem = Diagnostic.unknownKey(
      key, in: "the plural '\(name)'", known: known, nearest: key.text.nearest(among: free))
    problem.notes.append(Diagnostic.Note("the source locale's plural is here", at: source.place))
    return problem
  }

  private func withoutOther(_ node: YAMLNode) -> Diagnostic {
    .warning(
      .missingPlural, at: node.place,
      message:
        "the plural has no 'other', which every language has; readers get that of another locale"
    )
  }

  private mutating func reportUnknown(
    _ key: YAMLNode, in node: YAMLNode, knowing known: inout KnownKeys,
    whereSourceHas slip: PluralCheck.MisspeltCategory?
  ) {
    var free: [String] = []
    if found.count < Self.mostSuggestions {
      let own = Set(names: node.members.lazy.map(\.key.text))
      var names = known.keys
      if let slip {
        names = names.map { $0.hasSameBytes(as: slip.key.text) ? slip.meant.rawValue : $0 }
      }
      // A category that CLDR has is no slip for a word that it does not have.
      if PluralCategory(of: key) != nil { names = names.filter(CatalogKinds.isPluralCategory) }
      free = names.filter { !own.contains($0) }
    }
    let nearest = key.text.nearest(among: free)
    let advice = nearest.map { "did you mean '\($0)'?" } ?? "add it there, or delete it here"
    found.append(
      .warning(
        .unknownText, at: key.location,
        message: "the source locale's '\(name)' has no text '\(key.text)'; \(advice)",
        fixIt: nearest.map { Diagnostic.FixIt(key.range, replacement: $0) }))
  }
}

/// The check of plurals for a locale, made at the first one: most files have none, and the rules of
/// all languages take a while to read.
private struct LazyPluralCheck {
  private let locale: LocaleTag
  lazy var check = PluralCheck(locale)

  init(_ locale: LocaleTag) { self.locale = locale }
}

/// The keys of one mapping in all files of a locale.
struct KnownKeys {
  private let sources: [YAMLNode]
  /// The values of each key, made for the first key that is not in the source locale's order.
  private var places: [YAMLTextKey: [YAMLNode]]?

  /// The most keys for which a search is faster than a dictionary.
  private static let few = 12

  init(_ sources: [YAMLNode]) { self.sources = sources }

  lazy var keys = sources.flatMap { $0.members.map(\.key.text) }
  /// `true` if the mapping looks like a plural, whose translations may have other categories.
  private lazy var isOfCategories =
    sources.contains { !$0.members.isEmpty } && keys.allSatisfy(CatalogKinds.isPluralCategory)

  /// Returns `true` if translations may have a key that the source locale lacks.
  mutating func mayLack(_ key: YAMLNode) -> Bool {
    PluralCategory(of: key) != nil && isOfCategories
  }

  /// Returns the values of a key; most translations have the keys in the same order.
  mutating func values(of key: YAMLNode, near place: Int) -> [YAMLNode]? {
    if sources.count == 1, place < sources[0].members.count {
      let member = sources[0].members[place]
      if member.key.textKey == key.textKey { return [member.value] }
    }
    if places == nil, sources.count <= Self.few,
      sources.allSatisfy({ $0.members.count <= Self.few })
    {
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
