import ContentModel
import PropertyLists

/// Compares the content of two releases, context by context.
struct DiffCollector {
  /// `nil` if there is no earlier content.
  private let old: ReleaseReader?
  let new: ReleaseReader
  private let skipsMissing: Bool
  private(set) var bytes: [(context: String, bytes: Int)] = []
  /// `false` if the target lacks objects of the earlier content, whose changes are left out.
  private(set) var isComplete = true
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

  init(from old: ReleaseContent?, to new: ReleaseContent, limit: Int, skipsMissing: Bool) {
    self.skipsMissing = skipsMissing
    self.old = old.map { ReleaseReader($0, limit: limit) }
    self.new = ReleaseReader(new)
  }

  mutating func run() throws {
    for context in Set(old?.contexts ?? []).union(new.contexts).sorted() {
      if old?.index(of: context) == new.index(of: context) { continue }
      try compare(context)
    }
  }

  /// The differences by id; an entry that some readers lose and others get counts as changed.
  var changes: [ReleaseDiff.EntryChange] {
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

  private mutating func compare(_ context: ReleaseContext) throws {
    let known = try unlessMissing { try Self.objects(in: old, for: context) }
    if known == nil { isComplete = false }
    let before = known ?? [:]
    let after = try Self.objects(in: new, for: context)
    var fetched = new.index(of: context).map(size) ?? 0
    var entriesBefore: [ExactString: Value] = [:]
    var entriesAfter: [ExactString: Value] = [:]
    for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
      if let row = after[name] { fetched += size(of: row) }
      guard known != nil,
        let earlier = try unlessMissing({ try before[name].map(entriesOfOld) ?? [:] })
      else {
        isComplete = false
        continue
      }
      entriesBefore.merge(earlier, uniquingKeysWith: Self.fuller)
      try entriesAfter.merge(
        after[name].map { Self.byID(try new.entries(of: $0)) } ?? [:], uniquingKeysWith: Self.fuller
      )
    }
    bytes.append(("\(context)", fetched))
    for id in Set(entriesBefore.keys).union(entriesAfter.keys) {
      let (old, new) = (entriesBefore[id], entriesAfter[id])
      // An entry that left one bundle may still be in another one, which did not change.
      let kept = before.filter { after[$0.key] == $0.value }
      if old == nil || new == nil, try unlessMissing({ try has(id.text, in: kept) }) ?? true {
        found[id, default: Found()].contexts[.changed, default: []].insert("\(context)")
      } else {
        note(id.text, changedFrom: old, to: new, in: "\(context)")
      }
    }
  }

  /// Returns the result of reading the earlier content; `nil` if the target lacks an object of it,
  /// and the comparison skips such objects.
  private func unlessMissing<Found>(_ read: () throws -> Found) throws -> Found? {
    do { return try read() } catch let error as DeliveryError
      where skipsMissing && error.kind == .missing
    { return nil }
  }

  /// Returns a context's objects by the names of their bundle and variant.
  private static func objects(
    in reader: ReleaseReader?, for context: ReleaseContext
  ) throws -> [ExactString: Digest] {
    let rows = try reader?.rows(context) ?? []
    return Dictionary(firstOf: rows.map { ("\($0.bundle) \($0.variant)", $0.object) })
  }

  private func entriesOfOld(_ bundle: Digest) throws -> [ExactString: Value] {
    try old.map { Self.byID(try $0.entries(of: bundle)) } ?? [:]
  }

  private static func byID(_ entries: Members) -> [ExactString: Value] {
    Dictionary(firstOf: entries.map { ($0.key, $0.value) })
  }

  private func size(of digest: Digest) -> Int { new.object(digest)?.size ?? 0 }

  private func has(_ id: String, in bundles: [ExactString: Digest]) throws -> Bool {
    try bundles.values.sorted().contains { try old?.entries(of: $0)[id] != nil }
  }

  /// Returns the one of two forms of an entry that has more fields: projections leave some out.
  private static func fuller(_ a: Value, _ b: Value) -> Value {
    (a["content"]?.members?.count ?? 0) >= (b["content"]?.members?.count ?? 0) ? a : b
  }

  private mutating func note(
    _ id: String, changedFrom before: Value?, to after: Value?, in context: String
  ) {
    if before == after { return }
    let kind: ReleaseDiff.Kind = before == nil ? .added : after == nil ? .removed : .changed
    found[id, default: Found()].contexts[kind, default: []].insert(context)
    guard let before, let after else { return }
    for (path, old, new) in FieldComparison(from: before, to: after).differences {
      let key = FieldKey(path: ExactString(path), old: old, new: new)
      found[id, default: Found()].fields[key, default: []].insert(context)
    }
  }
}
