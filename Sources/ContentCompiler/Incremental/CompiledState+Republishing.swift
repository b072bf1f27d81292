import ContentModel
import ContentSource
import PropertyLists

extension CompiledState {
  /// Makes what leads readers to the bundles: indexes of the scope's contexts, the record, and config.
  ///
  /// `nil` where an object of the earlier build cannot be read.
  mutating func republish(
    _ scope: EditScope, _ tree: ContentTree, _ stored: (Digest, String) -> [UInt8]?, _ ledger: ObjectLedger
  ) throws -> Recompilation? {
    let format = tree.project.format
    guard let rows = try? allRows(tree, scope, stored) else { return nil }
    let entries = entries
    let indexer = IndexBuilder(name: { EntryID(entries[$0].id)?.rest ?? "" }, format: format) { try ledger.add($0) }
    for context in scope.contexts {
      let index = try indexer.index(rows, context: context)
      indexes[context] = ObjectState(index.object)
      for place in selections.indices {
        if let list = index.lists[selections[place].name] { selections[place].lists[context] = ObjectState(list) }
      }
    }
    let objects = allObjects(tree.project)
    let record = OutputObject(
      bytes: try PropertyList.encode(recordValue(tree.project, objects), as: format),
      fileExtension: format.fileExtension, isCompressible: false)
    try ledger.add(record)
    let contexts = Context.all(locales: tree.project.locales, devices: tree.project.devices)
    let config = try PropertyList.encode(
      ConfigBuilder(project: tree.project, contexts: contexts).value(
        indexes: indexes.map(\.digest), payloads: payloads, retryAfter: retryAfter, build: record.digest), as: format)
    let made = Set(ledger.rows.map(ObjectState.init))
    let all = latestLinks(tree.project)
    let changed = Set(scope.contexts.map { self.contexts[$0].name })
    let recordLink = OutputLink(
      path: "build.\(format.fileExtension)", digest: record.digest, fileExtension: format.fileExtension)
    return Recompilation(
      config: OutputFile(path: "preview/config.\(format.fileExtension)", bytes: config),
      links: all.filter { changed.contains($0.context) }.map(\.link) + [recordLink],
      keptObjects: objects.filter { !made.contains($0) }.map { ($0.digest, $0.fileExtension) },
      keptFiles: all.filter { !changed.contains($0.context) }.map(\.link.path) + pages,
      objectCount: objects.count + 1, state: self)
  }

  /// Every bundle's rows in the form that indexes are made of; what startup bundles carry is read for the scope only.
  private func allRows(
    _ tree: ContentTree, _ scope: EditScope, _ stored: (Digest, String) -> [UInt8]?
  ) throws -> [Selector.Rows] {
    try selections.map { state in
      guard let bundle = tree.project.bundles.first(where: { $0.name == state.name }) else { throw Unreadable() }
      var rows = Selector.Rows(selection: Selection(bundle: bundle, entries: state.entries), whole: state.whole)
      for context in scope.contexts where bundle.isStartup && state.whole[context].startup?.isEmptyDictionary == true {
        let digest = state.whole[context].object.digest
        guard bundle.format == tree.project.format, let bytes = stored(digest, bundle.format.fileExtension),
          let value = try? PropertyList.decode(bytes, as: bundle.format).value
        else { throw Unreadable() }
        rows.whole[context].startup = value
      }
      rows.split = state.split.map { $0.map { ($0.entry, state.rows[$0.row]) } }
      return rows
    }
  }

  private struct Unreadable: Error {}

  /// Every object of the build but the record, by digest.
  private func allObjects(_ project: Project) -> [ObjectState] {
    var all: Set<ObjectState> = []
    func add(_ row: BundleRow, _ bundle: BundleDefinition?) {
      for object in row.objects {
        all.insert(
          ObjectState(
            digest: object.digest, fileExtension: (bundle?.format ?? project.format).fileExtension, size: object.size))
      }
    }
    for selection in selections {
      let bundle = project.bundles.first { $0.name == selection.name }
      for row in selection.whole { add(row, bundle) }
      for row in Set(selection.split.joined().map(\.row)) { add(selection.rows[row], bundle) }
      all.formUnion(selection.lists)
    }
    all.formUnion(indexes + fixed)
    return all.sorted { ($0.digest, $0.fileExtension) < ($1.digest, $1.fileExtension) }
  }

  private func recordValue(_ project: Project, _ objects: [ObjectState]) -> Value {
    let builder = BuildRecordBuilder(
      project: project, contexts: contexts.map(\.name), ids: entries.map(\.id), assets: entries.map(\.assets),
      sources: sources + assetSources)
    let shown = selections.flatMap { selection -> [BuildRecordBuilder.Shown] in
      if selection.whole.isEmpty {
        return BuildRecordBuilder.Shown.split(
          selection.split.joined().map { ($0.entry, selection.rows[$0.row].objects.map(\.digest)) })
      }
      return BuildRecordBuilder.Shown.whole(selection.entries, selection.whole) { entry, context in
        entries[entry].isPresent(in: context)
      }
    }
    return builder.value(shown, objects: objects.map { ($0.digest, $0.fileExtension, $0.size) })
  }

  private func latestLinks(_ project: Project) -> [(context: String, link: OutputLink)] {
    contexts.enumerated().flatMap { index, context in
      selections.filter { !$0.whole.isEmpty }.compactMap { selection in
        project.bundles.first { $0.name == selection.name }.map { bundle in
          (context.name, OutputLink(latest: bundle, in: context.name, selection.whole[index]))
        }
      }
    }
  }
}

extension Value {
  fileprivate var isEmptyDictionary: Bool { if case .dictionary(let members) = self { members.isEmpty } else { false } }
}
