import ContentModel
import ContentSource

/// What an edit reaches: entries, contexts and bundles, and the files that must be read to make them anew.
struct EditScope {
  /// Files that changed, as places among the sources.
  let changed: [Int]
  /// Entries with a layer in a file that changed.
  let touched: [Int]
  /// Contexts that consult such a layer.
  let contexts: [Int]
  /// Selections that hold a touched entry.
  let selections: [Int]
  /// Entries that must be known, in order.
  let entries: [Int]
  /// By source: whether it must be read.
  let isRead: [Bool]

  /// `nil` where more is reached than entries of their own: the project, datatypes, assets.
  init?(_ state: CompiledState, changed paths: [String]) {
    let isChanged = state.sources.map { paths.contains($0.path) }
    changed = isChanged.indices.filter { isChanged[$0] }
    guard changed.count == paths.count,
      changed.allSatisfy({
        state.sources[$0].path.hasPrefix("entries/") || state.sources[$0].path.hasPrefix("strings/")
      })
    else { return nil }
    var reached = Set<CompiledState.LayerState>()
    touched = state.entries.indices.filter { entry in
      let layers = state.entries[entry].layers.filter { isChanged[$0.file] }
      reached.formUnion(layers)
      return !layers.isEmpty
    }
    let contexts = state.contexts.indices.filter { context in reached.contains { state.contexts[context].consults($0) }
    }
    self.contexts = contexts
    let isTouched = Self.flags(touched, count: state.entries.count)
    selections = state.selections.indices.filter { state.selections[$0].entries.contains { isTouched[$0] } }

    var reach = Reach(state, isTouched, isChanged: isChanged)
    // Of a bundle that is one object, every entry is needed again.
    for selection in selections where !state.selections[selection].whole.isEmpty {
      for entry in state.selections[selection].entries { reach.isNeeded[entry] = true }
    }
    // All devices of a locale, since what must be known of an entry is compared locale by locale.
    let locales = Set(contexts.map { state.contexts[$0].locale })
    reach.grow(state, consulted: state.contexts.filter { locales.contains($0.locale) })
    entries = reach.isNeeded.indices.filter { reach.isNeeded[$0] }
    isRead = reach.isRead
  }

  private static func flags(_ places: [Int], count: Int) -> [Bool] {
    var flags = [Bool](repeating: false, count: count)
    for place in places { flags[place] = true }
    return flags
  }
}

/// Entries that are needed, and the files that these need.
private struct Reach {
  var isNeeded: [Bool]
  /// By source.
  private(set) var isRead: [Bool]

  init(_ state: CompiledState, _ isTouched: [Bool], isChanged: [Bool]) {
    isNeeded = isTouched
    isRead = zip(state.sources, isChanged).map { source, isChanged in
      isChanged || !(source.path.hasPrefix("entries/") || source.path.hasPrefix("strings/"))
    }
  }

  /// A file that is read brings the other entries that it holds, and these their files.
  mutating func grow(_ state: CompiledState, consulted: [CompiledState.ContextState]) {
    var consults: [String: Bool] = [:]
    var grows = true
    while grows {
      grows = false
      for (entry, own) in state.entries.enumerated() {
        if !isNeeded[entry] { isNeeded[entry] = own.layers.contains { isRead[$0.file] } }
        guard isNeeded[entry] else { continue }
        for layer in own.layers where !isRead[layer.file] {
          let kind = "\(layer.locale)@\(layer.device)"
          let isConsulted = consults[kind] ?? consulted.contains { $0.consults(layer) }
          consults[kind] = isConsulted
          if isConsulted { (isRead[layer.file], grows) = (true, true) }
        }
      }
    }
  }
}
