import ContentModel
import ContentSource

/// The scope of an edit: the affected entries, contexts and bundles, and the files to read.
///
/// A narrow scope reads only the changed entries, and takes the others from the earlier bundle. A
/// wide scope reads every entry of the affected bundles.
///
/// Files, entries, contexts, selections and datatypes are numbered as in the earlier state.
struct EditScope {
  /// The new content of the entries to read; `nil` for a wide scope.
  let part: ContentPart?
  /// The parts of the earlier state that the edit affects, opened.
  let parts: OpenedParts
  /// The files that changed.
  let changedFiles: [Int]
  /// The entries with a changed layer, in order.
  ///
  /// In a wide scope, the entries with a layer in a changed file.
  let changedEntries: [Int]
  /// The contexts that consult such a layer.
  let contexts: [Int]
  /// The selections with a changed entry.
  let selections: [Int]
  /// The datatypes whose entries may be in other objects than before, in order.
  let recordedDatatypes: [Int]
  /// The entries to read, in order.
  let entries: [Int]
  /// The earlier state of each entry to read.
  let earlierEntries: [CompiledState.EntryState]
  /// The files to read, in order.
  let files: [Int]

  /// The scope of an edit of some files of entries; `nil` if a part cannot tell the changed entries.
  init?(
    of paths: [String], after state: CompiledState, narrowedBy part: ContentPart?
  ) throws(CompiledState.Damaged) {
    let isNarrow = part != nil
    var affected = AffectedEntries(state)

    // 1. Find the changed entries.
    guard let changedFiles = try affected.markFiles(at: paths) else { return nil }
    let editedDatatypes = affected.parts.datatypes
    let changes =
      if let part {
        try affected.markChangedEntries(in: changedFiles, comparedWith: part)
      } else {
        try affected.markAllEntries(in: changedFiles)
      }
    guard let changes else { return nil }

    // 2. Find the contexts and the bundles that show them.
    let contexts = state.contexts.indices.filter { context in
      changes.kinds.contains { state.contexts[context].consults($0) }
    }
    let selections = state.selections.indices.filter {
      state.selections[$0].entries.contains { affected.mustReadEntry[$0] }
    }

    // 3. Open all entries of bundles that are one object; a wide scope also reads them.
    let wholeBundles = selections.map { state.selections[$0] }.filter { !$0.whole.isEmpty }
    let bundledEntries = wholeBundles.flatMap(\.entries)
    for entry in bundledEntries {
      try affected.openEntry(entry)
      if !isNarrow { affected.markEntry(entry) }
    }

    // 4. Find the files of the entries to read.
    try affected.markProject(datatypes: isNarrow ? editedDatatypes : nil)
    // All devices of a locale, since the facts of an entry are compared by locale.
    let locales = Set(names: contexts.map { state.contexts[$0].locale })
    try affected.markFilesOfEntries(
      in: state.contexts.filter { locales.contains($0.locale) }, readsWholeFiles: !isNarrow)

    parts = affected.parts
    (self.changedFiles, changedEntries) = (changedFiles, changes.entries)
    (self.contexts, self.selections) = (contexts, selections)
    files = affected.mustReadFile.indices.filter { affected.mustReadFile[$0] }
    entries = affected.mustReadEntry.indices.filter { affected.mustReadEntry[$0] }
    recordedDatatypes = Set((bundledEntries + entries).compactMap(state.datatypes.place)).sorted()
    earlierEntries = entries.compactMap { [parts] in parts.entry($0) }
    if earlierEntries.count != entries.count { throw CompiledState.Damaged() }
    var narrowed = part
    narrowed?.entries = Set(names: zip(entries, earlierEntries).map { state.id(of: $0, with: $1) })
    narrowed?.datatypes = state.datatypeNames
    self.part = narrowed
  }
}

extension String {
  /// `true` for the path of a file with entries.
  var isOfEntries: Bool { hasBytePrefix("entries/") || hasBytePrefix("strings/") }

  /// `true` for the path of a file with entries, or of an asset.
  var isOfEntriesOrAssets: Bool { isOfEntries || hasBytePrefix("assets/") }
}
