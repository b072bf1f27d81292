import ContentModel
import ContentSource
import PropertyLists

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

  private func image(_ entry: Int, _ selection: Selection) throws -> EntryImage {
    do { return try EntryImage(entry, selection, plan: plan, encoder.unconditional) } catch {
      throw encoder.unencodable(error, selection.bundle)
    }
  }

  /// Contexts in which all entries come out alike share one row; those of one locale are encoded together.
  private func wholeRows(_ selection: Selection) throws -> [BundleRow] {
    let contexts = plan.order.contexts
    let images = try selection.entries.chunks(of: 16).concurrentMap { try $0.map { try image($0, selection) } }
      .flatMap { $0 }
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
      let entries = group.map { self.entries(of: selection, images, in: $0) }
      return zip(group, try encoder.rows(selection, name: selection.bundle.name, entries)).map { ($0, $1) }
    }
    let rows = Dictionary(made.joined().map { ($0.0, $0.1) }) { first, _ in first }
    return representative.compactMap { rows[$0] }
  }

  private func entries(of selection: Selection, _ images: [EntryImage], in context: Int) -> [BundleBody.Row] {
    zip(selection.entries, images).compactMap { entry, image in
      plan.entries[entry].byContext[context].map {
        BundleBody.Row(entry: entry, image: image, variant: Int($0))
      }
    }
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
    let image = try image(entry, selection)
    let name = "\(selection.bundle.name)/\(image.id.dropFirst(image.datatype.name.utf8.count + 1))"
    return try image.resolution.variants.indices.map { variant in
      guard image.resolution.variants[variant] != nil else { return nil }
      return try encoder.rows(selection, name: name, [[BundleBody.Row(entry: entry, image: image, variant: variant)]])[
        0]
    }
  }
}
