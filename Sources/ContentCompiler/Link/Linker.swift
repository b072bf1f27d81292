import ContentModel
import ContentSource
import Diagnostics
import YAML

/// The check of entries against each other: required fields, references and flows.
struct Linker {
  let tree: ContentTree
  let order: LayerOrder
  let facts: [EntryFacts]
  /// The moment of the build.
  let instant: Instant
  private let places: [EntryID: Int]
  fileprivate var lines: SourcePlaces

  init(_ ledger: EntryLedger, after work: EntryWork) {
    (tree, facts, order, instant) = (ledger.tree, ledger.facts, work.rules.order, work.instant)
    lines = SourcePlaces(tree)
    places = Dictionary(tree.entries.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  /// Returns every problem of the entries, alone and against each other.
  mutating func diagnostics(_ selections: Diagnosed<[Selection]>) -> [Diagnostic] {
    let startup = selections.output.filter(\.bundle.isStartup).flatMap(\.entries)
    // A mistake in a bundle explains why it lacks entries.
    let isComplete = selections.diagnostics.isEmpty && !tree.hasErrors
    return requirements() + references() + unconsulted() + flows(startup: startup)
      + (isComplete ? unbundled(selections.output) : [])
  }

  /// The warning for entries that no bundle selects, though a condition admits them.
  private func unbundled(_ selections: [Selection]) -> [Diagnostic] {
    guard !selections.isEmpty else { return [] }
    let selected = Set(selections.flatMap(\.entries))
    let groups = Dictionary(grouping: tree.entries.indices) {
      ExactString(tree.entries[$0].datatype.name)
    }
    let names = groups.sorted { $0.key < $1.key }.flatMap { datatype, all -> [String] in
      let left = all.filter { index in
        !selected.contains(index) && facts[index].plan.byContext.contains { $0 != nil }
      }
      let ids = left.map { tree.entries[$0].id.text }
      guard left.count == all.count else { return ids }
      return ["\(datatype.text)/\(ids.contains { $0.pathParts.count > 2 } ? "**" : "*")"]
    }
    guard let first = names.first else { return [] }
    let shown = names.prefix(4).map { "'\($0)'" }.joined(separator: ", ")
    let rest = names.count > 4 ? " and \(names.count - 4) more" : ""
    let pronoun = names.count == 1 && !first.hasSuffix("*") ? "it" : "them"
    let place =
      tree.project.places.bundles ?? SourceLocation(path: tree.folder.shownPath("content.yaml"))
    return [
      .warning(
        .unbundledEntry, at: place,
        message:
          "no bundle has \(shown)\(rest), so no reader gets \(pronoun); name \(pronoun) in the 'include' of a bundle"
      )
    ]
  }

  /// The diagnostics of resolution: required fields without a value, and texts of pseudo-locales
  /// that do not fit their field.
  private mutating func requirements() -> [Diagnostic] {
    zip(tree.entries, facts).flatMap { entry, facts in
      facts.problems.filter { !entry.excusedFields.contains($0.problem.field) }.map { found in
        switch found.problem.rule {
        case .missing, .removed:
          requirement(found.problem, of: entry, at: found.place, in: found.contexts)
        case .pseudoLength(let length, let limit):
          Diagnostic.pseudoLength(
            length, limit: limit, of: found.problem.path.text, in: entry, at: found.place)
        case .pseudoPattern(let pattern):
          Diagnostic.pseudoPattern(pattern, of: found.problem.path.text, in: entry, at: found.place)
        }
      }
    }
  }

  private mutating func requirement(
    _ problem: ResolutionProblem, of entry: Entry, at place: YAMLNode?, in contexts: [Int]
  )
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
      // If the value is missing in every locale, no chain is the reason.
      let isInEachLocale = locales.count == Set(order.contexts.map(\.locale)).count
      notes = locales.prefix(isInEachLocale ? 0 : 4).map { context in
        let chain = context.chain.map(\.identifier).joined(separator: " → ")
        return Diagnostic.Note(
          "the chain of \(context.locale) is \(chain); none of '\(entry.id)' has '\(problem.path)' there"
        )
      }
    }
    if notes.isEmpty,
      let declared = entry.datatype.declaration(requiring: problem.path.text).location
    {
      notes = [Diagnostic.Note("'\(problem.path)' is declared here", at: declared)]
    }
    let location = place?.location.start ?? lines.location(of: entry.place)
    return Diagnostic(.error, rule: .missingField, at: location, message: message, notes: notes)
      .breaking(declaration(of: problem, in: entry.datatype, contexts: contexts))
  }

