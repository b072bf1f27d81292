package import ContentModel
package import ContentReleases
import ContentTargets
import Diagnostics
import PropertyLists
import SiteFormat
import System

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
    case .assets(let digests): try planAssets(digests, of: order)
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
      // A replacement needs an entry to edit. If the entry was purged, that is the form that a
      // restoration would give it.
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

  private func editRelease(
    for order: PurgeOrder, edits: [String: EntryEdit], restoring earlier: Restoration
  ) throws -> PurgePlan {
    let editor = ReleaseEditor(
      live: reader,
      edit: BundleEdit(edits: edits),
      earlier: earlier,
      contexts: try contexts(order.locales))
    let outcome = try editor.run()
    guard !outcome.changes.isEmpty else {
      if let plan = try planEarlierForms(besides: outcome, edits: edits, for: order) { return plan }
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
    if order.takesHistory {
      // Of some entries, only earlier releases have a form.
      let ids = Set(edits.keys).subtracting(plan.entries.map(\.id))
      plan.entries += ids.map { ($0, []) }
      plan.entries.sort { $0.id.precedesInBytes($1.id) }
    }
    plan.given = try given(by: outcome, edits: edits, for: order, without: plan.contents)
    plan.shared = try sharedAssets(of: outcome, edits: edits, in: release.content)
    plan.kept = try keptValues(of: outcome, for: order)
    plan.sources = plan.entries.map { ($0.id, earlier.numbers(of: $0.id).sorted(by: >)) }.filter {
      !$0.1.isEmpty
    }
    plan.referring = outcome.referring.sorted { ($0.entry, $0.field) < ($1.entry, $1.field) }.map {
      ($0.entry, $0.field.text)
    }
    plan.changes = Self.differences(outcome)
    plan.unrestored = earlier.unrestored
    plan.removedAssets = earlier.removedAssets
    plan.withdrawn = outcome.withdrawn.sorted { $0.key.precedesInBytes($1.key) }.map {
      ($0.key, $0.value.sorted())
    }
    return plan
  }

  /// Returns the fields with removed texts that readers of other locales keep, for example because they
  /// fall back to a named locale.
  private func keptValues(
    of outcome: ReleaseEditor.Outcome, for order: PurgeOrder
  ) throws -> [(id: String, fields: [String], contexts: [ReleaseContext])] {
    if order.locales.isEmpty { return [] }
    let ids = outcome.changes.keys.sorted { $0.precedesInBytes($1) }
    let others = Set(reader.contexts).subtracting(try contexts(order.locales)).sorted()
    let shown = try shown(ids, for: others, in: reader)
    return ids.compactMap { id in
      let removed = PurgedContent.removedFields(by: outcome.changes[id] ?? [])
      var (fields, contexts): (Set<String>, Set<ReleaseContext>) = ([], [])
      for context in others {
        for form in (shown[context]?[id] ?? [:]).values {
          for (name, hash) in PurgedContent.fields(of: form)
          where removed[name]?.contains(hash) ?? false
            && form["content"]?[name.text]?.hasText ?? false
          {
            fields.insert(name.text)
            contexts.insert(context)
          }
        }
      }
      return fields.isEmpty ? nil : (id, Set(names: fields).names, contexts.sorted())
    }
  }

  /// Returns the assets of removed entries that stay in a release, because other entries show them.
  private func sharedAssets(
    of outcome: ReleaseEditor.Outcome, edits: [String: EntryEdit], in content: ReleaseContent
  ) throws -> [PurgePlan.SharedAsset] {
    let removed = edits.filter { $0.value.removesEntries }
    let old = removed.keys.flatMap { outcome.changes[$0] ?? [] }.compactMap(\.old?.assets)
    if old.allSatisfy(\.isEmpty) { return [] }
    let left = old.reduce(into: Set()) { $0.formUnion($1) }.intersection(
      content.objects.map(\.digest))
    if left.isEmpty { return [] }
    let others = try reader.ids().filter { removed[$0] == nil }.compactMap { id in
      try reader.holders(of: id).map { (id: id, assets: $0.intersection(left)) }
    }
    var shared = left.sorted().compactMap { asset -> PurgePlan.SharedAsset? in
      let ids = others.filter { $0.assets.contains(asset) }.map(\.id)
      guard let object = reader.object(asset), !ids.isEmpty else { return nil }
      return PurgePlan.SharedAsset(object: object, file: nil, entries: ids)
    }
    // A search for each file takes time while readers wait, and only the first one is named.
    if let first = shared.first { shared[0].file = localAsset(first.object)?.path }
    return shared
  }

  /// Plans to remove the earlier forms of entries that an earlier purge removed: readers keep their
  /// content.
  ///
  /// Returns `nil` if the order leaves earlier forms alone, or if there is neither such a form nor such
  /// a purge.
  private func planEarlierForms(
    besides outcome: ReleaseEditor.Outcome, edits: [String: EntryEdit], for order: PurgeOrder
  ) throws -> PurgePlan? {
    guard order.takesHistory else { return nil }
    let contents = try contents(of: outcome, edits: edits, for: order)
    if contents.isEmpty {
      let purged = Set(try list.readAll().flatMap(\.begun.entries))
      guard edits.keys.allSatisfy(purged.contains) else { return nil }
    }
    var plan = planOfUnchangedContent
    plan.entries = edits.keys.sorted { $0.precedesInBytes($1) }.map { ($0, []) }
    plan.contents = contents
    plan.given = try given(by: outcome, edits: edits, for: order, without: contents)
    return plan
  }

  /// The plan of a purge after which readers get the same content as before.
  private var planOfUnchangedContent: PurgePlan {
    let content = live.content(at: place.target)
    return PurgePlan(
      content: content, contentRelease: live.record.contentRelease, entries: [], unlisted: [],
      gone: [], contents: [], restoredFrom: nil)
  }

  /// Returns the differences that a restoration makes for readers.
  private static func differences(_ outcome: ReleaseEditor.Outcome) -> [ReleaseDiff.EntryChange] {
    var differences = EntryDifferences()
    for (id, changes) in outcome.contextsOfChanges {
      for (forms, contexts) in changes {
        differences.note(
          id, changedFrom: forms.old, to: forms.new, in: contexts.map(\.description))
      }
    }
    return differences.changes
  }

  /// Returns the contents that an edit removes, without those that other readers keep.
  private func contents(
    of outcome: ReleaseEditor.Outcome, edits: [String: EntryEdit], for order: PurgeOrder
  ) throws -> [PurgedContent] {
    let fields = order.purgedFields
    let ids = edits.keys.filter { order.takesHistory || outcome.changes[$0] != nil }
      .sorted { $0.precedesInBytes($1) }
    let others = Set(reader.contexts).subtracting(try contexts(order.locales)).sorted()
    let stays = try shown(ids, for: others, in: reader)
    let earlier = try earlierForms(of: ids, for: order)
    // An entry that all readers lose goes from every bundle, and a reading of them takes time.
    let places = order.removesWholeEntries ? nil : try BundleTable(of: reader)
    return try ids.flatMap { id in
      let changes = outcome.changes[id] ?? []
      let kept = changes.compactMap(\.new) + stays.values.flatMap { ($0[id] ?? [:]).values }
      return try fields.map { field in
        let old = changes.compactMap(\.old)
        let hashes = Set(old.compactMap { PurgedContent.hash(of: $0, at: field) })
          .union(earlier[id] ?? [])
        var purged = PurgedContent(
          entry: id, field: field,
          hashes: hashes.subtracting(kept.compactMap { PurgedContent.hash(of: $0, at: field) }))
        purged.bundles = try places?.bundles(
          of: purged, in: (outcome.contexts[id] ?? []).sorted(), of: reader)
        if field == nil { purged.noteFields(of: old, keeping: kept) }
        return purged
      }
    }.filter { !$0.hashes.isEmpty }
  }

  /// Returns the contents of the named entries that readers see after the purge.
  ///
  /// Some readers keep their content, and others get new content.
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
      of: ids, for: order.locales.isEmpty ? nil : try contexts(order.locales), in: place,
      after: list.readAll()
    ).hashes
  }

  /// Returns the contexts whose own locale or fallback chain contains one of `locales`; all
  /// contexts if `locales` is empty.
  ///
  /// The source locale selects only its own context: every other locale falls back to it.
  ///
  /// - Throws: `DeliveryError` if there is no such context.
  func contexts(_ locales: [String]) throws -> [ReleaseContext] {
    if locales.isEmpty { return reader.contexts }
    let source = live.members["sourceLocale"]?.text
    let stableChains = live.members["locales"]?.members ?? Members()
    let nextChains = live.members.nextSide?["locales"]?.members ?? stableChains
    let wanted = Set(names: locales)
    let contexts = reader.contexts.filter { context in
      let chains = context.isNext ? nextChains : stableChains
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
        + Set(names: stableChains.keys + nextChains.keys).names.joined(separator: ", "))
  }

  /// Returns each form in which readers of the contexts get the entries with the ids.
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

