package import ContentModel
package import ContentSource
package import Diagnostics

/// Everything of a build but its objects, which were handed on while it was made.
package struct Build: Sendable {
  /// The one file that makes the build visible.
  package var config: OutputFile
  /// Files under names of their own.
  package var files: [OutputFile]
  /// Objects under names that a person can type.
  package var links: [OutputLink]
  /// How stale a reader of each channel can be.
  package var bounds: [ChannelBound]
  package var counts: Counts
  /// What was compiled, the texts of its entries let go.
  package var tree: ContentTree
  /// The assets that were read.
  package var assetSources: [ContentTree.SourceFile]
  /// The last moment, not after that of the build, at which an embargo ended; `nil` where there is
  /// none.
  package var validFrom: Instant?
  /// The first moment after that of the build at which an embargo ends; `nil` where there is none.
  package var validBefore: Instant?
  /// Every date in the bundles, in order: readers apply them, without another build.
  package var dates: [Instant]
  /// What a later build needs to make only that anew which an edit reaches, if that was asked for.
  package var state: CompiledState?

  /// A channel's bound.
  package struct ChannelBound: Hashable, Sendable {
    package var channel: String
    package var bound: StalenessBound
  }

  /// How much was built.
  package struct Counts: Hashable, Sendable {
    package var entries: Int
    package var contexts: Int
    package var bundles: Int
    package var objects: Int
  }
}

/// Compiles a content tree: resolve, link, select, encode, index.
///
/// A pure function of the tree and the instant. The texts of entries are let go as soon as all of
/// the last bundle that holds them are ready for it, if the caller keeps no tree of its own. Every
/// object is handed to `emit` once, from any thread; where an error is among the diagnostics the
/// result is `nil`, and what was emitted must be thrown away. One that `remembers` has a state.
///
/// - Throws: what `emit` throws.
package func compile(
  _ tree: consuming ContentTree, at instant: Instant, remembers: Bool = false,
  emit: @escaping @Sendable (OutputObject) throws -> Void
) throws -> Diagnosed<Build?> {
  let ledger = ObjectLedger(emit: emit)
  let bounds = boundsOfChannels(tree.project)
  let selections = Selection.all(in: tree)
  var findings = Findings(consume tree, at: instant, remembers: remembers)
  var diagnostics = bounds.diagnostics + selections.diagnostics
  do {
    let rows = try findings.rows(of: selections.output, ledger)
    findings.resolveRest()
    diagnostics += findings.diagnostics(selections.output)
    guard !findings.plan.tree.hasErrors, !Diagnosed((), diagnostics).hasErrors else {
      return Diagnosed(nil, diagnostics)
    }
    let publication = try Publication(findings, rows, ledger)
    diagnostics += warnLargeConfig(publication.config.bytes, findings.plan.tree)
    let counts = Build.Counts(
      entries: findings.plan.tree.entries.count, contexts: findings.plan.order.contexts.count,
      bundles: rows.count,
      objects: ledger.rows.count)
    let build = Build(
      config: publication.config, files: publication.files, links: publication.links,
      bounds: bounds.output,
      counts: counts, tree: findings.plan.tree, assetSources: findings.assets.sources,
      validFrom: findings.embargoes.filter { $0 <= instant }.max(),
      validBefore: findings.embargoes.filter { $0 > instant }.min(), dates: findings.dates.sorted(),
      state: remembers ? CompiledState(findings, rows, publication) : nil)
    return Diagnosed(build, diagnostics)
  } catch let error as BundleEncoder.Unencodable {
    findings.resolveRest()
    return Diagnosed(
      nil, diagnostics + findings.diagnostics(selections.output) + [error.diagnostic])
  }
}

extension Findings {
  /// The bundles' rows in every context; none of broken content, of which nobody will see what is
  /// built.
  ///
  /// While the last parts of a bundle are made, entries of the next are resolved: no processor
  /// waits between the two.
  fileprivate mutating func rows(
    of selections: [Selection], _ ledger: ObjectLedger
  ) throws -> [Selector.Rows] {
    let lastUses = Selection.lastUses(selections, entryCount: plan.tree.entries.count)
    var rows: [Selector.Rows] = []
    var ready: Selector.Work?
    for (selection, isLast) in zip(selections, lastUses) {
      let batches = self.batches(of: selection, lettingGo: isLast)
      let (done, found) = try finished(ready, resolving: batches, selector(ledger))
      // The images of two bundles are there only while both are worked on.
      ready = nil
      rows += done
      let images = keep(found, of: batches)
      guard areWhole, !plan.tree.hasErrors else { return [] }
      ready = try selector(ledger).work(on: selection, images)
    }
    return rows + (try finished(ready, resolving: [], selector(ledger)).rows)
  }

  /// Makes a bundle whose entries are ready, and resolves others.
  private func finished(
    _ work: Selector.Work?, resolving batches: [Batch], _ selector: Selector
  ) throws -> (rows: [Selector.Rows], found: [[Found]]) {
    guard let work else { return ([], batches.concurrentValues(resolved)) }
    let (made, found) = work.parts.concurrentValues(
      { part in Result { try selector.made(part, of: work) } }, then: batches, resolved)
    return ([selector.rows(of: work, try made.map { try $0.get() })], found)
  }

  private func selector(_ ledger: ObjectLedger) -> Selector {
    let encoder = BundleEncoder(
      plan: plan, assets: assets, instant: instant, emit: { try ledger.add($0) })
    return Selector(plan: plan, encoder: encoder, scope: Array(plan.order.contexts.indices))
  }
}

private func boundsOfChannels(_ project: Project) -> Diagnosed<[Build.ChannelBound]> {
  let bounds = project.channels.map {
    Build.ChannelBound(channel: $0.name, bound: project.bound(of: $0))
  }
  guard let limit = project.stalenessLimit else { return Diagnosed(bounds) }
  return Diagnosed(
    bounds,
    bounds.filter { $0.bound.correction > limit.limit }.map { bound in
      Diagnostic(
        .error, "staleness", at: limit.location,
        "'stalenessLimit' is \(limit.limit), but a correction in '\(bound.channel)' takes up to \(bound.bound.correction)",
        notes: bound.bound.parts.map { Diagnostic.Note("\($0.layer): \($0.span)") })
    })
}

private func warnLargeConfig(_ config: [UInt8], _ tree: ContentTree) -> [Diagnostic] {
  guard config.count > 16_384 else { return [] }
  return [
    Diagnostic(
      .warning, "large-config", at: SourceLocation(path: tree.folder.shownPath("content.yaml")),
      "config is asked for most often and should stay below 16 kB; it has \(config.count) bytes",
      notes: [
        Diagnostic.Note("it names an index for each locale and device, and each locale's chain")
      ])
  ]
}
