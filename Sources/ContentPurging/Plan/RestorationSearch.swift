import PropertyLists
import ContentModel
import ContentReleases

// String keys: ids are ASCII
/// Entries as readers get them, by reader and id: in each of the bundles that show them.
typealias ShownEntries = [ReleaseContext: [String: [ReleasedBundle: Value]]]

/// Looks, release by release, for the last one in which entries were others than they are.
struct RestorationSearch {
  private let now: ShownEntries
  /// The compared fields; the whole entry if empty.
  private let fields: [FieldPath]
  private let purged: [String: [PurgedContent]]  // String keys: ids are ASCII
  private let isGone: (Digest) throws -> Bool
  private var missing: [ReleaseContext: Set<String>]  // String keys: ids are ASCII
  /// Entries that were purged and that readers have no more.
  private var absent: [ReleaseContext: Set<String>]  // String keys: ids are ASCII
  /// By id and reader: the releases in which it was as it is.
  private var same: [String: [ReleaseContext: Set<Int>]] = [:]  // String keys: ids are ASCII
  private var indexes: [ReleaseContext: Digest] = [:]
  private(set) var found = Restoration()
  /// Fields that stood in one of the releases.
  private(set) var known: Set<FieldPath> = []

  init(
    _ now: ShownEntries, absent: [ReleaseContext: Set<String>] = [:],  // String keys: ids are ASCII
    fields: [FieldPath], purged: [PurgedContent],
    isGone: @escaping (Digest) throws -> Bool
  ) {
    (self.now, self.absent, self.fields, self.isGone) = (now, absent, fields, isGone)
    self.purged = Dictionary(grouping: purged, by: \.entry)
    missing = now.mapValues { Set($0.keys) }
  }

  var isDone: Bool { missing.values.allSatisfy(\.isEmpty) && absent.values.allSatisfy(\.isEmpty) }

  /// Looks at the release before those that were looked at.
  mutating func look(at number: Int, _ reader: ReleaseReader) throws {
    try lookForAbsent(at: number, reader)
    for context in missing.keys.sorted() {
      guard let ids = missing[context], !ids.isEmpty, let index = reader.index(of: context) else {
        continue
      }
      let isNew = indexes.updateValue(index, forKey: context) != index
      let sameBefore = isNew ? nil : number
      if let sameBefore {
        for id in ids where same[id]?[context] != nil { same[id]?[context]?.insert(sameBefore) }
        continue
      }
      // What was purged may be gone; a target that does not answer is another matter.
      guard let places = try present({ BundlePlaces(try reader.rows(context)) }) else { continue }
      for id in ids.sorted() {
        guard let isSame = try compare(id, context, places, reader) else { continue }
        if isSame {
          same[id, default: [:]][context, default: []].insert(number)
        } else {
          found.take(id, context, from: number, reader)
          missing[context]?.remove(id)
        }
      }
    }
  }

  /// Takes what readers had in this release and have no more, unless it was purged.
  private mutating func lookForAbsent(at number: Int, _ reader: ReleaseReader) throws {
    for context in absent.keys.sorted() {
      for id in (absent[context] ?? []).sorted() {
        guard let places = try places(of: id, context, reader), !places.isEmpty else { continue }
        found.take(id, context, at: places, from: number, reader)
        absent[context]?.remove(id)
      }
    }
  }

  /// The bundle in which a reader had an entry; `nil` if it is unknown or must not come back.
  private func places(of id: String, _ context: ReleaseContext, _ reader: ReleaseReader) throws
    -> [InsertionPlace]?
  {
    guard let holders = try present({ try reader.holders(of: id) ?? [] }), !holders.isEmpty,
      let rows = try present({ try reader.rows(context) })
    else { return nil }
    var places: [InsertionPlace] = []
    for row in rows where holders.contains(row.object) {
      guard let bundle = try present({ try reader.value(of: row.object) }) else { return nil }
      guard let insertion = Insertion(id, of: bundle) else { continue }
      if try mayNotComeBack(id, insertion.entry) { return nil }
      places.append(InsertionPlace(row: row, insertion: insertion))
    }
    return places
  }

  /// Returns whether a reader got the same; `nil` if that is unknown, or must not come back.
  private mutating func compare(
    _ id: String, _ context: ReleaseContext, _ places: BundlePlaces, _ reader: ReleaseReader
  ) throws -> Bool? {
    var isSame: Bool?
    // Bundles may have been cut otherwise then: only what readers got in the same place is
    // compared.
    for (row, entry) in now[context]?[id] ?? [:] {
      guard let bundle = places.object(for: row) else { continue }
      if bundle == row.object {
        isSame = isSame ?? true
        continue
      }
      guard let entries = try present({ try reader.entries(of: bundle) }) else { return nil }
      guard let earlier = entries[id] else { continue }
      if try mayNotComeBack(id, earlier) { return nil }
      known.formUnion(fields.filter { $0.value(in: earlier["content"] ?? [:]) != nil })
      isSame = (isSame ?? true) && isEqual(earlier, entry)
    }
    return isSame
  }

  /// Returns whether the restored part of an entry was purged, or shows a missing asset.
  private func mayNotComeBack(_ id: String, _ earlier: Value) throws -> Bool {
    if (purged[id] ?? []).contains(where: { $0.isShown(by: earlier) }) { return true }
    let content = earlier["content"] ?? [:]
    let values = fields.isEmpty ? [content] : fields.compactMap { $0.value(in: content) }
    return try values.contains { try $0.assets.contains(where: isGone) }
  }

  private func isEqual(_ a: Value, _ b: Value) -> Bool {
    if fields.isEmpty { return a == b }
    return fields.allSatisfy {
      $0.value(in: a["content"] ?? [:]) == $0.value(in: b["content"] ?? [:])
    }
  }

  private func present<Result>(_ read: () throws -> Result) throws -> Result? {
    do { return try read() } catch is DeliveryError { return nil }
  }

  /// Entries that have nothing to be restored to, with their readers.
  ///
  /// A reader who got the same when others got something else sees nothing of the removed content.
  var left: [(id: String, contexts: [ReleaseContext])] {
    var left: [String: [ReleaseContext]] = [:]  // String keys: ids are ASCII
    let back = Set(found.insertions.keys)
    for (context, ids) in absent {
      for id in ids where !back.contains(id) && !now.values.contains(where: { $0[id] != nil }) {
        left[id, default: []].append(context)
      }
    }
    for (context, ids) in missing {
      for id in ids where found.numbers(of: id).isDisjoint(with: same[id]?[context] ?? []) {
        left[id, default: []].append(context)
      }
    }
    return left.sorted { $0.key.precedesInBytes($1.key) }.map { ($0.key, $0.value.sorted()) }
  }
}