extension PurgePlanner {
  /// Plans to remove the content that a release added or changed.
  ///
  /// If the content of that release is live, readers get the content from before the release.
  private func planRelease(_ number: Int) throws -> PurgePlan {
    let bad = try place.rollbackTarget(number)
    guard bad.rollout == nil else {
      throw DeliveryError(
        .refused,
        "release \(number) of '\(place.channel)' has the content of a rollout beside that of release "
          + "\(bad.contentRelease); nothing was changed; take the rollout back with 'contentc rollout "
          + "\(place.channel) --abort' if it is on, and purge its entries by their names")
    }
    let isLive = live.record.contentRelease == bad.contentRelease
    let before = try contentBefore(bad)
    let contentBefore = try before.content(at: place.target).stableSide()
    let kept = isLive ? before : live.record
    let content = isLive ? contentBefore : live.content(at: place.target)
    let badContent = bad.content(at: place.target)
    let diff: ReleaseDiff
    do {
      diff = try ReleaseDiff(from: contentBefore, to: badContent)
    } catch is DeliveryError {
      throw DeliveryError(
        .refused,
        "release \(bad.number) or the one before it, \(before.number), is not whole any more: purged, or pruned; "
          + "nothing was changed; name the entries that are to go")
    }
    let stays = Set(content.objects + contentBefore.objects)
    guard isLive || diff.entries.contains(where: { $0.kind != .removed }) else {
      throw DeliveryError(
        .unknown,
        "nothing to purge: release \(bad.number) of '\(place.channel)' brought nothing new")
    }
    if !isLive { try refuseShown(diff, of: bad, after: before) }
    return PurgePlan(
      content: content, contentRelease: kept.contentRelease,
      entries: diff.entries.filter { $0.kind != .removed }.map { change in
        (change.id, change.contexts.compactMap(ReleaseContext.init))
      }, unlisted: [], gone: bad.objects.filter { !stays.contains($0) },
      contents: try contents(
        of: diff, from: ReleaseReader(contentBefore),
        to: ReleaseReader(badContent)),
      restoredFrom: isLive ? before.number : nil)
  }

