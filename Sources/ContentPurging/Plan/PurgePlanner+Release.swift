import ContentModel
import ContentReleases
import PropertyLists

extension PurgePlanner {
  /// Plans to remove the content that a release added or changed.
  ///
  /// If readers see that release, they get the content before it.
  func planRelease(_ number: Int) throws -> PurgePlan {
    let bad = try place.rollbackTarget(number)
    let isLive = live.record.contentRelease == bad.contentRelease
    let before = try contentBefore(bad)
    let kept = isLive ? before : live.record
    var content = kept.content(at: place.target)
    content.members["maintenance"] = isLive ? nil : live.members["maintenance"]
    let badContent = bad.content(at: place.target)
    let diff: ReleaseDiff
    do {
      diff = try ReleaseDiff(from: before.content(at: place.target), to: badContent)
    } catch is DeliveryError {
      throw DeliveryError(
        .refused,
        "release \(bad.number) or the one before it, \(before.number), is not whole any more: purged, or pruned; "
          + "nothing was changed; name the entries that are to go")
    }
    let stays = Set(kept.objects + before.objects)
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
        of: diff, from: ReleaseReader(before.content(at: place.target)),
        to: ReleaseReader(badContent)),
      restoredFrom: isLive ? before.number : nil)
  }

  /// Refuses to purge a release of which the live release, with other content, still shows a part.
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

  /// Returns the last release before another one that had different content.
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

  /// Returns the contents of changed entries in a bad release that the release before it lacks.
  private func contents(
    of diff: ReleaseDiff, from before: ReleaseReader, to bad: ReleaseReader
  ) throws -> [PurgedContent] {
    func hashes(of id: String, in reader: ReleaseReader) throws -> Set<Digest> {
      let bundles = (try reader.holders(of: id) ?? []).filter {
        reader.object($0)?.isPropertyList ?? false
      }
      return Set(
        try bundles.compactMap {
          try reader.entries(of: $0)[id].flatMap { PurgedContent.hash(of: $0, at: nil) }
        })
    }
    return try diff.entries.filter { $0.kind != .removed }.map { change in
      PurgedContent(
        entry: change.id, field: nil,
        hashes: try hashes(of: change.id, in: bad).subtracting(
          try hashes(of: change.id, in: before)))
    }.filter { !$0.hashes.isEmpty }
  }
}

/// A value at any depth of an entry, with its path.
///
/// Comparing parts finds content of a release even in a field that was changed elsewhere since, and
/// in a list that only lost items.
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

extension ReleaseContext {
  /// Reads the text that `description` returned.
  fileprivate init?(_ text: String) {
    let halves = text.split(separator: "/").map(String.init)
    guard halves.count == 2 else { return nil }
    self.init(locale: halves[0], device: halves[1])
  }
}
