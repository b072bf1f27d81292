public import ContentModel
import PropertyLists
import SiteFormat

/// The content of one release for one reader.
///
/// A screen that keeps a snapshot never sees two releases mixed. Entries appear and disappear in it
/// by their dates and lifetimes, and a purge hides the purged entries in it.
///
/// ```swift
/// let snapshot = client.snapshot
/// for product in snapshot.entries(in: "catalog") { show(product["title"]?.text) }
/// ```
public struct ContentSnapshot: Sendable {
  /// The age of the content.
  ///
  /// ```swift
  /// if case .fresh(let end) = client.snapshot.freshness { show(end) }
  /// ```
  public enum Freshness: Hashable, Sendable {
    /// The server said less than the channel's `ttl` ago that this is the newest content, or that
    /// the newest is a release in place of which this is shown, since it ended the app twice.
    case fresh(until: Instant)
    /// The content may not be the newest; the device may be online nevertheless.
    ///
    /// `since` is the end of `ttl`, the end of the signed proof that this is the newest content, or
    /// the last check, if a newer release is known that is not shown yet; `nil` without content or
    /// before the first check.
    case stale(since: Instant?)
  }

  let hold: SnapshotHold?
  let visibility: Visibility
  let loader: (any BundleLoading)?

  var content: Release? { hold?.release }

  /// The number of the release; 0 without content.
  ///
  /// ```swift
  /// log("release \(snapshot.release)")
  /// ```
  public var release: Int { content?.number ?? 0 }

  /// The name of the release in steps whose next content this is; `nil` for stable content.
  ///
  /// ```swift
  /// if let rollout = snapshot.rollout { log("next content of \(rollout)") }
  /// ```
  public var rollout: String? {
    content.flatMap { $0.config.isNext ? $0.config.rollout?.name : nil }
  }

  /// The age of the content.
  ///
  /// ```swift
  /// if case .stale(let since) = snapshot.freshness { show(since) }
  /// ```
  public var freshness: Freshness {
    let rules = visibility.current
    guard let content, let lastCheck = rules.lastCheck else { return .stale(since: nil) }
    if rules.isFormer(content) { return .stale(since: lastCheck.now) }
    if rules.lacksObjects || rules.newest.map({ content.number < $0 }) ?? false {
      return .stale(since: lastCheck.now)
    }
    let now = visibility.clock.moment
    let time = visibility.verificationClock.now
    if let end = rules.verifiedUntil, max(time, rules.latestIssued ?? time) >= end {
      return .stale(since: end)
    }
    let end = lastCheck.advanced(by: Double(content.config.ttl)).now
    guard let age = now.seconds(since: lastCheck), age < Double(content.config.ttl) else {
      return .stale(since: end)
    }
    return .fresh(until: min(end, rules.verifiedUntil ?? end))
  }

  /// The tag of the language (BCP 47) that was chosen for the reader; `nil` without content.
  ///
  /// ```swift
  /// let isTranslated = snapshot.locale == "fr"
  /// ```
  public var locale: String? { content?.served.locale.text }

  /// The tags of the languages that the release has (BCP 47), sorted; empty without content.
  ///
  /// ```swift
  /// for language in snapshot.locales { show(language) }
  /// ```
  public var locales: [String] { content?.config.locales ?? [] }

  /// The names of all bundles, split or not; sorted.
  ///
  /// ```swift
  /// let missing = snapshot.bundles.filter { !snapshot.isStored($0) }
  /// ```
  public var bundles: [BundleName] { content?.index.names ?? [] }

  /// The time by which dates are judged.
  var now: Instant { visibility.clock.now }

  /// Returns an entry; `nil` if it is not shown now, or its bundle is not stored.
  ///
  /// Several bundles may have an entry, each with some of its fields. Without `bundle`, it is read
  /// from a loaded part of a split bundle, otherwise from the stored bundle in which it has the
  /// most fields; among equal ones, from the first by name.
  ///
  /// ```swift
  /// let rose = snapshot.entry(product.id, in: "catalog")
  /// ```
  public func entry(_ id: EntryID, in bundle: BundleName? = nil) -> Entry? {
    guard let content else { return nil }
    let (rules, moment) = (visibility.current, visibility.clock.moment)
    func isShown(_ node: EntryNode) -> Bool { rules.shows(node, of: content, at: moment) }
    let node =
      if let bundle {
        content.entry(id, in: bundle).flatMap { isShown($0) ? $0 : nil }
      } else {
        content.entry(id, where: isShown)
      }
    return node.map { Entry(node: $0, snapshot: self) }
  }

