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
  private var found = EntryDifferences()

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

  /// The changed entries, ordered by id.
  var changes: [ReleaseDiff.EntryChange] { found.changes }

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
        found.noteMove(of: id.text, in: "\(context)")
      } else {
        found.note(id.text, changedFrom: old, to: new, in: ["\(context)"])
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
}
