import ContentModel
import PropertyLists
import SiteFormat

/// A whole release in the context of a reader, of which bundles are opened on first use.
///
/// A class, since all snapshots of it share the opened bundles.
final class Release: Sendable {
  let config: SiteConfig
  /// The generation in which the config was accepted: numbers of releases compare only within one.
  let generation: Int
  let reader: ReaderContext
  let served: ServedContext
  let shelf: Shelf
  /// `nil` if no index exists for the context: then there are no bundles.
  let index: SiteIndex
  private let opened = Locked<[BundleName: OpenBundle]>([:])
  /// The call when a bundle was opened.
  private let listener = Locked<(@Sendable () -> Void)?>(nil)
  private let parts = Locked<[BundleName: SiteParts]>([:])
  /// Where the entries of stored bundles are.
  let entryIndexes = Locked(EntryIndexes())
  /// The seconds after a check for which entries of stored parts are shown, as far as known.
  let partLifetimes = Locked<[BundleName: Double]>([:])

  /// Opens a release whose index is on the shelf.
  ///
  /// - Throws: `ContentError` if the index is missing or cannot be read.
  init(
    _ config: SiteConfig, of generation: Int, for reader: ReaderContext, on shelf: Shelf
  ) throws(ContentError) {
    (self.config, self.reader, self.shelf) = (config, reader, shelf)
    self.generation = generation
    served = config.served(reader)
    guard let object = config.index(served) else {
      throw ContentError(
        .damaged, because: "config has no index for \(served.locale) and \(served.device)")
    }
    guard let bytes = shelf.bytes(of: object) else {
      throw ContentError(.missing, because: "the index of release \(config.release) is not stored")
    }
    index = try ContentError.damaged("the index of release \(config.release)") {
      try SiteIndex(bytes, ending: config.ending)
    }
  }

  var number: Int { config.release }

  /// Returns whether this is of an earlier generation than another release, or older in the same
  /// one.
  func isOlder(than other: Release) -> Bool {
    (generation, number) < (other.generation, other.number)
  }

  /// Calls a function whenever a bundle was opened.
  func notifyOpening(_ body: @escaping @Sendable () -> Void) { listener.withLock { $0 = body } }

  /// The content of a bundle; `nil` if its object is not on the shelf, or cannot be read.
  func bundle(_ name: BundleName) -> OpenBundle? {
    if let bundle = opened.withLock({ $0[name] }) { return bundle }
    guard let bundle = open(name) else { return nil }
    let kept = opened.withLock { opened in
      if let other = opened[name] { return other }
      opened[name] = bundle
      return bundle
    }
    if kept === bundle { listener.current?() }
    return kept
  }

  /// The content of a bundle, or that of all stored parts of a split one, in the order of their
  /// names.
  func bundles(_ name: BundleName) -> [OpenBundle] {
    parts(of: name).compactMap { bundle($0) }
  }

  /// The names of the parts of a split bundle whose list is on the shelf; for another bundle, its
  /// name.
  func parts(of name: BundleName) -> [BundleName] {
    rows(ofFamily: name)?.keys.sorted() ?? [name]
  }

  /// Returns whether a stored bundle has an entry that no purge hides.
  func hasEntries(of name: BundleName, besidesHiddenBy rules: Visibility.Rules) -> Bool {
    openForAMoment(name)?.order.contains { !rules.withdraws($0, of: self) } ?? false
  }

  // MARK: Entries

  /// Returns an entry of a bundle; of one that is split by entry, that of the part with its name,
  /// and of one that is split by place, that of the stored tiles.
  func entry(_ id: EntryID, in name: BundleName) -> EntryNode? {
    if index.tiledBundles.contains(name) {
      return bundles(name).lazy.compactMap { $0.entry(id) }.first
    }
    guard index.lists[name] != nil else { return bundle(name)?.entry(id) }
    return BundleName("\(name.text)/\(id.rest)").flatMap { bundle($0)?.entry(id) }
  }

