import ContentModel
package import ContentReleases
import PropertyLists

/// Plans purges of a channel's live release.
package struct PurgePlanner: Sendable {
  let place: ChannelPlace
  package let live: LiveRelease
  package let reader: ReleaseReader
  package let list: PurgeList
  let localAsset: RemovedAsset.Search

  /// Creates a planner for the live release of a channel; `localAsset` searches for the files of
  /// removed assets.
  package init(
    _ place: ChannelPlace, live: LiveRelease, list: PurgeList,
    localAsset: @escaping RemovedAsset.Search = { _ in nil }
  ) {
    (self.place, self.live, self.list, self.localAsset) = (place, live, list, localAsset)
    reader = ReleaseReader(live.content(at: place.target))
  }

  /// Plans a purge.
  ///
  /// - Throws: `DeliveryError` if the order affects nothing live, or if readers would get a broken
  ///   release; `ReplacementRefusal`; `TargetError`.
  package func plan(_ order: PurgeOrder) throws -> PurgePlan {
    switch order.subject {
    case .entries(let ids): try planEntries(ids, of: order)
    case .release(let number): try planRelease(number)
    case .asset(let digest): try planAsset(digest, of: order)
    }
  }

  private func planEntries(_ ids: [String], of order: PurgeOrder) throws -> PurgePlan {
    let edit = edit(order)
    let edits = Dictionary(ids.map { ($0, edit) }) { first, _ in first }
    // Entries that are removed completely need no comparison, which takes time while readers wait.
    if case .nothing = order.remedy, order.fields.isEmpty {
      return try editRelease(for: order, edits: edits, restoring: Restoration())
    }
    let now = try shown(ids, for: try contexts(order.locales), in: reader)
    switch order.remedy {
    case .restoration:
      return try editRelease(
        for: order, edits: edits, restoring: try restoration(of: ids, now: now, for: order))
    case .replacement(let fields):
      // A purged entry is replaced in the form that a restoration would give it.
      let away = ids.filter { id in !now.values.contains { $0[id] != nil } }
      let earlier =
        away.isEmpty ? Restoration() : try restoration(of: away, now: [:], for: order)
      try check(fields, in: now.merging(earlier.shown) { $0.merging($1) { old, _ in old } })
      return try editRelease(for: order, edits: edits, restoring: earlier)
    case .nothing: try check(order.fields, in: now)
    }
    return try editRelease(for: order, edits: edits, restoring: Restoration())
  }

  private func edit(_ order: PurgeOrder) -> EntryEdit {
    switch order.remedy {
    case .nothing: order.fields.isEmpty ? .remove : .removeFields(order.fields)
    case .restoration: order.fields.isEmpty ? .restore : .restoreFields(order.fields)
    case .replacement(let fields): .replaceFields(fields)
    }
  }

  func editRelease(
    for order: PurgeOrder, edits: [String: EntryEdit], restoring earlier: Restoration
  ) throws -> PurgePlan {
    let editor = ReleaseEditor(
      live: reader,
      edit: BundleEdit(edits: edits),
      earlier: earlier,
      contexts: try contexts(order.locales))
    let outcome = try editor.run()
    guard !outcome.changes.isEmpty else {
      throw DeliveryError(
        .unknown,
        "nothing to purge: release \(live.number) of '\(place.channel)' shows none of it to these readers"
      )
    }
    let release = try EditedRelease(outcome, of: reader, earlier: earlier)
    var plan = PurgePlan(
      content: release.content,
      entries: outcome.contexts.sorted { $0.key.precedesInBytes($1.key) }.map {
        ($0.key, $0.value.sorted())
      },
      unlisted: outcome.unlisted.sorted { $0.precedesInBytes($1) },
      // If entries are only restored, none of the live objects is bad.
      gone: outcome.changes.values.joined().allSatisfy { $0.old == nil } ? [] : release.gone,
      contents: try contents(of: outcome, edits: edits, for: order),
      restoredFrom: earlier.onlyRelease)
    plan.given = try given(by: outcome, edits: edits, for: order, without: plan.contents)
    plan.sources = plan.entries.map { ($0.id, earlier.numbers(of: $0.id).sorted(by: >)) }.filter {
      !$0.1.isEmpty
    }
    plan.referring = outcome.referring.sorted { ($0.entry, $0.field) < ($1.entry, $1.field) }.map {
      ($0.entry, $0.field.text)
    }
    plan.unrestored = earlier.unrestored
    plan.removedAssets = earlier.removedAssets
    plan.withdrawn = outcome.withdrawn.sorted { $0.key.precedesInBytes($1.key) }.map {
      ($0.key, $0.value.sorted())
    }
    return plan
  }

  /// Returns the contents that an edit removes, without those that other readers keep.
  private func contents(
    of outcome: ReleaseEditor.Outcome, edits: [String: EntryEdit], for order: PurgeOrder
  ) throws -> [PurgedContent] {
    let fields = order.purgedFields
    let ids = outcome.changes.keys.filter { edits[$0] != nil }.sorted { $0.precedesInBytes($1) }
    let others = Set(reader.contexts).subtracting(try contexts(order.locales)).sorted()
    let stays = try shown(ids, for: others, in: reader)
    let earlier = try earlierForms(of: ids, for: order)
    return ids.flatMap { id in
      let changes = outcome.changes[id] ?? []
      let kept = changes.compactMap(\.new) + stays.values.flatMap { ($0[id] ?? [:]).values }
      return fields.map { field in
        let old = changes.compactMap(\.old).compactMap { PurgedContent.hash(of: $0, at: field) }
        let hashes = Set(old).union(earlier[id] ?? [])
        return PurgedContent(
          entry: id, field: field,
          hashes: hashes.subtracting(kept.compactMap { PurgedContent.hash(of: $0, at: field) }))
      }
    }.filter { !$0.hashes.isEmpty }
  }

  /// Returns the contents that readers keep or get of the named entries, also of those that no edit
  /// changes.
  private func given(
    by outcome: ReleaseEditor.Outcome, edits: [String: EntryEdit], for order: PurgeOrder,
    without purged: [PurgedContent]
  ) throws -> [PurgedContent] {
    guard case .entries = order.subject, !order.removesWholeEntries else { return [] }
    let ids = edits.keys.sorted { $0.precedesInBytes($1) }
    let live = try shown(ids, for: reader.contexts, in: reader)
    return ids.flatMap { id in
      let old = live.values.flatMap { ($0[id] ?? [:]).values }
      let new = (outcome.changes[id] ?? []).compactMap(\.new)
      return order.purgedFields.map { field in
        let gone = purged.filter { $0.entry == id && $0.field == field }.flatMap(\.hashes)
        let kept = old.compactMap { PurgedContent.hash(of: $0, at: field) }
        let got = new.compactMap { PurgedContent.hash(of: $0, at: field) }
        return PurgedContent(
          entry: id, field: field, hashes: Set(kept).subtracting(gone).union(got))
      }
    }
  }

  /// Returns the hashes of the entries' contents in earlier releases, if the order purges them, too.
  private func earlierForms(
    of ids: [String], for order: PurgeOrder
  ) throws -> [String: Set<Digest>] {
    guard order.takesHistory else { return [:] }
    return try EarlierForms(
      of: ids, for: order.locales.isEmpty ? nil : try contexts(order.locales), in: place
    ).hashes
  }

  /// Returns the contexts whose locale or fallback chain has one of some locales; all contexts for
  /// no locales.
  ///
  /// The source locale selects only its own context: every other locale falls back to it.
  ///
  /// - Throws: `DeliveryError` if there is no such context.
  func contexts(_ locales: [String]) throws -> [ReleaseContext] {
    if locales.isEmpty { return reader.contexts }
    let source = live.members["sourceLocale"]?.text
    let chains = live.members["locales"]?.members ?? Members()
    let wanted = Set(names: locales)
    let contexts = reader.contexts.filter { context in
      let chain = (chains[context.locale]?.items ?? []).compactMap(\.text).filter { $0 != source }
      // A pseudo-locale shows the texts of the source locale, and no others.
      let isPseudo = LocaleTag(context.locale)?.isPseudo ?? false
      let shown = [context.locale] + chain + (isPseudo ? [source].compactMap(\.self) : [])
      return shown.contains { wanted.contains($0) }
    }
    if !contexts.isEmpty { return contexts }
    throw DeliveryError(
      .unknown,
      "no reader of '\(place.channel)' has a locale of \(locales.joined(separator: ", ")); it has "
        + chains.map(\.key).joined(separator: ", "))
  }

  /// Returns the forms in which the readers of some contexts get some entries.
  func shown(
    _ ids: [String], for contexts: [ReleaseContext], in reader: ReleaseReader
  ) throws -> ShownEntries {
    try reader.load(contexts)
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
