import ContentModel
import ContentSource
import Diagnostics

/// Entries against each other: what is required, where references lead, what can be reached.
struct Linker {
  let tree: ContentTree
  let order: LayerOrder
  let facts: [EntryFacts]
  private let places: [EntryID: Int]

  init(tree: ContentTree, order: LayerOrder, facts: [EntryFacts]) {
    (self.tree, self.order, self.facts) = (tree, order, facts)
    places = Dictionary(tree.entries.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  /// The problems of resolution, as sentences.
  func requirements() -> [Diagnostic] {
    zip(tree.entries, facts).flatMap { entry, facts in
      facts.problems.filter { !entry.excusedFields.contains($0.problem.field) }.map { found in
        requirement(found.problem, of: entry, at: found.place, in: found.contexts)
      }
    }
  }

  private func requirement(_ problem: ResolutionProblem, of entry: Entry, at place: YAMLNode?, in contexts: [Int])
    -> Diagnostic
  {
    let missing = problem.rule == .missing ? "has no value" : "is removed by null"
    var message = "'\(problem.path)' is required in '\(entry.datatype.name)' and \(missing)"
    var notes: [Diagnostic.Note] = []
    if contexts.count < order.contexts.count {
      message += " for \(named(contexts))"
      let locales = contexts.map { order.contexts[$0] }.reduce(into: [Context]()) { list, context in
        if !list.contains(where: { $0.locale == context.locale }) { list.append(context) }
      }
      notes = locales.prefix(4).map { context in
        let chain = context.chain.map(\.identifier).joined(separator: " → ")
        return Diagnostic.Note(
          "the chain of \(context.locale) is \(chain); none of '\(entry.id)' has '\(problem.path)' there")
      }
    }
    let location = place?.location.start ?? entry.location
    return Diagnostic(.error, "missing-field", at: location, message, notes: notes)
  }

  /// Contexts as a person lists them: a locale alone where every device has it.
  private func named(_ contexts: [Int]) -> String {
    let deviceCount = tree.project.devices.names.count
    var groups: [(locale: LocaleTag, devices: [String])] = []
    for context in contexts.sorted().map({ order.contexts[$0] }) {
      if groups.last?.locale == context.locale {
        groups[groups.count - 1].devices.append(context.device)
      } else {
        groups.append((context.locale, [context.device]))
      }
    }
    let names = groups.map { group in
      group.devices.count == deviceCount
        ? "\(group.locale)" : "\(group.locale) on \(group.devices.joined(separator: ", "))"
    }
    return names.prefix(6).joined(separator: ", ") + (names.count > 6 ? " and \(names.count - 6) more" : "")
  }

  /// References that lead to nothing, in all contexts or in some.
  func references() -> [Diagnostic] {
    let ids = tree.entries.map(\.id.text)
    return facts.flatMap { facts in
      facts.links.compactMap { link -> Diagnostic? in
        guard let target = places[link.target] else {
          if tree.mayHave(link.target) { return nil }
          return .unknownEntry(link.target.text, known: ids, at: link.origin.location)
        }
        let absent = link.contexts.filter { self.facts[target].plan.byContext[$0] == nil }
        guard !absent.isEmpty else { return narrowed(link, to: target) }
        let isGone = absent.count == link.contexts.count
        return Diagnostic(
          isGone ? .error : .warning, "broken-reference", at: link.origin.location,
          "'\(link.target)' is kept out by its condition for \(isGone ? "every reader of this reference" : named(absent))",
          notes: [Diagnostic.Note("the entry is here", at: tree.entries[target].location)])
      }
    }
  }

  /// A reference that more countries or versions follow than its target is there for.
  private func narrowed(_ link: EntryFacts.Link, to target: Int) -> Diagnostic? {
    let facts = self.facts[target]
    let conditions = Set(link.contexts.compactMap { facts.plan.byContext[$0] }).sorted().compactMap {
      facts.conditions[Int($0)]
    }
    guard let wanted = conditions.first(where: { !$0.isImplied(by: link.guards) }) else { return nil }
    let countries = wanted.countries.map { "in \($0.sorted().joined(separator: ", "))" }
    let versions = wanted.versions == nil ? nil : "for some versions of the app"
    return Diagnostic(
      .warning, "broken-reference", at: link.origin.location,
      "'\(link.target)' is there only \([countries, versions].compactMap(\.self).joined(separator: " and ")), but this reference is followed elsewhere, too",
      notes: [Diagnostic.Note("the entry is here", at: tree.entries[target].location)])
  }

  /// Overlays that no context ever consults, since the entry's condition keeps it out of all that would.
  func unconsulted() -> [Diagnostic] {
    zip(tree.entries, facts).flatMap { entry, facts -> [Diagnostic] in
      guard !facts.consulted.isEmpty else { return [] }
      // An overlay's own condition has had its say even where it keeps the entry out.
      let unread = entry.layers.indices.filter {
        !facts.consulted.contains($0) && entry.layers[$0].node["when"] == nil
      }
      return unread.map { layer in
        Diagnostic(
          .warning, "unconsulted-overlay", at: entry.layers[layer].keyLocation,
          "no context consults the overlay '\(entry.layers[layer].label)' of '\(entry.id)': its condition keeps it out",
          notes: [Diagnostic.Note("the entry is here", at: entry.location)])
      }
    }
  }

  /// Steps of flows that no startup bundle reaches, and steps that lead nowhere.
  func flows(startup: [Int]) -> [Diagnostic] {
    var reached = Set(startup)
    var open = startup
    while let entry = open.popLast() {
      for link in facts[entry].links {
        if let target = places[link.target], reached.insert(target).inserted { open.append(target) }
      }
    }
    return tree.entries.indices.filter { tree.entries[$0].datatype.isFlow }.flatMap { index -> [Diagnostic] in
      let entry = tree.entries[index]
      var found: [Diagnostic] = []
      if !reached.contains(index), !tree.isPartial {
        found.append(
          Diagnostic(
            .warning, "unreachable-entry", at: entry.location,
            "no startup bundle reaches '\(entry.id)', a step of a flow"))
      }
      if !facts[index].leadsOut, !facts[index].links.contains(where: { $0.target != entry.id }) {
        found.append(
          Diagnostic(.warning, "dead-end", at: entry.location, "'\(entry.id)', a step of a flow, leads nowhere"))
      }
      return found
    }
  }
}

extension Diagnostic {
  /// An id that no entry has.
  static func unknownEntry(_ id: String, known: [String], at location: SourceLocation) -> Diagnostic {
    let nearest = id.nearest(among: known)
    let fixIt = nearest.flatMap { nearest in location.range.map { FixIt($0, replacement: nearest) } }
    return Diagnostic(
      .error, "broken-reference", at: location,
      "there is no entry '\(id)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""), fixIt: fixIt)
  }
}

extension SourceLocation {
  /// The first character of it.
  var start: SourceLocation {
    guard let range else { return self }
    let end = SourcePosition(line: range.start.line, column: range.start.column + 1)
    return SourceLocation(path: path, range: SourceRange(range.start, end))
  }
}