  /// Refuses to purge a release if the live release still shows something that the release brought.
  ///
  /// The two releases have different content.
  private func refuseShown(_ diff: ReleaseDiff, of bad: ReleaseRecord, after before: ReleaseRecord)
    throws
  {
    let ids = diff.entries.filter { $0.kind != .removed }.map(\.id)
    func values(_ reader: ReleaseReader) throws -> [String: Set<Part>] {
      let shown = try shown(ids, for: reader.contexts, in: reader)
      return shown.values.joined().reduce(into: [:]) { parts, shown in
        for content in shown.value.values.compactMap({ $0["content"] }) {
          Part.collect(from: content, at: [], into: &parts[shown.key, default: []])
        }
      }
    }
    let (old, now) = (
      try values(ReleaseReader(before.content(at: place.target))), try values(reader)
    )
    let brought = try values(ReleaseReader(bad.content(at: place.target)))
    let left = ids.filter { id in
      !(brought[id] ?? []).subtracting(old[id] ?? []).isDisjoint(with: now[id] ?? [])
    }
    if left.isEmpty { return }
    let names =
      left.prefix(5).joined(separator: ", ") + (left.count > 5 ? " and \(left.count - 5) more" : "")
    throw DeliveryError(
      .refused,
      "release \(live.number) shows \(names) with what release \(bad.number) brought; nothing was changed; purge these "
        + "entries, with --restore to give readers what was there before")
  }

