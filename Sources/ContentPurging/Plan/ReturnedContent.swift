import ContentModel
import ContentReleases

/// The content of missed purges that the live release shows again: a purge removes it, too.
struct ReturnedContent: Sendable {
  /// The parts of one entry that return.
  struct Parts: Sendable {
    var contents: [PurgedContent] = []
    var assets: Set<Digest> = []
    /// `true` if no reader keeps the entry, so that lists of other entries lose it, too.
    var removesEntry = false

    /// Returns an entry without the parts; `nil` if it is removed.
    func removed(from entry: Value) -> Value? {
      let shown = contents.filter { $0.isShown(by: entry) }
      if shown.contains(where: { $0.field == nil }) { return nil }
      let left = EntryEdit.removeFields(shown.compactMap(\.field)).applied(to: entry, earlier: nil)
      return left.flatMap { EntryEdit.removeAssets(assets).applied(to: $0, earlier: nil) }
    }
  }

  /// The parts by id.
  private(set) var parts: [String: Parts] = [:]  // String keys: ids are ASCII
  /// The ids of the entries that return, by the number of the purge that removed them.
  private(set) var purges: [(sequence: Int, ids: [String])] = []
  /// The ids of live entries of purges that do not tell which of their contents was bad: it was
  /// purged for some readers, and others kept it.
  private(set) var unclear: [String] = []

  /// The contents that return.
  var contents: [PurgedContent] {
    parts.sorted { $0.key.precedesInBytes($1.key) }.flatMap(\.value.contents)
  }

  /// The ids of all these entries, in order.
  var ids: [String] { (parts.keys + unclear).sorted { $0.precedesInBytes($1) } }

  init() {}

  /// Finds the content of some purges in a release.
  ///
  /// Reads only bundles that show the entries. Readers cannot get missing objects.
  ///
  /// - Throws: `TargetError`.
  init(of missed: [PurgeManifest], in reader: ReleaseReader) throws {
    for manifest in missed {
      var ids: [String] = []
      if manifest.assets.isEmpty {
        for content in manifest.contents where try note(content, of: manifest, in: reader) {
          ids.append(content.entry)
        }
        if manifest.contents.isEmpty, !manifest.objects.isEmpty {
          unclear += try manifest.entries.filter { try !(reader.holders(of: $0) ?? []).isEmpty }
        }
      } else {
        // The contents of such a purge are those with the asset, and stay without it.
        for asset in manifest.assets where reader.object(asset) != nil {
          let shown = try reader.ids().filter {
            try reader.holders(of: $0)?.contains(asset) ?? false
          }
          for id in shown { parts[id, default: Parts()].assets.insert(asset) }
          ids += shown
        }
      }
      if !ids.isEmpty { purges.append((manifest.sequence, ids.sorted { $0.precedesInBytes($1) })) }
    }
  }

  /// Notes purged content, and returns whether the release shows it.
  private mutating func note(
    _ content: PurgedContent, of manifest: PurgeManifest, in reader: ReleaseReader
  ) throws -> Bool {
    let holders = try reader.holders(of: content.entry) ?? []
    let forms = try holders.sorted().compactMap { digest -> Value? in
      guard reader.object(digest)?.isPropertyList ?? false else { return nil }
      do { return try reader.entries(of: digest)[content.entry] } catch is DeliveryError {
        return nil
      }
    }
    let shown = forms.count(where: content.isShown)
    if shown == 0 { return false }
    parts[content.entry, default: Parts()].contents.append(content)
    if content.field == nil, shown == forms.count,
      !manifest.commandWords.contains("--leave-references")
    {
      parts[content.entry]?.removesEntry = true
    }
    return true
  }
}
