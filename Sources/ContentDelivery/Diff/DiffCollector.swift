import ContentModel
import PropertyLists

/// Walks two contents side by side, context by context.
struct DiffCollector {
  private let old: BundleReader
  private let new: BundleReader
  private(set) var bytes: [(context: String, bytes: Int)] = []
  private var found: [String: Found] = [:]

  /// What was found of one entry.
  private struct Found {
    var contexts: [ReleaseDiff.Kind: Set<String>] = [:]
    var fields: [FieldKey: Set<String>] = [:]
  }

  private struct FieldKey: Hashable {
    var path: String
    var old: Value?
    var new: Value?
  }

  init(from old: ReleaseContent?, to new: ReleaseContent, limit: Int) {
    self.old = BundleReader(old, limit: limit)
    self.new = BundleReader(new, limit: .max)
  }

  mutating func run() throws {
    for context in Set(old.indexes.keys).union(new.indexes.keys).sorted(by: { $0.precedesInBytes($1) }) {
      if old.indexes[context] == new.indexes[context] { continue }
      try compare(context)
    }
  }

  /// By id; an entry that some readers lose and others get counts as changed.
  var changes: [ReleaseDiff.EntryChange] {
    found.sorted { $0.key.precedesInBytes($1.key) }.map { id, found in
      let contexts = found.contexts.values.reduce(into: Set()) { $0.formUnion($1) }
      let fields = found.fields.map { key, contexts in
        ReleaseDiff.FieldChange(
          path: key.path, old: key.old, new: key.new, contexts: contexts.sorted { $0.precedesInBytes($1) })
      }
      let kind = found.contexts.count == 1 ? found.contexts.keys.first ?? .changed : .changed
      return ReleaseDiff.EntryChange(
        id: id, kind: kind, kinds: Set(found.contexts.keys), contexts: contexts.sorted { $0.precedesInBytes($1) },
        fields: fields.sorted { ($0.path, $0.contexts.first ?? "") < ($1.path, $1.contexts.first ?? "") })
    }
  }

  private mutating func compare(_ context: String) throws {
    let (before, after) = (try old.rows(context), try new.rows(context))
    var fetched = try new.indexes[context].map { try new.size(of: $0) } ?? 0
    var entriesBefore: [String: Value] = [:]
    var entriesAfter: [String: Value] = [:]
    for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
      if let row = after[name] { fetched += try new.size(of: row) }
      try entriesBefore.merge(before[name].map { try old.entries($0) } ?? [:], uniquingKeysWith: Self.fuller)
      try entriesAfter.merge(after[name].map { try new.entries($0) } ?? [:], uniquingKeysWith: Self.fuller)
    }
    bytes.append((context, fetched))
    for id in Set(entriesBefore.keys).union(entriesAfter.keys) {
      let (old, new) = (entriesBefore[id], entriesAfter[id])
      // What left one bundle may still be in another one, which is as it was.
      if old == nil || new == nil, try has(id, in: before.filter { after[$0.key] == $0.value }) {
        found[id, default: Found()].contexts[.changed, default: []].insert(context)
      } else {
        note(id, old, new, in: context)
      }
    }
  }

  private func has(_ id: String, in bundles: [String: Digest]) throws -> Bool {
    try bundles.values.sorted().contains { try old.entries($0)[id] != nil }
  }

  /// Of an entry that several bundles have, the one with the most fields: projections leave some out.
  private static func fuller(_ a: Value, _ b: Value) -> Value {
    (a["content"]?.members?.count ?? 0) >= (b["content"]?.members?.count ?? 0) ? a : b
  }

  private mutating func note(_ id: String, _ before: Value?, _ after: Value?, in context: String) {
    if before == after { return }
    let kind: ReleaseDiff.Kind = before == nil ? .added : after == nil ? .removed : .changed
    found[id, default: Found()].contexts[kind, default: []].insert(context)
    guard let before, let after else { return }
    for (path, old, new) in FieldComparison(before, after).differences {
      found[id, default: Found()].fields[FieldKey(path: path, old: old, new: new), default: []].insert(context)
    }
  }
}

/// Reads what contexts of a content have, each object once.
private final class BundleReader {
  private let content: ReleaseContent?
  private let objects: [Digest: ReleaseObject]
  private var decoded: [Digest: Value] = [:]
  private let limit: Int
  /// By context: the hash of its index.
  let indexes: [String: Digest]

  init(_ content: ReleaseContent?, limit: Int) {
    (self.content, self.limit) = (content, limit)
    objects = Dictionary((content?.objects ?? []).map { ($0.digest, $0) }) { first, _ in first }
    var indexes: [String: Digest] = [:]
    for (locale, devices) in content?.members["indexes"]?.members ?? Members() {
      for (device, hash) in devices.members ?? Members() { indexes["\(locale)/\(device)"] = hash.digest }
    }
    self.indexes = indexes
  }

  /// By name of the bundle: its object; of a split one, those of its entries.
  ///
  /// Variants have names of their own.
  func rows(_ context: String) throws -> [String: Digest] {
    guard let index = indexes[context] else { return [:] }
    var rows: [String: Digest] = [:]
    for (name, row) in try value(of: index)["bundles"]?.members ?? Members() {
      if let list = row["list"]?.digest {
        for (rest, row) in try value(of: list)["entries"]?.members ?? Members() {
          add(row, as: "\(name)/\(rest)", &rows)
        }
      } else {
        add(row, as: name, &rows)
      }
    }
    return rows
  }

  private func add(_ row: Value, as name: String, _ rows: inout [String: Digest]) {
    rows[name] = row["object"]?.digest
    for variant in row["variants"]?.items ?? [] {
      let circumstances = ["country", "from", "before"].compactMap { variant[$0]?.text }
      rows["\(name) \(circumstances.joined(separator: " "))"] = variant["object"]?.digest
    }
  }

  /// A bundle's entries by id: content, datatype and times.
  func entries(_ bundle: Digest) throws -> [String: Value] {
    let members = try value(of: bundle)["entries"]?.members ?? Members()
    return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
  }

  func size(of digest: Digest) throws -> Int { objects[digest]?.size ?? 0 }

  private func value(of digest: Digest) throws -> Value {
    if let value = decoded[digest] { return value }
    if decoded.count >= limit { throw ReleaseDiff.TooMuch() }
    guard let content, let object = objects[digest] else {
      throw DeliveryError(.refused, "object \(digest.hex) is named, but no part of its release")
    }
    guard let (value, _) = try? PropertyList.decode(try content.file(object).bytes) else {
      throw DeliveryError(.refused, "'\(object.key)' cannot be read")
    }
    decoded[digest] = value
    return value
  }
}
