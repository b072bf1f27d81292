import PropertyLists
import ContentModel

/// The edit of bundles in a purge: one edit for each entry that is removed or changed.
struct BundleEdit: Sendable {
  /// By id.
  let edits: [String: EntryEdit]  // String keys: ids are ASCII
  /// `true` if other entries may still refer to removed ones.
  let leavesReferences: Bool

  // String keys: ids are ASCII
  /// The ids of entries that go.
  var removed: Set<String> { Set(edits.filter { $0.value.removesEntries }.keys) }

  /// A bundle after an edit, and what was found in it.
  struct Outcome: Sendable {
    var bundle: Value
    /// Entries that had to go or to change, with what they were and are.
    var changes: [Change] = []
    /// Other entries from whose lists an item went.
    var unlisted: Set<String> = []  // String keys: ids are ASCII
    /// Fields that name what went: they cannot be left without a value unknown to be needed.
    var dangling: [Dangling] = []

    /// Other entries into whose lists an item came back.
    var relisted = false

    var isEmpty: Bool { changes.isEmpty && unlisted.isEmpty && !relisted }
  }

  struct Change: Sendable {
    var id: String
    /// The old form; `nil` for a restored entry.
    var old: Value?
    var new: Value?
  }

  struct Dangling: Hashable, Sendable {
    var entry: String
    var field: String

    static func == (a: Self, b: Self) -> Bool { a.entry == b.entry && a.field == b.field }
  }

  /// Edits a bundle, and puts entries back; `source` is the bundle from which they come.
  func applied(
    // String keys: ids are ASCII
    to bundle: Value, earlier: [String: Value?], _ insertions: [Insertion],
    from source: Value?
  ) -> Outcome {
    var outcome = applied(to: bundle, earlier: earlier)
    guard !insertions.isEmpty || source != nil, var members = outcome.bundle.members else {
      return outcome
    }
    for insertion in insertions {
      let entry = inserted(insertion)
      members = insertion.inserted(into: members, entry)
      outcome.changes.append(Change(id: insertion.id, old: nil, new: entry))
    }
    if let source { relist(&members, from: source, &outcome) }
    outcome.bundle = .dictionary(members)
    return outcome
  }

  /// Returns the restored form of an entry.
  func inserted(_ insertion: Insertion) -> Value {
    guard let edit = edits[insertion.id], !edit.restores else { return insertion.entry }
    return edit.applied(to: insertion.entry, earlier: nil) ?? insertion.entry
  }

  /// Gives other entries the lists back from which the purge took an item, unless they were changed
  /// since.
  private func relist(_ members: inout Members, from source: Value, _ outcome: inout Outcome) {
    let ids = Set(edits.keys)
    let listed = Array(ids)
    guard var entries = members["entries"]?.members else { return }
    for (id, entry) in entries where edits[id] == nil {
      guard let old = source["entries"]?[id]?["content"], old.mentions(listed),
        old.withoutReferences(to: ids).value == entry["content"], old != entry["content"],
        var changed = entry.members
      else { continue }
      changed["content"] = old
      entries[id] = .dictionary(changed)
      outcome.relisted = true
    }
    if outcome.relisted { members["entries"] = .dictionary(entries) }
  }

  // String keys: ids are ASCII
  /// Edits a bundle; `earlier` has the entries that are restored, as the same reader had them;
  /// `nil` where he had none.
  func applied(to bundle: Value, earlier: [String: Value?]) -> Outcome {
    let removed = removed
    let listed = Array(removed)
    var outcome = Outcome(bundle: bundle)
    var kept: [(String, Value)] = []
    for (id, entry) in bundle["entries"]?.members ?? Members() {
      if let edit = edits[id] {
        // For some readers it was never anything else.
        let new =
          edit.restores && earlier[id] == nil
          ? entry : edit.applied(to: entry, earlier: earlier[id] ?? nil)
        if new != entry { outcome.changes.append(Change(id: id, old: entry, new: new)) }
        if let new { kept.append((id, new)) }
      } else {
        // Most name none of them.
        kept.append((id, entry.mentions(listed) ? checked(entry, id, removed, &outcome) : entry))
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

  /// An entry that stays, without what it lists of those that go.
  private func checked(
    _ entry: Value, _ id: String, _ removed: Set<String>,  // String keys: ids are ASCII
    _ outcome: inout Outcome
  ) -> Value {
    guard !removed.isEmpty, !leavesReferences, var members = entry.members,
      let content = members["content"]
    else {
      return entry
    }
    let found = content.withoutReferences(to: removed)
    outcome.dangling += found.fields.map { Dangling(entry: id, field: $0) }
    if found.value != content { outcome.unlisted.insert(id) }
    members["content"] = found.value
    return .dictionary(members)
  }
}
