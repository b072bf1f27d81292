import PropertyLists
import SharedGzip
import Parallel
import ContentModel
import ContentReleases
import ContentStore
import ContentTargets
import Platform

/// A live release after an edit, as it can be published.
struct EditedRelease {
  let content: ReleaseContent
  /// The objects that only readers of the live release get: bundles, lists, indexes and assets.
  let gone: [ReleaseObject]

  /// Puts together what an edit came to.
  ///
  /// - Throws: what a format cannot carry; what reading objects throws.
  init(_ edited: ReleaseEditor.Outcome, of live: ReleaseReader, earlier: Restoration) throws {
    var objects = edited.objects
    func value(_ digest: Digest) throws -> Value {
      try objects[digest]?.value ?? live.value(of: digest)
    }
    func reached(_ indexes: [Digest]) throws -> Set<Digest> {
      try Set(indexes).reduce(into: Set<Digest>()) {
        $0.formUnion(try Self.reached(from: $1, value))
      }
    }
    let before = try reached(live.contexts.compactMap(live.index(of:)))
    let used = try reached(live.contexts.compactMap { edited.indexes[$0] ?? live.index(of: $0) })
    let isUsed: (Digest) -> Bool = { used.contains($0) }
    var members = live.content.members
    let (build, lost, replaced) = try Self.build(
      edited, live, { before.contains($0) }, isUsed, &objects)
    members["build"] = build?.value(in: live.content.format) ?? members["build"]
    for (context, digest) in edited.indexes {
      var indexes = members["indexes"]?.members ?? Members()
      var devices = indexes[context.locale]?.members ?? Members()
      devices[context.device] = digest.value(in: live.content.format)
      indexes[context.locale] = .dictionary(devices)
      members["indexes"] = .dictionary(indexes)
    }
    let isLeft: (ReleaseObject) -> Bool = { object in
      before.contains(object.digest)
        ? isUsed(object.digest) : !lost.contains(object.digest) && !replaced.contains(object.digest)
    }
    let known = Set(live.content.objects.map(\.digest))
    let new = objects.values.filter { object in
      !known.contains(object.digest)
        && (isUsed(object.digest) || !edited.objects.keys.contains(object.digest))
    }.sorted { $0.digest < $1.digest }
    // Restored entries need their assets.
    let restored = Set(edited.changes.values.flatMap { $0.flatMap { $0.new?.assets ?? [] } })
      .subtracting(known)
    let assets = restored.sorted().compactMap(earlier.object)
    // Earlier releases name the old notes still, and show by them what they have.
    gone = live.content.objects.filter { !isLeft($0) && !replaced.contains($0.digest) }
    let sent = Dictionary(uniqueKeysWithValues: new.map { ($0.digest, $0) })
    // Readers wait for it: a little larger, and made in a third of the time.
    let compressor = GzipCompressor(level: 2, cacheLimit: 0)
    var content = ReleaseContent(
      members: members, format: live.content.format,
      objects: live.content.objects.filter(isLeft) + assets + new.map(\.object)
    ) { [live] object in
      guard let new = sent[object.digest] else { return try live.content.file(object) }
      let compressed = try compressor.compress(new.bytes)
      return OutgoingFile(
        bytes: new.bytes, compressed: compressed.count < new.bytes.count ? compressed : nil,
        headers: object.headers)
    }
    content.dates = try Self.dates(edited, live, used: used)
    self.content = content
  }

  /// The dates in the release's bundles.
  ///
  /// Where an edit takes dates away, all bundles are read: another may have the same ones.
  private static func dates(
    _ edited: ReleaseEditor.Outcome, _ live: ReleaseReader, used: Set<Digest>
  ) throws -> [Instant] {
    let known = Set(live.content.dates)
    let new = Set(
      edited.objects.filter { used.contains($0.key) }.flatMap { $0.value.value.datesOfBundle })
    if known.isEmpty { return new.sorted() }
    let replaced = edited.successors.keys.filter { live.object($0) != nil }
    let old = Set(try replaced.flatMap { try live.value(of: $0).datesOfBundle })
    if old.subtracting(new).isDisjoint(with: known) { return known.union(new).sorted() }
    let kept = try used.sorted().filter { edited.objects[$0] == nil }.mapOverlapped { digest in
      try live.value(of: digest).datesOfBundle
    }
    return new.union(kept.joined()).sorted()
  }

  /// An index, and all bundles and lists that it names.
  private static func reached(from index: Digest, _ value: (Digest) throws -> Value) throws -> Set<
    Digest
  > {
    var reached: Set = [index]
    for (name, row) in try value(index)["bundles"]?.members ?? Members() {
      guard let list = row["list"]?.digest else {
        reached.formUnion(ReleasedBundle.all(in: row, of: name).map(\.object))
        continue
      }
      // Lists are often shared.
      reached.insert(list)
      for (_, row) in try value(list)["entries"]?.members ?? Members() {
        reached.formUnion(ReleasedBundle.all(in: row, of: name).map(\.object))
      }
    }
    return reached
  }

