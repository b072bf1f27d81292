package import ContentModel
package import ContentSource
package import Diagnostics
import PropertyLists
import Synchronization

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

  /// A channel's bound.
  package struct ChannelBound: Sendable {
    package var channel: String
    package var bound: StalenessBound
  }

  /// How much was built.
  package struct Counts: Sendable {
    package var entries: Int
    package var contexts: Int
    package var bundles: Int
    package var objects: Int
  }
}

/// Compiles a content tree: resolve, link, select, encode, index.
///
/// A pure function of the tree and the instant. Every object is handed to `emit` once, from any thread; where an error is
/// among the diagnostics the result is `nil`, and what was emitted must be thrown away.
///
/// - Throws: what `emit` throws.
package func compile(
  _ tree: ContentTree, at instant: Instant, emit: @escaping @Sendable (OutputObject) throws -> Void
) throws -> Diagnosed<Build?> {
  let checked = try check(tree)
  var diagnostics = checked.diagnostics
  let bounds = boundsOfChannels(tree.project)
  diagnostics += bounds.diagnostics
  guard !Diagnosed((), diagnostics).hasErrors else { return Diagnosed(nil, diagnostics) }

  let ledger = ObjectLedger(emit: emit)
  let record: @Sendable (OutputObject) throws -> Void = { try ledger.add($0) }
  let (plan, assets) = (checked.output.plan, checked.output.assets)
  for object in assets.objects { try ledger.add(object) }
  do {
    let encoder = BundleEncoder(plan: plan, assets: assets, instant: instant, emit: record)
    let selector = Selector(plan: plan, encoder: encoder)
    let rows = try checked.output.selections.map(selector.rows)
    let pages = try MaintenancePages(tree: tree, order: plan.order, conditions: plan.conditions, instant: instant)
    for payload in pages.payloads { try ledger.add(payload) }
    let indexer = IndexBuilder(tree: tree, emit: record)
    let indexes = try Array(plan.order.contexts.indices).concurrentMap { try indexer.index(rows, context: $0) }

    let format = tree.project.format
    let builder = BuildRecordBuilder(tree: tree, plan: plan, facts: checked.output.facts, assets: assets)
    let buildBytes = try PropertyList.encode(builder.value(rows, objects: ledger.rows), as: format)
    let buildObject = OutputObject(bytes: buildBytes, fileExtension: format.fileExtension)
    try ledger.add(buildObject)
    let config = try PropertyList.encode(
      ConfigBuilder(project: tree.project, contexts: plan.order.contexts).value(
        indexes: indexes, payloads: pages.payloads.map(\.digest), retryAfter: pages.retryAfter,
        build: buildObject.digest),
      as: format)
    diagnostics += warnLargeConfig(config, tree)
    let links =
      latest(rows, plan.order.contexts) + [
        OutputLink(
          path: "build.\(format.fileExtension)", digest: buildObject.digest, fileExtension: format.fileExtension)
      ]
    let build = Build(
      config: OutputFile(path: "preview/config.\(format.fileExtension)", bytes: config), files: pages.files,
      links: links,
      bounds: bounds.output,
      counts: Build.Counts(
        entries: tree.entries.count, contexts: plan.order.contexts.count, bundles: rows.count,
        objects: ledger.rows.count))
    return Diagnosed(build, diagnostics)
  } catch let error as BundleEncoder.Unencodable {
    return Diagnosed(nil, diagnostics + [error.diagnostic])
  }
}

/// What is known of a tree once everything that can be wrong with it was looked for.
struct CheckedTree: Sendable {
  var plan: ResolutionPlan
  var facts: [EntryFacts]
  var selections: [Selection]
  var assets: AssetTable
}

/// Resolves every entry in every context and looks at the result; nothing is encoded.
func check(_ tree: ContentTree) throws -> Diagnosed<CheckedTree> {
  let order = LayerOrder(locales: tree.project.locales, devices: tree.project.devices)
  let conditions = ConditionReader(locales: tree.project.locales, devices: tree.project.devices)
  var plan = ResolutionPlan(tree: tree, order: order, conditions: conditions, entries: [])
  let empty = plan
  let facts = try tree.entries.chunks(of: 64).concurrentMap { chunk in
    var known: [[Int]: ResolutionPlan.EntryPlan] = [:]
    return chunk.map { EntryFacts(of: $0, in: empty, known: &known) }
  }.flatMap { $0 }
  plan.entries = facts.map(\.plan)

  let selections = Selection.all(in: tree)
  let linker = Linker(tree: tree, order: order, facts: facts)
  let startup = selections.output.filter(\.bundle.isStartup).flatMap(\.entries)
  let assets = AssetTable.read(Set(facts.flatMap(\.assets)), in: tree)
  let diagnostics =
    linker.requirements() + linker.references() + linker.unconsulted() + linker.flows(startup: startup)
    + selections.diagnostics
    + assets.diagnostics
  return Diagnosed(
    CheckedTree(plan: plan, facts: facts, selections: selections.output, assets: assets.output), diagnostics)
}

/// The objects that were handed on, each once, whichever thread was first.
///
/// A class: the threads of a build share it.
private final class ObjectLedger: Sendable {
  private let known = Mutex<[Digest: (fileExtension: String, size: Int)]>([:])
  private let emit: @Sendable (OutputObject) throws -> Void

  init(emit: @escaping @Sendable (OutputObject) throws -> Void) { self.emit = emit }

  func add(_ object: OutputObject) throws {
    let isNew = known.withLock { known in
      known.updateValue((object.fileExtension, object.bytes.count), forKey: object.digest) == nil
    }
    if isNew { try emit(object) }
  }

  /// Every object by digest.
  var rows: [(digest: Digest, fileExtension: String, size: Int)] {
    known.withLock { known in
      known.map { (digest: $0.key, fileExtension: $0.value.fileExtension, size: $0.value.size) }
    }.sorted { $0.digest < $1.digest }
  }
}

private func latest(_ rows: [Selector.Rows], _ contexts: [Context]) -> [OutputLink] {
  contexts.enumerated().flatMap { index, context in
    rows.filter { !$0.selection.bundle.isSplit }.map { rows in
      let (bundle, row) = (rows.selection.bundle, rows.whole[index])
      return OutputLink(
        path: "preview/latest/\(context)/\(bundle.name).\(bundle.format.fileExtension)", digest: row.object.digest,
        fileExtension: bundle.format.fileExtension)
    }
  }
}

private func boundsOfChannels(_ project: Project) -> Diagnosed<[Build.ChannelBound]> {
  let times = project.lifetimes
  let bounds = project.channels.map { channel in
    Build.ChannelBound(
      channel: channel.name,
      bound: StalenessBound(
        origin: times.origin, caches: channel.caches, edge: times.edge,
        staleWhileRevalidate: times.staleWhileRevalidate,
        app: times.app))
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
      notes: [Diagnostic.Note("it names an index for each locale and device, and each locale's chain")])
  ]
}
