import ContentModel

extension PurgePlanner {
  /// Plans to do away with all that a release brought: readers get the content before it, if it is what they see.
  func plan(ofRelease number: Int) throws -> PurgePlan {
    let bad = try place.rollbackTarget(number)
    let isLive = live.record.of == bad.of
    let before = try contentBefore(bad)
    let kept = isLive ? before : live.record
    var content = kept.content(at: place.target)
    content.members["maintenance"] = isLive ? nil : live.members["maintenance"]
    let badContent = bad.content(at: place.target)
    let diff: ReleaseDiff
    do { diff = try ReleaseDiff(from: before.content(at: place.target), to: badContent) } catch is DeliveryError {
      throw DeliveryError(
        .refused,
        "release \(bad.number) or the one before it, \(before.number), is not whole any more: purged, or pruned; "
          + "nothing was changed; name the entries that are to go")
    }
    let stays = Set(kept.objects + before.objects)
    guard isLive || diff.entries.contains(where: { $0.kind != .removed }) else {
      throw DeliveryError(.unknown, "nothing to purge: release \(bad.number) of '\(place.channel)' brought nothing new")
    }
    return PurgePlan(
      content: content, of: kept.of,
      entries: diff.entries.filter { $0.kind != .removed }.map { change in
        (change.id, change.contexts.compactMap(ReleaseContext.init))
      }, unlisted: [], gone: bad.objects.filter { !stays.contains($0) },
      contents: try contents(of: diff, ReleaseReader(badContent), ReleaseReader(before.content(at: place.target))),
      restoredFrom: isLive ? before.number : nil)
  }

  private func contentBefore(_ bad: ReleaseRecord) throws -> ReleaseRecord {
    var chain = try place.chain()
    while let record = try chain.next() {
      if record.number < bad.of, record.of < bad.of { return record }
    }
    throw DeliveryError(.unknown, "there is no content before that of release \(bad.of) in '\(place.channel)'")
  }

  /// What entries say in a release and said in none of an earlier one's forms.
  private func contents(of diff: ReleaseDiff, _ bad: ReleaseReader, _ before: ReleaseReader) throws -> [PurgedContent] {
    func hashes(_ id: String, _ reader: ReleaseReader) throws -> Set<Digest> {
      let bundles = (try reader.holders(of: id) ?? []).filter {
        ["plist", "json"].contains(reader.object($0)?.fileExtension)
      }
      return Set(try bundles.compactMap { try reader.entries(of: $0)[id].flatMap { PurgedContent.hash(of: $0, nil) } })
    }
    return try diff.entries.filter { $0.kind != .removed }.map { change in
      PurgedContent(
        entry: change.id, field: nil, hashes: try hashes(change.id, bad).subtracting(try hashes(change.id, before)))
    }.filter { !$0.hashes.isEmpty }
  }
}

extension ReleaseContext {
  /// Reads what `description` gave.
  fileprivate init?(_ text: String) {
    let halves = text.split(separator: "/").map(String.init)
    guard halves.count == 2 else { return nil }
    self.init(locale: halves[0], device: halves[1])
  }
}
