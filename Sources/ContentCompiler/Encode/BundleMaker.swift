import ContentModel
import ContentSource
import PropertyLists
import System

/// A maker of bundles from encoded entries.
///
/// It encodes each distinct bundle once: contexts that show the same variants of all entries share
/// one object.
struct BundleMaker: Sendable {
  let encoder: BundleEncoder
  /// The contexts that rows are made for.
  let scope: [Int]

  /// A bundle whose entries are encoded.
  ///
  /// Its parts can be made in any order, on any thread.
  struct Job: Sendable {
    let selection: Selection
    let images: [EntryImage]
    /// Contexts of one locale, which are encoded together.
    ///
    /// In a split bundle, the places of some entries, or of some tiles.
    let parts: [[Int]]
    /// For each context of the scope, the first context that shows the same entries; empty for a
    /// split bundle.
    fileprivate var representatives: [Int] = []
    /// The tiles of a bundle that is split by place.
    fileprivate var tiles: [Tile] = []

    /// The places of the entries without a place, or with several.
    var unplaced: [Int] {
      guard selection.placeField != nil else { return [] }
      return images.indices.filter { images[$0].position == nil }.map { selection.entries[$0] }
    }
  }

  /// A tile, and the places of its entries in the selection.
  fileprivate struct Tile: Sendable {
    let quadkey: Quadkey
    let places: [Int]
  }

  /// The rows of one context, of one entry of a split bundle, or of a tile.
  private struct PartResult: Sendable {
    /// The context, or the place of the entry or of the tile.
    let number: Int
    /// The row of the context, or the rows of the entry by variant.
    var rows: [BundleRow?] = []
    var tile: BundleRows?
  }

  /// Prepares a bundle from the encoded entries of its selection.
  func job(for selection: Selection, images: [EntryImage]) -> Job {
    if let rules = selection.bundle.tiles, selection.isDirectory {
      return tileJob(for: selection, images: images, by: rules)
    }
    if case .entry = selection.bundle.split {
      return Job(
        selection: selection, images: images, parts: images.indices.chunks(of: 16).map(Array.init))
    }
    let representatives = self.representatives(images)
    let distinct = zip(scope, representatives).filter { $0 == $1 }.map(\.0)
    let groups = Dictionary(grouping: distinct) { encoder.contexts[$0].locale }
    return Job(
      selection: selection, images: images, parts: groups.values.sorted { $0[0] < $1[0] },
      representatives: representatives)
  }

  /// Divides the map into tiles, by the entries that any context shows.
  ///
  /// All contexts have the same tiles, so that equal content is one object. Withheld entries are in
  /// no tile, since more and smaller tiles would tell of them.
  private func tileJob(
    for selection: Selection, images: [EntryImage], by rules: BundleDefinition.TileRules
  ) -> Job {
    let shown = images.indices.filter { place in
      let image = images[place]
      return image.position != nil
        && Set(image.byContext.compactMap(\.self)).contains {
          !image.isWithheld(Int($0), at: encoder.instant)
        }
    }
    let tree = TileTree(
      positions: shown.compactMap { images[$0].position }, maximumCount: rules.maximumCount,
      minimumEdge: rules.minimumEdge)
    let tiles = tree.leaves.map { leaf in
      Tile(quadkey: leaf.quadkey, places: leaf.indices.map { shown[$0] })
    }
    return Job(
      selection: selection, images: images, parts: tiles.indices.chunks(of: 4).map(Array.init),
      tiles: tiles)
  }

  /// For each context of the scope, the first context that shows the same variants.
  private func representatives(_ images: [EntryImage]) -> [Int] {
    var firstContext: [VariantChoice: Int] = [:]
    var representatives: [Int] = []
    // Some contexts at a time, since there may be thousands of contexts and of entries.
    for chunk in scope.chunks(of: 32) {
      let choices = chunk.concurrentValues { context in
        VariantChoice(variants: images.map { $0.byContext[context] ?? -1 })
      }
      for (context, choice) in zip(chunk, choices) {
        representatives.append(firstContext[choice] ?? context)
        if firstContext[choice] == nil { firstContext[choice] = context }
      }
    }
    return representatives
  }

  /// Makes a bundle on all processors.
  ///
  /// The rows of a bundle that is split by place are followed by those of its tiles.
  func make(_ job: Job) throws -> [BundleRows] {
    rows(of: job, from: try job.parts.concurrentMap { try make($0, of: job) })
  }

