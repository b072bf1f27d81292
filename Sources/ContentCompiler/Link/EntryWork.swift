import ContentModel
import ContentSource
import PropertyLists

/// The work on single entries: resolve, check, encode, and discard their texts.
///
/// A batch leads to the same results on every thread and in every order. The work changes nothing
/// but the table of assets, which reads each asset when an entry first names it.
struct EntryWork: Sendable {
  let rules: ResolutionRules
  let assets: AssetTable
  /// The moment of the build.
  let instant: Instant
  /// By context: `true` if the context's facts are needed.
  private let isWanted: [Bool]
  /// The contexts of each locale that needs a fingerprint.
  private let fingerprinted: [[Int]]

  /// The work on a whole tree; the facts have fingerprints if a later build needs them.
  init(on tree: ContentTree, at instant: Instant, remembers: Bool) {
    let rules = ResolutionRules(of: tree.project)
    self.init(
      by: rules, assets: AssetTable(tree.assets, in: tree.folder), at: instant,
      isWanted: rules.contexts.map { _ in true },
      fingerprinted: remembers ? rules.order.localeGroups : [])
  }

  /// The work on the part of a tree that some contexts need.
  init(on tree: ContentTree, at instant: Instant, for contexts: [Int]) {
    let rules = ResolutionRules(of: tree.project)
    self.init(
      by: rules, assets: AssetTable(tree.assets, in: tree.folder), at: instant,
      isWanted: rules.contexts.indices.map(contexts.contains),
      fingerprinted: rules.order.localeGroups.map {
        $0.contains(where: contexts.contains) ? $0 : []
      })
  }

  private init(
    by rules: ResolutionRules, assets: AssetTable, at instant: Instant, isWanted: [Bool],
    fingerprinted: [[Int]]
  ) {
    (self.rules, self.assets, self.instant) = (rules, assets, instant)
    (self.isWanted, self.fingerprinted) = (isWanted, fingerprinted)
  }

  /// Processes the entries of a batch, one after the other.
  ///
  /// The resolved values of an entry are freed on the thread that made them, as soon as they are
  /// encoded. Memory then holds the values of one entry per thread, and threads do not wait for
  /// each other in order to free thousands of small objects.
  func process(_ batch: EntryBatch) -> [EntryResult] {
    var plans: [[Int]: EntryPlan] = [:]
    return batch.items.map { item in
      // Resolve.
      let isNew = item.plan == nil
      let plan = item.plan ?? rules.order.plan(item.entry, for: isWanted, known: &plans)
      let resolution = rules.resolve(item.entry, by: plan)
      // Check.
      var result = EntryResult(place: item.place)
      if isNew { result.facts = facts(of: resolution, item.entry, by: plan) }
      resolution.collectEmbargoes(into: &result.embargoes)
      // Encode.
      if let selection = batch.selection {
        resolution.collectDates(into: &result.dates, at: instant)
        if item.entry.datatype.shape.hasPages {
          result.pages = pages(of: resolution, item.entry.datatype, for: selection)
        }
        result.image = image(
          of: item.entry, consume resolution, for: selection,
          byContext: result.facts?.plan.byContext ?? plan.byContext,
          isShared: item.isShared ?? result.facts?.isShared ?? false)
      }
      // Discard the texts.
      if item.isLastUse {
        var entry = item.entry
        entry.discardTexts()
        result.withoutTexts = entry
        result.facts?.plan.variants = []
      }
      return result
    }
  }

  private func facts(
    of resolution: EntryResolution, _ entry: Entry, by plan: EntryPlan
  ) -> EntryFacts {
    let facts = EntryFacts(
      of: resolution, entry, plan: plan, order: rules.order, at: instant,
      fingerprinting: fingerprinted)
    assets.read(facts.assets)
    assets.check(facts.withheldAssets)
    return facts
  }

  /// Publishes the pages of the texts that a bundle shows, and returns their names.
  private func pages(
    of resolution: EntryResolution, _ datatype: Datatype, for selection: Selection
  ) -> Set<Digest> {
    let fields = selection.projections?[datatype.name]
    var pages: Set<Digest> = []
    for variant in resolution.variants.compactMap(\.self) {
      let guards = [variant.condition].compactMap(\.self)
      for value in variant.values.map({ resolution.values[Int($0)] })
      where fields?.contains(value.key) ?? true {
        value.value?.forEachValue(within: guards) { found, guards in
          guard case .markdown(let markdown) = found.shape, markdown.hasPage,
            !guards.contains(where: { $0.isWithheld(at: instant) })
          else { return }
          pages.insert(assets.publish(markdown))
        }
      }
    }
    return pages
  }

  private func image(
    of entry: Entry, _ resolution: consuming EntryResolution, for selection: Selection,
    byContext: [Int32?], isShared: Bool
  ) -> Result<EntryImage, PropertyListEncodingError> {
    let evaluation = Evaluation(format: selection.bundle.format, assets: assets, instant: instant)
    do throws(PropertyListEncodingError) {
      return .success(
        try EntryImage(
          of: entry, resolution, for: selection, byContext: byContext, isShared: isShared,
          evaluation: evaluation))
    } catch {
      return .failure(error)
    }
  }
}

/// Entries that one thread processes one after the other.
///
/// A batch has several entries, since handing out single entries would cost too much of the work.
struct EntryBatch: Sendable {
  /// An entry, and the facts about it that the work needs.
  struct Item: Sendable {
    /// The place of the entry in the tree.
    var place: Int
    var entry: Entry
    /// The plan of an entry that an earlier batch has resolved.
    var plan: EntryPlan?
    /// `true` if all devices of a locale show the same; `nil` if this is not known yet.
    var isShared: Bool?
    /// `true` if no later batch needs the texts of the entry.
    var isLastUse: Bool
  }

  var items: [Item]
  /// The selection whose bundle the entries are encoded for; `nil` if they are only checked.
  var selection: Selection?
}

/// The result of the work on one entry.
struct EntryResult: Sendable {
  /// The place of the entry in the tree.
  var place: Int
  /// The facts; `nil` if an earlier batch has found them.
  var facts: EntryFacts?
  /// The moments at which embargoes end.
  var embargoes: Set<Instant> = []
  /// The dates in the bundle, which readers apply.
  var dates: Set<Instant> = []
  /// The names of the pages that the bundle shows.
  var pages: Set<Digest> = []
  /// The entry without its texts, if no later batch needs them.
  var withoutTexts: Entry?
  /// The encoded entry, or the reason why the bundle's format cannot carry it.
  var image: Result<EntryImage, PropertyListEncodingError>?
}
