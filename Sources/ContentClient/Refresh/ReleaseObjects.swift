import ContentModel
import PropertyLists

/// The objects that a release refers to, as far as they are stored.
struct ReleaseObjects {
  /// All of them.
  private(set) var all: Set<SiteObject> = []
  /// The objects without which the release cannot be shown.
  private(set) var needed: Set<SiteObject> = []

  init(_ release: Release, eager: [BundleName]) {
    let index = release.index
    if let object = release.config.index(release.served) { needed.insert(object) }
    if let texts = release.config.maintenancePayload(release.served) { needed.insert(texts) }
    let names = Requirements.bundles(of: release, eager: eager)
    needed.formUnion(Requirements.lists(of: release, names: names).map(\.object))
    needed.formUnion(Requirements.objects(of: release, names: names).map(\.object))
    all = needed.union(index.lists.values)
    let families = index.lists.keys.flatMap { release.rows(ofFamily: $0)?.keys.sorted() ?? [] }
    for name in Array(index.rows.keys) + families {
      if let version = release.object(of: name) { all.insert(version.object) }
    }
    // Assets are named inside bundles; those that no stored bundle names are of no use.
    for bundle in release.bundles {
      for entry in bundle.all {
        entry.content?.contentsIfReadable?.collectAssets(into: &all)
      }
    }
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
