package import ContentModel

/// The changes that readers see from one content to another.
package struct ReleaseDiff: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case added, removed, changed
  }

  /// An entry that some reader sees differently.
  package struct EntryChange: Sendable {
    package var id: String
    package var kind: Kind
    /// All kinds of change: some readers may lose the entry while others get it.
    package var kinds: Set<Kind>
    /// The affected contexts in order, such as `fr-CA/ipad`.
    package var contexts: [String]
    /// The changed fields, if the entry exists before and after the change.
    package var fields: [FieldChange]
  }

  /// One field of an entry, or a member of it, that differs in some contexts.
  package struct FieldChange: Hashable, Sendable {
    /// The field's path, such as `badges[new].label`.
    package var path: String
    package var old: Value?
    package var new: Value?
    package var contexts: [String]
  }

  /// The error that is thrown when more objects differ than a comparison may read.
  package struct TooMuch: Error {}

  /// The changed entries, ordered by id.
  package var entries: [EntryChange]
  /// The uncompressed bytes that a reader of each context fetches: its index and the changed
  /// bundles.
  package var bytesByContext: [(context: String, bytes: Int)]
  /// The objects that only the new content has.
  package var newObjects: [ReleaseObject]
  /// The new objects by kind, if they were requested; a publication sends those that no other
  /// channel has put at the target.
  package var sent: [SentPart]

  /// Returns the number of entries with a kind of change.
  package func count(_ kind: Kind) -> Int { entries.count { $0.kind == kind } }

  /// `false` if the target lacks objects of the old content: the entries that they show are left out.
  package var isComplete: Bool

  /// `true` if no reader sees a change.
  package var isEmpty: Bool { entries.isEmpty && bytesByContext.isEmpty }
}

extension ReleaseDiff {
  /// Compares the content of two releases; `old` is `nil` if nothing is live.
  ///
  /// Reads only indexes and bundles that differ, and at most `limit` of the old ones. With
  /// `skipsMissing`, it leaves out the entries of old objects that the target lacks.
  ///
  /// - Throws: `TooMuch` if more than `limit` would have to be read; `DeliveryError` or
  ///   `TargetError` if an object cannot be read.
  package init(
    from old: ReleaseContent?, to new: ReleaseContent, limit: Int = .max,
    skipsMissing: Bool = false, explainsSent: Bool = false
  ) throws {
    var collector = DiffCollector(from: old, to: new, limit: limit, skipsMissing: skipsMissing)
    try collector.run()
    entries = collector.changes
    bytesByContext = collector.bytes
    isComplete = collector.isComplete
    let before = Set(old?.objects ?? [])
    newObjects = new.objects.filter { !before.contains($0) }
    sent = explainsSent ? try Self.sent(newObjects, of: collector.new) : []
  }
}
