import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists
import SharedGzip
import SiteFormat
import System

/// A live release after an edit, ready to be published.
struct EditedRelease {
  let content: ReleaseContent
  /// The objects that only readers of the live release get: bundles, lists, indexes and assets.
  let gone: [ReleaseObject]

  /// Assembles a release from an edit of the live one; `earlier` has the assets of restored entries.
  ///
  /// - Throws: `DeliveryError` or `TargetError` if an object cannot be read; the error of encoding a
  ///   value that the format cannot represent.
  init(_ edited: ReleaseEditor.Outcome, of live: ReleaseReader, earlier: Restoration) throws {
    func reached(_ indexes: [Digest]) throws -> Set<Digest> {
      try Set(indexes).reduce(into: Set<Digest>()) {
        $0.formUnion(
          try ReleaseReader.reached(from: $1) {
            try edited.objects[$0]?.value ?? live.value(of: $0)
          })
      }
    }
    let before = try reached(live.contexts.compactMap(live.index(of:)))
    let used = try reached(live.contexts.compactMap { edited.indexes[$0] ?? live.index(of: $0) })
    let buildRecords = try EditedBuildRecords(edited, of: live, bundlesBefore: before, used: used)
    let members = Self.members(of: edited, with: buildRecords, after: live)
    let isLeft: (ReleaseObject) -> Bool = { object in
      before.contains(object.digest)
        ? used.contains(object.digest)
        : !buildRecords.lost.contains(object.digest)
          && !buildRecords.replaced.contains(object.digest)
    }
    let known = Set(live.content.objects.map(\.digest))
    let usedObjects = edited.objects.filter { used.contains($0.key) }
    let new = usedObjects.merging(buildRecords.objects) { $1 }.values.filter { object in
      !known.contains(object.digest)
    }.sorted { $0.digest < $1.digest }
    // Restored entries need their assets.
    let restored = Set(edited.changes.values.flatMap { $0.flatMap { $0.new?.assets ?? [] } })
      .subtracting(known)
    let assets = restored.sorted().compactMap(earlier.object)
    // Earlier releases still need the old build record.
    gone = live.content.objects.filter { !isLeft($0) && !buildRecords.replaced.contains($0.digest) }
    let sent = Dictionary(uniqueKeysWithValues: new.map { ($0.digest, $0) })
    // Readers wait for the release: level 2 takes a third of the time, for slightly larger files.
    let compressor = GzipCompressor(level: 2, cacheLimit: 0)
    var content = ReleaseContent(
      members: members, format: live.content.format,
      objects: live.content.objects.filter(isLeft) + assets + new.map(\.object)
    ) { [live, returning = earlier.returning] object in
      guard let bytes = sent[object.digest]?.bytes ?? returning[object.digest] else {
        return try live.content.file(object)
      }
      let compressed = try compressor.compress(bytes)
      return OutgoingFile(
        bytes: bytes, compressed: compressed.count < bytes.count ? compressed : nil,
        headers: object.headers)
    }
    content.dates = try Self.dates(of: edited, after: live, used: used)
    self.content = content
  }

  /// Returns the release's part of config, on both sides of a rollout.
  private static func members(
    of edited: ReleaseEditor.Outcome, with builds: EditedBuildRecords, after live: ReleaseReader
  ) -> Members {
    let format = live.content.format
    func replaced(_ side: Members, isNext: Bool) -> Members {
      var side = side
      if let build = side["build"]?.digest, let new = builds.successors[build] {
        side["build"] = new.value(in: format)
      }
      var indexes = side["indexes"]?.members ?? Members()
      for (context, digest) in edited.indexes where context.isNext == isNext {
        var devices = indexes[context.locale]?.members ?? Members()
        devices[context.device] = digest.value(in: format)
        indexes[context.locale] = .dictionary(devices)
      }
      side["indexes"] = .dictionary(indexes)
      return side
    }
    let old = live.content.members
    guard let rollout = old.rollout, let next = old.nextSide else {
      return replaced(old, isNext: false)
    }
    // Of a context that both sides share, the edit has one index.
    var shared = next
    var indexes = next["indexes"]?.members ?? Members()
    for (context, digest) in edited.indexes where !context.isNext {
      let isShared =
        next["indexes"]?[context.locale]?[context.device]?.digest == live.index(of: context)
      guard isShared, var devices = indexes[context.locale]?.members else { continue }
      devices[context.device] = digest.value(in: format)
      indexes[context.locale] = .dictionary(devices)
    }
    shared["indexes"] = .dictionary(indexes)
    return replaced(old.stableSide, isNext: false)
      .rollingOut(replaced(shared, isNext: true), as: rollout)
  }

  /// Returns the dates in the release's bundles.
  ///
  /// If an edit removes dates, all bundles are read: another bundle may have the same dates.
  private static func dates(
    of edited: ReleaseEditor.Outcome, after live: ReleaseReader, used: Set<Digest>
  ) throws -> [Instant] {
    let known = Set(live.content.dates)
    let new = Set(
      edited.objects.filter { used.contains($0.key) }.flatMap { $0.value.value.datesOfBundle })
    if known.isEmpty { return new.sorted() }
    let replaced = edited.successors.keys.filter { live.object($0) != nil }.sorted()
    let old = Set(try live.values(of: replaced).flatMap(\.datesOfBundle))
    if old.subtracting(new).isDisjoint(with: known) { return known.union(new).sorted() }
    let unchanged = used.sorted().filter { edited.objects[$0] == nil }
    return new.union(try live.values(of: unchanged).flatMap(\.datesOfBundle)).sorted()
  }
}
