package import ContentReleases

/// The effect of a purge on a live release.
///
/// `PurgePlanner` makes it of a `PurgeOrder`.
package struct PurgePlan: Sendable {
  /// The release that readers get.
  package var content: ReleaseContent
  /// The number of the earlier release whose unchanged content this is; `nil` for new content.
  package var contentRelease: Int?
  /// The removed and changed entries with the contexts that show them, ordered by id.
  package var entries: [(id: String, contexts: [ReleaseContext])]
  /// The entries from whose lists an item is removed.
  package var unlisted: [String]
  /// The fields of other entries that still refer to a removed entry, ordered by id.
  package var referring: [(id: String, field: String)] = []
  /// The objects to remove at the target once no reader needs them.
  package var gone: [ReleaseObject]
  /// The contents that must not be published again.
  package var contents: [PurgedContent]
  /// The contents of the named entries that readers keep or get instead.
  var given: [PurgedContent] = []
  /// The release from which entries are restored, if it is a single one.
  package var restoredFrom: Int?
  /// The releases from which each entry is restored, the latest first, ordered by id.
  package var sources: [(id: String, releases: [Int])] = []
  /// The differences that a restoration makes for readers, ordered by id; empty for other purges.
  package var changes: [ReleaseDiff.EntryChange] = []
  /// The bundles that lose a restored entry, because they lacked it in the earlier release, ordered
  /// by id.
  package var withdrawn: [(id: String, bundles: [String])] = []
  /// The contexts in which entries are not restored, because every kept release has only a
  /// purged form of them, ordered by id.
  package var unrestored: [(id: String, contexts: [ReleaseContext])] = []
  /// The removed assets without which later forms of restored entries cannot return.
  package var removedAssets: [RemovedAsset] = []

  /// The fields whose removed values readers of other locales keep, ordered by id.
  package var kept: [(id: String, fields: [String], contexts: [ReleaseContext])] = []
  /// The assets of removed entries that stay, because other entries show them.
  package var shared: [SharedAsset] = []

  /// An asset that an entry and others show.
  package struct SharedAsset: Sendable {
    package var object: ReleaseObject
    /// The path of a file with the same bytes; `nil` if there is none, and for all but the first asset.
    package var file: String?
    /// The ids of the other entries, in order of the release.
    package var entries: [String]
  }

  /// The contexts that show a removed or changed entry.
  package var contexts: [ReleaseContext] { Set(entries.flatMap(\.contexts)).sorted() }
}
