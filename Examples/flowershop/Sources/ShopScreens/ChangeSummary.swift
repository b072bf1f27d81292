package import ContentClient

/// The changed entries of all bundles together.
///
/// The client compares stored bundles only. Of a bundle that a person never opened it knows that it
/// changed, so this app names the bundle instead of its entries.
package struct ChangeSummary: Hashable, Sendable {
  /// `true` if the app had no content before, or the change is too long ago.
  package var isEverything = false
  package var inserted: Set<EntryID> = []
  package var updated: Set<EntryID> = []
  package var deleted: Set<EntryID> = []
  /// The changed bundles whose entries are not known.
  package var others: [BundleName] = []

  /// No changes.
  package init() {}

  package init(_ changes: ContentChanges) {
    if changes.changedBundles.isEmpty, case .everything = changes.extent { isEverything = true }
    for bundle in changes.changedBundles {
      switch changes.extent(in: bundle) {
      case .everything: others.append(bundle)
      case .entries(let entries):
        inserted.formUnion(entries.inserted)
        updated.formUnion(entries.updated)
        deleted.formUnion(entries.deleted)
      }
    }
  }

  /// The lists with their names, without empty ones.
  var kinds: [(name: String, ids: [EntryID])] {
    [("inserted", inserted), ("updated", updated), ("deleted", deleted)].filter { !$0.1.isEmpty }
      .map { (name: $0.0, ids: $0.1.sorted()) }
  }
}
