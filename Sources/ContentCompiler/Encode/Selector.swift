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

  /// The rows of a selection in every context, from its resolved entries.
  func rows(of selection: Selection, _ resolutions: [EntryResolution]) throws -> Rows {
    let images = try images(of: selection, resolutions)
    if selection.bundle.isSplit { return Rows(selection: selection, split: try splitRows(selection, images)) }
    return Rows(selection: selection, whole: try wholeRows(selection, images))
  }

  private func images(of selection: Selection, _ resolutions: [EntryResolution]) throws -> [EntryImage] {
    try Array(selection.entries.indices).chunks(of: 16).concurrentMap { chunk in
      try chunk.map { place in
        let entry = selection.entries[place]
        do throws(PropertyListEncodingError) {
          return try EntryImage(
            of: entry, resolutions[place], selection, plan: plan, encoder.unconditional(selection.bundle.format))
        } catch {
          throw encoder.unencodable(error, selection.bundle)
        }
      }
    }.flatMap(\.self)
  }

  /// Contexts in which all entries come out alike share one row; those of one locale are encoded together.
  private func wholeRows(_ selection: Selection, _ images: [EntryImage]) throws -> [BundleRow] {
    let contexts = plan.order.contexts
    var firstContext: [[Int32]: Int] = [:]
    let representative = scope.map { context in
      let key = selection.entries.map { plan.entries[$0].byContext[context] ?? -1 }
      if let first = firstContext[key] { return first }
      firstContext[key] = context
      return context
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