  /// Returns the entry with the id of a text; `nil` also if the text is no id.
  ///
  /// ```swift
  /// let rose = snapshot.entry("product/\(name)")
  /// ```
  public func entry(_ id: String, in bundle: BundleName? = nil) -> Entry? {
    EntryID(id).flatMap { entry($0, in: bundle) }
  }

  /// Returns entries of a bundle that are shown now: those that `condition` selects, sorted or in
  /// the bundle's order, and at most `limit` of them; none if the bundle is not stored.
  ///
  /// Of a split bundle, these are the entries of all stored parts, in the order of the parts'
  /// names. Texts sort by their bytes: for an order by a language's rules, sort the result.
  ///
  /// ```swift
  /// let red = snapshot.entries(
  ///   in: "catalog", where: { $0["tags"]?.items?.contains("red") == true },
  ///   sort: [.ascending("price")], limit: 20)
  /// ```
  public func entries(
    in bundle: BundleName, where condition: (Entry) -> Bool = { _ in true },
    sort: [EntrySort] = [], limit: Int? = nil
  ) -> [Entry] {
    guard let content else { return [] }
    let (rules, moment) = (visibility.current, visibility.clock.moment)
    let shown = content.bundles(bundle).flatMap(\.all)
      .filter { rules.shows($0, of: content, at: moment) }
      .map { Entry(node: $0, snapshot: self) }
    let sorted = EntrySort.sorted(shown.filter(condition), by: sort)
    return limit.map { Array(sorted.prefix(max(0, $0))) } ?? sorted
  }

  /// Returns entries of a bundle, decoded: those that `condition` selects, sorted, and at most
  /// `limit` of them.
  ///
  /// Only results are decoded, as by ``Entry/decode(_:)``. An entry that does not match the type is
  /// left out, and reported as ``ContentEvent/undecodable(_:)`` each time.
  ///
  /// ```swift
  /// let cheapest = snapshot.entries(
  ///   Product.self, in: "catalog", sort: [.ascending("price")], limit: 20)
  /// ```
  public func entries<Decoded: Decodable>(
    _ type: Decoded.Type, in bundle: BundleName, where condition: (Entry) -> Bool = { _ in true },
    sort: [EntrySort] = [], limit: Int? = nil
  ) -> [Decoded] {
    let chosen = entries(in: bundle, where: condition, sort: sort)
    var decoded: [Decoded] = []
    for entry in chosen {
      if let limit, decoded.count >= limit { break }
      do { decoded.append(try entry.decode(type)) } catch {
        loader?.report(
          .undecodable(ContentError(.damaged, because: "\(entry.id) in '\(bundle)': \(error)")))
      }
    }
    return decoded
  }

  /// Returns whether a bundle can be read without a request; of a split one, all its parts.
  ///
  /// ```swift
  /// if !snapshot.isStored("product/rose") { showProgress() }
  /// ```
  public func isStored(_ bundle: BundleName) -> Bool {
    content.map { $0.parts(of: bundle).allSatisfy(isOpen) } ?? false
  }

  private func isOpen(_ bundle: BundleName) -> Bool { content?.bundle(bundle) != nil }

  /// Returns the entries of a bundle, which is loaded first if it is not stored.
  ///
  /// Of a split bundle, all parts are loaded; `product/rose` names one of them.
  ///
  /// ```swift
  /// let rose = try await snapshot.entries(loading: "product/rose").first
  /// ```
  ///
  /// - Throws: ``ContentError`` if the release has no such bundle, or it cannot be loaded.
  public func entries(loading bundle: BundleName) async throws(ContentError) -> [Entry] {
    guard let content else { throw ContentError(.missing, because: "there is no content yet") }
    if !isStored(bundle) {
      guard let loader else { throw ContentError(.missing, because: "'\(bundle)' is not stored") }
      try await loader.load([bundle], of: content)
    }
    let (rules, parts) = (visibility.current, content.parts(of: bundle))
    func isWithdrawn(_ part: BundleName) -> Bool {
      content.object(of: part).map { rules.withdraws($0.object, of: content) } ?? false
    }
    // Purged parts are not loaded again.
    guard parts.allSatisfy({ isOpen($0) || isWithdrawn($0) }) else {
      throw ContentError(.missing, because: "release \(release) has no bundle '\(bundle)'")
    }
    let found = entries(in: bundle)
    guard parts.isEmpty || !found.isEmpty || !parts.allSatisfy(isWithdrawn) else {
      throw ContentError(.withdrawn, because: "a purge removed all of bundle '\(bundle)'")
    }
    return found
  }

