import ContentModel
import ContentSource

/// The entries and bundles of a tree, compiled.
struct CompiledContent: Sendable {
  let tree: ContentTree
  /// By entry.
  let facts: [EntryFacts]
  let bundles: [BundleRows]
  let rules: ResolutionRules
  let assets: AssetTable
  /// The moment of the build.
  let instant: Instant
  /// The moments at which embargoes end.
  let embargoes: Set<Instant>
  /// The dates in bundles, which readers apply.
  let dates: Set<Instant>

  init(_ bundles: [BundleRows], of ledger: EntryLedger, after work: EntryWork) {
    (self.bundles, tree, facts) = (bundles, ledger.tree, ledger.facts)
    (embargoes, dates) = (ledger.embargoes, ledger.dates)
    (rules, assets, instant) = (work.rules, work.assets, work.instant)
  }
}
