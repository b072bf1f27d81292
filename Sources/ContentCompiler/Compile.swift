package import ContentModel
package import ContentSource
package import Diagnostics
import System

/// A compiled build, without its objects, which `compile` has emitted.
package struct Build: Sendable {
  /// The one file that makes the build visible.
  package var config: OutputFile
  /// The files with names of their own.
  package var files: [OutputFile]
  /// The objects with a second name, which a person can type.
  package var links: [OutputLink]
  /// The staleness bound of each channel.
  package var bounds: [ChannelBound]
  package var counts: Counts
  /// The compiled tree, without the texts of its entries.
  package var tree: ContentTree
  /// The assets that were read.
  package var assetSources: [ContentTree.SourceFile]
  /// The last end of an embargo that is not after the moment of the build; `nil` if there is none.
  package var validFrom: Instant?
  /// The first end of an embargo after the moment of the build; `nil` if there is none.
  package var validBefore: Instant?
  /// Every date in the bundles, in order; readers apply them without another build.
  package var dates: [Instant]
  /// The state from which `recompile` can continue; `nil` if the caller did not ask for it.
  package var state: CompiledState?

  /// The staleness bound of one channel.
  package struct ChannelBound: Hashable, Sendable {
    package var channel: String
    package var bound: StalenessBound
  }

  /// The numbers of what was built.
  package struct Counts: Hashable, Sendable {
    package var entries: Int
    package var contexts: Int
    package var bundles: Int
    package var objects: Int
  }
}

/// Compiles a content tree.
///
/// 1. Select the entries of each bundle.
/// 2. For each bundle, in batches of entries on all processors: resolve, check, encode, discard.
/// 3. Make the bundle from its encoded entries, beside the batches of the next bundle:
///
///        bundle 1   batches ──▶ make
///        bundle 2               batches ──▶ make
///        bundle 3                           batches ──▶ make
///
/// 4. Resolve and check the entries that no bundle holds.
/// 5. Link: check the entries against each other.
/// 6. Write indexes, the build record and config.
///
/// The result depends on the tree and the instant only. Memory holds the resolved values of one
/// entry per thread, and the encoded entries of two bundles. The texts of an entry are freed after
/// its last bundle, if the caller keeps no copy of the tree.
///
/// The function passes each object to `emit` once, from any thread. If the diagnostics have an
/// error, the result is `nil`, and the caller discards the emitted objects. If `remembers` is true,
/// the build has a state from which `recompile` can continue.
///
/// - Throws: errors of `emit`.
package func compile(
  _ tree: consuming ContentTree, at instant: Instant, remembers: Bool = false,
  emit: @escaping @Sendable (OutputObject) throws -> Void
) throws -> Diagnosed<Build?> {
  let bounds = tree.project.delivery.channels.map {
    Build.ChannelBound(channel: $0.name, bound: tree.project.delivery.bound(of: $0))
  }
  // 1. Select.
  let selections = Selection.all(in: tree)
  var diagnostics = tree.project.delivery.stalenessProblems() + selections.diagnostics

  var ledger = EntryLedger(of: consume tree)
  let objects = ObjectLedger(emit: emit)
  let work = EntryWork(on: ledger.tree, at: instant, remembers: remembers)
  let encoder = BundleEncoder(for: ledger.tree.project, after: work) { try objects.add($0) }
  let maker = BundleMaker(encoder: encoder, scope: Array(work.rules.contexts.indices))
  var bundles: [BundleRows] = []
  var unencodable: UnencodableContent?
  var unplaced: [UnplacedEntry] = []
  do {
    // 2 and 3. Process the batches of each bundle while the previous bundle is made.
    let lastUses = Selection.lastUses(selections.output, entryCount: ledger.tree.entries.count)
    var job: BundleMaker.Job?
    for (selection, isLastUse) in zip(selections.output, lastUses) {
      let batches = ledger.batches(of: selection, discarding: isLastUse)
      let (rows, results) = try maker.make(job, then: batches, by: work.process)
      job = nil  // Frees the encoded entries of the previous bundle.
      bundles += rows
      ledger.keep(results.joined())
      // Nothing is written of broken content, so no bundle is made of it.
      guard !ledger.isBroken else { break }
      let images = try results.joined().compactMap(\.image).images(for: selection.bundle)
      let next = maker.job(for: selection, images: images)
      unplaced += next.unplaced.map { UnplacedEntry(place: $0, selection: selection) }
      job = next
    }
    bundles += try maker.make(job, then: [], by: work.process).rows
  } catch let error as UnencodableContent {
    unencodable = error
  }
  // 4. Resolve and check the rest.
  ledger.resolveRest(by: work)
  // 5. Link.
  var linker = Linker(ledger, after: work)
  diagnostics += linker.diagnostics(selections) + work.assets.diagnostics
  diagnostics += linker.diagnostics(of: unplaced)
  if let unencodable { diagnostics.append(unencodable.diagnostic(in: ledger.tree)) }
  guard !ledger.isBroken, !diagnostics.hasErrors else {
    return Diagnosed(
      nil,
      // An entry may lack several values or none, so equal counts do not mean that no value fits.
      diagnostics: diagnostics.groupedByDeclaration(fewest: .max, valueCount: linker.entryCount))
  }
  // 6. Index and record.
  let content = CompiledContent(bundles, of: ledger, after: work)
  let indexFiles = try IndexFiles(of: content, into: objects)
  let parts = indexFiles.limitedParts(
    of: content.bundles, in: content.rules.contexts)
  diagnostics += LimitedPart.problems(of: parts, in: content.tree.folder)
  guard !diagnostics.hasErrors else { return Diagnosed(nil, diagnostics: diagnostics) }
  var build = Build(
    of: content, indexFiles, bounds: bounds, objectCount: objects.rows.count)
  if remembers { build.state = CompiledState(of: content, indexFiles) }
  return Diagnosed(build, diagnostics: diagnostics)
}

extension Build {
  fileprivate init(
    of content: CompiledContent, _ indexFiles: IndexFiles, bounds: [ChannelBound],
    objectCount: Int
  ) {
    self.init(
      config: indexFiles.config, files: indexFiles.files, links: indexFiles.links,
      bounds: bounds,
      counts: Counts(
        entries: content.tree.entries.count, contexts: content.rules.contexts.count,
        bundles: content.tree.project.bundles.count, objects: objectCount),
      tree: content.tree, assetSources: content.assets.sources,
      validFrom: content.embargoes.filter { $0 <= content.instant }.max(),
      validBefore: content.embargoes.filter { $0 > content.instant }.min(),
      dates: content.dates.sorted(), state: nil)
  }
}
