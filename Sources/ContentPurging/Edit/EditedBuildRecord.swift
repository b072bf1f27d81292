import ContentModel
import ContentReleases
import PropertyLists

/// The build records of a release, updated after an edit: one, or one for each side of a rollout.
struct EditedBuildRecords {
  /// The hashes of the new build records, by those of the old ones.
  private(set) var successors: [Digest: Digest] = [:]
  /// The new objects of the build records.
  private(set) var objects: [Digest: ReleaseEditor.NewObject] = [:]
  /// The assets that no entry shows any more.
  let lost: Set<Digest>
  /// The objects of the old build records that new ones replace.
  let replaced: Set<Digest>

  /// Updates the build records of a live release.
  ///
  /// - Parameters:
  ///   - edited: The edit.
  ///   - live: The live release.
  ///   - before: The bundles, lists and indexes that readers got before the edit.
  ///   - used: The bundles, lists and indexes that readers get after the edit.
  /// - Throws: `DeliveryError` or `TargetError` if an object cannot be read; the error of encoding a
  ///   value that the format cannot represent.
  init(
    _ edited: ReleaseEditor.Outcome, of live: ReleaseReader, bundlesBefore before: Set<Digest>,
    used: Set<Digest>
  ) throws {
    let records = try live.builds.filter { live.object($0) != nil }.map { build in
      try EditedBuildRecord(build, edited, of: live, bundlesBefore: before, used: used)
    }
    for record in records {
      successors[record.old] = record.digest
      objects.merge(record.objects) { $1 }
    }
    let left = records.reduce(into: Set()) { $0.formUnion($1.left) }
    lost = records.reduce(into: Set()) { $0.formUnion($1.lost) }.subtracting(left)
    // The other side of a rollout may still have a part.
    let parts = Set(records.flatMap(\.parts))
    replaced = records.reduce(into: Set()) { $0.formUnion($1.replaced) }.subtracting(parts)
  }
}

/// The build record of a release, updated after an edit.
///
/// The build record lists the objects that show each entry.
struct EditedBuildRecord {
  let old: Digest
  /// The hash of the new build record; `nil` if it did not change.
  private(set) var digest: Digest?
  /// The new objects of the build record.
  private(set) var objects: [Digest: ReleaseEditor.NewObject] = [:]
  /// The assets that no entry of the build record shows any more.
  private(set) var lost: Set<Digest> = []
  /// The objects that entries of the edited datatypes still need.
  private(set) var left: Set<Digest> = []
  /// The hashes of the parts that the build record names after the edit.
  private(set) var parts: Set<Digest> = []
  /// The objects of the old build record that new ones replace.
  private(set) var replaced: Set<Digest> = []
  private let edited: ReleaseEditor.Outcome
  private let live: ReleaseReader
  /// The bundles, lists and indexes that readers got before the edit.
  private let before: Set<Digest>
  /// The bundles, lists and indexes that readers get after the edit.
  private let used: Set<Digest>

  init(
    _ build: Digest, _ edited: ReleaseEditor.Outcome, of live: ReleaseReader,
    bundlesBefore before: Set<Digest>, used: Set<Digest>
  ) throws {
    old = build
    (self.edited, self.live, self.before, self.used) = (edited, live, before, used)
    guard var members = try live.value(of: build).members,
      let oldParts = members["entries"]?.members
    else { return }
    let parts = try updated(oldParts)
    self.parts = Set(parts.compactMap(\.value.digest))
    if parts == oldParts { return }
    members["entries"] = .dictionary(parts)
    members["objects"] = (members["objects"]?.members).map { rows in
      .dictionary(
        Members(
          rows.filter { row in Digest(hex: row.key).map { !lost.contains($0) } ?? true }.map {
            ($0.key, $0.value)
          }))
    }
    digest = try add(members)
    let old = Set(Value.dictionary(oldParts).digests + [build])
    replaced = old.subtracting(parts.compactMap(\.value.digest))
  }

  /// Adds an object of the build record, and returns its hash.
  private mutating func add(_ members: Members) throws -> Digest {
    let object = try ReleaseEditor.NewObject(.dictionary(members), as: live.content.format)
    objects[object.digest] = object
    return object.digest
  }

  /// Returns the hashes of the build record's parts by datatype, and collects the lost assets.
  private mutating func updated(_ oldParts: Members) throws -> Members {
    var parts = oldParts
    var (assetsBefore, assetsAfter) = (Set<Digest>(), Set<Digest>())
    let reached = edited.reachedDatatypes
    for (datatype, part) in oldParts where reached?.contains(datatype) ?? true {
      guard let part = part.digest, var content = try live.value(of: part).members,
        let old = content["entries"]?.members
      else { continue }
      var new = Members(
        try old.compactMap { name, list -> (String, Value)? in
          let holders = (list.items ?? []).compactMap(\.digest)
          let left = try self.holders(of: "\(datatype)/\(name)", before: holders)
          assetsBefore.formUnion(holders.filter { !before.contains($0) })
          assetsAfter.formUnion(left)
          return left.isEmpty ? nil : (name, row(of: left))
        })
      for (name, holders) in inserted(into: datatype) where new[name] == nil {
        assetsAfter.formUnion(holders)
        new[name] = row(of: holders)
      }
      if new == old { continue }
      content["entries"] = .dictionary(new)
      parts[datatype] = try add(content).value(in: live.content.format)
    }
    (lost, left) = (assetsBefore.subtracting(assetsAfter), assetsAfter)
    return parts
  }

  private func row(of holders: [Digest]) -> Value {
    .array(holders.map { $0.value(in: live.content.format) })
  }

  /// Returns the restored entries of a datatype, with the objects that show them.
  private func inserted(into datatype: String) -> [(name: String, holders: [Digest])] {
    edited.inserted.compactMap { id, bundles in
      guard id.hasPrefix("\(datatype)/") else { return nil }
      let used = bundles.intersection(self.used)
      let assets = used.flatMap { edited.objects[$0]?.value["entries"]?[id]?.assets ?? [] }
      return used.isEmpty
        ? nil : (String(id.dropFirst(datatype.utf8.count + 1)), used.union(assets).sorted())
    }
  }

  /// Returns the objects that show an entry after the edit, and its assets.
  private func holders(of id: String, before old: [Digest]) throws -> [Digest] {
    let kept = old.filter { before.contains($0) && used.contains($0) }
    let new = old.flatMap { edited.successors[$0] ?? [] }.filter {
      used.contains($0) && edited.objects[$0]?.value["entries"]?[id] != nil
    }
    let bundles = Set(kept + new).union((edited.inserted[id] ?? []).intersection(used))
    guard edited.changes[id] != nil else {
      return bundles.isEmpty ? [] : bundles.union(old.filter { !before.contains($0) }).sorted()
    }
    // A recipe has the assets of its bundle, and may be missing.
    let read = bundles.filter { live.object($0)?.isRecipe != true }
    // A bundle that shows other fields of the entry does not need the asset.
    let assets = try read.reduce(into: Set<Digest>()) { assets, bundle in
      let entry = try (edited.objects[bundle]?.value ?? live.value(of: bundle))["entries"]?[id]
      assets.formUnion(entry?.assets ?? [])
    }
    return bundles.union(assets).sorted()
  }
}
