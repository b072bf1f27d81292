import ContentModel
import ContentSource

/// `build.plist`: what was built from what.
struct BuildRecordBuilder {
  let project: Project
  /// Every context by its name.
  let contexts: [String]
  /// By entry, in order of ids.
  let ids: [String]
  /// By entry: the objects of its assets.
  let assets: [[Digest]]
  /// Every file that was read, assets among them.
  let sources: [ContentTree.SourceFile]

  /// Where a bundle's entries are: of one that is one object, each context's objects and the entries that are there.
  struct Shown {
    var entries: [Int]
    var digests: [Digest]
  }

  /// The record; `shown` says which objects show which entries, `objects` are all but the record itself.
  func value(_ shown: [Shown], objects: [(digest: Digest, fileExtension: String, size: Int)]) -> Value {
    let format = project.format
    let sources = sources.map { file in
      (file.path, Value.dictionary(["hash": file.digest.value(in: format), "size": .integer(Int64(file.size))]))
    }
    let files = objects.map { object in
      (
        object.digest.hex,
        Value.dictionary(["extension": .string(object.fileExtension), "size": .integer(Int64(object.size))])
      )
    }
    return [
      "format": 1, "app": .string(project.app), "compiler": .string("contentc \(ContentcVersion.current)"),
      "contexts": .array(contexts.map(Value.string)), "entries": .dictionary(Members(objectsByEntry(shown))),
      "objects": .dictionary(Members(files)), "sources": .dictionary(Members(sources)),
    ]
  }

  /// For each entry, every object that shows something of it; most entries of a bundle share theirs.
  private func objectsByEntry(_ shown: [Shown]) -> [(String, Value)] {
    var groups = [[Int32]](repeating: [], count: ids.count)
    for (place, group) in shown.enumerated() {
      for entry in group.entries { groups[entry].append(Int32(place)) }
    }
    var known: [[Int32]: Value] = [:]
    return groups.enumerated().map { entry, places in
      let own = places.isEmpty ? [] : assets[entry]
      if own.isEmpty, let value = known[places] { return (ids[entry], value) }
      let digests = Set(places.flatMap { shown[Int($0)].digests } + own)
      let value = Value.array(digests.sorted().map { $0.value(in: project.format) })
      if own.isEmpty { known[places] = value }
      return (ids[entry], value)
    }
  }
}

extension BuildRecordBuilder.Shown {
  /// Of one bundle that is one object: entries that are there in the same contexts are told together.
  static func whole(
    _ entries: [Int], _ rows: [BundleRow], isPresent: (_ entry: Int, _ context: Int) -> Bool
  ) -> [BuildRecordBuilder.Shown] {
    var everywhere: [Int] = []
    var others: [[Bool]: [Int]] = [:]
    for entry in entries {
      let presence = rows.indices.map { isPresent(entry, $0) }
      if presence.contains(false) { others[presence, default: []].append(entry) } else { everywhere.append(entry) }
    }
    let rest = others.map { presence, entries in
      let shown = zip(presence, rows).filter(\.0).flatMap { $0.1.objects.map(\.digest) }
      return BuildRecordBuilder.Shown(entries: entries, digests: shown)
    }
    let all = Set(rows.flatMap { $0.objects.map(\.digest) })
    return [BuildRecordBuilder.Shown(entries: everywhere, digests: Array(all))] + rest
  }

  /// Of a split bundle: each entry has objects of its own.
  static func split(_ rows: [(entry: Int, digests: [Digest])]) -> [BuildRecordBuilder.Shown] {
    var byEntry: [Int: Set<Digest>] = [:]
    for (entry, digests) in rows { byEntry[entry, default: []].formUnion(digests) }
    return byEntry.map { BuildRecordBuilder.Shown(entries: [$0], digests: Array($1)) }
  }
}