  /// Returns the last release with different content before a bad release.
  private func contentBefore(_ bad: ReleaseRecord) throws -> ReleaseRecord {
    var chain = try place.chain()
    while let record = try chain.next() {
      if record.number < bad.contentRelease, record.contentRelease < bad.contentRelease {
        return record
      }
    }
    throw DeliveryError(
      .unknown,
      "there is no content before that of release \(bad.contentRelease) in '\(place.channel)'")
  }

  /// Returns the contents of changed entries that a bad release has and the release before it
  /// lacks.
  private func contents(
    of diff: ReleaseDiff, from before: ReleaseReader, to bad: ReleaseReader
  ) throws -> [PurgedContent] {
    func forms(of id: String, in reader: ReleaseReader) throws -> [Value] {
      let bundles = (try reader.holders(of: id) ?? []).filter {
        reader.object($0)?.isPropertyList ?? false
      }
      return try bundles.compactMap { bundle in
        // An asset may be a property list, too.
        do { return try reader.entries(of: bundle)[id] } catch let error as DeliveryError
          where error.kind == .refused
        { return nil }
      }
    }
    let places = try BundleTable(of: bad)
    return try diff.entries.filter { $0.kind != .removed }.map { change in
      let (old, kept) = (try forms(of: change.id, in: bad), try forms(of: change.id, in: before))
      var purged = PurgedContent(
        entry: change.id, field: nil,
        hashes: Set(old.compactMap { PurgedContent.hash(of: $0, at: nil) }).subtracting(
          kept.compactMap { PurgedContent.hash(of: $0, at: nil) }))
      purged.bundles = try places.bundles(of: purged, in: bad.contexts, of: bad)
      purged.noteFields(of: old, keeping: kept)
      return purged
    }.filter { !$0.hashes.isEmpty }
  }
}

/// A value at any depth of an entry, with its path.
///
/// Comparing parts finds content of a release even if other parts of its field have changed since,
/// or if its list has lost items.
private struct Part: Hashable {
  /// The names of fields and ids of items; an item without an id is identified by its value alone.
  var path: [ExactString]
  var value: Value

  static func collect(from value: Value, at path: [ExactString], into parts: inout Set<Part>) {
    parts.insert(Part(path: path, value: value))
    switch value {
    case .dictionary(let members):
      for (name, value) in members {
        collect(from: value, at: path + [ExactString(name)], into: &parts)
      }
    case .array(let items):
      for item in items {
        let name = ExactString(item["id"]?.text ?? "[]")
        collect(from: item, at: path + [name], into: &parts)
      }
    default: break
    }
  }
}

extension PurgePlanner {
  /// Refuses fields that occur neither in the entries nor in `known`, the fields of earlier
  /// releases.
  func check(
    _ fields: [ContentPath], in now: ShownEntries, known: Set<ContentPath> = []
  ) throws {
    let contents = Set(
      now.values.flatMap { $0.values.flatMap(\.values) }.compactMap { $0["content"] })
    for field in fields {
      guard let whole = contents.lazy.compactMap({ field.compiledValue(above: $0) }).first else {
        continue
      }
      throw DeliveryError(
        .refused,
        "'\(field)' is a part of '\(whole)', whose other parts would still tell it; purge '\(whole)' instead"
      )
    }
    for field in fields
    where !known.contains(field) && !contents.contains(where: { field.value(in: $0) != nil }) {
      let names = Set(names: contents.flatMap(\.fieldNames)).names
      throw DeliveryError(
        .unknown,
        "nothing to purge: the named content has no field '\(field)'"
          + (field.description.nearestPath(among: names).map { "; did you mean '\($0)'?" } ?? ""))
    }
  }

