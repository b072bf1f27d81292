import ContentModel
import ContentSource

/// What an edit reaches: entries, contexts and bundles, and the files that must be read to make
/// them anew.
///
/// A narrow one reads only the entries that the edit changed: the others of a bundle are taken from
/// what it was. A wide one reads every entry of the bundles.
struct EditScope {
  /// What was opened to see which entries changed; `nil` of a wide scope.
  let part: ContentPart?
  /// The parts that the edit reaches, opened.
  let parts: OpenedParts
  /// The numbers of the files that changed.
  let changed: [Int]
  /// Entries with a layer that changed, or of a wide scope with one in a file that changed, in
  /// order.
  let touched: [Int]
  /// Contexts that consult such a layer.
  let contexts: [Int]
  /// Selections that hold a touched entry.
  let selections: [Int]
  /// The places of the datatypes of all entries in these, and of those that are needed, in order.
  let datatypes: [Int]
  /// Entries that must be known, in order, and what is known of them.
  let entries: [Int]
  let known: [CompiledState.EntryState]
  /// The numbers of the files that must be read, in order.
  let read: [Int]

  /// What an edit of some files reaches.
  ///
  /// `nil` where that is more than entries of their own: the project, datatypes, assets. A narrow
  /// scope, of a `part`, is also `nil` where that cannot tell which entries changed.
  init?(
    _ state: CompiledState, changed paths: [String], narrowedBy part: ContentPart?
  ) throws(CompiledState.Damaged) {
    guard paths.allSatisfy(\.isOfEntries) else { return nil }
    var affected = AffectedEntries(state)
    guard let changed = try affected.numbers(of: paths) else { return nil }
    let edited = affected.parts.datatypes
    let reached =
      if let part { try affected.touch(changed, part) } else { try affected.touch(changed) }
    guard let (touched, kinds) = reached else { return nil }
    (self.changed, self.touched) = (changed, touched)
    let contexts = state.contexts.indices.filter { context in
      kinds.contains { state.contexts[context].consults($0) }
    }
    self.contexts = contexts
    selections = state.selections.indices.filter {
      state.selections[$0].entries.contains { affected.isNeeded[$0] }
    }
    // Of a bundle that is one object, every entry is needed again, if only to be taken over.
    for selection in selections where !state.selections[selection].whole.isEmpty {
      for entry in state.selections[selection].entries {
        try affected.need(entry, isRead: part == nil)
      }
    }
    try affected.readProject(datatypes: part == nil ? nil : edited)
    // All devices of a locale, since what must be known of an entry is compared locale by locale.
    let locales = Set(names: contexts.map { state.contexts[$0].locale })
    try affected.grow(
      consulted: state.contexts.filter { locales.contains($0.locale) }, readsWholeFiles: part == nil
    )
    let whole = selections.map { state.selections[$0] }.filter { !$0.whole.isEmpty }
    let shown = whole.flatMap { $0.entries.compactMap(state.datatypes.place) }
    datatypes = Set(
      shown
        + affected.isNeeded.indices.filter { affected.isNeeded[$0] }.compactMap(
          state.datatypes.place)
    )
    .sorted()
    entries = affected.isNeeded.indices.filter { affected.isNeeded[$0] }
    read = affected.isRead.indices.filter { affected.isRead[$0] }
    parts = affected.parts
    known = entries.compactMap { [parts] in parts.entry($0) }
    if known.count != entries.count { throw CompiledState.Damaged() }
    var narrowed = part
    narrowed?.entries = Set(names: zip(entries, known).map { state.id(of: $0, $1) })
    narrowed?.datatypes = state.datatypeNames
    self.part = narrowed
  }
}

extension String {
  /// Whether it is the path of a file that entries come from.
  var isOfEntries: Bool { hasPrefix("entries/") || hasPrefix("strings/") }

  /// The same, or of an asset.
  var isOfEntriesOrAssets: Bool { isOfEntries || hasPrefix("assets/") }
}
