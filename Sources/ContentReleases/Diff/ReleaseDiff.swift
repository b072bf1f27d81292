package import ContentModel

/// The changes that readers see from one content to another.
package struct ReleaseDiff: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case added, removed, changed
  }

  /// One entry that some reader sees otherwise.
  package struct EntryChange: Sendable {
    package var id: String
    package var kind: Kind
    /// All that happened to it: some readers may lose what others get.
    package var kinds: Set<Kind>
    /// As in `fr-CA/ipad`, in order.
    package var contexts: [String]
    /// Of an entry that is there before and after.
    package var fields: [FieldChange]
  }

  /// One field of an entry, or a member of it, that differs in some contexts.
  package struct FieldChange: Hashable, Sendable {
    /// As in `badges[new].label`.
    package var path: String
    package var old: Value?
    package var new: Value?
    package var contexts: [String]
  }

  /// More objects differ than were to be read.
  package struct TooMuch: Error {}

  /// By id.
  package var entries: [EntryChange]
  /// The uncompressed bytes that a reader of each context fetches: its index and the changed
  /// bundles.
  package var bytesByContext: [(context: String, bytes: Int)]
  /// Objects that the one has and the other has not.
  package var newObjects: [ReleaseObject]
  /// The same by kind, if that was asked for: what a publication sends, where no other channel has
  /// put it at the target.
  package var sent: [SentPart]

  /// Returns the number of entries with a kind of change.
  package func count(_ kind: Kind) -> Int { entries.count { $0.kind == kind } }

  /// `true` if no reader sees a change.
  package var isEmpty: Bool { entries.isEmpty && bytesByContext.isEmpty }
}

extension ReleaseDiff {
  /// Compares contents; `old` is `nil` where nothing is live.
  ///
  /// Only indexes and bundles that differ are read, of the old ones at most `limit`.
  ///
  /// - Throws: `TooMuch` where that is not enough; what reading objects throws.
  package init(
    from old: ReleaseContent?, to new: ReleaseContent, limit: Int = .max, explainsSent: Bool = false
  ) throws {
    var collector = DiffCollector(from: old, to: new, limit: limit)
    try collector.run()
    entries = collector.changes
    bytesByContext = collector.bytes
    let before = Set(old?.objects ?? [])
    newObjects = new.objects.filter { !before.contains($0) }
    sent = explainsSent ? try Self.sent(newObjects, of: collector.new) : []
  }
}
