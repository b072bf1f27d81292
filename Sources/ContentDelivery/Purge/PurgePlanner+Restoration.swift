import ContentModel

extension PurgePlanner {
  private func objectsAtTarget() throws -> Set<Digest> {
    Set(
      try place.target.list(below: "objects/").compactMap { file in
        file.key.split(separator: "/").last.flatMap { Digest(hex: String($0.prefix { $0 != "." })) }
      })
  }

  /// Where entries are restored from.
  ///
  /// - Throws: `DeliveryError` for entries that were never anything else, or nothing that may come back.
  func restoration(_ now: ShownEntries, _ order: PurgeOrder) throws -> Restoration {
    let ledger = try PurgeLedger(place, live: live)
    let shown = Set(live.record.objects.map(\.digest))
    let purged = Set(ledger.all.flatMap(\.assets)).subtracting(shown)
    var there: Set<Digest>?
    var search = RestorationSearch(now, fields: order.fields, purged: ledger.all.flatMap(\.contents)) { asset in
      if shown.contains(asset) { return false }
      if there == nil { there = try self.objectsAtTarget() }
      return purged.contains(asset) || there?.contains(asset) == false
    }
    var chain = try place.chain()
    while !search.isDone, let record = try chain.next() {
      guard record.of < live.record.of else { continue }
      try search.look(at: record.number, ReleaseReader(record.content(at: place.target)))
    }
    try check(order.fields, now, known: search.known)
    let left = search.left
    if left.isEmpty { return search.found }
    let names = left.map { id, contexts in
      let first = contexts.prefix(5).map(\.description).joined(separator: ", ")
      return "\(id) (\(first)\(contexts.count > 5 ? " and \(contexts.count - 5) more" : ""))"
    }
    throw DeliveryError(
      .unknown,
      "no release of '\(place.channel)' that is kept has anything else, that was not purged, in the place of "
        + "\(names.joined(separator: ", ")); nothing was changed; without --restore it is removed")
  }
}