  /// The build's notes on which objects show an entry, brought up to date; the assets that none
  /// shows any more; and the objects of the notes that others have replaced.
  private static func build(
    _ edited: ReleaseEditor.Outcome, _ live: ReleaseReader, _ isBundle: (Digest) -> Bool,
    _ isUsed: (Digest) -> Bool, _ objects: inout [Digest: ReleaseEditor.NewObject]
  ) throws -> (digest: Digest?, lost: Set<Digest>, replaced: Set<Digest>) {
    guard let digest = live.content.members["build"]?.digest, live.object(digest) != nil,
      var members = try live.value(of: digest).members, var parts = members["entries"]?.members
    else { return (nil, [], []) }
    var (before, after) = (Set<Digest>(), Set<Digest>())
    let reached = edited.reachedDatatypes
    for (datatype, part) in parts where reached?.contains(datatype) ?? true {
      guard let part = part.digest, var content = try live.value(of: part).members,
        let old = content["entries"]?.members
      else { continue }
      var new = Members(
        try old.compactMap { rest, list -> (String, Value)? in
          let holders = (list.items ?? []).compactMap(\.digest)
          let left = try self.holders(
            holders, of: "\(datatype)/\(rest)", edited, live, isBundle, isUsed)
          before.formUnion(holders.filter { !isBundle($0) })
          after.formUnion(left)
          return left.isEmpty ? nil : (rest, .array(left.map { $0.value(in: live.content.format) }))
        })
      for (rest, holders) in try inserted(into: datatype, edited, isUsed) where new[rest] == nil {
        after.formUnion(holders)
        new[rest] = .array(holders.map { $0.value(in: live.content.format) })
      }
      if new == old { continue }
      content["entries"] = .dictionary(new)
      let object = try ReleaseEditor.NewObject(.dictionary(content), as: live.content.format)
      objects[object.digest] = object
      parts[datatype] = object.digest.value(in: live.content.format)
    }
    let lost = before.subtracting(after)
    if parts == members["entries"]?.members { return (nil, lost, []) }
    let old = Set((members["entries"]?.digests ?? []) + [digest])
    members["entries"] = .dictionary(parts)
    members["objects"] = (members["objects"]?.members).map { rows in
      .dictionary(
        Members(
          rows.filter { row in Digest(hex: row.key).map { !lost.contains($0) } ?? true }.map {
            ($0.key, $0.value)
          }))
    }
    let object = try ReleaseEditor.NewObject(.dictionary(members), as: live.content.format)
    objects[object.digest] = object
    return (object.digest, lost, old.subtracting(parts.compactMap(\.value.digest)))
  }

  /// Entries of a datatype that come back, and what shows them.
  private static func inserted(
    into datatype: String, _ edited: ReleaseEditor.Outcome, _ isUsed: (Digest) -> Bool
  ) throws -> [(rest: String, holders: [Digest])] {
    edited.inserted.compactMap { id, bundles in
      guard id.hasPrefix("\(datatype)/") else { return nil }
      let used = bundles.filter(isUsed)
      let assets = used.flatMap { edited.objects[$0]?.value["entries"]?[id]?.assets ?? [] }
      return used.isEmpty
        ? nil : (String(id.dropFirst(datatype.utf8.count + 1)), used.union(assets).sorted())
    }
  }

  /// Returns the objects that show an entry after the edit, and its assets.
  private static func holders(
    _ old: [Digest], of id: String, _ edited: ReleaseEditor.Outcome, _ live: ReleaseReader,
    _ isBundle: (Digest) -> Bool, _ isUsed: (Digest) -> Bool
  ) throws -> [Digest] {
    let kept = old.filter { isBundle($0) && isUsed($0) }
    let new = old.flatMap { edited.successors[$0] ?? [] }.filter {
      isUsed($0) && edited.objects[$0]?.value["entries"]?[id] != nil
    }
    let bundles = Set(kept + new).union((edited.inserted[id] ?? []).filter(isUsed))
    guard edited.changes[id] != nil else {
      return bundles.isEmpty ? [] : bundles.union(old.filter { !isBundle($0) }).sorted()
    }
    // A bundle that shows other fields of it has no need of an asset.
    let assets = try bundles.reduce(into: Set<Digest>()) { assets, bundle in
      let entry = try (edited.objects[bundle]?.value ?? live.value(of: bundle))["entries"]?[id]
      assets.formUnion(entry?.assets ?? [])
    }
    return bundles.union(assets).sorted()
  }
}