  /// Refuses to replace fields that no entry has, and to use values of another kind.
  ///
  /// If no reader gets any of the entries, accepts every replacement: the plan then finds nothing
  /// to change, and refuses the purge.
  ///
  /// - Throws: `ReplacementRefusal` with all fields that do not fit.
  func check(_ fields: [(name: String, value: Value?)], in now: ShownEntries) throws {
    let ids = Set(now.values.flatMap(\.keys)).sorted { $0.precedesInBytes($1) }
    if ids.isEmpty { return }
    let contents = ids.map { id in
      now.values.flatMap { ($0[id] ?? [:]).values }.compactMap { $0["content"]?.members }
    }
    let problems = fields.compactMap { name, value -> ReplacementRefusal.Problem? in
      let old = contents.map { $0.compactMap { $0[name] } }
      if old.allSatisfy(\.isEmpty) { return .unknown(name) }
      return zip(ids, old).lazy.compactMap { value?.problem(replacing: $1, at: name, of: $0) }.first
    }
    if problems.isEmpty { return }
    throw ReplacementRefusal(
      problems: problems, entries: ids,
      fields: Members(contents.joined().joined().map { ($0, $1) }).keys)
  }
}

extension PurgedContent {
  /// Returns the hashes of the values that changes of an entry take from its fields.
  fileprivate static func removedFields(
    by changes: Set<ReleaseEditor.EntryChange>
  ) -> [ExactString: Set<ValueHash>] {
    var removed: [ExactString: Set<ValueHash>] = [:]
    for change in changes {
      guard let old = change.old.map(fields) else { continue }
      let new = change.new.map(fields)
      for (name, hash) in old where new?[name] != hash {
        removed[name, default: []].insert(hash)
      }
    }
    return removed
  }
}

extension ContentPath {
  /// Returns the path of the place or Markdown text that contains the value at this path; `nil` if
  /// none does.
  fileprivate func compiledValue(above content: Value) -> ContentPath? {
    parts.indices.dropFirst().lazy.map { ContentPath(Array(parts[..<$0])) }.first {
      $0.value(in: content)?.isCompiled ?? false
    }
  }
}

extension Value {
  /// `true` if the value is a text, or contains one.
  fileprivate var hasText: Bool {
    switch self {
    case .string: true
    case .array(let items): items.contains { $0.hasText }
    case .dictionary(let members): members.contains { $0.value.hasText }
    case .integer, .real, .boolean, .date, .data: false
    }
  }

  /// `true` for values from which the compiler derives others, or whose parts depend on each other.
  ///
  /// A place determines the tile of its entry. The parts of a Markdown text repeat each other.
  fileprivate var isCompiled: Bool {
    guard let members else { return false }
    return (members["plain"] != nil && members["blocks"] != nil)
      || (members["latitude"] != nil && members["longitude"] != nil)
  }

  /// Returns the reason why the value cannot replace the values of an entry's field; `nil` if it can.
  fileprivate func problem(
    replacing old: [Value], at field: String, of id: String
  ) -> ReplacementRefusal.Problem? {
    if old.contains(where: \.isCompiled) { return .compiled(field, entry: id) }
    let kinds = old.filter { fitted(to: $0) == nil }.map(\.kindName)
    return kinds.min { $0.precedesInBytes($1) }.map { .otherKind(field, kind: $0, entry: id) }
  }

  /// Returns the value, converted to the kind of another value; `nil` if the kinds do not fit.
  func fitted(to old: Value) -> Value? {
    switch (self, old) {
    case (.integer(let number), .real): .real(Double(number))
    default: kindName == old.kindName ? self : nil
    }
  }

