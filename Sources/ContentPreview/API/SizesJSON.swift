import ContentModel

/// The JSON of `/api/sizes`: bytes per bundle and context, the largest entries, and the objects
/// that two contexts share.
struct SizesJSON {
  let generation: Int
  let sizes: BuildSizes.Sizes

  var members: Members {
    [
      "generation": .integer(Int64(generation)),
      "contexts": .array(sizes.contexts.map(\.value)),
      "largest": .array(sizes.largest.map(\.value)),
    ]
  }

  /// Returns the members with the objects that two contexts such as `fr-CA/ipad` share.
  func members(sharing a: String, with b: String) throws(RequestError) -> Members {
    let (a, b) = (try context(a), try context(b))
    let theirs = Set(b.objects.map(\.digest))
    let own = a.objects.distinct
    let shared = own.filter { theirs.contains($0.digest) }
    var members = members
    members["sharing"] = [
      "a": a.pair, "b": b.pair, "bytes": own.sum(\.bytes), "sharedBytes": shared.sum(\.bytes),
      "sharedObjects": .integer(Int64(shared.count)),
    ]
    return members
  }

  private func context(_ name: String) throws(RequestError) -> SizedContext {
    guard let context = sizes.contexts.first(where: { $0.name.hasSameBytes(as: name) }) else {
      throw RequestError(unknown: "context", name: name, known: sizes.contexts.map(\.name))
    }
    return context
  }
}

extension SizedContext {
  fileprivate var pair: Value { ["locale": .string(locale), "device": .string(device)] }

  fileprivate var value: Value {
    [
      "locale": .string(locale), "device": .string(device), "bundles": .array(bundles.map(\.value)),
      "bytes": objects.distinct.sum(\.bytes), "gzip": objects.distinct.sum(\.gzip),
    ]
  }
}

extension SizedBundle {
  fileprivate var value: Value {
    var members: Members = [
      "name": .string(name), "object": .string(objects.first?.digest.hex ?? ""),
      "bytes": objects.sum(\.bytes),
      "gzip": objects.sum(\.gzip), "entries": .integer(Int64(entries)),
    ]
    if isStartup { members["startup"] = true }
    if isSplit { members["split"] = true }
    return .dictionary(members)
  }
}

extension LargeEntry {
  fileprivate var value: Value {
    ["entry": .string(entry), "bundle": .string(bundle), "bytes": .integer(Int64(bytes))]
  }
}

extension [SizedObject] {
  /// Each object once: equal bundles are one file.
  fileprivate var distinct: [SizedObject] {
    var seen: Set<Digest> = []
    return filter { seen.insert($0.digest).inserted }
  }

  fileprivate func sum(_ size: (SizedObject) -> Int) -> Value {
    .integer(Int64(reduce(0) { $0 + size($1) }))
  }
}
