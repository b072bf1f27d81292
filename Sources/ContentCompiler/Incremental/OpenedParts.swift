import ContentModel
import ContentSource

/// The parts of a state that an edit needs, checked and decoded.
struct OpenedParts: Sendable {
  private let state: CompiledState
  /// The entries by datatype.
  private var entries: [Int: [CompiledState.EntryState]] = [:]
  /// The files by folder.
  private var files: [Int: [CompiledState.FileState]] = [:]

  init(_ state: CompiledState) { self.state = state }

  /// The entries of every opened datatype in order, with the number of the first entry.
  var openedEntries: [(first: Int, entries: [CompiledState.EntryState])] {
    entries.sorted { $0.key < $1.key }.map { (state.datatypes[$0.key].items.lowerBound, $0.value) }
  }

  /// The places of the opened datatypes, in order.
  var datatypes: [Int] { entries.keys.sorted() }

  /// Every file of the opened folders.
  var openedFiles: [(number: Int, path: String, digest: Digest)] {
    files.sorted { $0.key < $1.key }.flatMap { folder, files in
      zip(state.folders[folder].items, files).map {
        ($0, state.folders[folder].path(of: $1.name), $1.digest)
      }
    }
  }

  mutating func openEntries(_ datatype: Int) throws(CompiledState.Damaged) {
    if entries[datatype] != nil { return }
    guard state.datatypes.indices.contains(datatype) else { throw CompiledState.Damaged() }
    entries[datatype] = try state.datatypes[datatype].entries()
  }

  mutating func openEntries(with entry: Int) throws(CompiledState.Damaged) {
    guard let datatype = state.datatypes.place(of: entry) else { throw CompiledState.Damaged() }
    try openEntries(datatype)
  }

  mutating func openFiles(_ folder: Int) throws(CompiledState.Damaged) {
    if files[folder] == nil { files[folder] = try state.folders[folder].files() }
  }

  /// The state of an entry; `nil` if its datatype was not opened.
  func entry(_ number: Int) -> CompiledState.EntryState? {
    state.datatypes.place(of: number).flatMap { datatype in
      entries[datatype].map { $0[number - state.datatypes[datatype].items.lowerBound] }
    }
  }

  /// The entries of a datatype; empty if it was not opened.
  func entries(of datatype: Int) -> [CompiledState.EntryState] { entries[datatype] ?? [] }

  /// The files of a folder; empty if it was not opened.
  func files(of folder: Int) -> [CompiledState.FileState] { files[folder] ?? [] }

  mutating func file(_ number: Int) throws(CompiledState.Damaged) -> CompiledState.FileState {
    guard let folder = state.folders.place(of: number) else { throw CompiledState.Damaged() }
    try openFiles(folder)
    return files(of: folder)[number - state.folders[folder].items.lowerBound]
  }

  /// The path of a file in an opened folder.
  func path(of number: Int) throws(CompiledState.Damaged) -> String {
    guard let folder = state.folders.place(of: number), files[folder] != nil else {
      throw CompiledState.Damaged()
    }
    return state.folders[folder].path(
      of: files(of: folder)[number - state.folders[folder].items.lowerBound].name)
  }

  /// The number of the file at a path; `nil` if the earlier build had none.
  mutating func number(of path: String) throws(CompiledState.Damaged) -> Int? {
    let (folder, name) = ContentTree.SourceFile.folderAndName(of: path)
    guard let place = state.folders.firstIndex(where: { $0.name.hasSameBytes(as: folder) }) else {
      return nil
    }
    try openFiles(place)
    return files(of: place).firstIndex { $0.name.hasSameBytes(as: name) }.map {
      state.folders[place].items.lowerBound + $0
    }
  }
}

extension CompiledState.Part {
  /// The path of a file of this folder.
  func path(of name: String) -> String { self.name == "." ? name : "\(self.name)/\(name)" }
}

extension [CompiledState.Part] {
  /// The place of the part with an item, by binary search.
  func place(of item: Int) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].items.upperBound <= item { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].items.contains(item) ? low : nil
  }
}
