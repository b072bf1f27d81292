import ContentModel
import ContentSource
import PropertyLists

/// Indexes, and the lists of split bundles: which bundles a context has.
struct IndexBuilder: Sendable {
  let tree: ContentTree
  let emit: @Sendable (OutputObject) throws -> Void

  private var format: PropertyListFormat { tree.project.format }

  /// The index of one context.
  func index(_ rows: [Selector.Rows], context: Int) throws -> Digest {
    var bundles: [(String, Value)] = []
    var startup: [(String, Value)] = []
    for row in rows {
      let name = row.selection.bundle.name
      if row.selection.bundle.isSplit {
        bundles.append((name, try list(row.split[context])))
      } else {
        bundles.append((name, row.whole[context].value(in: format)))
        if let value = row.whole[context].startup { startup.append((name, value)) }
      }
    }
    let index: Value = [
      "format": 1, "bundles": .dictionary(Members(bundles)), "startup": .dictionary(Members(startup)),
    ]
    return try object(index).digest
  }

  private func list(_ rows: [(entry: Int, row: BundleRow)]) throws -> Value {
    let entries = rows.map { (tree.entries[$0.entry].id.rest, $0.row.value(in: format)) }
    let list = try object(["format": 1, "entries": .dictionary(Members(entries))])
    return ["list": list.digest.value(in: format), "count": .integer(Int64(rows.count))]
  }

  private func object(_ value: Value) throws -> OutputObject {
    let object = OutputObject(
      bytes: try PropertyList.encode(value, as: format), fileExtension: format.fileExtension)
    try emit(object)
    return object
  }
}
