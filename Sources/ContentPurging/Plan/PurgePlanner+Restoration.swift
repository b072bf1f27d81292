import ContentModel
import ContentReleases
import ContentTargets
import System

extension PurgePlanner {
  private func objectsAtTarget() throws -> Set<Digest> {
    Set(
      try place.target.list(below: "objects/").compactMap { file in
        file.key.split(separator: "/").last.flatMap { Digest(hex: String($0.prefix { $0 != "." })) }
      })
  }

  /// Returns those of some entries that a purge removed and that are still absent, by context.
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

  /// Returns the sources from which entries are restored; `now` has their present forms.
  ///
  /// - Throws: `DeliveryError` if an entry has no other form that may be restored; `TargetError`.
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
    var chain = try place.chain()
    while !search.isDone, let record = try chain.next() {
      guard record.contentRelease < live.record.contentRelease else { continue }
      try search.look(
        at: EarlierRelease(
          number: record.number, reader: ReleaseReader(record.content(at: place.target))))
    }
    try check(order.fields, in: now, known: search.known)
    let removed = removedAssets(in: search, by: purges)
    try refuse(search, of: order, removedAssets: removed, purges: purges, areAbsent: now.isEmpty)
    var found = search.found
    (found.unrestored, found.removedAssets) = (search.unrestored, removed)
    found.returning = try bytes(of: returning, in: found)
    return found
  }

  /// Refuses to restore entries without a form that may return.
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

  /// Returns the reason why an earlier form of an entry cannot be read, as a sentence; `nil` if purges
  /// of the entry itself have removed all forms that cannot be read.
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
      // An object that was live when a purge began was not removed before, or was published again. The
      // notes `copies-` of several purges may list an older object, which the first of them removed.
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

  /// Returns the assets without which entries cannot return as they last were, ordered by entry.
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
