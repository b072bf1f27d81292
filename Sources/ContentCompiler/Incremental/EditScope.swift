import ContentModel
import ContentSource

/// What an edit reaches: entries, contexts and bundles, and the files that must be read to make them anew.
struct EditScope {
  /// The parts that the edit reaches, opened.
  let parts: OpenedParts
  /// The numbers of the files that changed.
  let changed: [Int]
  /// Entries with a layer in a file that changed, in order.
  let touched: [Int]
  /// Contexts that consult such a layer.
  let contexts: [Int]
  /// Selections that hold a touched entry.
  let selections: [Int]
  /// Entries that must be known, in order, and what is known of them.
  let entries: [Int]
  let known: [CompiledState.EntryState]
  /// The numbers of the files that must be read, in order.
  let read: [Int]

  /// `nil` where more is reached than entries of their own: the project, datatypes, assets.
  init?(_ state: CompiledState, changed paths: [String]) throws(CompiledState.Damaged) {
    guard paths.allSatisfy(\.isOfEntries) else { return nil }
    var reach = Reach(state)
    guard let changed = try reach.numbers(of: paths) else { return nil }
    let (touched, reached) = try reach.touch(changed)
    (self.changed, self.touched) = (changed, touched)
    let contexts = state.contexts.indices.filter { context in reached.contains { state.contexts[context].consults($0) }
    }
    self.contexts = contexts
    selections = state.selections.indices.filter { state.selections[$0].entries.contains { reach.isNeeded[$0] } }
    // Of a bundle that is one object, every entry is needed again.
    for selection in selections where !state.selections[selection].whole.isEmpty {
      for entry in state.selections[selection].entries { try reach.need(entry) }
    }
    try reach.readProject()
    // All devices of a locale, since what must be known of an entry is compared locale by locale.
    let locales = Set(contexts.map { state.contexts[$0].locale })
    try reach.grow(consulted: state.contexts.filter { locales.contains($0.locale) })
    entries = reach.isNeeded.indices.filter { reach.isNeeded[$0] }
    read = reach.isRead.indices.filter { reach.isRead[$0] }
    parts = reach.parts
    known = entries.compactMap { [parts] in parts.entry($0) }
    if known.count != entries.count { throw CompiledState.Damaged() }
  }
}

/// Entries that are needed, and the files that these need.
private struct Reach {
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

  /// Needs every entry with a layer in some files; says which these are, and for whom their layers there are.
  mutating func touch(
    _ files: [Int]
  ) throws(CompiledState.Damaged) -> (entries: [Int], kinds: Set<CompiledState.LayerKind>) {
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

  mutating func need(_ entry: Int) throws(CompiledState.Damaged) {
    guard isNeeded.indices.contains(entry) else { throw CompiledState.Damaged() }
    isNeeded[entry] = true
    try parts.openEntries(with: entry)
  }

  /// Reads what no entry comes from, assets apart: the project and the datatypes.
  mutating func readProject() throws(CompiledState.Damaged) {
    for folder in state.folders.indices where !"\(state.folders[folder].name)/".isOfEntriesOrAssets {
      try parts.openFiles(folder)
      for number in state.folders[folder].items { isRead[number] = true }
    }
  }

  /// A file that is read brings the other entries that it holds, and these their files.
  mutating func grow(consulted: [CompiledState.ContextState]) throws(CompiledState.Damaged) {
    // By file: for whom the layer was that was found last, and that nobody consults.
    var leftOut = [CompiledState.LayerKind?](repeating: nil, count: isRead.count)
    var grows = true
    while grows {
      grows = false
      for (first, entries) in parts.openedEntries {
        for (place, entry) in entries.enumerated() {
          guard entry.layers.allSatisfy({ isRead.indices.contains($0.file) }) else { throw CompiledState.Damaged() }
          if !isNeeded[first + place] { isNeeded[first + place] = entry.layers.contains { isRead[$0.file] } }
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

extension String {
  /// Whether it is the path of a file that entries come from.
  var isOfEntries: Bool { hasPrefix("entries/") || hasPrefix("strings/") }

  fileprivate var isOfEntriesOrAssets: Bool { isOfEntries || hasPrefix("assets/") }
}
