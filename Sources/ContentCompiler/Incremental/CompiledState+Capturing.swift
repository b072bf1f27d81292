import ContentModel
import ContentSource

extension CompiledState {
  /// What a finished build leaves behind.
  ///
  /// `nil` if a layer comes from a file that is no source.
  init?(_ findings: Findings, _ rows: [Selector.Rows], _ publication: Publication) {
    let (plan, tree) = (findings.plan, findings.plan.tree)
    let record = publication.record
    contexts = plan.order.contexts.map { context in
      ContextState(
        name: context.description, locale: context.locale.identifier, chain: context.chain.map(\.identifier),
        ancestry: context.ancestry)
    }
    var files = FileNumbers(record.sources, tree.folder)
    let facts = findings.facts
    datatypes = record.entries.enumerated().map { place, stretch in
      let entries = stretch.entries.map { entry in
        let layers = tree.entries[entry].layers.map { LayerState($0, &files, datatype: place) }
        return EntryState(tree.entries[entry].id.rest, layers, facts[entry], findings.assets)
      }
      return Part(stretch.datatype, stretch.entries, stretch.object, EntryState.encode(entries))
    }
    prints = record.entries.map { stretch in LayerPrints(stretch.entries.lazy.flatMap { facts[$0].layers }) }
    guard files.areAllKnown else { return nil }
    var next = 0
    folders = record.sources.map { folder in
      let numbers = next..<next + folder.files.count
      next = numbers.upperBound
      let states = zip(numbers, folder.files).map { number, file in
        FileState(
          name: file.folderAndName.name, size: file.size, digest: file.digest, datatypes: files.datatypes[number])
      }
      return Part(folder.path, numbers, folder.object, FileState.encode(states))
    }
    selections = rows.map { SelectionState($0, lists: publication.indexes) }
    indexes = publication.indexes.map { ObjectState($0.object) }
    fixed = (findings.assets.objects + publication.pages.payloads).map(ObjectState.init)
    config = publication.members
  }
}

/// The numbers of files by the paths under which layers know them, and which datatypes have layers in each.
private struct FileNumbers {
  private var numbers: [String: Int] = [:]
  private(set) var datatypes: [[Int]]
  private(set) var areAllKnown = true

  init(_ folders: [RecordParts.Folder], _ folder: ContentFolder) {
    for file in folders.flatMap(\.files) { numbers[folder.shownPath(file.path)] = numbers.count }
    datatypes = Array(repeating: [], count: numbers.count)
  }

  /// The number of a file in which a datatype has a layer.
  mutating func number(of path: String, datatype: Int) -> Int {
    guard let number = numbers[path] else {
      areAllKnown = false
      return 0
    }
    if datatypes[number].last != datatype { datatypes[number].append(datatype) }
    return number
  }
}

extension CompiledState.Part {
  init(_ name: String, _ items: Range<Int>, _ record: OutputObject, _ bytes: [UInt8]) {
    self.init(
      name: name, items: items, record: CompiledState.ObjectState(record), digest: Digest(of: bytes), bytes: bytes[...])
  }
}

extension CompiledState.EntryState {
  fileprivate init(
    _ rest: String, _ layers: [CompiledState.LayerState], _ facts: EntryFacts, _ assets: AssetTable
  ) {
    self.init(
      rest: rest, layers: layers, isShared: facts.isShared, presence: facts.plan.presence, prints: facts.prints,
      assets: facts.assets.flatMap(assets.digests))
  }
}

extension CompiledState.LayerState {
  fileprivate init(_ layer: Layer, _ files: inout FileNumbers, datatype: Int) {
    self.init(file: files.number(of: layer.path, datatype: datatype), kind: CompiledState.LayerKind(layer))
  }
}

extension CompiledState.LayerKind {
  init(_ layer: Layer) { self.init(locale: layer.locale?.identifier ?? "", device: layer.device ?? "") }
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
