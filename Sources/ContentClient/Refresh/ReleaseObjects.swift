import ContentModel
import SiteFormat

/// The objects of a release, without assets, as far as they are known.
struct ReleaseObjects {
  /// All of them.
  private(set) var all: Set<SiteObject> = []
  /// The objects without which the release cannot be shown, and the lists of split bundles.
  private(set) var needed: Set<SiteObject> = []
  /// The index, and the lists of split bundles.
  private(set) var directories: Set<SiteObject> = []
  /// The bundles that are objects of their own.
  private(set) var bundles: [BundleName: SiteObject] = [:]

  init(_ release: Release, eager: [BundleName]) {
    let index = release.index
    // Without its list, no stored part of a split bundle would be known.
    directories = Set(index.lists.values)
    if let object = release.config.index(release.served) { directories.insert(object) }
    needed = directories
    if let texts = release.config.maintenancePayload(release.served) { needed.insert(texts) }
    let names = Requirements.bundles(of: release, eager: eager)
    needed.formUnion(Requirements.objects(of: release, names: names).map(\.object))
    for name in index.rows.keys { bundles[name] = release.object(of: name)?.object }
    for family in index.lists.keys {
      for (name, row) in release.rows(ofFamily: family) ?? [:] {
        bundles[name] = row.version(for: release.reader).object
      }
    }
    all = needed.union(bundles.values)
  }

  /// Returns the assets that the stored bundles of a release name; all of them are read.
  static func assets(of release: Release) -> Set<SiteObject> {
    var names = Array(release.index.rows.keys)
    for family in release.index.lists.keys { names += (release.rows(ofFamily: family) ?? [:]).keys }
    var found: Set<SiteObject> = []
    for bundle in names.compactMap({ release.bundle($0) }) {
      for entry in bundle.all { entry.content?.contentsIfReadable?.collectAssets(into: &found) }
    }
    return found
  }
}

extension Value {
  /// Adds the files of assets in this value.
  fileprivate func collectAssets(into found: inout Set<SiteObject>) {
    if let asset = AssetValue(self) {
      found.formUnion(asset.scales.compactMap { asset.file(scale: $0)?.object })
    }
    switch self {
    case .array(let items): for item in items { item.collectAssets(into: &found) }
    case .dictionary(let members): for (_, value) in members { value.collectAssets(into: &found) }
    default: break
    }
  }
}