  /// Returns an entry of the stored bundles that show it: of a loaded part of a split one, or of
  /// the one in which it has the most fields; among equal ones, of the first by name.
  ///
  /// The index does not say which bundles have all fields of their entries.
  func entry(_ id: EntryID, where isShown: (EntryNode) -> Bool) -> EntryNode? {
    let (tiles, parts) = openParts
    let inParts = parts.compactMap { $0.entry(id) }.filter(isShown)
    if let part = inParts.min(by: { $0.bundle.name < $1.bundle.name }) { return part }
    var places = indexedPlaces(of: id) ?? storedPlaces(of: id)
    places += tiles.compactMap { tile in
      tile.entry(id).map { EntryIndex.Place(bundle: tile.name, fieldCount: $0.fieldCount) }
    }
    places.sort { ($1.fieldCount, $0.bundle) < ($0.fieldCount, $1.bundle) }
    return places.lazy.compactMap { self.bundle($0.bundle)?.entry(id) }.first(where: isShown)
  }

  /// Returns the places of an entry in all stored bundles that are not split; opens all of them.
  private func storedPlaces(of id: EntryID) -> [EntryIndex.Place] {
    index.rows.keys.compactMap { name in
      bundle(name)?.entry(id).map { EntryIndex.Place(bundle: name, fieldCount: $0.fieldCount) }
    }
  }

  /// The open tiles, and the open parts of bundles that are split by entry.
  private var openParts: (tiles: [OpenBundle], parts: [OpenBundle]) {
    let open = openBundles.filter { $0.name.family != nil }
    let isTile = { (bundle: OpenBundle) in bundle.name.family.map(self.index.tiledBundles.contains)
    }
    return (open.filter { isTile($0) == true }, open.filter { isTile($0) == false })
  }

  /// The bundles that are open.
  var openBundles: [OpenBundle] { opened.withLock { Array($0.values) } }

  /// The row of a bundle; `nil` if the release has none, or the list of its family is not stored.
  func row(_ name: BundleName) -> BundleRow? {
    if let row = index.rows[name] { return row }
    return name.family.flatMap { rows(ofFamily: $0)?[name] }
  }

  /// The rows of a split bundle; `nil` if its list is not on the shelf.
  func rows(ofFamily family: BundleName) -> [BundleName: BundleRow]? {
    parts(ofFamily: family)?.rows
  }

  /// The parts of a split bundle; `nil` if their list is not on the shelf.
  func parts(ofFamily family: BundleName) -> SiteParts? {
    if let known = parts.withLock({ $0[family] }) { return known }
    guard let list = index.lists[family], let bytes = shelf.bytes(of: list),
      let found = try? SiteParts(bytes, of: family, ending: config.ending)
    else { return nil }
    parts.withLock { $0[family] = found }
    return found
  }

  /// The next moments at which bundles change, with the parts of split ones whose lists were read.
  var changes: [Instant] {
    index.changes
      + parts.withLock { $0.values.flatMap(\.rows.values).compactMap(\.changes) }
  }

  /// The object with a bundle's content for this reader; `nil` if the index contains the content.
  func object(of name: BundleName) -> BundleRow.Version? {
    guard let row = row(name) else { return nil }
    return isInIndex(name, by: row) ? nil : row.version(for: reader)
  }

  private func isInIndex(_ name: BundleName, by row: BundleRow) -> Bool {
    row.isOwn(for: reader) && index.startup(name) != nil
  }

  /// Returns the content of a bundle, which is open afterwards only if it was before: a part that is
  /// open counts as one that the app has loaded.
  func openForAMoment(_ name: BundleName) -> OpenBundle? {
    opened.withLock { $0[name] } ?? open(name)
  }

  private func open(_ name: BundleName) -> OpenBundle? {
    guard let row = row(name) else { return nil }
    if row.isOwn(for: reader), let document = index.startup(name) {
      return OpenBundle(name, in: document, row: row)
    }
    let object = row.version(for: reader).object
    guard let bytes = shelf.bytes(of: object), let document = try? Document(bytes) else {
      return nil
    }
    shelf.storage.noteUse(of: object)
    return OpenBundle(name, in: document, row: row)
  }
}

extension ContentError {
  /// Runs work whose errors mean that something cannot be read.
  static func damaged<Result>(
    _ what: String, during work: () throws -> Result
  ) throws(ContentError) -> Result {
    do { return try work() } catch let error as ContentError { throw error } catch {
      throw ContentError(.damaged, because: "\(what) cannot be read: \(error)")
    }
  }
}
