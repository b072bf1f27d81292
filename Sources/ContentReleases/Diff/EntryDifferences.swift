package import ContentModel

/// The differences between two forms of entries, by entry.
package struct EntryDifferences {
  private var found: [ExactString: Found] = [:]

  /// The differences of one entry.
  private struct Found {
    var contexts: [ReleaseDiff.Kind: Set<String>] = [:]
    var fields: [FieldKey: Set<String>] = [:]
  }

  private struct FieldKey: Hashable {
    var path: ExactString
    var old: Value?
    var new: Value?
  }

  package init() {}

  /// The differences by id; an entry that some readers lose and others get counts as changed.
  package var changes: [ReleaseDiff.EntryChange] {
    found.sorted { $0.key < $1.key }.map { id, found in
      let contexts = found.contexts.values.reduce(into: Set()) { $0.formUnion($1) }
      let fields = found.fields.map { key, contexts in
        (key: key, contexts: Set(names: contexts).sorted())
      }.sorted {
        ($0.key.path, $0.contexts.first ?? "") < ($1.key.path, $1.contexts.first ?? "")
      }
      let kind = found.contexts.count == 1 ? found.contexts.keys.first ?? .changed : .changed
      return ReleaseDiff.EntryChange(
        id: id.text, kind: kind, kinds: Set(found.contexts.keys),
        contexts: contexts.sorted { $0.precedesInBytes($1) },
        fields: fields.map { key, contexts in
          ReleaseDiff.FieldChange(
            path: key.path.text, old: key.old, new: key.new, contexts: contexts.map(\.text))
        })
    }
  }

  /// Notes that readers get an entry in other bundles than before.
  mutating func noteMove(of id: String, in context: String) {
    found[ExactString(id), default: Found()].contexts[.changed, default: []].insert(context)
  }

  /// Notes the forms of an entry before and after a change for readers of some contexts.
  package mutating func note(
    _ id: String, changedFrom before: Value?, to after: Value?, in contexts: [String]
  ) {
    if before == after { return }
    let kind: ReleaseDiff.Kind = before == nil ? .added : after == nil ? .removed : .changed
    found[ExactString(id), default: Found()].contexts[kind, default: []].formUnion(contexts)
    guard let before, let after else { return }
    for (path, old, new) in FieldComparison(from: before, to: after).differences {
      let key = FieldKey(path: ExactString(path), old: old, new: new)
      found[ExactString(id), default: Found()].fields[key, default: []].formUnion(contexts)
    }
  }
}
