import ContentModel
import ContentSource

/// Entries that are needed, and the files that these need.
struct AffectedEntries {
  private let state: CompiledState
  private(set) var parts: OpenedParts
  /// By entry.
  private(set) var isNeeded: [Bool]
  /// By file.
  private(set) var isRead: [Bool]

  init(_ state: CompiledState) {
    self.state = state
    parts = OpenedParts(state)
    isNeeded = Array(repeating: false, count: state.datatypes.last?.items.upperBound ?? 0)
    isRead = Array(repeating: false, count: state.folders.last?.items.upperBound ?? 0)
  }

  /// The numbers of some files, which are read from now on; `nil` if one is not known.
  mutating func numbers(of paths: [String]) throws(CompiledState.Damaged) -> [Int]? {
    var numbers: [Int] = []
    for path in paths {
      guard let number = try parts.number(of: path) else { return nil }
      try read(number)
      numbers.append(number)
    }
    return numbers
  }

  /// Needs every entry with a layer in some files; says which these are, and for whom their layers
  /// there are.
  mutating func touch(
    _ files: [Int]
  ) throws(CompiledState.Damaged) -> (entries: [Int], kinds: Set<CompiledState.LayerKind>)? {
    let files = Set(files)
    var kinds = Set<CompiledState.LayerKind>()
    var touched: [Int] = []
    for (first, entries) in parts.openedEntries {
      for (place, entry) in entries.enumerated() {
        let layers = entry.layers.filter { files.contains($0.file) }
        if layers.isEmpty { continue }
        kinds.formUnion(layers.map(\.kind))
        touched.append(first + place)
        isNeeded[first + place] = true
      }
    }
    return (touched, kinds)
  }

  /// Needs the entries whose layers in some files are others than before, as a part has opened
  /// these; `nil` where that cannot be told.
  mutating func touch(
    _ files: [Int], _ part: ContentPart
  ) throws(CompiledState.Damaged) -> (entries: [Int], kinds: Set<CompiledState.LayerKind>)? {
    var kinds = Set<CompiledState.LayerKind>()
    var touched = Set<Int>()
    for file in files {
      let found = try layers(in: file)
      let path = try parts.path(of: file)
      // Which of a catalog's texts changed does not matter: they are one entry.
      if path.isOfCatalog {
        kinds.formUnion(found.map(\.kind))
        touched.formUnion(found.map(\.entry))
        continue
      }
      guard let prints = part.prints(of: path), prints.count == found.count else { return nil }
      for layer in found {
        guard let print = prints[layer.id] else { return nil }
        if print == layer.print { continue }
        kinds.insert(layer.kind)
        touched.insert(layer.entry)
      }
    }
    for entry in touched { isNeeded[entry] = true }
    return (touched.sorted(), kinds)
  }

  /// The layers that stood in a file, each with what is known of it.
  private func layers(
    in file: Int
  ) throws(CompiledState.Damaged) -> [(
    entry: Int, id: String, kind: CompiledState.LayerKind, print: UInt64
  )] {
    var found: [(entry: Int, id: String, kind: CompiledState.LayerKind, print: UInt64)] = []
    for datatype in parts.datatypes {
      let entries = parts.entries(of: datatype)
      guard entries.contains(where: { $0.layers.contains { $0.file == file } }) else { continue }
      let prints = try state.prints[datatype].opened(of: entries)
      for (place, entry) in entries.enumerated() {
        for (index, layer) in entry.layers.enumerated() where layer.file == file {
          let number = state.datatypes[datatype].items.lowerBound + place
          found.append((number, state.id(of: number, entry), layer.kind, prints[place, index]))
        }
      }
    }
    return found
  }

  /// Opens what is known of an entry, which is read only where that is not enough.
  mutating func need(_ entry: Int, isRead: Bool) throws(CompiledState.Damaged) {
    guard isNeeded.indices.contains(entry) else { throw CompiledState.Damaged() }
    if isRead { isNeeded[entry] = true }
    try parts.openEntries(with: entry)
  }

  /// Reads what no entry comes from, assets apart: the project and the datatypes, or only some of
  /// these.
  mutating func readProject(datatypes places: [Int]?) throws(CompiledState.Damaged) {
    let names = places.map { $0.map { state.datatypes[$0].name } }
    for folder in state.folders.indices where !"\(state.folders[folder].name)/".isOfEntriesOrAssets
    {
      try parts.openFiles(folder)
      for (number, file) in zip(state.folders[folder].items, parts.files(of: folder)) {
        let isOther =
          state.folders[folder].name == "datatypes" && names?.contains(file.stem) == false
        if !isOther { isRead[number] = true }
      }
    }
  }

  /// What is needed brings its files; a file that is read as a whole brings the other entries that
  /// it holds, and these theirs.
  mutating func grow(
    consulted: [CompiledState.ContextState], readsWholeFiles: Bool
  ) throws(CompiledState.Damaged) {
    // By file: for whom the layer was that was found last, and that nobody consults.
    var leftOut = [CompiledState.LayerKind?](repeating: nil, count: isRead.count)
    var grows = true
    while grows {
      grows = false
      for (first, entries) in parts.openedEntries {
        for (place, entry) in entries.enumerated() {
          guard entry.layers.allSatisfy({ isRead.indices.contains($0.file) }) else {
            throw CompiledState.Damaged()
          }
          if readsWholeFiles, !isNeeded[first + place] {
            isNeeded[first + place] = entry.layers.contains { isRead[$0.file] }
          }
          guard isNeeded[first + place] else { continue }
          for layer in entry.layers where !isRead[layer.file] && leftOut[layer.file] != layer.kind {
            if consulted.contains(where: { $0.consults(layer.kind) }) {
              try read(layer.file)
              grows = true
            } else {
              leftOut[layer.file] = layer.kind
            }
          }
        }
      }
    }
  }

  private mutating func read(_ file: Int) throws(CompiledState.Damaged) {
    for datatype in try parts.file(file).datatypes { try parts.openEntries(datatype) }
    isRead[file] = true
  }
}

extension CompiledState {
  /// The id of an entry.
  func id(of entry: Int, _ known: EntryState) -> String {
    "\(datatypes.place(of: entry).map { datatypes[$0].name } ?? "")/\(known.rest)"
  }

  /// The names of all datatypes, those without entries among them.
  var datatypeNames: [String] {
    let files = folders.first { $0.name == "datatypes" }.flatMap { try? $0.files() } ?? []
    return files.map(\.stem)
  }
}

extension CompiledState.FileState {
  /// The name without its ending.
  fileprivate var stem: String {
    String(name[..<(name.utf8.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex)])
  }
}

extension String {
  /// Whether it is the path of a string catalog.
  fileprivate var isOfCatalog: Bool { hasPrefix("strings/") }
}
