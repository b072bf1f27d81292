import ContentModel
import ContentSource

extension CompiledState {
  /// What a finished build leaves behind.
  init(_ findings: Findings, _ rows: [Selector.Rows], _ publication: Publication) {
    let (plan, tree, facts) = (findings.plan, findings.plan.tree, findings.facts)
    let files = Dictionary(tree.sources.enumerated().map { (tree.folder.shownPath($1.path), $0) }) { first, _ in first }
    contexts = plan.order.contexts.map { context in
      ContextState(
        name: context.description, locale: context.locale.identifier, chain: context.chain.map(\.identifier),
        ancestry: context.ancestry)
    }
    sources = tree.sources
    assetSources = findings.assets.sources
    entries = zip(tree.entries, facts).map { entry, facts in
      let presence = facts.plan.byContext.map { $0 != nil }
      return EntryState(
        id: entry.id.text, layers: entry.layers.map { LayerState($0, files) }, isShared: facts.isShared,
        presence: presence.contains(false) ? presence : [], prints: facts.prints,
        assets: facts.assets.flatMap(findings.assets.digests))
    }
    selections = rows.map { SelectionState($0, lists: publication.indexes) }
    indexes = publication.indexes.map { ObjectState($0.object) }
    payloads = publication.pages.payloads.map(\.digest)
    fixed = (findings.assets.objects + publication.pages.payloads).map(ObjectState.init)
    retryAfter = publication.pages.retryAfter
    pages = publication.files.map(\.path)
  }
}

extension CompiledState.LayerState {
  init(_ layer: Layer, _ files: [String: Int]) {
    self.init(
      file: files[layer.node.path] ?? -1, locale: layer.locale?.identifier ?? "", device: layer.device ?? "")
  }
}

extension CompiledState.ObjectState {
  init(_ object: OutputObject) {
    self.init(digest: object.digest, fileExtension: object.fileExtension, size: object.bytes.count)
  }
}

extension CompiledState.SelectionState {
  init(_ rows: Selector.Rows, lists: [IndexBuilder.Index]) {
    let name = rows.selection.bundle.name
    var places: [BundleRow: Int] = [:]
    var distinct: [BundleRow] = []
    let split = rows.split.map { rows in
      rows.map { entry, row -> SplitRow in
        let place = places[row] ?? distinct.count
        if place == distinct.count {
          places[row] = place
          distinct.append(row)
        }
        return SplitRow(entry: entry, row: place)
      }
    }
    self.init(
      name: name, entries: rows.selection.entries, whole: rows.whole, split: split, rows: distinct,
      lists: lists.compactMap { $0.lists[name].map(CompiledState.ObjectState.init) })
  }
}