  /// The declaration that a missing value breaks: a chain that ends without the source locale, or
  /// the field's.
  private func declaration(
    of problem: ResolutionProblem, in datatype: Datatype, contexts: [Int]
  ) -> Diagnostic.Declaration {
    let source = tree.project.locales.source
    guard
      let context = contexts.first.map({ order.contexts[$0] }), !context.chain.contains(source)
    else { return datatype.declaration(requiring: problem.path.text) }
    let chain = context.chain.map(\.identifier).joined(separator: " → ")
    let rule =
      "required values are missing for \(context.locale): its chain, \(chain), leaves out the source locale '\(source)'"
    guard let meant = context.chain.last, meant != context.locale, isSource(meant) else {
      return Diagnostic.Declaration(
        at: tree.project.places.chains[context.locale],
        summary: "\(rule); add '\(source)' to its end, or write the values", needsMajority: true)
    }
    return Diagnostic.Declaration(
      at: tree.project.places.source, summary: "\(rule); did you mean 'sourceLocale: \(meant)'?")
  }

  /// Returns whether files without a locale seem to be in a locale: it is declared, and no file is
  /// for it.
  private func isSource(_ locale: LocaleTag) -> Bool {
    tree.project.locales.declared.contains(locale)
      && !tree.entries.contains { entry in
        !entry.datatype.shape.isCatalog && entry.layers.contains { $0.locale == locale }
      }
  }

  /// Returns the number of entries that a declaration requires values of: those of its datatype, or
  /// for a chain, all that require localized values.
  func entryCount(for declaration: Diagnostic.Declaration) -> Int? {
    guard let path = declaration.location?.path else { return nil }
    let isChain = path == tree.project.places.source?.path
    return tree.entries.count {
      isChain
        ? $0.datatype.shape.requiresLocalizedValues : $0.datatype.location.path == path
    }
  }

  /// The contexts as text; a locale alone if all of its devices are among them, and devices alone if
  /// all of their locales are.
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
    let all = Set(order.contexts.map(\.locale))
    if let devices = groups.first?.devices, groups.count == all.count, all.count > 1,
      groups.allSatisfy({ $0.devices == devices })
    {
      return "every locale on \(devices.joined(separator: ", "))"
    }
    let names = groups.map { group in
      group.devices.count == deviceCount
        ? "\(group.locale)" : "\(group.locale) on \(group.devices.joined(separator: ", "))"
    }
    return names.prefix(6).joined(separator: ", ")
      + (names.count > 6 ? " and \(names.count - 6) more" : "")
  }

  /// The broken references, in all contexts or in some.
  private mutating func references() -> [Diagnostic] {
    var suggestions = Suggestions(ofIDs: tree.entries.map(\.id.text))
    return zip(tree.entries, facts).flatMap { entry, facts in
      facts.links.compactMap { link -> Diagnostic? in
        if entry.refusedLinks.contains(link.place) { return nil }
        guard let target = places[link.target] else {
          if tree.mayHave(link.target) { return nil }
          let id = link.target.text
          return .unknownEntry(
            id, nearest: suggestions.nearest(to: id), at: lines.location(of: link.place))
        }
        // The readers of an entry are unknown while its conditions have errors.
        if entry.hasUnreadConditions || tree.entries[target].hasUnreadConditions { return nil }
        let absent = link.contexts.filter { self.facts[target].plan.byContext[$0] == nil }
        guard !absent.isEmpty else {
          return withheld(link, to: target) ?? narrowed(link, to: target)
        }
        let isGone = absent.count == link.contexts.count
        return Diagnostic(
          isGone ? .error : .warning, rule: .brokenReference, at: lines.location(of: link.place),
          message:
            "'\(link.target)' is kept out by its condition for \(isGone ? "every reader of this reference" : named(absent))",
          notes: [here(target)])
      }
    }
  }

  /// The diagnostic of a reference that is published before its target.
  private mutating func withheld(_ link: EntryFacts.Link, to target: Int) -> Diagnostic? {
    let facts = self.facts[target]
    let start = max(instant, link.embargo ?? instant)
    let absent = link.contexts.filter { context in
      facts.plan.byContext[context].flatMap(facts.condition)?.isWithheld(at: start) ?? false
    }
    let ends = absent.compactMap { facts.plan.byContext[$0].flatMap(facts.condition)?.from }
    guard let end = ends.max() else { return nil }
    let isGone = absent.count == link.contexts.count
    let whom = isGone ? "every reader of this reference" : named(absent)
    return Diagnostic(
      isGone ? .error : .warning, rule: .brokenReference, at: lines.location(of: link.place),
      message: "'\(link.target)' is kept out by its embargo until \(end.rfc3339) for \(whom)",
      notes: [
        Diagnostic.Note(
          "give the item around it 'when: {from: \(end.rfc3339), embargo: true}', too"),
        here(target),
      ])
  }

  /// The diagnostic of a reference for more countries or versions than its target.
  private mutating func narrowed(_ link: EntryFacts.Link, to target: Int) -> Diagnostic? {
    let facts = self.facts[target]
    let conditions = Set(link.contexts.compactMap { facts.plan.byContext[$0] }).sorted().compactMap
    {
      facts.condition($0)
    }
    guard let wanted = conditions.first(where: { !$0.isImplied(by: link.guards) }) else {
      return nil
    }
    let countries = wanted.countries.map { "in \($0.sorted().joined(separator: ", "))" }
    let versions = wanted.versions == nil ? nil : "for some versions of the app"
    return Diagnostic(
      .warning, rule: .brokenReference, at: lines.location(of: link.place),
      message:
        "'\(link.target)' is there only \([countries, versions].compactMap(\.self).joined(separator: " and ")), but this reference is followed elsewhere, too",
      notes: [here(target)])
  }

  /// The overlays that no context consults, since the condition of the entry excludes these
  /// contexts.
  private mutating func unconsulted() -> [Diagnostic] {
    tree.entries.indices.flatMap { index -> [Diagnostic] in
      let entry = tree.entries[index]
      if entry.hasUnreadConditions { return [] }
      return facts[index].unconsulted.map { layer in
        Diagnostic(
          .warning, rule: .unconsultedOverlay, at: lines.location(of: entry.layers[layer].keyPlace),
          message:
            "no context consults the overlay '\(entry.layers[layer].label)' of '\(entry.id)': its condition keeps it out",
          notes: [here(index)])
      }
    }
  }

  /// A note at the beginning of an entry.
  private mutating func here(_ entry: Int) -> Diagnostic.Note {
    Diagnostic.Note("the entry is here", at: lines.location(of: tree.entries[entry].place))
  }

  /// The steps of flows that no startup bundle reaches, and those without a link to another entry.
  private mutating func flows(startup: [Int]) -> [Diagnostic] {
    var reached = Set(startup)
    var open = startup
    while let entry = open.popLast() {
      for link in facts[entry].links {
        if let target = places[link.target], reached.insert(target).inserted { open.append(target) }
      }
    }
    let isPartial = tree.isPartial
    return tree.entries.indices.filter { tree.entries[$0].datatype.isFlow }.flatMap {
      index -> [Diagnostic] in
      let entry = tree.entries[index]
      var found: [Diagnostic] = []
      if !reached.contains(index), !isPartial {
        found.append(
          Diagnostic(
            .warning, rule: .unreachableEntry, at: lines.location(of: entry.place),
            message: "no startup bundle reaches '\(entry.id)', a step of a flow"))
      }
      if !facts[index].leadsOut, !entry.hasUnreadConditions,
        !facts[index].links.contains(where: { $0.target != entry.id })
      {
        found.append(
          Diagnostic(
            .warning, rule: .deadEnd, at: lines.location(of: entry.place),
            message: "'\(entry.id)', a step of a flow, leads nowhere"))
      }
      return found
    }
  }
}

