import ContentModel
import ContentSource

/// The scope of an edit: the affected entries, contexts and bundles, and the files to read.
///
/// A narrow scope reads only the changed entries, and takes the others from the earlier bundle. A
/// wide scope reads every entry of the affected bundles.
struct EditScope {
  /// The new content of the changed files; `nil` for a wide scope.
  let part: ContentPart?
  /// The parts of the state that the edit affects, opened.
  let parts: OpenedParts
  /// The numbers of the files that changed.
  let changed: [Int]
  /// The entries with a changed layer, in order.
  ///
  /// In a wide scope, the entries with a layer in a changed file.
  let touched: [Int]
  /// The contexts that consult such a layer.
  let contexts: [Int]
  /// The selections with a touched entry.
  let selections: [Int]
  /// The places of the datatypes of all entries in the selections, in order.
  let datatypes: [Int]
  /// The entries to read, in order.
  let entries: [Int]
  /// The earlier state of each of these entries.
  let known: [CompiledState.EntryState]
  /// The numbers of the files that must be read, in order.
  let read: [Int]

  /// The scope of an edit of some files.
  ///
  /// `nil` if the edit affects more than entries: the project, datatypes or assets. A narrow scope
  /// is also `nil` if the part cannot tell the changed entries.
  init?(
    of paths: [String], after state: CompiledState, narrowedBy part: ContentPart?
  ) throws(CompiledState.Damaged) {
    guard paths.allSatisfy(\.isOfEntries) else { return nil }
    var affected = AffectedEntries(state)
    guard let changed = try affected.numbers(of: paths) else { return nil }
    let edited = affected.parts.datatypes
    let reached =
      if let part { try affected.touch(changed, in: part) } else { try affected.touch(changed) }
    guard let (touched, kinds) = reached else { return nil }
    (self.changed, self.touched) = (changed, touched)
    let contexts = state.contexts.indices.filter { context in
      kinds.contains { state.contexts[context].consults($0) }
    }
    self.contexts = contexts
    selections = state.selections.indices.filter {
      state.selections[$0].entries.contains { affected.isNeeded[$0] }
    }
    // A bundle that is one object needs the state of every entry.
    for selection in selections where !state.selections[selection].whole.isEmpty {
      for entry in state.selections[selection].entries {
        try affected.need(entry, isRead: part == nil)
      }
    }
    try affected.readProject(datatypes: part == nil ? nil : edited)
    // All devices of a locale, since the facts of an entry are compared by locale.
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
    narrowed?.entries = Set(names: zip(entries, known).map { state.id(of: $0, with: $1) })
    narrowed?.datatypes = state.datatypeNames
    self.part = narrowed
  }
}

extension String {
  /// `true` for the path of a file with entries.
  var isOfEntries: Bool { hasPrefix("entries/") || hasPrefix("strings/") }

  /// `true` for the path of a file with entries, or of an asset.
  var isOfEntriesOrAssets: Bool { isOfEntries || hasPrefix("assets/") }
}
