import ContentModel
import ContentSource
import System

extension CompiledState {
  /// The state of a finished build; `nil` if the file of a layer is not a source.
  init?(of content: CompiledContent, _ indexFiles: IndexFiles) {
    let (tree, facts, record) = (content.tree, content.facts, indexFiles.record)
    contexts = content.rules.contexts.map { context in
      ContextState(
        name: context.description, locale: context.locale.identifier,
        chain: context.chain.map(\.identifier),
        ancestry: context.ancestry)
    }
    let numbers = FileNumbers(of: record.sources, in: tree.folder)
    let source = StateSource(tree: tree, facts: facts, assets: content.assets, files: numbers)
    let stretches = record.entries.concurrentValues {
      StretchState(of: $0, from: source)
    }
    var users = [[Int]](repeating: [], count: numbers.count)
    for (place, stretch) in stretches.enumerated() {
      guard let files = stretch?.files else { return nil }
      for file in files { users[file].append(place) }
    }
    datatypes = stretches.compactMap { $0?.part }
    fingerprints = stretches.compactMap { $0?.fingerprints }
    var next = 0
    folders = record.sources.map { folder in
      let numbers = next..<next + folder.files.count
      next = numbers.upperBound
      let states = zip(numbers, folder.files).map { number, file in
        FileState(
          name: file.folderAndName.name, size: file.size, digest: file.digest,
          isWithheld: indexFiles.withheldFiles.contains(ExactString(file.path)),
          datatypes: users[number])
      }
      return Part(
        folder.path, items: numbers, record: folder.object, bytes: FileState.encode(states))
    }
    selections = content.bundles.map { SelectionState($0, lists: indexFiles.indexes) }
    indexes = indexFiles.indexes.map { ObjectState($0.object) }
    fixed = (content.assets.objects + indexFiles.pages.payloads).map(ObjectState.init)
    config = indexFiles.members
  }
}

/// The numbers of files, by the paths that layers have.
private struct FileNumbers: Sendable {
  private var numbers: [ExactString: Int] = [:]

  init(of folders: [RecordParts.Folder], in folder: ContentFolder) {
    for file in folders.flatMap(\.files) { numbers[folder.shownPath(file.path)] = numbers.count }
  }

  var count: Int { numbers.count }

  subscript(path: ExactString) -> Int? { numbers[path] }
}

/// The parts of a build that the states of entries are made from.
private struct StateSource: Sendable {
  let tree: ContentTree
  let facts: [EntryFacts]
  let assets: AssetTable
  let files: FileNumbers
}

/// The state of the entries of one datatype.
private struct StretchState: Sendable {
  let part: CompiledState.Part
  let fingerprints: LayerFingerprints
  /// The files with layers of these entries.
  let files: Set<Int>

  /// `nil` if the file of a layer is not a source.
  init?(of stretch: RecordParts.Stretch, from source: StateSource) {
    // In chunks, so that content of a single datatype also uses all processors.
    let chunks = stretch.entries.chunks(of: 64).concurrentValues { Chunk(of: $0, from: source) }
    files = chunks.reduce(into: []) { $0.formUnion($1.files) }
    guard !chunks.contains(where: \.isMissingFile) else { return nil }
    part = CompiledState.Part(
      stretch.datatype, items: stretch.entries, record: stretch.object,
      bytes: CompiledState.EntryState.encode(chunks.flatMap(\.entries)))
    fingerprints = LayerFingerprints(stretch.entries.lazy.flatMap { source.facts[$0].layers })
  }

  private struct Chunk: Sendable {
    var entries: [CompiledState.EntryState] = []
    var files: Set<Int> = []
    var isMissingFile = false

    init(of places: Range<Int>, from source: StateSource) {
      for place in places {
        let entry = source.tree.entries[place]
        let layers = entry.layers.map { layer in
          let file = source.files[layer.path]
          isMissingFile = isMissingFile || file == nil
          files.insert(file ?? 0)
          return CompiledState.LayerState(file: file ?? 0, kind: CompiledState.LayerKind(layer))
        }
        entries.append(
          CompiledState.EntryState(
            entry.id.rest, layers: layers, facts: source.facts[place], assets: source.assets))
      }
    }
  }
}

extension CompiledState.Part {
  init(_ name: String, items: Range<Int>, record: OutputObject?, bytes: [UInt8]) {
    self.init(
      name: name, items: items, record: record.map(CompiledState.ObjectState.init),
      digest: Digest(of: bytes),
      bytes: bytes[...])
  }
}

extension CompiledState.EntryState {
  fileprivate init(
    _ rest: String, layers: [CompiledState.LayerState], facts: EntryFacts, assets: AssetTable
  ) {
    self.init(
      rest: rest, layers: layers, isShared: facts.isShared, presence: facts.presence,
      isWithheld: facts.isWithheld, fingerprints: facts.fingerprints,
      assets: facts.assets.flatMap(assets.digests) + facts.pages)
  }
}

extension CompiledState.LayerKind {
  init(_ layer: Layer) {
    self.init(locale: layer.locale?.identifier ?? "", device: layer.device ?? "")
  }
}

extension CompiledState.ObjectState {
  init(_ object: OutputObject) {
    self.init(digest: object.digest, fileExtension: object.fileExtension, size: object.bytes.count)
  }
}

extension CompiledState.SelectionState {
  init(_ rows: BundleRows, lists: [IndexBuilder.Index]) {
    let name = rows.selection.name
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
      lists: lists.compactMap { $0.lists[name].map(CompiledState.ObjectState.init) },
      listChanges: rows.listChanges,
      placeField: rows.isDirectory ? rows.selection.placeField : nil)
  }
}
