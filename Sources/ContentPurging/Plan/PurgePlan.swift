import PropertyLists
import ContentModel
package import ContentReleases

/// The effect of a purge on a live release.
package struct PurgePlan: Sendable {
  /// The release that readers get.
  package var content: ReleaseContent
  /// The release whose content this is, where it is an earlier one as it was.
  package var of: Int?
  /// Entries that go or change, with the readers who see it, by id.
  package var entries: [(id: String, contexts: [ReleaseContext])]
  /// The entries from whose lists an item is removed.
  package var unlisted: [String]
  /// The objects to remove at the target once no reader needs them.
  package var gone: [ReleaseObject]
  /// The contents that must not be published again.
  package var contents: [PurgedContent]
  /// The release that is restored from, if it is a single one.
  package var restoredFrom: Int?
  /// By id, in order: the releases that an entry is restored from, the latest first.
  package var sources: [(id: String, releases: [Int])] = []
  /// By id, in order: bundles that had it and go on without it, since it did not stand there in the
  /// release restored from.
  package var withdrawn: [(id: String, bundles: [String])] = []

  /// The readers who see any of it.
  package var contexts: [ReleaseContext] { Set(entries.flatMap(\.contexts)).sorted() }
}

/// Plans purges of a channel's live release.
package struct PurgePlanner: Sendable {
  let place: ChannelPlace
  package let live: LiveRelease
  package let reader: ReleaseReader

  package init(_ place: ChannelPlace, _ live: LiveRelease) {
    (self.place, self.live) = (place, live)
    reader = ReleaseReader(live.content(at: place.target))
  }

  /// Plans one.
  ///
  /// - Throws: `DeliveryError` where nothing live is meant, or where readers would be left with a
  ///   release that is broken; `TargetError`.
  package func plan(_ order: PurgeOrder) throws -> PurgePlan {
    switch order.subject {
    case .entries(let ids): try plan(order, ids)
    case .release(let number): try plan(ofRelease: number)
    case .asset(let digest): try plan(order, asset: digest)
    }
  }

  private func plan(_ order: PurgeOrder, _ ids: [String]) throws -> PurgePlan {
    let edit = edit(order)
    let edits = Dictionary(ids.map { ($0, edit) }) { first, _ in first }
    // Entries that are removed completely need no comparison, which takes time while readers wait.
    if case .nothing = order.remedy, order.fields.isEmpty {
      return try plan(order, edits, restoring: Restoration())
    }
    let now = try shown(ids, try contexts(order.locales), reader)
    switch order.remedy {
    case .restoration: return try plan(order, edits, restoring: try restoration(now, ids, order))
    case .replacement(let fields):
      // An entry that a purge took away is replaced in the form in which it would come back.
      let away = ids.filter { id in !now.values.contains { $0[id] != nil } }
      let earlier = away.isEmpty ? Restoration() : try restoration([:], away, order)
      try check(fields, now.merging(earlier.shown) { old, _ in old })
      return try plan(order, edits, restoring: earlier)
    case .nothing: try check(order.fields, now)
    }
    return try plan(order, edits, restoring: Restoration())
  }

  private func edit(_ order: PurgeOrder) -> EntryEdit {
    switch order.remedy {
    case .nothing: order.fields.isEmpty ? .remove : .removeFields(order.fields)
    case .restoration: order.fields.isEmpty ? .restore : .restoreFields(order.fields)
    case .replacement(let fields): .replaceFields(fields)
    }
  }

  func plan(
    // String keys: ids are ASCII
    _ order: PurgeOrder, _ edits: [String: EntryEdit], restoring earlier: Restoration
  ) throws -> PurgePlan {
    let editor = ReleaseEditor(
      live: reader, edit: BundleEdit(edits: edits, leavesReferences: order.leavesReferences),
      earlier: earlier,
      contexts: try contexts(order.locales))
    let outcome = try editor.run()
    guard !outcome.changes.isEmpty else {
      throw DeliveryError(
        .unknown,
        "nothing to purge: release \(live.number) of '\(place.channel)' shows none of it to these readers"
      )
    }
    try refuseDangling(outcome)
    let release = try EditedRelease(outcome, of: reader, earlier: earlier)
    var plan = PurgePlan(
      content: release.content,
      entries: outcome.contexts.sorted { $0.key.precedesInBytes($1.key) }.map {
        ($0.key, $0.value.sorted())
      },
      unlisted: outcome.unlisted.sorted { $0.precedesInBytes($1) },
      // If entries only come back, none of the live objects is bad.
      gone: outcome.changes.values.joined().allSatisfy { $0.old == nil } ? [] : release.gone,
      contents: try contents(of: outcome, order), restoredFrom: earlier.onlyRelease)
    plan.sources = plan.entries.map { ($0.id, earlier.numbers(of: $0.id).sorted(by: >)) }.filter {
      !$0.1.isEmpty
    }
    plan.withdrawn = outcome.withdrawn.sorted { $0.key.precedesInBytes($1.key) }.map {
      ($0.key, $0.value.sorted())
    }
    return plan
  }

  private func refuseDangling(_ outcome: ReleaseEditor.Outcome) throws {
    let fields = outcome.dangling.map { "'\($0.field)' of \($0.entry)" }.sorted {
      $0.precedesInBytes($1)
    }
    guard let first = fields.first else { return }
    let others = fields.count > 1 ? " and \(fields.count - 1) other fields name" : " names"
    throw DeliveryError(
      .refused,
      "\(first)\(others) what is to go; nothing was changed; --restore or --replace keeps the entry, --leave-references "
        + "removes it all the same")
  }

  private func contents(of outcome: ReleaseEditor.Outcome, _ order: PurgeOrder) throws
    -> [PurgedContent]
  {
    var fields: [FieldPath?] = order.fields
    if case .replacement(let replaced) = order.remedy {
      fields = replaced.map { FieldPath([$0.name]) }
    }
    if fields.isEmpty { fields = [nil] }
    // What other readers go on seeing is not to be refused.
    let ids = outcome.changes.keys.sorted { $0.precedesInBytes($1) }
    let others = Set(reader.contexts).subtracting(try contexts(order.locales)).sorted()
    let stays = try shown(ids, others, reader)
    let earlier = try earlierForms(of: ids, order)
    return ids.flatMap { id in
      let changes = outcome.changes[id] ?? []
      let kept = changes.compactMap(\.new) + stays.values.flatMap { ($0[id] ?? [:]).values }
      return fields.map { field in
        let shown = Set(changes.compactMap { $0.old.flatMap { PurgedContent.hash(of: $0, field) } })
        let hashes = shown.union(earlier[id] ?? [])
        return PurgedContent(
          entry: id, field: field,
          hashes: hashes.subtracting(kept.compactMap { PurgedContent.hash(of: $0, field) }))
      }
    }.filter { !$0.hashes.isEmpty }
  }

  /// Returns the earlier content of removed entries, if the order takes it, too.
  private func earlierForms(
    of ids: [String], _ order: PurgeOrder
  ) throws -> [String: Set<Digest>] {  // String keys: ids are ASCII
    guard order.takesHistory else { return [:] }
    return try EarlierForms(
      of: ids, for: order.locales.isEmpty ? nil : try contexts(order.locales), place
    ).hashes
  }

  /// Returns the contexts whose locale or fallback chain has one of some locales; the source locale
  /// selects only itself.
  func contexts(_ locales: [String]) throws -> [ReleaseContext] {
    if locales.isEmpty { return reader.contexts }
    let source = live.members["sourceLocale"]?.text
    let chains = live.members["locales"]?.members ?? Members()
    let contexts = reader.contexts.filter { context in
      let chain = (chains[context.locale]?.items ?? []).compactMap(\.text).filter { $0 != source }
      return locales.contains { $0 == context.locale || chain.contains($0) }
    }
    if !contexts.isEmpty { return contexts }
    throw DeliveryError(
      .unknown,
      "no reader of '\(place.channel)' has a locale of \(locales.joined(separator: ", ")); it has "
        + chains.map(\.key).joined(separator: ", "))
  }

  /// Returns the form in which readers get some entries.
  func shown(_ ids: [String], _ contexts: [ReleaseContext], _ reader: ReleaseReader) throws
    -> ShownEntries
  {
    let wanted = Set(ids)
    let holders = try ids.compactMap(reader.holders).reduce(into: Set<Digest>()) {
      $0.formUnion($1)
    }
    var shown: ShownEntries = [:]
    for context in contexts {
      for row in try reader.rows(context) where holders.contains(row.object) {
        for (id, entry) in try reader.entries(of: row.object) where wanted.contains(id) {
          shown[context, default: [:]][id, default: [:]][row] = entry
        }
      }
    }
    return shown
  }
}
