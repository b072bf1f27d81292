import ContentModel
import ContentSource
import Diagnostics

/// Every bundle in every context, each distinct one encoded once.
struct Selector: Sendable {
  let plan: ResolutionPlan
  let encoder: BundleEncoder

  /// A bundle's rows by context.
  struct Rows: Sendable {
    var selection: Selection
    /// Of a bundle that is one object.
    var whole: [BundleRow] = []
    /// Of a split bundle: the entries in order, each with its row where it is there.
    var split: [[(entry: Int, row: BundleRow)]] = []
  }

  /// The rows of a selection in every context.
  func rows(of selection: Selection) throws -> Rows {
    if selection.bundle.isSplit { return Rows(selection: selection, split: try splitRows(selection)) }
    return Rows(selection: selection, whole: try wholeRows(selection))
  }

  /// Contexts in which all entries come out alike share one row; those of one locale also share resolved entries.
  private func wholeRows(_ selection: Selection) throws -> [BundleRow] {
    let contexts = plan.order.contexts
    var firstContext: [[Int32]: Int] = [:]
    let representative = contexts.indices.map { context in
      let key = selection.entries.map { plan.entries[$0].byContext[context] ?? -1 }
      if let first = firstContext[key] { return first }
      firstContext[key] = context
      return context
    }
    let distinct = contexts.indices.filter { representative[$0] == $0 }
    let groups = Dictionary(grouping: distinct) { contexts[$0].locale }.values.sorted { $0[0] < $1[0] }
    let made = try groups.concurrentMap { group in
      var cache = ResolutionCache(plan: plan)
      return try group.map { context in
        (
          context,
          try encoder.row(selection, name: selection.bundle.name, cache.entries(selection.entries, in: context))
        )
      }
    }
    let rows = Dictionary(made.joined().map { ($0.0, $0.1) }) { first, _ in first }
    return representative.compactMap { rows[$0] }
  }

  private func splitRows(_ selection: Selection) throws -> [[(entry: Int, row: BundleRow)]] {
    let perEntry = try selection.entries.chunks(of: 64).concurrentMap { chunk in
      try chunk.map { entry in (entry: entry, rows: try rowsByVariant(of: entry, selection)) }
    }
    return plan.order.contexts.indices.map { context in
      perEntry.joined().compactMap { made in
        guard let variant = plan.entries[made.entry].byContext[context], let row = made.rows[Int(variant)] else {
          return nil
        }
        return (entry: made.entry, row: row)
      }
    }
  }

  private func rowsByVariant(of entry: Int, _ selection: Selection) throws -> [BundleRow?] {
    let id = plan.tree.entries[entry].id
    return try plan.entries[entry].variants.indices.map { variant in
      guard let resolved = plan.resolve(entry, variant: variant) else { return nil }
      return try encoder.row(selection, name: "\(selection.bundle.name)/\(id.rest)", [(entry, resolved)])
    }
  }
}

/// The resolved entries of one locale's contexts, which mostly share them.
private struct ResolutionCache {
  let plan: ResolutionPlan
  private var known: [Key: ResolvedEntry] = [:]

  private struct Key: Hashable {
    var entry: Int
    var variant: Int
  }

  init(plan: ResolutionPlan) { self.plan = plan }

  mutating func entries(_ wanted: [Int], in context: Int) -> [(index: Int, entry: ResolvedEntry)] {
    wanted.compactMap { entry in
      guard let variant = plan.entries[entry].byContext[context] else { return nil }
      let key = Key(entry: entry, variant: Int(variant))
      if let resolved = known[key] { return (entry, resolved) }
      guard let resolved = plan.resolve(entry, variant: Int(variant)) else { return nil }
      known[key] = resolved
      return (entry, resolved)
    }
  }
}