  private var kindName: String {
    switch self {
    case .string: "a text"
    case .integer: "a whole number"
    case .real: "a number"
    case .boolean: "true or false"
    case .date: "a date"
    case .data: "data"
    case .array: "a list"
    case .dictionary: "a group of values"
    }
  }

  /// The paths of all contained values.
  fileprivate var fieldNames: [String] {
    switch self {
    case .dictionary(let members): members.flatMap { name, value in value.fieldNames(below: name) }
    case .array(let items):
      items.enumerated().flatMap { place, item in
        item.fieldNames(below: item["id"]?.text ?? "\(place)")
      }
    default: []
    }
  }

  private func fieldNames(below name: String) -> [String] {
    [name] + fieldNames.map { "\(name).\($0)" }
  }
}

extension PurgePlanner {
  /// Returns assets with the other scales that the live release has of them, in order.
  ///
  /// - Throws: `DeliveryError` if the release lacks its build record; `TargetError`.
  package func scales(with assets: [Digest]) throws -> [Digest] {
    var found = Set(assets)
    for id in try reader.ids() {
      guard let holders = try reader.holders(of: id), !holders.isDisjoint(with: assets) else {
        continue
      }
      for bundle in holders.sorted() where reader.object(bundle)?.isPropertyList ?? false {
        // An asset may be a property list, too.
        let entry: Value?
        do { entry = try reader.entries(of: bundle)[id] } catch is DeliveryError { continue }
        for picture in entry?.pictures ?? [] where !picture.isDisjoint(with: assets) {
          found.formUnion(picture)
        }
      }
    }
    return found.sorted()
  }

  /// Plans to remove assets from all entries of the live release, or of earlier ones if the live release
  /// has none of them.
  private func planAssets(_ assets: [Digest], of order: PurgeOrder) throws -> PurgePlan {
    let objects = assets.compactMap(reader.object)
    if objects.isEmpty { return try planEarlierAssets(assets) }
    for object in objects where try !isAsset(object, in: reader) {
      throw partOfRelease(object.digest)
    }
    let shown = Set(objects.map(\.digest))
    let ids = try reader.ids().filter {
      !(try reader.holders(of: $0) ?? []).isDisjoint(with: shown)
    }
    let edits = Dictionary(ids.map { ($0, EntryEdit.removeAssets(shown)) }) { first, _ in first }
    var plan = try editRelease(for: order, edits: edits, restoring: Restoration())
    let gone = Set(plan.gone.map(\.digest))
    if let left = objects.first(where: { !gone.contains($0.digest) }) {
      throw partOfRelease(left.digest)
    }
    // Only an earlier release may have one of the scales. The purge of the others must not wait until
    // an old record can be read.
    do {
      _ = try noteEarlier(Set(assets).subtracting(shown), in: &plan.gone)
    } catch is DeliveryError {} catch is TargetError {}
    return plan
  }

  /// Plans to remove assets that only earlier releases show: readers keep their content.
  private func planEarlierAssets(_ assets: [Digest]) throws -> PurgePlan {
    var plan = planOfUnchangedContent
    let removed = try noteEarlier(Set(assets), in: &plan.gone)
    if !plan.gone.isEmpty { return plan }
    let name = assets.first.map(\.hex) ?? ""
    if let removed {
      throw DeliveryError(
        .unknown,
        "nothing to purge: release \(removed.number) of '\(place.channel)' had asset \(name.prefix(16))…, which is "
          + "removed already")
    }
    throw DeliveryError(
      .unknown, "no release of '\(place.channel)' that is kept has an asset \(name)")
  }

  /// Adds to `gone` those of some assets that a kept release shows and that the target still has.
  ///
  /// Returns the latest release with an asset that the target no longer has; `nil` if there is none.
  private func noteEarlier(
    _ assets: Set<Digest>, in gone: inout [ReleaseObject]
  ) throws -> ReleaseRecord? {
    var (left, removed) = (assets, ReleaseRecord?.none)
    if left.isEmpty { return nil }
    var chain = try place.chain()
    while !left.isEmpty, let record = try chain.next() {
      for object in record.objects where left.contains(object.digest) {
        guard try isAsset(object, in: ReleaseReader(record.content(at: place.target))) else {
          throw partOfRelease(object.digest)
        }
        left.remove(object.digest)
        if try place.target.read(object.key) != nil {
          gone.append(object)
        } else {
          removed = removed ?? record
        }
      }
    }
    return removed
  }

