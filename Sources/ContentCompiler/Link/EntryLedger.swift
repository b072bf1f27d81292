import ContentModel
import ContentSource
import Diagnostics
import PropertyLists

/// What resolving entries has shown so far: each entry's facts, once, and the assets that they use.
struct Findings: Sendable {
  private(set) var plan: ResolutionPlan
  let assets: AssetTable
  /// The moment of the build.
  let instant: Instant
  /// By entry; `nil` for those that were not resolved yet.
  private var known: [EntryFacts?]
  /// Whether nothing that is required is missing from the entries that were resolved.
  private(set) var areWhole = true
  /// Every moment at which an embargo ends.
  private(set) var embargoes: Set<Instant> = []
  /// Every date in bundles, which readers apply.
  private(set) var dates: Set<Instant> = []

  /// The contexts of each locale, if what is found is to be remembered.
  private var printed: [[Int]] = []
  /// By context: whether anything is to be known of it.
  private let isWanted: [Bool]

  /// Findings of a whole tree at a moment.
  init(_ tree: ContentTree, at instant: Instant, remembers: Bool) {
    self.init(tree, at: instant, isWanted: nil)
    if remembers { printed = plan.order.localeGroups }
  }

  /// Findings of the part of a tree that some contexts of an earlier build need: `sharing` is what
  /// that knew of each entry, since not all layers are at hand.
  init(_ tree: ContentTree, at instant: Instant, for contexts: [Int], sharing: [Bool]) {
    let count = tree.project.locales.declared.count * tree.project.devices.names.count
    self.init(tree, at: instant, isWanted: (0..<count).map(contexts.contains))
    plan.sharing = sharing
    printed = plan.order.localeGroups.map { $0.contains(where: contexts.contains) ? $0 : [] }
  }

  private init(_ tree: ContentTree, at instant: Instant, isWanted: [Bool]?) {
    self.instant = instant
    plan = ResolutionPlan(
      tree: tree, order: LayerOrder(locales: tree.project.locales, devices: tree.project.devices),
      conditions: ConditionReader(locales: tree.project.locales, devices: tree.project.devices),
      entries: Array(
        repeating: ResolutionPlan.EntryPlan(variants: [], byContext: []), count: tree.entries.count)
    )
    assets = AssetTable(tree.assets, in: tree.folder)
    known = Array(repeating: nil, count: tree.entries.count)
    self.isWanted = isWanted ?? plan.order.contexts.map { _ in true }
  }

  /// Entries that one thread resolves after each other: small pieces of work are handed out
  /// together.
  struct Batch: Sendable {
    fileprivate let entries: ArraySlice<(place: Int, isLast: Bool)>
    /// The selection for whose bundles they are made ready.
    fileprivate let use: Selection?
  }

  /// What resolving an entry came to.
  struct Found: Sendable {
    /// `nil` of those that had been resolved before.
    fileprivate var facts: EntryFacts?
    fileprivate var embargoes: Set<Instant> = []
    fileprivate var dates: Set<Instant> = []
    /// What is left of the entry whose texts go.
    fileprivate var rest: Entry?
    fileprivate var image: Result<EntryImage, PropertyListEncodingError>?
  }

  /// The entries of a selection, in their order, to be resolved and made ready for its bundles.
  ///
  /// Those of which `isLast` says so are not resolved again: their texts go, and where they stood
  /// is still known.
  func batches(of selection: Selection, lettingGo isLast: [Bool]) -> [Batch] {
    batches(Array(zip(selection.entries, isLast)), for: selection)
  }

  private func batches(_ entries: [(place: Int, isLast: Bool)], for use: Selection?) -> [Batch] {
    entries.chunks(of: 8).map { Batch(entries: $0, use: use) }
  }

  /// Resolves the entries of a selection, in their order, and makes each ready for its bundles, if
  /// their format can carry it; keeps what is found of those which had not been resolved before.
  mutating func images(of selection: Selection) -> [Result<EntryImage, PropertyListEncodingError>] {
    let batches = self.batches(of: selection, lettingGo: selection.entries.map { _ in false })
    return keep(resolved(batches), of: batches)
  }

  /// Resolves every entry that was not resolved yet.
  mutating func resolveRest() {
    let rest = known.indices.filter { known[$0] == nil }
    for stretch in rest.chunks(of: 1_024) {
      let batches = self.batches(stretch.map { ($0, true) }, for: nil)
      _ = keep(resolved(batches), of: batches)
    }
  }

  /// Changes nothing, so that no copy of what is known is in the way when that grows.
  private func resolved(_ batches: [Batch]) -> [[Found]] { batches.concurrentValues(resolved) }

