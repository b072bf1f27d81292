import ContentModel
import SiteFormat

/// The indexes of a release's entries.
struct EntryIndexes: Sendable {
  /// Each is of other bundles; empty before one was read or made.
  var all: [EntryIndex] = []
  /// `true` if the storage has none: then the refresher makes one.
  var isMissing = false

  /// The bundles whose entries are known.
  var bundles: Set<BundleName> { Set(all.flatMap(\.bundles)) }
}

extension Release {
  /// The name of the index in the storage, which the content for this reader has alone.
  var indexName: Digest {
    let parts = [
      config.index(served)?.digest.hex ?? "", reader.country ?? "",
      reader.appVersion.map { "\($0)" } ?? "",
    ]
    return Digest(of: Array(parts.joined(separator: "\n").utf8))
  }

  /// Returns the places of an entry in all stored bundles that are not split; `nil` without an
  /// index.
  func indexedPlaces(of id: EntryID) -> [EntryIndex.Place]? {
    let indexes = indexes
    return indexes.all.isEmpty ? nil : indexes.all.flatMap { $0.places(of: id) }
  }

  /// The indexes, which are read from the storage at their first use.
  private var indexes: EntryIndexes {
    let known = entryIndexes.current
    return known.all.isEmpty && !known.isMissing ? readIndex() : known
  }

  private func readIndex() -> EntryIndexes {
    var found = EntryIndexes()
    if let bytes = shelf.storage.entryIndex(indexName), let stored = EntryIndex(bytes),
      stored.bundles.allSatisfy({ index.rows[$0] != nil })
    {
      let new = newBundles(besides: Set(stored.bundles))
      found.all = [stored] + [new].compactMap(\.self)
    } else {
      found.isMissing = true
    }
    return entryIndexes.withLock { known in
      if known.all.isEmpty { known = found }
      return known
    }
  }

  /// Returns the index of the stored bundles that are not known yet; `nil` if there are none.
  private func newBundles(besides known: Set<BundleName>) -> EntryIndex? {
    let names = storedNames(besides: known)
    return names.isEmpty
      ? nil
      : EntryIndex.file(of: names.lazy.compactMap { self.openForAMoment($0) })
        .flatMap { EntryIndex($0) }
  }

  /// The stored bundles that are not split, in byte order.
  private func storedNames(besides known: Set<BundleName>) -> [BundleName] {
    index.rows.keys.filter { name in
      guard !known.contains(name) else { return false }
      return object(of: name).map { shelf.contains($0.object, size: $0.size) } ?? true
    }.sorted()
  }

  /// Adds bundles that arrived since the index was made.
  func findArrivals() {
    let known = entryIndexes.current
    guard !known.all.isEmpty, let new = newBundles(besides: known.bundles), !new.bundles.isEmpty
    else { return }
    entryIndexes.withLock { $0.all.append(new) }
  }

  /// Makes one index of all stored bundles, and returns its file; `nil` if there is one.
  func makeIndex() -> [UInt8]? {
    guard indexes.all.count != 1,
      let bytes = EntryIndex.file(
        of: storedNames(besides: []).lazy.compactMap { self.openForAMoment($0) }),
      let new = EntryIndex(bytes)
    else { return nil }
    entryIndexes.withLock { $0 = EntryIndexes(all: [new]) }
    return bytes
  }

  // MARK: Lifetimes

  /// The seconds after a check for which at least one entry is shown, whatever its dates are.
  ///
  /// Only known indexes count.
  var longestKnownLifetime: Double? {
    entryIndexes.current.all.compactMap(\.longestLifetime).max()
  }

  /// Returns whether the lifetimes of all stored entries have ended some seconds after a check;
  /// `false` if that is not known.
  ///
  /// With `mayRead`, the index is read if it must be.
  func hasEnded(after age: Double, mayRead: Bool) -> Bool {
    let open = openBundles
    if open.contains(where: { $0.longestLifetime.map { $0 > age } ?? false }) { return false }
    let indexes = mayRead ? indexes.all : entryIndexes.current.all
    guard !indexes.isEmpty else { return false }
    let ends = indexes.compactMap(\.longestLifetime) + open.compactMap(\.longestLifetime)
    guard let end = ends.max(), end <= age else { return false }
    return !mayHavePart(lasting: age, mayRead: mayRead)
  }

  /// Returns whether a stored part of a split bundle has an entry whose lifetime has not ended some
  /// seconds after a check; also `true` if that is not known.
  ///
  /// The index of entries has no parts.
  private func mayHavePart(lasting age: Double, mayRead: Bool) -> Bool {
    let families = index.lists.filter { shelf.contains($0.value) }.map(\.key)
    if families.isEmpty { return false }
    guard mayRead else {
      let known = partLifetimes.current
      return known.isEmpty || known.values.contains { $0 > age }
    }
    return families.contains { family in
      (rows(ofFamily: family) ?? [:]).keys.contains { lifetime(ofPart: $0) > age }
    }
  }

  /// The seconds after a check for which an entry of a part is shown; 0 if the part is not stored.
  private func lifetime(ofPart name: BundleName) -> Double {
    if let version = object(of: name), !shelf.contains(version.object, size: version.size) {
      return 0
    }
    if let known = partLifetimes.current[name] { return known }
    let found = openForAMoment(name)?.longestLifetime ?? 0
    partLifetimes.withLock { $0[name] = found }
    return found
  }
}