  /// Returns an entry, whose bundle is loaded first if it is not stored; `nil` if the bundle has no
  /// such entry, or the entry is not shown now.
  ///
  /// Of a bundle that is split by entry, only the part with the entry is loaded. Without `bundle`,
  /// an entry that is stored is returned at once; of one that is not, the lists of split bundles say
  /// where it is. The entries of other bundles are only known once these are stored, so name the
  /// bundle of such an entry.
  ///
  /// ```swift
  /// let rose = try await snapshot.entry(loading: "product/rose")
  /// ```
  ///
  /// - Throws: ``ContentError`` if the release has no such bundle, or it cannot be loaded.
  public func entry(
    loading id: EntryID, in bundle: BundleName? = nil
  ) async throws(ContentError) -> Entry? {
    if let known = entry(id, in: bundle) { return known }
    guard let content else { throw ContentError(.missing, because: "there is no content yet") }
    if let bundle, content.index.lists[bundle] == nil || content.index.tiledBundles.contains(bundle)
    {
      _ = try await entries(loading: bundle)
      return entry(id, in: bundle)
    }
    let splitByEntry = content.index.lists.keys.filter { !content.index.tiledBundles.contains($0) }
    var failure: ContentError?
    for family in bundle.map({ [$0] }) ?? splitByEntry.sorted() {
      do {
        try await loadPart(of: family, for: id, of: content)
      } catch {
        failure = failure ?? error
        continue
      }
      // A part of another bundle may have an entry of another datatype with the same name.
      if let found = entry(id, in: bundle) { return found }
    }
    if let failure { throw failure }
    return nil
  }

  /// Loads the part of a split bundle that may have an entry, if it is not stored.
  private func loadPart(
    of family: BundleName, for id: EntryID, of content: Release
  ) async throws(ContentError) {
    if let loader {
      try await loader.loadList(of: family, of: content)
    } else if content.rows(ofFamily: family) == nil {
      throw ContentError(.missing, because: "the parts of '\(family)' are not stored")
    }
    guard let part = BundleName("\(family.text)/\(id.rest)"), content.row(part) != nil,
      !isStored(part)
    else { return }
    guard let loader else { throw ContentError(.missing, because: "'\(part)' is not stored") }
    try await loader.load([part], of: content)
  }

  /// Returns the entry with the id of a text, whose bundle is loaded first if it is not stored;
  /// `nil` also if the text is no id.
  ///
  /// ```swift
  /// let rose = try await snapshot.entry(loading: "product/\(name)", in: "catalog")
  /// ```
  ///
  /// - Throws: ``ContentError`` if the release has no such bundle, or it cannot be loaded.
  public func entry(
    loading id: String, in bundle: BundleName? = nil
  ) async throws(ContentError) -> Entry? {
    guard let id = EntryID(id) else { return nil }
    return try await entry(loading: id, in: bundle)
  }

  /// Returns the path of an asset's file, which is loaded if it is missing: that of the scale, else
  /// of the next larger one, else of the largest.
  ///
  /// A screen waits for the file, so it is loaded in Low Data Mode, too. For a file that no one
  /// waits for yet, `isVisible` is `false`: it is then not loaded in Low Data Mode.
  ///
  /// No release waits for assets. The file stays while a snapshot of its release is held, unless a
  /// purge removes it. With storage in memory, it is in the system's folder for temporary files,
  /// and removed after client and snapshots.
  ///
  /// ```swift
  /// let path = try await snapshot.file(of: picture, scale: 2)
  /// ```
  ///
  /// - Throws: ``ContentError`` if it was purged, or cannot be loaded.
  public func file(
    of asset: AssetValue, scale: Int = 1, isVisible: Bool = true
  ) async throws(ContentError) -> String {
    guard let hold, let content, let loader, let file = asset.file(scale: scale) else {
      throw ContentError(.missing, because: "there is no such file")
    }
    if visibility.current.withdraws(file.object, of: content) {
      throw ContentError(.withdrawn, because: "the file was purged")
    }
    hold.keep(file.object)
    content.shelf.storage.noteUse(of: file.object)
    if let path = content.shelf.path(of: file.object) { return path }
    try await loader.load(file, of: content, isUrgent: isVisible)
    guard let path = content.shelf.path(of: file.object) else {
      throw ContentError(.storage, because: "the client stores no files")
    }
    return path
  }
}

/// The loading of objects that the shelf lacks.
protocol BundleLoading: Sendable {
  func load(_ bundles: [BundleName], of release: Release) async throws(ContentError)
  func load(
    _ file: AssetValue.Scale, of release: Release, isUrgent: Bool
  ) async throws(ContentError)
  func loadList(of bundle: BundleName, of release: Release) async throws(ContentError)
  func prefetch(_ bundles: [BundleName], of release: Release)
  func report(_ event: ContentEvent)
}
