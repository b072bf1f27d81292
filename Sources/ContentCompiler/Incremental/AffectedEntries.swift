import ContentModel
import ContentSource

/// The entries that must be read after an edit, and their files.
///
/// Functions mark entries and files to read; nothing is read yet.
struct AffectedEntries {
  private let state: CompiledState
  private(set) var parts: OpenedParts
  /// By entry: `true` if the entry must be read.
  private(set) var mustReadEntry: [Bool]
  /// By file: `true` if the file must be read.
  private(set) var mustReadFile: [Bool]

  init(_ state: CompiledState) {
    self.state = state
    parts = OpenedParts(state)
    mustReadEntry = Array(repeating: false, count: state.datatypes.last?.items.upperBound ?? 0)
    mustReadFile = Array(repeating: false, count: state.folders.last?.items.upperBound ?? 0)
  }

  /// Marks files to read, and returns their numbers; `nil` if one is unknown.
  mutating func markFiles(at paths: [String]) throws(CompiledState.Damaged) -> [Int]? {
    var numbers: [Int] = []
    for path in paths {
      guard let number = try parts.number(of: path) else { return nil }
      try markFile(number)
      numbers.append(number)
    }
    return numbers
  }

  /// The entries with changed layers, in order, and the kinds of these layers.
  typealias Changes = (entries: [Int], kinds: Set<CompiledState.LayerKind>)

  /// Marks every entry with a layer in some files.
  mutating func markAllEntries(in files: [Int]) throws(CompiledState.Damaged) -> Changes? {
    let files = Set(files)
    var kinds = Set<CompiledState.LayerKind>()
    var changed: [Int] = []
    for (first, entries) in parts.openedEntries {
      for (place, entry) in entries.enumerated() {
        let layers = entry.layers.filter { files.contains($0.file) }
        if layers.isEmpty { continue }
        kinds.formUnion(layers.map(\.kind))
        changed.append(first + place)
        mustReadEntry[first + place] = true
      }
    }
    return (changed, kinds)
  }

  /// Marks the entries with changed layers in some files; `nil` if these are unknown.
  ///
  /// `part` has the new content of the files.
  mutating func markChangedEntries(
    in files: [Int], comparedWith part: ContentPart
  ) throws(CompiledState.Damaged) -> Changes? {
    var kinds = Set<CompiledState.LayerKind>()
    var changed = Set<Int>()
    for file in files {
      let found = try layers(in: file)
      let path = try parts.path(of: file)
      // All texts of a catalog are one entry.
      if path.isOfCatalog {
        kinds.formUnion(found.map(\.kind))
        changed.formUnion(found.map(\.entry))
        continue
      }
      guard let fingerprints = part.prints(of: path), fingerprints.count == found.count else {
        return nil
      }
      for layer in found {
        guard let print = fingerprints[layer.id] else { return nil }
        if print == layer.fingerprint { continue }
        kinds.insert(layer.kind)
        changed.insert(layer.entry)
      }
    }
    for entry in changed { mustReadEntry[entry] = true }
    return (changed.sorted(), kinds)
  }

  /// A layer of the earlier build.
  private typealias EarlierLayer = (
    entry: Int, id: String, kind: CompiledState.LayerKind, fingerprint: UInt64
  )

  /// The layers that a file had in the earlier build.
  private func layers(in file: Int) throws(CompiledState.Damaged) -> [EarlierLayer] {
    var found: [EarlierLayer] = []
    for datatype in parts.datatypes {
      let entries = parts.entries(of: datatype)
      guard entries.contains(where: { $0.layers.contains { $0.file == file } }) else { continue }
      let fingerprints = try state.fingerprints[datatype].opened(of: entries)
      for (place, entry) in entries.enumerated() {
        for (index, layer) in entry.layers.enumerated() where layer.file == file {
          let number = state.datatypes[datatype].items.lowerBound + place
          found.append(
            (number, state.id(of: number, with: entry), layer.kind, fingerprints[place, index]))
        }
      }
    }
    return found
  }

  /// Opens the state of an entry.
  mutating func openEntry(_ entry: Int) throws(CompiledState.Damaged) {
    guard mustReadEntry.indices.contains(entry) else { throw CompiledState.Damaged() }
    try parts.openEntries(with: entry)
  }

  /// Marks an opened entry.
  mutating func markEntry(_ entry: Int) { mustReadEntry[entry] = true }

  /// Marks the files of the project and of some datatypes; `nil` for all datatypes.
  mutating func markProject(datatypes places: [Int]?) throws(CompiledState.Damaged) {
    let names = places.map { $0.map { state.datatypes[$0].name } }
    for folder in state.folders.indices where !"\(state.folders[folder].name)/".isOfEntriesOrAssets
    {
      try parts.openFiles(folder)
      for (number, file) in zip(state.folders[folder].items, parts.files(of: folder)) {
        let isOther =
          state.folders[folder].name == "datatypes" && names?.contains(file.stem) == false
        if !isOther { mustReadFile[number] = true }
      }
    }
  }

  /// Marks the files that some contexts consult for marked entries.
  ///
  /// If whole files are read, so are the other entries in them, and the files of those.
  mutating func markFilesOfEntries(
    in contexts: [CompiledState.ContextState], readsWholeFiles: Bool
  ) throws(CompiledState.Damaged) {
    // By file: the kind of its last layer that no context consults.
    var leftOut = [CompiledState.LayerKind?](repeating: nil, count: mustReadFile.count)
    var grows = true
    while grows {
      grows = false
      for (first, entries) in parts.openedEntries {
        for (place, entry) in entries.enumerated() {
          guard entry.layers.allSatisfy({ mustReadFile.indices.contains($0.file) }) else {
            throw CompiledState.Damaged()
          }
          if readsWholeFiles, !mustReadEntry[first + place] {
            mustReadEntry[first + place] = entry.layers.contains { mustReadFile[$0.file] }
          }
          guard mustReadEntry[first + place] else { continue }
          for layer in entry.layers
          where !mustReadFile[layer.file] && leftOut[layer.file] != layer.kind {
            if contexts.contains(where: { $0.consults(layer.kind) }) {
              try markFile(layer.file)
              grows = true
            } else {
              leftOut[layer.file] = layer.kind
            }
          }
        }
      }
    }
  }

  private mutating func markFile(_ file: Int) throws(CompiledState.Damaged) {
    for datatype in try parts.file(file).datatypes { try parts.openEntries(datatype) }
    mustReadFile[file] = true
  }
}

extension CompiledState {
  /// The id of an entry.
  func id(of entry: Int, with known: EntryState) -> String {
    "\(datatypes.place(of: entry).map { datatypes[$0].name } ?? "")/\(known.rest)"
  }

  /// The names of all datatypes, including those without entries.
  var datatypeNames: [String] {
    let files = folders.first { $0.name == "datatypes" }.flatMap { try? $0.files() } ?? []
    return files.map(\.stem)
  }
}

extension CompiledState.FileState {
  /// The name without its extension.
  fileprivate var stem: String {
    String(name[..<(name.utf8.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex)])
  }
}

extension String {
  /// `true` for the path of a string catalog.
  fileprivate var isOfCatalog: Bool { hasBytePrefix("strings/") }
}
