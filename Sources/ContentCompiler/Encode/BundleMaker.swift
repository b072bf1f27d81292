import ContentModel
import ContentSource
import Parallel
import PropertyLists

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
    /// In a split bundle, the places of some entries.
    let parts: [[Int]]
    /// For each context of the scope, the first context that shows the same entries; empty for a
    /// split bundle.
    fileprivate let representatives: [Int]
  }

  /// The rows of one context, or of one entry of a split bundle.
  private struct PartResult: Sendable {
    /// The context, or the place of the entry.
    let number: Int
    /// The row of the context, or the rows of the entry by variant.
    let rows: [BundleRow?]
  }

  /// Prepares a bundle from the encoded entries of its selection.
  func job(for selection: Selection, images: [EntryImage]) -> Job {
    if selection.bundle.isSplit {
      return Job(
        selection: selection, images: images, parts: images.indices.chunks(of: 16).map(Array.init),
        representatives: [])
    }
    let representatives = self.representatives(images)
    let distinct = zip(scope, representatives).filter { $0 == $1 }.map(\.0)
    let groups = Dictionary(grouping: distinct) { encoder.contexts[$0].locale }
    return Job(
      selection: selection, images: images, parts: groups.values.sorted { $0[0] < $1[0] },
      representatives: representatives)
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
  func make(_ job: Job) throws -> BundleRows {
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
    return ([rows(of: job, from: try parts.map { try $0.get() })], results)
  }

  private func make(_ part: [Int], of job: Job) throws -> [PartResult] {
    if job.selection.bundle.isSplit {
      return try part.map {
        PartResult(number: $0, rows: try rowsByVariant(ofEntryAt: $0, in: job))
      }
    }
    let contexts = part.map { entries(of: job, in: $0) }
    let rows = try encoder.rows(
      of: job.selection, name: job.selection.bundle.name, in: contexts)
    return zip(part, rows).map { PartResult(number: $0, rows: [$1]) }
  }

  /// The rows in every context of the scope, from the results of all parts.
  private func rows(of job: Job, from parts: [[PartResult]]) -> BundleRows {
    let selection = job.selection
    guard selection.bundle.isSplit else {
      let rows = Dictionary(parts.joined().map { ($0.number, $0.rows[0]) }) { first, _ in first }
      return BundleRows(
        selection: selection, whole: job.representatives.compactMap { rows[$0] ?? nil })
    }
    let split = scope.concurrentValues { context in
      parts.joined().compactMap { part in
        job.images[part.number].variant(in: context).flatMap { part.rows[$0] }.map {
          (entry: selection.entries[part.number], row: $0)
        }
      }
    }
    return BundleRows(selection: selection, split: split, listChanges: listChanges(of: job))
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
