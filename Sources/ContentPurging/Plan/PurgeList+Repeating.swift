import ContentModel
package import ContentReleases
import ContentTargets
import System

/// Purges that a user asks for in the same words again.
extension PurgeList {
  /// Plans an order; returns `nil` if it needs no new purge, because it resumes an unfinished one, or
  /// because its work is still done.
  ///
  /// A repeated restoration would give readers an even earlier form. Entries whose restoration is
  /// still done are therefore left out. An order with `takesHistory` is done if no kept release has
  /// another form, or if nothing was published since a purge in the same words. For other orders,
  /// earlier purges are read only if the plan changes nothing for readers: reading a thousand of them
  /// takes time while readers see the content.
  ///
  /// - Throws: The errors of `PurgePlanner.plan`; `DeliveryError` if a purge or record cannot be
  ///   read; `TargetError`.
  package func planUnlessRepeated(
    _ order: PurgeOrder, by planner: PurgePlanner
  ) throws -> PurgePlan? {
    let live = planner.live
    if try resumed(by: order, live: live) != nil { return nil }
    let isUnfinished = unfinished(commandWords: order.commandWords) != nil
    var order = order
    if case .restoration = order.remedy, case .entries(let ids) = order.subject {
      let undone = try undone(ids, by: order, in: planner.reader)
      if undone.isEmpty { return nil }
      order.subject = .entries(undone)
    }
    let plan: PurgePlan
    do { plan = try planner.plan(order) } catch {
      let mayBeDone =
        switch error {
        case let error as DeliveryError:
          error.kind == .unknown || order.ids.isEmpty && error.kind != .lost
        case let refusal as ReplacementRefusal: refusal.hasUnknownField
        default: false
        }
      if try mayBeDone && (isUnfinished || isDone(order, live: live)) { return nil }
      throw error
    }
    guard plan.contentRelease == live.record.contentRelease else { return plan }
    let isDone =
      try isUnfinished
      || (order.takesHistory
        ? plan.contents.isEmpty || isLastRelease(of: order, live: live)
        : isDone(order, live: live))
    return isDone ? nil : plan
  }

  /// Returns whether the live release is that of a purge in the words of an order.
  ///
  /// Such a purge leaves earlier forms only where a live release of another channel shows their objects.
  private func isLastRelease(of order: PurgeOrder, live: LiveRelease) throws -> Bool {
    try !order.commandWords.isEmpty
      && readAll().contains {
        $0.begun.isOf(order.commandWords) && $0.begun.record == live.record.digest
      }
  }

  /// Returns the latest unfinished purge that a user asked for in the same words; `nil` for no
  /// words.
  package func unfinished(commandWords: [String]) -> KnownPurge? {
    commandWords.isEmpty ? nil : unfinished.last { $0.begun.isOf(commandWords) }
  }

  /// Returns the unfinished purge that an order in the same words resumes; `nil` if there is none, or
  /// if readers see content that a new purge must remove.
  ///
  /// That is purged content that returned, and content in another form if the order includes it.
  ///
  /// - Throws: `DeliveryError` if an object cannot be read; `TargetError`.
  package func resumed(by order: PurgeOrder, live: LiveRelease) throws -> KnownPurge? {
    guard let left = unfinished(commandWords: order.commandWords) else { return nil }
    switch try shownContent(of: left, named: order.ids, in: live) {
    case .nothing: return left
    case .purged: return nil
    case .changed: return order.includesLater ? nil : left
    }
  }

  /// The content that a release shows of entries which an unfinished purge named.
  package enum ShownContent: Hashable, Sendable {
    /// No more than the purge left to readers.
    case nothing
    /// Content that the purge removed.
    case purged
    /// Content in another form, of some entries: only the user knows whether it is the correction.
    case changed(ids: [String])
  }

  /// Returns the content that a release shows of an unfinished purge, and of entries that the same
  /// words name today.
  ///
  /// The content of a release and an asset never change, so that such a purge has no other form.
  ///
  /// - Throws: `DeliveryError` if an object cannot be read; `TargetError`.
  package func shownContent(
    of purge: KnownPurge, named ids: [String], in live: LiveRelease
  ) throws -> ShownContent {
    if live.record.digest == purge.begun.record { return .nothing }
    let reader = ReleaseReader(live.content(at: place.target))
    if purge.begun.subject != nil {
      return try Self.isShown(purge.begun, in: reader) ? .purged : .nothing
    }
    var changed: [String] = []
    for id in Set(purge.begun.entries + ids).sorted(by: { $0.precedesInBytes($1) }) {
      let entries = try Self.forms(of: id, in: reader)
      let purged = purge.begun.contents.filter { $0.entry == id }
      // As for a publication: readers whose other bundles have another form got a correction.
      if try purged.contains(where: { content in
        try !PurgedReaders(of: content, in: reader).uncorrectedContexts().isEmpty
      }) {
        return .purged
      }
      let given = (purge.begun.given ?? []).filter { $0.entry == id }
      let fields = Set((purged + given).map(\.field))
      let isChanged = (fields.isEmpty ? [nil] : fields).contains { field in
        let left = Set(given.filter { $0.field == field }.flatMap(\.hashes))
        return !Self.hashes(of: entries, at: field).isSubset(of: left)
      }
      if isChanged { changed.append(id) }
    }
    return changed.isEmpty ? .nothing : .changed(ids: changed)
  }