  /// Returns whether an object is an asset: an entry shows it, or it cannot be a property list.
  private func isAsset(_ object: ReleaseObject, in reader: ReleaseReader) throws -> Bool {
    if object.isRecipe { return false }
    if !object.isPropertyList { return true }
    return try reader.ids().contains { id in
      guard let holders = try reader.holders(of: id), holders.contains(object.digest) else {
        return false
      }
      return try holders.subtracting([object.digest]).sorted().contains { bundle in
        do {
          return try reader.entries(of: bundle)[id]?.assets.contains(object.digest) ?? false
        } catch is DeliveryError { return false }
      }
    }
  }

  private func partOfRelease(_ asset: Digest) -> DeliveryError {
    DeliveryError(
      .unknown,
      "object \(asset.hex.prefix(16))… is no asset but part of the release itself; purge the entries that it shows, or "
        + "the release with --release")
  }
}

extension PurgePlanner {
  private func objectsAtTarget() throws -> Set<Digest> {
    Set(
      try place.target.list(below: "objects/").compactMap { file in
        file.key.split(separator: "/").last.flatMap { Digest(hex: String($0.prefix { $0 != "." })) }
      })
  }

  /// Returns the entries among `ids` that a purge removed and that are still absent, by context.
  private func absent(
    of ids: [String], now: ShownEntries, purgedBy purges: [KnownPurge], for order: PurgeOrder
  ) throws -> [ReleaseContext: Set<String>] {
    guard order.fields.isEmpty else { return [:] }
    let purged = Set(ids).intersection(purges.flatMap(\.begun.entries))
    if purged.isEmpty { return [:] }
    return Dictionary(
      uniqueKeysWithValues: try contexts(order.locales).map { context in
        (context, purged.filter { now[context]?[$0] == nil })
      })
  }

  /// Returns the sources from which entries are restored; `now` has the forms that readers get now.
  ///
  /// - Throws: `DeliveryError` if an entry has no other form that is allowed to return;
  ///   `TargetError`.
  func restoration(
    of ids: [String], now: ShownEntries, for order: PurgeOrder
  ) throws -> Restoration {
    let purges = try list.readAll()
    let absent = try absent(of: ids, now: now, purgedBy: purges, for: order)
    let shown = Set(live.record.objects.map(\.digest))
    var (there, returning) = (Set<Digest>?.none, Set<Digest>())
    var search = RestorationSearch(
      now, absent: absent, fields: order.fields, purged: purges.flatMap(\.begun.contents),
      purgedAssets: Set(purges.flatMap(\.begun.assets)).subtracting(shown)
    ) { asset in
      if shown.contains(asset) { return false }
      if there == nil { there = try self.objectsAtTarget() }
      if there?.contains(asset) == true { return false }
      if order.readmitted.contains(asset) { returning.insert(asset) }
      return !order.readmitted.contains(asset)
    }
    if live.rollout != nil {
      // The readers in a rollout had the stable content before. If their form differs, the others never
      // got it, and keep theirs.
      try search.look(at: EarlierRelease(live.record, at: place.target))
      search.leaveOthersOfFound()
    }
    var chain = try place.chain()
    while !search.isDone, let record = try chain.next() {
      guard record.contentRelease < live.record.contentRelease else { continue }
      try search.look(at: EarlierRelease(record, at: place.target))
    }
    try check(order.fields, in: now, known: search.known)
    let removed = removedAssets(in: search, by: purges)
    try refuse(search, of: order, removedAssets: removed, purges: purges, areAbsent: now.isEmpty)
    var found = search.found
    (found.unrestored, found.removedAssets) = (search.unrestored, removed)
    found.returning = try bytes(of: returning, in: found)
    return found
  }

