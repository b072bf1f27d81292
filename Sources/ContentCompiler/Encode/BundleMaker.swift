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
    /// Instead of the rows of a split bundle, where these are known: what its lists are and how
    /// long.
    var lists: [(digest: Digest, count: Int)] = []
    /// Of a split bundle, by context: the next end of an embargo on one of its entries; empty where
    /// there is none.
    var listChanges: [Instant?] = []

    /// The next end of an embargo on anything in it.
    var changes: Instant? {
      let rows = whole + split.joined().map(\.row)
      return (rows.flatMap { $0.objects.compactMap(\.changes) } + listChanges.compactMap(\.self))
        .min()
    }
  }

  /// A bundle whose entries are ready: its parts can be made in any order, on any thread.
  struct Work: Sendable {
    let selection: Selection
    let images: [EntryImage]
    /// Of a bundle that is one object: for each context of the scope, the first one that has the
    /// same entries.
    fileprivate let representatives: [Int]
    /// Of a bundle that is one object, contexts of one locale, which are encoded together; of a
    /// split one, places of entries.
    let parts: [[Int]]
  }

  /// What a part came to.
  struct Made: Sendable {
    /// The number that stands in the part.
    fileprivate let number: Int
    /// That context's row; the rows of the entry at that place, by variant.
    fileprivate let rows: [BundleRow?]
  }

  /// The rows of a selection in every context, from its entries' images.
  func rows(of selection: Selection, _ images: [EntryImage]) throws -> Rows {
    let work = self.work(on: selection, images)
    return rows(of: work, try work.parts.concurrentMap { try made($0, of: work) })
  }

  /// What there is to do, if all images are whole: contexts in which all entries come out alike
  /// share one row.
  ///
  /// - Throws: `BundleEncoder.Unencodable` for the first entry that the format cannot carry.
  func work(
    on selection: Selection, _ images: [Result<EntryImage, PropertyListEncodingError>]
  ) throws -> Work {
    work(on: selection, try encoder.whole(images, selection.bundle))
  }

  private func work(on selection: Selection, _ images: [EntryImage]) -> Work {
    if selection.bundle.isSplit {
      return Work(
        selection: selection, images: images, representatives: [],
        parts: images.indices.chunks(of: 16).map(Array.init))
    }
    let representatives = self.representatives(selection)
    let distinct = zip(scope, representatives).filter { $0 == $1 }.map(\.0)
    let groups = Dictionary(grouping: distinct) { plan.order.contexts[$0].locale }
    return Work(
      selection: selection, images: images, representatives: representatives,
      parts: groups.values.sorted { $0[0] < $1[0] })
  }

  /// For each context of the scope, the first one that has the same variants of all entries.
  private func representatives(_ selection: Selection) -> [Int] {
    var firstContext: [Variants: Int] = [:]
    var representatives: [Int] = []
    // Some at a time: there may be thousands of contexts, and of entries.
    for chunk in scope.chunks(of: 32) {
      let keys = chunk.concurrentValues { context in
        Variants(places: selection.entries.map { plan.entries[$0].byContext[context] ?? -1 })
      }
      for (context, key) in zip(chunk, keys) {
        representatives.append(firstContext[key] ?? context)
        if firstContext[key] == nil { firstContext[key] = context }
      }
    }
    return representatives
  }

  /// Makes a part.
  func made(_ part: [Int], of work: Work) throws -> [Made] {
    if work.selection.bundle.isSplit {
      return try part.map {
        Made(number: $0, rows: try rowsByVariant(of: $0, work.images[$0], work.selection))
      }
    }
    let contexts = part.map { entries(of: work.selection, work.images, in: $0) }
    let rows = try encoder.rows(work.selection, name: work.selection.bundle.name, contexts)
    return zip(part, rows).map { Made(number: $0, rows: [$1]) }
  }

  /// The rows in every context of the scope, when all parts are made.
  func rows(of work: Work, _ made: [[Made]]) -> Rows {
    let selection = work.selection
    guard selection.bundle.isSplit else {
      let rows = Dictionary(made.joined().map { ($0.number, $0.rows[0]) }) { first, _ in first }
      return Rows(selection: selection, whole: work.representatives.compactMap { rows[$0] ?? nil })
    }
    let split = scope.concurrentValues { context in
      made.joined().compactMap { made in
        let entry = selection.entries[made.number]
        return plan.entries[entry].byContext[context].flatMap { made.rows[Int($0)] }.map {
          (entry: entry, row: $0)
        }
      }
    }
    return Rows(selection: selection, split: split, listChanges: listChanges(work))
  }

  /// By context of the scope: the next end of an embargo on an entry of a split bundle.
  private func listChanges(_ work: Work) -> [Instant?] {
    let instant = encoder.instant
    let withheld = work.images.indices.filter { place in
      let image = work.images[place]
      return !image.isFixed
        && image.resolution.variants.indices.contains { image.isWithheld($0, at: instant) }
    }
    if withheld.isEmpty { return [] }
    return scope.map { context in
      withheld.compactMap { place in
        plan.entries[work.selection.entries[place]].byContext[context].flatMap { variant in
          work.images[place].isWithheld(Int(variant), at: instant)
            ? work.images[place].condition(Int(variant))?.from : nil
        }
      }.min()
    }
  }

  private func entries(of selection: Selection, _ images: [EntryImage], in context: Int)
    -> [BundleBody.Row]
  {
    selection.entries.indices.compactMap { place in
      let entry = selection.entries[place]
      return plan.entries[entry].byContext[context].map {
        BundleBody.Row(entry: entry, place: place, image: images[place], variant: Int($0))
      }
    }
  }

  private func rowsByVariant(of place: Int, _ image: EntryImage, _ selection: Selection) throws
    -> [BundleRow?]
  {
    let entry = selection.entries[place]
    let name = "\(selection.bundle.name)/\(plan.tree.entries[entry].id.rest)"
    return try image.resolution.variants.indices.map { variant in
      guard image.resolution.variants[variant] != nil,
        !image.isWithheld(variant, at: encoder.instant)
      else {
        return nil
      }
      let row = BundleBody.Row(entry: entry, place: place, image: image, variant: variant)
      return try encoder.rows(selection, name: name, [[row]])[0]
    }
  }
}

/// The variant of each entry in a context; -1 of those that are not there.
private struct Variants: Hashable, Sendable {
  let places: [Int32]
  /// Of all places; taken once, on the thread that put them together.
  private let mixed: Int

  init(places: [Int32]) {
    self.places = places
    var hasher = Hasher()
    places.withUnsafeBytes { hasher.combine(bytes: $0) }
    mixed = hasher.finalize()
  }

  func hash(into hasher: inout Hasher) { hasher.combine(mixed) }

  static func == (one: Variants, other: Variants) -> Bool {
    one.mixed == other.mixed && one.places == other.places
  }
}