  /// Returns the forms in which a release shows an entry.
  ///
  /// Readers cannot get a missing object, and an asset may be a property list of any content.
  private static func forms(of id: String, in reader: ReleaseReader) throws -> [Value] {
    try (reader.holders(of: id) ?? []).sorted().compactMap { digest in
      guard reader.object(digest)?.isPropertyList ?? false else { return nil }
      do { return try reader.entries(of: digest)[id] } catch let error as DeliveryError
        where [.missing, .refused].contains(error.kind)
      {
        return nil
      }
    }
  }

  private static func hashes(of entries: [Value], at field: ContentPath?) -> Set<Digest> {
    Set(entries.compactMap { PurgedContent.hash(of: $0, at: field) })
  }

  /// Returns whether the work of an order was done by purges in the same words, and is not undone.
  ///
  /// Entries must be as the purge left them. A release or an asset is always the same, so only files
  /// that are public again undo the work.
  ///
  /// - Throws: `DeliveryError` if a purge or object cannot be read; `TargetError`.
  package func isDone(_ order: PurgeOrder, live: LiveRelease) throws -> Bool {
    let commandWords = order.commandWords
    if commandWords.isEmpty { return false }
    let shown = ReleaseReader(live.content(at: place.target))
    if case .entries(let ids) = order.subject {
      return try undone(ids, by: order, in: shown).isEmpty
    }
    return try readAll().reversed().contains { purge in
      guard purge.begun.isOf(commandWords) else { return false }
      let isKnown = !purge.begun.contents.isEmpty || !purge.begun.assets.isEmpty
      let isGone =
        try purge.begun.record == live.record.digest
        || isKnown && !Self.isShown(purge.begun, in: shown)
      return try isGone && !hasFiles(of: purge)
    }
  }

  /// Returns those of some entries that a release does not show as the last purge in the same words
  /// left them, and those without such a purge.
  private func undone(
    _ ids: [String], by order: PurgeOrder, in reader: ReleaseReader
  ) throws -> [String] {
    if order.commandWords.isEmpty { return ids }
    var (left, undone): (Set<String>, Set<String>) = (Set(ids), [])
    for purge in try readAll().reversed() where purge.begun.isOf(order.commandWords) {
      for id in left.intersection(purge.begun.entries + (purge.begun.given ?? []).map(\.entry)) {
        if try !isLeft(id, by: purge, of: order, in: reader) { undone.insert(id) }
        left.remove(id)
      }
    }
    return ids.filter { undone.contains($0) || left.contains($0) }
  }

  /// Returns whether a release shows an entry as a purge left it.
  private func isLeft(
    _ id: String, by purge: KnownPurge, of order: PurgeOrder, in reader: ReleaseReader
  ) throws -> Bool {
    let entries = try Self.forms(of: id, in: reader)
    guard let given = purge.begun.given else {
      // An earlier version has not written what it left to readers.
      return order.removesWholeEntries
        ? entries.isEmpty : try place.live()?.record.digest == purge.begun.record
    }
    return order.purgedFields.allSatisfy { field in
      let left = given.filter { $0.entry == id && $0.field == field }.flatMap(\.hashes)
      return Self.hashes(of: entries, at: field) == Set(left)
    }
  }

  /// Returns whether the target has files of a purge that no live release shows: after another
  /// release, which need not be live, or after a channel that needed them has dropped them.
  private func hasFiles(of purge: KnownPurge) throws -> Bool {
    let target = place.target
    let files =
      purge.begun.assets.isEmpty ? try place.objects(of: purge).map(\.digest) : purge.begun.assets
    let present = try files.mapOverlapped { digest in
      try target.list(below: digest.objectPath(extension: "")).isEmpty ? nil : digest
    }.compactMap(\.self)
    if present.isEmpty { return false }
    let named = try NamedObjects(shownAround: place)
    return present.contains { named.shown[$0] == nil }
  }
}
