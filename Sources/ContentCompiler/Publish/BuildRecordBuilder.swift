import ContentModel
import ContentSource

/// `build.plist`: what was built from what.
struct BuildRecordBuilder {
  let tree: ContentTree
  let plan: ResolutionPlan
  let facts: [EntryFacts]
  let assets: AssetTable

  /// The record; `sizes` are those of every object but the record itself.
  func value(_ rows: [Selector.Rows], objects: [(digest: Digest, fileExtension: String, size: Int)]) -> Value {
    let format = tree.project.format
    let contexts = plan.order.contexts.map { Value.string($0.description) }
    let sources = (tree.sources + assets.sources).map { file in
      (file.path, Value.dictionary(["hash": file.digest.value(in: format), "size": .integer(Int64(file.size))]))
    }
    let files = objects.map { object in
      (
        object.digest.hex,
        Value.dictionary(["extension": .string(object.fileExtension), "size": .integer(Int64(object.size))])
      )
    }
    let members = objectsByEntry(rows).map { entry, digests in
      (tree.entries[entry].id.text, Value.array(digests.sorted().map { $0.value(in: format) }))
    }
    return [
      "format": 1, "app": .string(tree.project.app), "compiler": .string("contentc \(ContentcVersion.current)"),
      "contexts": .array(contexts), "entries": .dictionary(Members(members)), "objects": .dictionary(Members(files)),
      "sources": .dictionary(Members(sources)),
    ]
  }

  /// For each entry, every object that shows something of it.
  private func objectsByEntry(_ rows: [Selector.Rows]) -> [(Int, Set<Digest>)] {
    var found = [Set<Digest>](repeating: [], count: tree.entries.count)
    for rows in rows {
      for (context, row) in rows.whole.enumerated() {
        let digests = row.objects.map(\.digest)
        for entry in rows.selection.entries where plan.entries[entry].byContext[context] != nil {
          found[entry].formUnion(digests)
        }
      }
      for (entry, row) in rows.split.joined() { found[entry].formUnion(row.objects.map(\.digest)) }
    }
    for (entry, facts) in facts.enumerated() where !found[entry].isEmpty {
      for asset in facts.assets { found[entry].formUnion(assets.digests(of: asset)) }
    }
    return found.enumerated().map { ($0.offset, $0.element) }
  }
}
