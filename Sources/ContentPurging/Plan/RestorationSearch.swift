import ContentModel
import ContentReleases
import PropertyLists

/// The forms of entries as readers get them, by context, id and bundle.
typealias ShownEntries = [ReleaseContext: [String: [ReleasedBundle: Value]]]

/// An object of an earlier release that cannot be read.
struct UnreadableObject: Hashable, Comparable {
  var release: Int
  /// The hash of an object that the target lacks or has with other bytes; `nil` for a damaged release.
  var digest: Digest?

  /// Orders objects by their releases, the latest first.
  static func < (a: Self, b: Self) -> Bool {
    if a.release != b.release { return a.release > b.release }
    return (a.digest?.hex ?? "").precedesInBytes(b.digest?.hex ?? "")
  }
}

/// A search, release by release, for the last one in which entries had a different form.
struct RestorationSearch {
  private let now: ShownEntries
  /// The compared fields; empty for whole entries.
  private let fields: [ContentPath]
  private let purged: [String: [PurgedContent]]
  private let purgedAssets: Set<Digest>
  private let isGone: (Digest) throws -> Bool
  private var missing: [ReleaseContext: Set<String>]
  /// The purged entries that a context no longer has.
  private var absent: [ReleaseContext: Set<String>]
  /// The contexts in which every form found of an entry must not be restored, by id.
  private var withheld: [String: Set<ReleaseContext>] = [:]
  /// The last release in which an entry could be restored except for missing assets, by id.
  private(set) var lacking: [String: (release: EarlierRelease, assets: Set<Digest>)] = [:]
  /// The unreadable objects that may lead to another form of an entry, by the id of the entry.
  private(set) var unreadable: [String: Set<UnreadableObject>] = [:]
  /// The releases in which an entry had its present form, by id and context.
  private var same: [String: [ReleaseContext: Set<Int>]] = [:]
  private var indexes: [ReleaseContext: Digest] = [:]
  private(set) var found = Restoration()
  /// The compared fields that occur in one of the searched releases.
  private(set) var known: Set<ContentPath> = []

  /// Prepares a search for earlier forms of the entries in `now` and `absent`, which does not return
  /// purged content and assets, or forms with an asset for which `isGone` is `true`.
  init(
    _ now: ShownEntries, absent: [ReleaseContext: Set<String>] = [:],
    fields: [ContentPath], purged: [PurgedContent], purgedAssets: Set<Digest>,
    isGone: @escaping (Digest) throws -> Bool
  ) {
    (self.now, self.absent, self.fields, self.isGone) = (now, absent, fields, isGone)
    self.purged = Dictionary(grouping: purged, by: \.entry)
    self.purgedAssets = purgedAssets
    missing = now.mapValues { Set($0.keys) }
  }

  var isDone: Bool { missing.values.allSatisfy(\.isEmpty) && absent.values.allSatisfy(\.isEmpty) }

  /// Gives the entries that were found to no other readers.
  mutating func leaveOthersOfFound() {
    for context in missing.keys { missing[context]?.subtract(found.sources.keys) }
  }

  /// Searches a release, which precedes those that were searched.
  mutating func look(at release: EarlierRelease) throws {
    let reader = release.reader
    _ = try read([], in: release) { try reader.load(reader.contexts) }
    try lookForAbsent(in: release)
    for context in missing.keys.sorted() {
      guard let ids = missing[context]?.sorted(), !ids.isEmpty,
        let index = reader.index(of: context)
      else { continue }
      if indexes.updateValue(index, forKey: context) == index {
        // The context has the same content as in the release that was searched before.
        for id in ids where same[id]?[context] != nil {
          same[id]?[context]?.insert(release.number)
        }
        continue
      }
      // A purged list may be gone; if the target does not answer, the search fails.
      guard
        let places = try read(ids, in: release, { BundlePlaces(try reader.rows(context)) })
      else { continue }
      for id in ids {
        guard let isSame = try compare(id, for: context, at: places, in: release) else { continue }
        if isSame {
          same[id, default: [:]][context, default: []].insert(release.number)
        } else {
          found.take(id, for: context, from: release)
          missing[context]?.remove(id)
        }
      }
    }
  }

  /// Takes the entries that readers had in a release and no longer have, unless they may not come
  /// back.
  private mutating func lookForAbsent(in release: EarlierRelease) throws {
    for context in absent.keys.sorted() {
      for id in (absent[context] ?? []).sorted() {
        guard let places = try places(of: id, for: context, in: release) else {
          withheld[id, default: []].insert(context)
          continue
        }
        if places.isEmpty { continue }
        found.take(id, for: context, at: places, from: release)
        absent[context]?.remove(id)
      }
    }
  }

