import ContentModel
import PropertyLists
import SiteFormat

/// The comparison of two releases, entry by entry.
struct ReleaseChanges {
  private let old: Release
  private let new: Release

  /// Returns the changed bundles; `nil` if there was no content before.
  ///
  /// A bundle of which one version is not stored may have changed everywhere.
  static func between(_ old: Release?, and new: Release) -> [BundleName: ContentChanges.Extent]? {
    old.map { ReleaseChanges(old: $0, new: new).bundles }
  }

  private var bundles: [BundleName: ContentChanges.Extent] {
    var extents: [BundleName: ContentChanges.Extent] = [:]
    for name in names where !isSame(name) {
      let changes = extent(of: name)
      if changes != .entries(.init()) { extents[name] = changes }
    }
    return extents
  }

  /// The bundles of both, with the parts of split ones as far as their lists are stored.
  private var names: Set<BundleName> {
    var names = Set(old.index.rows.keys).union(new.index.rows.keys)
    for family in Set(old.index.lists.keys).union(new.index.lists.keys)
    where old.index.lists[family] != new.index.lists[family] {
      let parts = [old, new].map { release in
        release.index.lists[family] == nil ? [:] : release.rows(ofFamily: family)
      }
      if let before = parts[0], let after = parts[1] {
        names.formUnion(before.keys)
        names.formUnion(after.keys)
      } else {
        names.insert(family)
      }
    }
    return names
  }

  private func isSame(_ name: BundleName) -> Bool {
    guard let before = old.row(name), let after = new.row(name) else { return false }
    return before.version(for: old.reader).object == after.version(for: new.reader).object
      && before.ttl == after.ttl
  }

  private func extent(of name: BundleName) -> ContentChanges.Extent {
    let (before, after) = (old.bundle(name), new.bundle(name))
    guard before != nil || old.row(name) == nil, after != nil || new.row(name) == nil,
      before != nil || after != nil
    else { return .everything }
    let (earlier, later) = (Set(before?.order ?? []), Set(after?.order ?? []))
    var changes = ContentChanges.EntryChanges()
    changes.inserted = later.subtracting(earlier).sorted()
    changes.deleted = earlier.subtracting(later).sorted()
    changes.updated = later.intersection(earlier).filter {
      isUpdated(before?.entry($0)?.node, to: after?.entry($0)?.node)
    }.sorted()
    return .entries(changes)
  }

  private func isUpdated(
    _ before: BinaryPropertyList.Node?, to after: BinaryPropertyList.Node?
  ) -> Bool {
    // Most entries are unchanged; decoding all of them takes long.
    if let before, let after, before.hasSameBytes(as: after) { return false }
    return before?.contentsIfReadable != after?.contentsIfReadable
  }
}
