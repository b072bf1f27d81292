import ContentModel
import ContentReleases

/// The readers to whom a release shows purged content again.
struct PurgedReaders {
  private let reader: ReleaseReader
  private let purged: PurgedContent
  private let holders: Set<Digest>

  init(of purged: PurgedContent, in reader: ReleaseReader) throws {
    (self.reader, self.purged) = (reader, purged)
    holders = try reader.holders(of: purged.entry) ?? []
  }

  /// Returns the readers without a correction: the bad content may have been in any of the bundles
  /// from which the purge removed it.
  func uncorrectedContexts() throws -> [ReleaseContext] {
    try reader.contexts.filter(isUncorrected)
  }

  private func isUncorrected(_ context: ReleaseContext) throws -> Bool {
    let rows: [ReleasedBundle]
    do {
      rows = try reader.rows(context).filter { holders.contains($0.object) }
    } catch is DeliveryError {
      // A missing object was removed because of its content.
      return !holders.isEmpty
    }
    // Each variant counts by itself, since a reader in France gets only the entries for France.
    return try Set(rows.map(\.variant)).contains { variant in
      let others = Set(rows.filter { $0.variant == variant }.map(\.bundle))
      let own = rows.filter {
        $0.variant == variant || $0.variant.isEmpty && !others.contains($0.bundle)
      }
      let shown = try own.compactMap { row in try isShown(row, to: context) }
      return shown.contains(true) && !shown.contains(false)
    }
  }

  /// Returns whether a bundle shows the purged content; `nil` if it lacks the entry or the field, or
  /// if the purge left its form as it was.
  private func isShown(_ row: ReleasedBundle, to context: ReleaseContext) throws -> Bool? {
    do {
      guard let entry = try reader.entries(of: row.object)[purged.entry],
        let hash = PurgedContent.hash(of: entry, at: purged.field)
      else { return nil }
      if purged.hashes.contains(hash) { return true }
      return purged.isRemoved(from: row, for: context) ? false : nil
    } catch is DeliveryError { return true }
  }
}