  /// Returns the bundles in which a context had an entry; `nil` if they are missing, or if the entry
  /// must not be restored.
  private mutating func places(
    of id: String, for context: ReleaseContext, in release: EarlierRelease
  ) throws -> [InsertionPlace]? {
    let reader = release.reader
    guard let holders = try read([id], in: release, { try reader.holders(of: id) ?? [] }) else {
      return nil
    }
    if holders.isEmpty { return [] }
    guard let rows = try read([id], in: release, { try reader.rows(context) }) else { return nil }
    var (places, mayComeBack) = ([InsertionPlace](), true)
    for row in rows where holders.contains(row.object) {
      guard let bundle = try read([id], in: release, { try reader.value(of: row.object) }) else {
        return nil
      }
      guard let insertion = Insertion(id, of: bundle) else { continue }
      if try mayNotComeBack(id, as: insertion.entry, in: release) { mayComeBack = false }
      places.append(InsertionPlace(row: row, insertion: insertion))
    }
    return mayComeBack ? places : nil
  }

  /// Returns whether a context had the present form of an entry; `nil` if that is unknown, or if the
  /// earlier form must not be restored.
  private mutating func compare(
    _ id: String, for context: ReleaseContext, at places: BundlePlaces, in release: EarlierRelease
  ) throws -> Bool? {
    let reader = release.reader
    var (isSame, mayComeBack) = (Bool?.none, true)
    // The entry may have been in other bundles then; only forms in the same bundle are compared.
    for (row, entry) in now[context]?[id] ?? [:] {
      guard let bundle = places.object(for: row) else { continue }
      if bundle == row.object {
        isSame = isSame ?? true
        continue
      }
      guard let entries = try read([id], in: release, { try reader.entries(of: bundle) }) else {
        return nil
      }
      guard let earlier = entries[id] else { continue }
      if try mayNotComeBack(id, as: earlier, in: release) { mayComeBack = false }
      known.formUnion(fields.filter { $0.value(in: earlier["content"] ?? [:]) != nil })
      isSame = (isSame ?? true) && isEqual(earlier, to: entry)
    }
    return mayComeBack ? isSame : nil
  }

  /// Returns whether the restored part of an entry was purged, or shows a missing asset, which it
  /// notes.
  private mutating func mayNotComeBack(
    _ id: String, as earlier: Value, in release: EarlierRelease
  ) throws -> Bool {
    if (purged[id] ?? []).contains(where: { $0.isShown(by: earlier) }) { return true }
    let content = earlier["content"] ?? [:]
    let values = fields.isEmpty ? [content] : fields.compactMap { $0.value(in: content) }
    let assets = values.reduce(into: Set<Digest>()) { $0.formUnion($1.assets) }
    if !assets.isDisjoint(with: purgedAssets) { return true }
    let gone = try assets.filter(isGone)
    if gone.isEmpty { return false }
    let latest = lacking[id] ?? (release, [])
    if latest.release.number == release.number {
      lacking[id] = (release, latest.assets.union(gone))
    }
    return true
  }

  private func isEqual(_ entry: Value, to other: Value) -> Bool {
    if fields.isEmpty { return entry == other }
    return fields.allSatisfy {
      $0.value(in: entry["content"] ?? [:]) == $0.value(in: other["content"] ?? [:])
    }
  }

  /// Returns the result of reading objects that lead to the forms of some entries.
  ///
  /// If one of the objects is missing or damaged, notes the object, and returns `nil`.
  private mutating func read<Result>(
    _ ids: [String], in release: EarlierRelease, _ work: () throws -> Result
  ) throws -> Result? {
    do { return try work() } catch let error as DeliveryError {
      let object = UnreadableObject(release: release.number, digest: error.object)
      for id in ids { unreadable[id, default: []].insert(object) }
      return nil
    }
  }

  /// The contexts that do not get a restored entry, because every form found there must not be
  /// restored.
  var unrestored: [(id: String, contexts: [ReleaseContext])] {
    let back = Set(found.insertions.keys)
    return withheld.filter { back.contains($0.key) }.map { id, contexts in
      (id, contexts.filter { absent[$0]?.contains(id) ?? false }.sorted())
    }.filter { !$0.1.isEmpty }.sorted { $0.0.precedesInBytes($1.0) }
  }

  /// The entries without an earlier form to restore, with their contexts.
  ///
  /// A context that had the present form in the source release of others does not count: it shows
  /// nothing of the removed content.
  var left: [(id: String, contexts: [ReleaseContext])] {
    var left: [String: [ReleaseContext]] = [:]
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
