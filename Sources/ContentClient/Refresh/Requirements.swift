import ContentModel
import PropertyLists
import SiteFormat

/// The objects that a release needs before it is shown.
struct Requirements: Sendable {
  /// An object with the most bytes that it may have.
  struct Item: Hashable, Sendable {
    var object: SiteObject
    var size: Int
    /// `true` if the size is that of the object, not a limit.
    var isExact: Bool
    /// The recipe of the object, which takes fewer bytes.
    var recipe: BundleRow.RecipeFile?
  }

  /// An object that arrived, with the right hash.
  struct Arrived: Sendable {
    var item: Item
    var bytes: [UInt8]
    /// The number of decoded bytes that the site sent: those of a recipe are others.
    var receivedCount: Int
  }

  /// The startup bundles, and those that the app asked for.
  static func bundles(of release: Release, eager: [BundleName]) -> [BundleName] {
    var names = release.index.startupNames
    for name in eager where !names.contains(name) { names.append(name) }
    return names
  }

  /// The list of a split bundle that one of the names is, or is a part of.
  static func lists(of release: Release, names: [BundleName]) -> [Item] {
    Set(
      names.compactMap { release.index.lists[$0] ?? $0.family.flatMap { release.index.lists[$0] } }
    )
    .map { Item(object: $0, size: LimitedPart.Kind.list.limit, isExact: false) }
    .sorted { $0.object.digest < $1.object.digest }
  }

  /// The objects of bundles, whose lists are on the shelf; for a split bundle, those of all parts.
  static func objects(of release: Release, names: [BundleName]) -> [Item] {
    let parts = names.flatMap { release.rows(ofFamily: $0)?.keys.sorted() ?? [$0] }
    var seen: Set<SiteObject> = []
    return parts.compactMap { release.object(of: $0) }.filter { seen.insert($0.object).inserted }
      .map { Item(object: $0.object, size: $0.size, isExact: true, recipe: $0.recipe) }
  }

  /// Returns whether a config can be shown, and its maintenance, without a request.
  static func areMet(by config: SiteConfig, as release: Release?, eager: [BundleName]) -> Bool {
    guard let release, let index = config.index(release.served), release.shelf.holds(index) else {
      return false
    }
    let shelf = release.shelf
    if let payload = config.maintenancePayload(release.served), !shelf.holds(payload) {
      return false
    }
    let names = bundles(of: release, eager: eager)
    return lists(of: release, names: names).allSatisfy { shelf.holds($0.object) }
      && objects(of: release, names: names).allSatisfy { shelf.holds($0.object, size: $0.size) }
      && isWhole(release, eager: eager)
  }

  /// Returns whether the bundles that a release needs are on the shelf.
  ///
  /// With rules, a release that was whole once may lack the bundles whose entries were all purged:
  /// a purge removes them at once. `wasWhole` is `true` if it was whole for the same reader.
  static func isWhole(
    _ release: Release, eager: [BundleName], besidesPurgedBy rules: Visibility.Rules? = nil,
    wasWhole: Bool = false
  ) -> Bool {
    bundles(of: release, eager: eager).allSatisfy { name in
      if hasObjects(of: name, in: release) { return true }
      guard let rules else { return false }
      return release.parts(of: name).allSatisfy { part in
        hasObjects(of: part, in: release)
          || isPurged(part, of: release, by: rules, wasWhole: wasWhole)
      }
    }
  }

  /// Returns whether a purge withdrew all entries of a bundle or part, and the object itself.
  private static func isPurged(
    _ part: BundleName, of release: Release, by rules: Visibility.Rules, wasWhole: Bool
  ) -> Bool {
    guard let object = release.object(of: part)?.object, rules.withdraws(object, of: release) else {
      return false
    }
    // Bundles with other entries are still there.
    if wasWhole, !rules.isSwept { return true }
    guard let family = part.family, !release.index.tiledBundles.contains(family) else {
      return false
    }
    return rules.hidden.keys.contains { id in
      rules.withdraws(id, of: release) && BundleName("\(family.text)/\(id.rest)") == part
    }
  }

  /// Returns the bundles that a release needs and the shelf lacks.
  static func missingBundles(of release: Release, eager: [BundleName]) -> [BundleName] {
    bundles(of: release, eager: eager).filter { !hasObjects(of: $0, in: release) }
  }

  private static func hasObjects(of bundle: BundleName, in release: Release) -> Bool {
    lists(of: release, names: [bundle]).allSatisfy { release.shelf.contains($0.object) }
      && objects(of: release, names: [bundle]).allSatisfy {
        release.shelf.contains($0.object, size: $0.size)
      }
  }
}

/// Sizes that only the client limits; `LimitedPart` has those that publishing limits, too.
enum Limits {
  /// The most bytes of all objects that a release needs before it is shown, and of bundles that an
  /// app asks for at a time: wrong sizes must not fill the disk.
  static let releaseBytes = 256 << 20
  /// The most bytes of an asset, whose rows have its size.
  static let assetBytes = 256 << 20
  /// The most numbers between a release or a purge and the highest seen one, in channels without
  /// keys.
  static let numberLead = 1_000_000
}
