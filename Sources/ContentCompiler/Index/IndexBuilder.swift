import ContentModel
import ContentSource
import PropertyLists

/// Indexes, and the lists of split bundles: which bundles a context has.
struct IndexBuilder: Sendable {
  /// What an entry's rows in lists are called.
  let name: @Sendable (_ entry: Int) -> String
  let format: PropertyListFormat
  let emit: @Sendable (OutputObject) throws -> Void

  /// An index, and the lists that it names, by bundle.
  struct Index: Sendable {
    var object: OutputObject
    var lists: [ExactString: OutputObject]
  }

  /// The index of one context.
  func index(_ rows: [BundleRows], context: Int) throws -> Index {
    var lists: [ExactString: OutputObject] = [:]
    var bundles: [(String, Value)] = []
    var startup: [(String, Value)] = []
    for row in rows {
      let name = row.selection.bundle.name
      let changes = row.listChanges.isEmpty ? nil : row.listChanges[context]
      if !row.lists.isEmpty {
        bundles.append((name, listed(row.lists[context].digest, row.lists[context].count, changes)))
      } else if row.selection.bundle.isSplit {
        let list = try list(row.split[context])
        lists[name] = list
        bundles.append((name, listed(list.digest, row.split[context].count, changes)))
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

  private func listed(_ list: Digest, _ count: Int, _ changes: Instant?) -> Value {
    var members: Members = ["list": list.value(in: format), "count": .integer(Int64(count))]
    members["changes"] = changes.map(Value.date)
    return .dictionary(members)
  }

  private func list(_ rows: [(entry: Int, row: BundleRow)]) throws -> OutputObject {
    let entries = rows.map { (name($0.entry), $0.row.value(in: format)) }
    return try object(["format": 1, "entries": .dictionary(Members(entries))])
  }

  private func object(_ value: Value) throws -> OutputObject {
    let object = OutputObject(
      bytes: try PropertyList.encode(value, as: format), fileExtension: format.fileExtension)
    try emit(object)
    return object
  }
}
