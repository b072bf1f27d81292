import ContentModel
import ContentSource
import PropertyLists

/// A builder of indexes, which list the bundles of a context, and of lists of split bundles.
struct IndexBuilder: Sendable {
  /// The name of an entry in lists.
  let name: @Sendable (_ entry: Int) -> String
  let format: PropertyListFormat
  let emit: @Sendable (OutputObject) throws -> Void

  /// An index, and its lists by bundle.
  struct Index: Sendable {
    var object: OutputObject
    var lists: [ExactString: OutputObject]
  }

  /// Builds and emits the index of one context.
  ///
  /// The rows of tiles follow those of their bundle.
  func index(_ rows: [BundleRows], context: Int) throws -> Index {
    var lists: [ExactString: OutputObject] = [:]
    var bundles: [(String, Value)] = []
    var startup: [(String, Value)] = []
    let tiles = Dictionary(grouping: rows.filter { $0.selection.tile != nil }) {
      ExactString($0.selection.bundle.name)
    }
    for row in rows where row.selection.tile == nil {
      let name = row.selection.bundle.name
      let changes = row.listChanges.isEmpty ? nil : row.listChanges[context]
      if row.isDirectory {
        let directory = try directory(of: row, tiles: tiles[ExactString(name)] ?? [], in: context)
        lists[name] = directory.object
        var members: Members = [
          "tiles": directory.object.digest.value(in: format), "count": .integer(directory.count),
        ]
        members["changes"] = changes.map(Value.date)
        bundles.append((name, .dictionary(members)))
      } else if !row.lists.isEmpty {
        bundles.append(
          (
            name,
            listed(row.lists[context].digest, count: row.lists[context].count, changes: changes)
          ))
      } else if row.selection.bundle.isSplit {
        let list = try list(row.split[context])
        lists[name] = list
        bundles.append(
          (name, listed(list.digest, count: row.split[context].count, changes: changes)))
      } else {
        bundles.append((name, row.whole[context].value(in: format)))
        if let value = row.whole[context].startup { startup.append((name, value)) }
      }
    }
    let index: Value = [
      "format": 1, "bundles": .dictionary(Members(bundles)),
      "startup": .dictionary(Members(startup)),
    ]
    return Index(object: try object(index), lists: lists)
  }

  private func listed(_ list: Digest, count: Int, changes: Instant?) -> Value {
    var members: Members = ["list": list.value(in: format), "count": .integer(Int64(count))]
    members["changes"] = changes.map(Value.date)
    return .dictionary(members)
  }

  private func list(_ rows: [(entry: Int, row: BundleRow)]) throws -> OutputObject {
    let entries = rows.map { (name($0.entry), $0.row.value(in: format)) }
    return try object(["format": 1, "entries": .dictionary(Members(entries))])
  }

  /// The tiles that have entries in a context, and the number of these entries.
  private func directory(
    of bundle: BundleRows, tiles: [BundleRows], in context: Int
  ) throws -> (object: OutputObject, count: Int64) {
    var count: Int64 = 0
    let rows = tiles.compactMap { tile -> (String, Value)? in
      let row = tile.whole[context]
      guard let quadkey = tile.selection.tile, row.objects.contains(where: { $0.count > 0 }),
        var members = row.value(in: format).members
      else { return nil }
      count += Int64(row.object.count)
      let box = quadkey.box
      members["box"] = .array([box.south, box.west, box.north, box.east].map(Value.real))
      return ("\(quadkey)", .dictionary(members))
    }
    var members: Members = ["format": 1, "tiles": .dictionary(Members(rows))]
    members["place"] = bundle.selection.placeField.map { .string($0.text) }
    return (try object(.dictionary(members)), count)
  }

  private func object(_ value: Value) throws -> OutputObject {
    let object = OutputObject(
      bytes: try PropertyList.encode(value, as: format), fileExtension: format.fileExtension)
    try emit(object)
    return object
  }
}