  /// Refuses to restore entries if some of them have no form that is allowed to return.
  private func refuse(
    _ search: RestorationSearch, of order: PurgeOrder, removedAssets removed: [RemovedAsset],
    purges: [KnownPurge], areAbsent: Bool
  ) throws {
    let left = search.left
    if left.isEmpty { return }
    let lacking = removed.filter { asset in left.contains { $0.id == asset.entry } }
    if let refusal = RemovedAsset.refusal(for: lacking, in: order.command) { throw refusal }
    let advice =
      areAbsent
      ? "publish it in a corrected form" : "without --restore or --replace it is removed"
    if let problem = try unreadableForm(of: left.map(\.id), in: search, purges: purges) {
      throw DeliveryError(.unknown, problem, notes: ["nothing was changed; \(advice)"])
    }
    let names = left.map { id, contexts in
      let first = contexts.prefix(5).map(\.description).joined(separator: ", ")
      return "\(id) (\(first)\(contexts.count > 5 ? " and \(contexts.count - 5) more" : ""))"
    }
    throw DeliveryError(
      .unknown,
      "every kept release of '\(place.channel)' has only purged or equal forms of "
        + "\(names.joined(separator: ", ")); nothing was changed; \(advice)")
  }

  /// Returns the reason why an earlier form of an entry cannot be read, as a sentence.
  ///
  /// Returns `nil` if purges of the entry itself have removed all unreadable forms.
  private func unreadableForm(
    of ids: [String], in search: RestorationSearch, purges: [KnownPurge]
  ) throws -> String? {
    let unreadable = ids.flatMap { id in
      (search.unreadable[id] ?? []).sorted().map { (id: id, object: $0) }
    }
    if unreadable.isEmpty { return nil }
    let removals = try purges.mapOverlapped { [place] purge in
      (begun: purge.begun, objects: Set(try place.objects(of: purge).map(\.digest)))
    }
    for (id, object) in unreadable {
      let causes = removals.filter { removal in
        object.digest.map(removal.objects.contains) ?? false
      }.map(\.begun)
      if causes.contains(where: { $0.entries.contains(id) }) { continue }
      // Several purges may name the object. If it was live when a purge began, that purge removed
      // it: an earlier purge left the object, or it was published again. The `copies-` notes of
      // several purges may list an object that was not live; the first of these purges removed it.
      let ofLive = causes.last { $0.objects.contains { $0.digest == object.digest } }
      let reason =
        if let cause = ofLive ?? causes.first {
          "purge \(cause.number) removed a part of release \(object.release) (\(cause.reason))"
        } else {
          "\(place.target.name) lacks a part of release \(object.release), or has it with other bytes; "
            + "put the file of a backup back"
        }
      return
        "no kept release of '\(place.channel)' has another form of \(id) that can be read: \(reason)"
    }
    return nil
  }

  /// Returns the removed assets that entries need to return in their last form, ordered by entry.
  private func removedAssets(
    in search: RestorationSearch, by purges: [KnownPurge]
  ) -> [RemovedAsset] {
    search.lacking.sorted { $0.key.precedesInBytes($1.key) }.flatMap { id, form in
      form.assets.sorted().compactMap(form.release.reader.object).map { object in
        RemovedAsset(
          entry: id, release: form.release.number, object: object, file: localAsset(object)?.path,
          purge: purges.last { $0.begun.objects.contains(object) })
      }
    }
  }

  /// Returns the bytes of assets that the target lacks, for the entries that show them again.
  private func bytes(
    of assets: Set<Digest>, in found: Restoration
  ) throws -> [Digest: [UInt8]] {
    try assets.sorted().compactMap(found.object).reduce(into: [:]) { bytes, object in
      guard let file = localAsset(object) else {
        throw DeliveryError(
          .unknown,
          "no file of the content folder has the hash \(object.digest.hex), so the asset cannot be sent again; "
            + "nothing was changed; publish the entry in a corrected form")
      }
      bytes[object.digest] = file.bytes
    }
  }
}
