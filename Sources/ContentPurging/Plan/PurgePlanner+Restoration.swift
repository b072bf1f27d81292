import ContentModel
import ContentReleases
import ContentTargets

extension PurgePlanner {
  private func objectsAtTarget() throws -> Set<Digest> {
    Set(
      try place.target.list(below: "objects/").compactMap { file in
        file.key.split(separator: "/").last.flatMap { Digest(hex: String($0.prefix { $0 != "." })) }
      })
  }

  /// Returns those of some entries that a purge removed and that are still absent, by context.
  private func absent(
    of ids: [String], now: ShownEntries, purgedBy manifests: [PurgeManifest], for order: PurgeOrder
  ) throws -> [ReleaseContext: Set<String>] {  // String keys: ids are ASCII
    guard order.fields.isEmpty else { return [:] }
    let purged = Set(ids).intersection(manifests.flatMap(\.entries))
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
    let manifests = try PurgeLedger(place, live: live).all
    let absent = try absent(of: ids, now: now, purgedBy: manifests, for: order)
    let shown = Set(live.record.objects.map(\.digest))
    let purged = Set(manifests.flatMap(\.assets)).subtracting(shown)
    var there: Set<Digest>?
    var search = RestorationSearch(
      now, absent: absent, fields: order.fields, purged: manifests.flatMap(\.contents)
    ) { asset in
      if shown.contains(asset) { return false }
      if there == nil { there = try self.objectsAtTarget() }
      return purged.contains(asset) || there?.contains(asset) == false
    }
    var chain = try place.chain()
    while !search.isDone, let record = try chain.next() {
      guard record.of < live.record.of else { continue }
      try search.look(
        at: EarlierRelease(
          number: record.number, reader: ReleaseReader(record.content(at: place.target))))
    }
    try check(order.fields, in: now, known: search.known)
    let left = search.left
    if left.isEmpty {
      var found = search.found
      found.unrestored = search.unrestored
      return found
    }
    let names = left.map { id, contexts in
      let first = contexts.prefix(5).map(\.description).joined(separator: ", ")
      return "\(id) (\(first)\(contexts.count > 5 ? " and \(contexts.count - 5) more" : ""))"
    }
    throw DeliveryError(
      .unknown,
      "every kept release of '\(place.channel)' has only purged or equal forms of "
        + "\(names.joined(separator: ", ")); nothing was changed; "
        + (now.isEmpty
          ? "publish it in a corrected form" : "without --restore or --replace it is removed"))
  }
}
