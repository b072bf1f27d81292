import ContentModel
import ContentSource
import Diagnostics

/// What resolving entries has shown so far: each entry's facts, once, and the assets that they use.
struct Findings: Sendable {
  private(set) var plan: ResolutionPlan
  private(set) var assets = AssetTable()
  /// By entry; `nil` for those that were not resolved yet.
  private var known: [EntryFacts?]
  private var assetDiagnostics: [Diagnostic] = []
  /// Every moment at which some item of a list comes or goes.
  private(set) var moments: Set<Instant> = []

  /// The contexts of each locale, if what is found is to be remembered.
  private var printed: [[Int]] = []
  /// By context: whether anything is to be known of it.
  private let isWanted: [Bool]

  /// Findings of a whole tree.
  init(_ tree: ContentTree, remembers: Bool) {
    self.init(tree, isWanted: nil)
    if remembers { printed = plan.order.localeGroups }
  }

  /// Findings of the part of a tree that some contexts of an earlier build need: `sharing` is what that knew of each
  /// entry, since not all layers are at hand.
  init(_ tree: ContentTree, for contexts: [Int], sharing: [Bool]) {
    let count = tree.project.locales.declared.count * tree.project.devices.names.count
    self.init(tree, isWanted: (0..<count).map(contexts.contains))
    plan.sharing = sharing
    printed = plan.order.localeGroups.map { $0.contains(where: contexts.contains) ? $0 : [] }
  }

  private init(_ tree: ContentTree, isWanted: [Bool]?) {
    plan = ResolutionPlan(
      tree: tree, order: LayerOrder(locales: tree.project.locales, devices: tree.project.devices),
      conditions: ConditionReader(locales: tree.project.locales, devices: tree.project.devices),
      entries: Array(repeating: ResolutionPlan.EntryPlan(variants: [], byContext: []), count: tree.entries.count))
    known = Array(repeating: nil, count: tree.entries.count)
    self.isWanted = isWanted ?? plan.order.contexts.map { _ in true }
  }

  /// Resolves entries, in their order, and keeps what that shows of those which had not been resolved before.
  mutating func resolve(_ entries: [Int]) -> [EntryResolution] {
    let resolved = resolved(entries)
    keep(zip(entries, resolved.map(\.facts)))
    for (resolution, _) in resolved { resolution.collectMoments(into: &moments) }
    return resolved.map(\.resolution)
  }

  /// Changes nothing, so that no copy of what is known is in the way when that grows.
  private func resolved(_ entries: [Int]) -> [(resolution: EntryResolution, facts: EntryFacts?)] {
    entries.chunks(of: 16).concurrentValues { chunk in
      var shared: [[Int]: ResolutionPlan.EntryPlan] = [:]
      return chunk.map { place -> (resolution: EntryResolution, facts: EntryFacts?) in
        let entry = plan.tree.entries[place]
        if known[place] != nil { return (plan.resolve(entry, plan.entries[place]), nil) }
        let own = plan.order.plan(entry, locales: plan.tree.project.locales, isWanted, known: &shared)
        let resolution = plan.resolve(entry, own)
        return (resolution, EntryFacts(of: resolution, entry, own, plan.order, printing: printed))
      }
    }.flatMap(\.self)
  }

  /// Frees the texts of entries that nobody resolves again; where they stood is still known.
  mutating func letGo(_ entries: [Int]) {
    for place in entries {
      plan.tree.entries[place].letGo()
      plan.entries[place].variants = []
    }
  }

  /// Resolves every entry that was not resolved yet.
  mutating func resolveRest() {
    let rest = known.indices.filter { known[$0] == nil }
    for stretch in rest.chunks(of: 1_024) {
      _ = resolve(Array(stretch))
      letGo(Array(stretch))
    }
  }

  private mutating func keep(_ found: some Sequence<(Int, EntryFacts?)>) {
    var paths: [String] = []
    for case (let place, var facts?) in found {
      plan.entries[place] = facts.plan
      facts.plan.variants = []
      known[place] = facts
      paths += facts.assets
    }
    assetDiagnostics += assets.read(Set(paths), in: plan.tree)
  }

  /// Whether something that is required is missing from an entry that was resolved.
  var areWhole: Bool { known.allSatisfy { $0?.problems.isEmpty ?? true } }

  /// The facts of all entries, once all were resolved.
  var facts: [EntryFacts] { known.compactMap(\.self) }

  /// All that is wrong with entries, alone and against each other, once all were resolved.
  func diagnostics(_ selections: [Selection]) -> [Diagnostic] {
    var linker = Linker(tree: plan.tree, order: plan.order, facts: facts)
    let startup = selections.filter(\.bundle.isStartup).flatMap(\.entries)
    return linker.requirements() + linker.references() + linker.unconsulted() + linker.flows(startup: startup)
      + assetDiagnostics
  }
}

extension EntryResolution {
  fileprivate func collectMoments(into moments: inout Set<Instant>) {
    for value in values where value.isConditional { value.value?.collectMoments(into: &moments) }
  }
}

extension Resolved {
  /// The moments at which items of lists inside it come and go.
  func collectMoments(into moments: inout Set<Instant>) {
    forEachValue { value in
      if let from = value.condition?.from { moments.insert(from) }
      if let until = value.condition?.until { moments.insert(until) }
    }
  }
}