  /// Makes a bundle, if there is one, and processes batches of entries, on all processors.
  ///
  /// The batches begin while the last parts of the bundle are made, so that no processor is idle.
  func make(
    _ job: Job?, then batches: [EntryBatch], by process: @Sendable (EntryBatch) -> [EntryResult]
  ) throws -> (rows: [BundleRows], results: [[EntryResult]]) {
    guard let job else { return ([], batches.concurrentValues(process)) }
    let (parts, results) = job.parts.concurrentValues(
      { part in Result { try make(part, of: job) } }, then: batches, by: process)
    return (rows(of: job, from: try parts.map { try $0.get() }), results)
  }

  private func make(_ part: [Int], of job: Job) throws -> [PartResult] {
    if job.selection.isDirectory {
      return try part.map { PartResult(number: $0, tile: try makeTile(job.tiles[$0], of: job)) }
    }
    if job.isOfEntries {
      return try part.map {
        PartResult(number: $0, rows: try rowsByVariant(ofEntryAt: $0, in: job))
      }
    }
    let contexts = part.map { entries(of: job, in: $0) }
    let rows = try encoder.rows(of: job.selection, name: job.selection.name, in: contexts)
    return zip(part, rows).map { PartResult(number: $0, rows: [$1]) }
  }

  /// The rows in every context of the scope, from the results of all parts.
  private func rows(of job: Job, from parts: [[PartResult]]) -> [BundleRows] {
    let selection = job.selection
    if job.selection.isDirectory {
      let directory = BundleRows(
        selection: selection, split: scope.map { _ in [] }, listChanges: listChanges(of: job))
      return [directory] + parts.joined().compactMap(\.tile)
    }
    guard job.isOfEntries else {
      let rows = Dictionary(parts.joined().map { ($0.number, $0.rows[0]) }) { first, _ in first }
      return [
        BundleRows(selection: selection, whole: job.representatives.compactMap { rows[$0] ?? nil })
      ]
    }
    let split = scope.concurrentValues { context in
      parts.joined().compactMap { part in
        job.images[part.number].variant(in: context).flatMap { part.rows[$0] }.map {
          (entry: selection.entries[part.number], row: $0)
        }
      }
    }
    return [BundleRows(selection: selection, split: split, listChanges: listChanges(of: job))]
  }

  private func makeTile(_ tile: Tile, of job: Job) throws -> BundleRows {
    let selection = job.selection.tile(tile.quadkey, of: tile.places)
    let own = self.job(for: selection, images: tile.places.map { job.images[$0] })
    return rows(of: own, from: try own.parts.map { try make($0, of: own) })[0]
  }

  /// By context of the scope: the next end of an embargo on an entry of a split bundle.
  private func listChanges(of job: Job) -> [Instant?] {
    let instant = encoder.instant
    let withheld = job.images.filter { image in
      !image.isFixed
        && image.resolution.variants.indices.contains { image.isWithheld($0, at: instant) }
    }
    if withheld.isEmpty { return [] }
    return scope.map { context in
      withheld.compactMap { image in
        image.variant(in: context).flatMap { variant in
          image.isWithheld(variant, at: instant) ? image.condition(variant)?.from : nil
        }
      }.min()
    }
  }

  private func entries(of job: Job, in context: Int) -> [BundleBody.Row] {
    job.images.enumerated().compactMap { place, image in
      image.variant(in: context).map {
        BundleBody.Row(
          entry: job.selection.entries[place], place: place, image: image, variant: $0)
      }
    }
  }

  private func rowsByVariant(ofEntryAt place: Int, in job: Job) throws -> [BundleRow?] {
    let (selection, image) = (job.selection, job.images[place])
    return try image.resolution.variants.indices.map { variant in
      guard image.resolution.variants[variant] != nil,
        !image.isWithheld(variant, at: encoder.instant)
      else {
        return nil
      }
      let row = BundleBody.Row(
        entry: selection.entries[place], place: place, image: image, variant: variant)
      let name = "\(selection.bundle.name)/\(image.subject.entryID.rest)"
      return try encoder.rows(of: selection, name: name, in: [[row]])[0]
    }
  }
}

extension BundleMaker.Job {
  /// `true` for a bundle that is split by entry.
  fileprivate var isOfEntries: Bool {
    if case .entry = selection.bundle.split { true } else { false }
  }
}

/// The variant of each entry of a bundle in one context; -1 where a condition excludes the entry.
private struct VariantChoice: Hashable, Sendable {
  let variants: [Int32]
  /// The hash of all variants, computed once, on the thread that collected them.
  private let hash: Int

  init(variants: [Int32]) {
    self.variants = variants
    var hasher = Hasher()
    variants.withUnsafeBytes { hasher.combine(bytes: $0) }
    hash = hasher.finalize()
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  static func == (one: VariantChoice, other: VariantChoice) -> Bool {
    one.hash == other.hash && one.variants == other.variants
  }
}
