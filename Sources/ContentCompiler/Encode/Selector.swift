import ContentModel
import ContentSource
import PropertyLists

/// Every bundle in every context, each distinct one encoded once.
struct Selector: Sendable {
  let plan: ResolutionPlan
  let encoder: BundleEncoder
  /// The contexts that rows are wanted for.
  let scope: [Int]

  /// A bundle's rows by context of the scope.
  struct Rows: Sendable {
    var selection: Selection
    /// Of a bundle that is one object.
    var whole: [BundleRow] = []
    /// Of a split bundle: the entries in order, each with its row where it is there.
    var split: [[(entry: Int, row: BundleRow)]] = []
    /// Instead of the rows of a split bundle, where these are known: what its lists are and how long.
    var lists: [(digest: Digest, count: Int)] = []
  }

  /// The rows of a selection in every context, from its entries' images.
  func rows(of selection: Selection, _ images: [EntryImage]) throws -> Rows {
    if selection.bundle.isSplit { return Rows(selection: selection, split: try splitRows(selection, images)) }
    return Rows(selection: selection, whole: try wholeRows(selection, images))
  }

  /// Contexts in which all entries come out alike share one row; those of one locale are encoded together.
  private func wholeRows(_ selection: Selection, _ images: [EntryImage]) throws -> [BundleRow] {
    let contexts = plan.order.contexts
    var firstContext: [Variants: Int] = [:]
    var representative: [Int] = []
    // Some at a time: there may be thousands of contexts, and of entries.
    for chunk in scope.chunks(of: 32) {
      let keys = chunk.concurrentValues { context in
        Variants(places: selection.entries.map { plan.entries[$0].byContext[context] ?? -1 })
      }
      for (context, key) in zip(chunk, keys) {
        representative.append(firstContext[key] ?? context)
        if firstContext[key] == nil { firstContext[key] = context }
      }
    }
    let distinct = zip(scope, representative).filter { $0 == $1 }.map(\.0)
    let groups = Dictionary(grouping: distinct) { contexts[$0].locale }.values.sorted { $0[0] < $1[0] }
    let made = try groups.concurrentMap { group in
      let entries = group.map { self.entries(of: selection, images, in: $0) }
      return zip(group, try encoder.rows(selection, name: selection.bundle.name, entries)).map { ($0, $1) }
    }
    let rows = Dictionary(made.joined().map { ($0.0, $0.1) }) { first, _ in first }
    return representative.compactMap { rows[$0] }
  }

  private func entries(of selection: Selection, _ images: [EntryImage], in context: Int) -> [BundleBody.Row] {
    selection.entries.indices.compactMap { place in
      let entry = selection.entries[place]
      return plan.entries[entry].byContext[context].map {
        BundleBody.Row(entry: entry, place: place, image: images[place], variant: Int($0))
      }
    }
  }

  private func splitRows(
    _ selection: Selection, _ images: [EntryImage]
  ) throws -> [[(entry: Int, row: BundleRow)]] {
    let perEntry = try images.indices.chunks(of: 16).concurrentMap { chunk in
      try chunk.map { place in
        (entry: selection.entries[place], rows: try rowsByVariant(of: place, images[place], selection))
      }
    }
    return scope.map { context in
      perEntry.joined().compactMap { made in
        guard let variant = plan.entries[made.entry].byContext[context], let row = made.rows[Int(variant)] else {
          return nil
        }
        return (entry: made.entry, row: row)
      }
    }
  }

  private func rowsByVariant(of place: Int, _ image: EntryImage, _ selection: Selection) throws -> [BundleRow?] {
    let entry = selection.entries[place]
    let name = "\(selection.bundle.name)/\(plan.tree.entries[entry].id.rest)"
    return try image.resolution.variants.indices.map { variant in
      guard image.resolution.variants[variant] != nil else { return nil }
      let row = BundleBody.Row(entry: entry, place: place, image: image, variant: variant)
      return try encoder.rows(selection, name: name, [[row]])[0]
    }
  }
}

/// The variant of each entry in a context; -1 of those that are not there.
private struct Variants: Hashable, Sendable {
  let places: [Int32]

  /// All at once: contexts have hundreds.
  func hash(into hasher: inout Hasher) { places.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
