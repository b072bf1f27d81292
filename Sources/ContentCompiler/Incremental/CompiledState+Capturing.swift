import Hashing
import Parallel
import ContentModel
import ContentSource

extension CompiledState {
  /// What a finished build leaves behind.
  ///
  /// `nil` if a layer comes from a file that is no source.
  init?(of content: CompiledContent, _ publication: Publication) {
    let (tree, facts, record) = (content.tree, content.facts, publication.record)
    contexts = content.rules.contexts.map { context in
      ContextState(
        name: context.description, locale: context.locale.identifier,
        chain: context.chain.map(\.identifier),
        ancestry: context.ancestry)
    }
    let numbers = FileNumbers(record.sources, tree.folder)
    let stretches = record.entries.concurrentValues {
      StretchState($0, tree, facts, content.assets, numbers)
    }
    var users = [[Int]](repeating: [], count: numbers.count)
    for (place, stretch) in stretches.enumerated() {
      guard let files = stretch?.files else { return nil }
      for file in files { users[file].append(place) }
    }
    datatypes = stretches.compactMap { $0?.part }
    prints = stretches.compactMap { $0?.prints }
    var next = 0
    folders = record.sources.map { folder in
      let numbers = next..<next + folder.files.count
      next = numbers.upperBound
      let states = zip(numbers, folder.files).map { number, file in
        FileState(
          name: file.folderAndName.name, size: file.size, digest: file.digest,
          isWithheld: publication.withheldFiles.contains(ExactString(file.path)),
          datatypes: users[number])
      }
      return Part(folder.path, numbers, folder.object, FileState.encode(states))
    }
    selections = content.bundles.map { SelectionState($0, lists: publication.indexes) }
    indexes = publication.indexes.map { ObjectState($0.object) }
    fixed = (content.assets.objects + publication.pages.payloads).map(ObjectState.init)
    config = publication.members
  }
}

/// The numbers of files by the paths under which layers know them.
private struct FileNumbers: Sendable {
  private var numbers: [ExactString: Int] = [:]

  init(_ folders: [RecordParts.Folder], _ folder: ContentFolder) {
    for file in folders.flatMap(\.files) { numbers[folder.shownPath(file.path)] = numbers.count }
  }

  var count: Int { numbers.count }

  subscript(path: String) -> Int? { numbers[path] }
}

/// What is remembered of one stretch of entries.
private struct StretchState: Sendable {
  let part: CompiledState.Part
  let prints: LayerPrints
  /// The files that have layers of them.
  let files: Set<Int>

  /// `nil` if a layer comes from a file that is no source.
  init?(
    _ stretch: RecordParts.Stretch, _ tree: ContentTree, _ facts: [EntryFacts],
    _ assets: AssetTable,
    _ numbers: FileNumbers
  ) {
    // Of a content of one datatype as well, all processors have something to do.
    let chunks = stretch.entries.chunks(of: 64).concurrentValues {
      Chunk($0, tree, facts, assets, numbers)
    }
    files = chunks.reduce(into: []) { $0.formUnion($1.files) }
    guard !chunks.contains(where: \.isMissingFile) else { return nil }
    part = CompiledState.Part(
      stretch.datatype, stretch.entries, stretch.object,
      CompiledState.EntryState.encode(chunks.flatMap(\.entries)))
    prints = LayerPrints(stretch.entries.lazy.flatMap { facts[$0].layers })
  }

  private struct Chunk: Sendable {
    var entries: [CompiledState.EntryState] = []
    var files: Set<Int> = []
    var isMissingFile = false

    init(
      _ places: Range<Int>, _ tree: ContentTree, _ facts: [EntryFacts], _ assets: AssetTable,
      _ numbers: FileNumbers
    ) {
      for place in places {
        let layers = tree.entries[place].layers.map { layer in
          let file = numbers[layer.path]
          isMissingFile = isMissingFile || file == nil
          files.insert(file ?? 0)
          return CompiledState.LayerState(file: file ?? 0, kind: CompiledState.LayerKind(layer))
        }
        entries.append(
          CompiledState.EntryState(tree.entries[place].id.rest, layers, facts[place], assets))
      }
    }
  }
}

extension CompiledState.Part {
  init(_ name: String, _ items: Range<Int>, _ record: OutputObject?, _ bytes: [UInt8]) {
    self.init(
      name: name, items: items, record: record.map(CompiledState.ObjectState.init),
      digest: Digest(of: bytes),
      bytes: bytes[...])
  }
}

extension CompiledState.EntryState {
  fileprivate init(
    _ rest: String, _ layers: [CompiledState.LayerState], _ facts: EntryFacts, _ assets: AssetTable
  ) {
    self.init(
      rest: rest, layers: layers, isShared: facts.isShared, presence: facts.presence,
      isWithheld: facts.isWithheld, prints: facts.prints,
      assets: facts.assets.flatMap(assets.digests))
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
      lists: lists.compactMap { $0.lists[name].map(CompiledState.ObjectState.init) },
      listChanges: rows.listChanges)
  }
}
