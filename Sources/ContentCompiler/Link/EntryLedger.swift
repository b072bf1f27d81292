import ContentModel
import ContentSource
import System

/// The facts about the entries of a tree that have been found so far.
struct EntryLedger: Sendable {
  /// The tree; entries that no later batch needs are without texts.
  private(set) var tree: ContentTree
  /// The moments at which embargoes end.
  private(set) var embargoes: Set<Instant> = []
  /// The dates in bundles, which readers apply.
  private(set) var dates: Set<Instant> = []

  /// By entry; `nil` for an entry that is not resolved yet.
  private var known: [EntryFacts?]
  /// By entry: `true` if all devices of a locale show the same, as an earlier build found.
  private let sharing: [Bool]?
  private var lacksRequiredValues = false

  private static let batchSize = 8

  /// A ledger without facts.
  ///
  /// A part of a tree may lack layers, so it needs the `sharing` that an earlier build found.
  init(of tree: ContentTree, sharing: [Bool]? = nil) {
    (self.tree, self.sharing) = (tree, sharing)
    known = Array(repeating: nil, count: tree.entries.count)
  }

  /// `true` if the content has an error that rules out a build.
  var isBroken: Bool { tree.hasErrors || lacksRequiredValues }

  /// The facts of all entries, once each entry has been resolved.
  var facts: [EntryFacts] { known.compactMap(\.self) }

  /// The entries of a selection in batches, in order.
  ///
  /// The work discards the texts of those entries for which `isLastUse` is true.
  func batches(of selection: Selection, discarding isLastUse: [Bool]) -> [EntryBatch] {
    batches(Array(zip(selection.entries, isLastUse)), for: selection)
  }

  private func batches(
    _ entries: [(place: Int, isLastUse: Bool)], for selection: Selection?
  ) -> [EntryBatch] {
    entries.chunks(of: Self.batchSize).map { entries in
      let items = entries.map { place, isLastUse in
        EntryBatch.Item(
          place: place, entry: tree.entries[place], plan: known[place]?.plan,
          isShared: sharing?[place] ?? known[place]?.isShared, isLastUse: isLastUse)
      }
      return EntryBatch(items: items, selection: selection)
    }
  }

  /// Keeps the facts of results, and discards the texts of entries that no later batch needs.
  mutating func keep(_ results: some Sequence<EntryResult>) {
    for result in results {
      embargoes.formUnion(result.embargoes)
      dates.formUnion(result.dates)
      if let facts = result.facts {
        lacksRequiredValues =
          lacksRequiredValues || facts.problems.contains(where: \.problem.isError)
        known[result.place] = facts
      }
      if !result.pages.isEmpty {
        let pages = result.pages.union(known[result.place]?.pages ?? [])
        known[result.place]?.pages = pages.sorted()
      }
      if let entry = result.withoutTexts {
        tree.entries[result.place] = entry
        known[result.place]?.plan.variants = []
      }
    }
  }

  /// Resolves and checks each entry that is not resolved yet, and discards its texts.
  mutating func resolveRest(by work: EntryWork) {
    let rest = known.indices.filter { known[$0] == nil }
    // The results of some entries at a time, so that memory holds few.
    for places in rest.chunks(of: 1_024) {
      let batches = self.batches(places.map { ($0, true) }, for: nil)
      keep(batches.concurrentValues(work.process).joined())
    }
  }
}