/// An entry without a place, or with several, in a bundle that is split by place.
struct UnplacedEntry {
  /// The place of the entry in the tree.
  let place: Int
  let selection: Selection
}

extension Linker {
  /// Returns the errors for entries of no tile, unless another error explains them.
  mutating func diagnostics(of unplaced: [UnplacedEntry]) -> [Diagnostic] {
    unplaced.compactMap { unplaced in
      let (entry, field) = (tree.entries[unplaced.place], unplaced.selection.placeField ?? "")
      let isExplained =
        [field, "latitude", "longitude"].contains { entry.excusedFields.contains($0) }
        || facts[unplaced.place].problems.contains {
          $0.problem.isError
            && $0.problem.path.text.prefix { $0 != "." }.utf8.elementsEqual(field.text.utf8)
        }
      if isExplained { return nil }
      return .error(
        .unplacedEntry, at: lines.location(of: entry.place),
        message:
          "'\(entry.id)' must have one '\(field)', the same for all readers, since the bundle '\(unplaced.selection.bundle.name)' is split by it"
      )
    }
  }
}

extension Diagnostic {
  /// An error for an id without an entry.
  static func unknownEntry(_ id: String, nearest: String?, at location: SourceLocation)
    -> Diagnostic
  {
    let fixIt = nearest.flatMap { nearest in location.range.map { FixIt($0, replacement: nearest) }
    }
    let hint = nearest.map { "did you mean '\($0)'?" }
    return Diagnostic(
      .error, rule: .brokenReference, at: location,
      message: "there is no entry '\(id)'" + (hint.map { "; \($0)" } ?? ""), fixIt: fixIt
    ).breaking(
      Declaration(
        missingAt: nil,
        summary:
          "references lead to '\(id)', which is no entry; \(hint ?? "add it, or correct them")"))
  }
}

extension SourceLocation {
  /// The first character of the location.
  var start: SourceLocation {
    guard let range else { return self }
    let end = SourcePosition(line: range.start.line, column: range.start.column + 1)
    return SourceLocation(path: path, range: SourceRange(from: range.start, to: end))
  }
}