  /// Resolves entries.
  ///
  /// The values go on the thread on which they came, as soon as the entry's image is made:
  /// thousands of small things that another thread gives back would have both wait for each other.
  func resolved(_ batch: Batch) -> [Found] {
    var shared: [[Int]: ResolutionPlan.EntryPlan] = [:]
    return batch.entries.map { place, isLast in
      var entry = plan.tree.entries[place]
      let isNew = known[place] == nil
      let own =
        isNew
        ? plan.order.plan(entry, locales: plan.tree.project.locales, isWanted, known: &shared)
        : plan.entries[place]
      let resolution = plan.resolve(entry, own)
      var found = Found()
      if isNew {
        let facts = EntryFacts(
          of: resolution, entry, own, plan.order, at: instant, printing: printed)
        assets.read(facts.assets)
        assets.check(facts.withheldAssets)
        found.facts = facts
      }
      resolution.collectEmbargoes(into: &found.embargoes)
      if let selection = batch.use {
        resolution.collectDates(into: &found.dates, at: instant)
        let isShared = plan.sharing?[place] ?? (found.facts ?? known[place])?.isShared ?? false
        found.image = image(of: entry, consume resolution, selection, isShared: isShared)
      }
      if isLast {
        entry.letGo()
        found.rest = entry
        found.facts?.plan.variants = []
      }
      return found
    }
  }

  private func image(
    of entry: Entry, _ resolution: consuming EntryResolution, _ selection: Selection, isShared: Bool
  ) -> Result<EntryImage, PropertyListEncodingError> {
    let evaluation = Evaluation(format: selection.bundle.format, assets: assets, instant: instant)
    do throws(PropertyListEncodingError) {
      return .success(
        try EntryImage(of: entry, resolution, selection, isShared: isShared, evaluation))
    } catch {
      return .failure(error)
    }
  }

  /// Keeps what was found of entries which had not been resolved before, and comes with the images
  /// of all.
  mutating func keep(_ all: [[Found]], of batches: [Batch]) -> [Result<
    EntryImage, PropertyListEncodingError
  >] {
    for ((place, _), found) in zip(batches.lazy.flatMap(\.entries), all.joined()) {
      embargoes.formUnion(found.embargoes)
      dates.formUnion(found.dates)
      if var facts = found.facts {
        plan.entries[place] = facts.plan
        facts.plan.variants = []
        areWhole = areWhole && facts.problems.isEmpty
        known[place] = facts
      }
      if let rest = found.rest {
        plan.tree.entries[place] = rest
        plan.entries[place].variants = []
      }
    }
    return all.joined().compactMap(\.image)
  }

  /// The facts of all entries, once all were resolved.
  var facts: [EntryFacts] { known.compactMap(\.self) }

  /// All that is wrong with entries, alone and against each other, once all were resolved.
  func diagnostics(_ selections: [Selection]) -> [Diagnostic] {
    var linker = Linker(tree: plan.tree, order: plan.order, facts: facts, at: instant)
    let startup = selections.filter(\.bundle.isStartup).flatMap(\.entries)
    return linker.requirements() + linker.references() + linker.unconsulted()
      + linker.flows(startup: startup)
      + assets.diagnostics
  }
}

extension EntryResolution {
  /// Every value, within its entry's condition, in each variant that shows it.
  private func forEachValue(
    where isTelling: (FieldValue) -> Bool,
    _ body: (_ condition: Condition?, _ guards: [Condition]) -> Void
  ) {
    // Most entries have neither, and there are thousands of them in dozens of variants.
    let tellsValues = values.contains(where: isTelling)
    for variant in variants {
      guard let variant, tellsValues || variant.condition != nil else { continue }
      let own = [variant.condition].compactMap(\.self)
      if let condition = variant.condition { body(condition, own) }
      guard tellsValues else { continue }
      for place in variant.values where isTelling(values[Int(place)]) {
        values[Int(place)].value?.forEachValue(within: own) { body($0.condition, $1) }
      }
    }
  }

  /// The moments at which embargoes end: of the entry, and of items of lists.
  fileprivate func collectEmbargoes(into moments: inout Set<Instant>) {
    forEachValue(where: \.isConditional) { condition, _ in
      if let condition, condition.isEmbargoed, let end = condition.from { moments.insert(end) }
    }
  }

  /// The dates that readers apply, of what the build publishes.
  fileprivate func collectDates(into moments: inout Set<Instant>, at instant: Instant) {
    forEachValue(where: \.hasDates) { condition, guards in
      guard let condition, !guards.contains(where: { $0.isWithheld(at: instant) }) else { return }
      moments.formUnion([condition.from, condition.until].compactMap(\.self))
    }
  }
}
