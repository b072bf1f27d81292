import ContentModel
import PropertyLists

/// The edit of bundles in a purge: one edit for each entry that is removed or changed.
struct BundleEdit: Sendable {
  /// The edits by id.
  let edits: [String: EntryEdit]

  /// The ids of removed entries.
  var removed: Set<String> { Set(edits.filter { $0.value.removesEntries }.keys) }

  /// A bundle after an edit, with its changes.
  struct Outcome: Sendable {
    var bundle: Value
    /// The removed, changed and restored entries.
    var changes: [Change] = []
    /// The ids of other entries from whose lists an item was removed.
    var unlisted: Set<String> = []
    /// The fields that refer to a removed entry: they may be required, and are left as they are.
    var referring: [ReferringField] = []

    /// `true` if an item was restored in the list of another entry.
    var relisted = false

    var isEmpty: Bool { changes.isEmpty && unlisted.isEmpty && !relisted }
  }

  struct Change: Sendable {
    var id: String
    /// The old form; `nil` for a restored entry.
    var old: Value?
    /// The new form; `nil` for a removed entry.
    var new: Value?
  }

  /// A field that refers to a removed entry.
  struct ReferringField: Hashable, Sendable {
    var entry: String
    var field: ExactString
  }

  /// Edits a bundle, and inserts restored entries; `source` is the bundle that listed them.
  func applied(
    to bundle: Value, earlier: [String: Value?], inserting insertions: [Insertion],
    from source: Value?
  ) -> Outcome {
    var outcome = applied(to: bundle, earlier: earlier)
    guard !insertions.isEmpty || source != nil, var members = outcome.bundle.members else {
      return outcome
    }
    for insertion in insertions {
      let entry = inserted(insertion)
      members = insertion.inserted(into: members, as: entry)
      outcome.changes.append(Change(id: insertion.id, old: nil, new: entry))
    }
    if let source, let entries = relisted(members["entries"]?.members, from: source) {
      members["entries"] = .dictionary(entries)
      outcome.relisted = true
    }
    outcome.bundle = .dictionary(members)
    return outcome
  }

  /// Returns the restored form of an entry.
  func inserted(_ insertion: Insertion) -> Value {
    guard let edit = edits[insertion.id], !edit.restores else { return insertion.entry }
    return edit.applied(to: insertion.entry, earlier: nil) ?? insertion.entry
  }

  /// Returns a bundle's entries with the lists from which the purge took an item, unless these were
  /// changed since; `nil` if no list changes.
  private func relisted(_ old: Members?, from source: Value) -> Members? {
    let ids = Set(edits.keys)
    let listed = Array(ids)
    guard var entries = old else { return nil }
    var isChanged = false
    for (id, entry) in entries where edits[id] == nil {
      guard let old = source["entries"]?[id]?["content"], old.mentions(listed),
        old.withoutReferences(to: ids).value == entry["content"], old != entry["content"],
        var changed = entry.members
      else { continue }
      changed["content"] = old
      entries[id] = .dictionary(changed)
      isChanged = true
    }
    return isChanged ? entries : nil
  }

  /// Edits a bundle; `earlier` has the earlier forms of restored entries in the same context, `nil`
  /// for an entry that the context did not have.
  func applied(to bundle: Value, earlier: [String: Value?]) -> Outcome {
    let removed = removed
    let listed = Array(removed)
    var outcome = Outcome(bundle: bundle)
    var kept: [(String, Value)] = []
    for (id, entry) in bundle["entries"]?.members ?? Members() {
      if let edit = edits[id] {
        // An entry that `earlier` lacks had no other form in this context.
        let isEdited = !edit.restores || earlier[id] != nil
        let new = isEdited ? edit.applied(to: entry, earlier: earlier[id] ?? nil) : entry
        if new != entry { outcome.changes.append(Change(id: id, old: entry, new: new)) }
        if let new { kept.append((id, new)) }
      } else {
        let isAffected = entry.mentions(listed)
        kept.append(
          (id, isAffected ? unlisting(removed, from: entry, id: id, in: &outcome) : entry))
      }
    }
    guard !outcome.isEmpty, var members = bundle.members else { return outcome }
    let entries = Members(kept)
    members["entries"] = .dictionary(entries)
    members["order"] = .array(
      (bundle["order"]?.items ?? []).filter { $0.text.map { entries[$0] != nil } ?? true })
    outcome.bundle = .dictionary(members)
    return outcome
  }

  /// Returns an entry whose lists lack the removed entries, and notes the change and the fields that
  /// refer to them in the outcome.
  private func unlisting(
    _ removed: Set<String>, from entry: Value, id: String, in outcome: inout Outcome
  ) -> Value {
    guard !removed.isEmpty, var members = entry.members,
      let content = members["content"]
    else {
      return entry
    }
    let found = content.withoutReferences(to: removed)
    outcome.referring += found.fields.map { ReferringField(entry: id, field: ExactString($0)) }
    if found.value != content { outcome.unlisted.insert(id) }
    members["content"] = found.value
    return .dictionary(members)
  }
}
